// A leaf of a Hoeffding tree: it counts what it sees, predicts from it, and says when and how it is best split.
#pragma once
#include <optional>
#include <span>
#include <utility>

#include "prequential/philox.hpp"
#include "prequential/renewal.hpp"
#include "prequential/split_search.hpp"

namespace prequential {

// The features of the leaf that is the `birth`-th of a tree: all (null), or a few drawn by counter.
inline std::unique_ptr<Features> drawn_features(const Features& all, const TreeRules& rules, std::uint64_t seed,
                                                std::uint64_t birth) {
  std::vector<std::int32_t> rest(all.numeric);
  rest.insert(rest.end(), all.nominal.begin(), all.nominal.end());
  if (rules.subspace <= 0 || std::size_t(rules.subspace) >= rest.size()) return nullptr;
  constexpr std::uint64_t kPurpose = 0x4C454146;  // "LEAF"
  auto own = std::make_unique<Features>();
  Block block{};
  for (std::size_t i = 0; i < std::size_t(rules.subspace); ++i) {
    if (i % 4 == 0) block = draws(seed, kPurpose, birth, i / 4);
    std::swap(rest[i], rest[i + std::size_t(uniform(block[i % 4]) * double(rest.size() - i))]);
    const bool numeric = std::binary_search(all.numeric.begin(), all.numeric.end(), rest[i]);
    (numeric ? own->numeric : own->nominal).push_back(rest[i]);
  }
  for (auto* some : {&own->numeric, &own->nominal}) {
    std::sort(some->begin(), some->end());
    some->shrink_to_fit();
  }
  return own;
}

class HoeffdingLeaf {
 public:
  // `counts`: the weights of the classes that the parent expects here. `own`: the features it looks at, if not all.
  HoeffdingLeaf(std::vector<double> counts, const Features& all, std::unique_ptr<Features> own)
      : own_(std::move(own)), counts_(std::move(counts)), table_(std::in_place, own_ ? *own_ : all) {
    for (double n : counts_) weight_ += n;
    measure();
  }

  const std::vector<double>& counts() const { return counts_; }
  double weight() const { return weight_; }  // inherited from the parent, and seen since
  std::uint64_t stamp() const { return stamp_; }  // another one after every record

  // What is not in the class with the most: how many errors a better leaf could save at best.
  double promise() const {
    double most = 0;
    for (double n : counts_) most = std::max(most, n);
    return weight_ - most;
  }

  // Without its table a leaf takes little memory; it then predicts the majority, and is never split.
  bool active() const { return table_.has_value(); }
  void deactivate() {
    table_.reset();
    measure();
  }
  void activate(const Features& all) {
    if (active()) return;
    table_.emplace(own_ ? *own_ : all);
    right_majority_ = right_bayes_ = since_search_ = 0;
    measure();
  }

  // `out` has room for a score a class of the tree; this leaf may know fewer.
  void scores(const TreeRules& rules, const Features& all, const double* x, double* out, int n_classes) const {
    if (uses_bayes(rules))
      bayes(rules, all, x, out, n_classes);
    else
      majority(out, n_classes);
  }

  // Answer records again that it has answered before, or that have come to it since, and add their best classes.
  void renew(const TreeRules& rules, const Features& all, const Asked& asked, std::span<const std::size_t> rows,
             int n_classes, std::vector<std::int32_t>& answers) const {
    Scratch out(n_classes);
    if (!uses_bayes(rules)) {  // the same for all
      majority(out.data(), n_classes);
      answers.insert(answers.end(), rows.size(), best_class(out.data(), n_classes));
      for (const std::size_t i : rows) asked.bases[i].stamp = stamp_;
      return;
    }
    Renewal renewal(*table_, own_ ? *own_ : all, counts_.data());
    for (const std::size_t i : rows) {
      Basis& basis = asked.bases[i];
      int best = Renewal<RangedGauss>::kUnclear;
      if (!rules.moa_densities) {
        best = renewal.best(asked.record(i), asked.terms_of(i), lately_.changed(basis.kept, stamp_));
        basis.kept = stamp_;
      }
      if (best == Renewal<RangedGauss>::kUnclear) {
        bayes(rules, all, asked.record(i), out.data(), n_classes);
        best = best_class(out.data(), n_classes);
      }
      basis.stamp = stamp_;
      answers.push_back(best);
    }
  }

  void learn(const TreeRules& rules, const Features& all, const double* x, int y, double w) {
    if (!table_ || rules.prediction != TreeRules::Prediction::adaptive) return count(all, x, y, w);
    const int C = int(counts_.size());
    Scratch posterior(C);
    bayes(rules, all, x, posterior.data(), C);
    judge(rules, posterior.data(), y, w);
    count(all, x, y, w);
  }

  void score_then_learn(const TreeRules& rules, const Features& all, const double* x, int y, double w, double* out,
                        int n_classes) {
    if (!table_ || rules.prediction != TreeRules::Prediction::adaptive) {
      scores(rules, all, x, out, n_classes);
      return count(all, x, y, w);
    }
    bayes(rules, all, x, out, n_classes);
    const bool as_bayes = uses_bayes(rules);
    judge(rules, out, y, w);
    if (!as_bayes) majority(out, n_classes);
    count(all, x, y, w);
  }

  // Whether it is time to search for a split; the clock is then set back.
  bool due(const TreeRules& rules) {
    if (!table_ || since_search_ < rules.grace) return false;
    since_search_ = 0;
    return true;
  }

  // The best split, if it is better than any other and than none: by more than Hoeffding's bound, or by any amount once the
  // bound is below tau. `n_classes`: of the whole tree, for the range of the gain.
  std::optional<Division> split(const TreeRules& rules, const Features& all, int n_classes) const {
    if (!table_ || promise() <= 0) return std::nullopt;
    const Features& features = own_ ? *own_ : all;
    SplitSearch search(rules, *table_, features);
    for (std::size_t k = 0; k < features.numeric.size(); ++k) search.try_thresholds(k);
    for (std::size_t k = 0; k < features.nominal.size(); ++k) search.try_values(k);
    if (!(search.best().gain > 0)) return std::nullopt;
    const double bound = hoeffding_bound(range_of_gain(rules.criterion, n_classes), rules.delta, weight_);
    if (!(search.best().gain - search.second() > bound || bound < rules.tau)) return std::nullopt;
    return std::move(search.best());
  }

  // Asked for at every record, so they are measured only when they change.
  std::size_t table_nbytes() const { return table_bytes_; }
  std::size_t nbytes() const { return bare_bytes_ + table_bytes_; }

  // A leaf like this one, before its first record.
  std::size_t newborn_nbytes(const Features& all) const {
    return bare_bytes_ + allocated((own_ ? *own_ : all).nominal.size() * sizeof(Values));
  }

  void write(Writer& to) const {
    to.put(own_ != nullptr);
    if (own_) {
      to.put(own_->numeric);
      to.put(own_->nominal);
    }
    to.put(counts_);
    for (double value : {weight_, since_search_, right_majority_, right_bayes_}) to.put(value);
    to.put(active());
    if (table_) table_->write(to);
  }
  static HoeffdingLeaf from(Reader& from, const Features& all) {
    std::unique_ptr<Features> own;
    if (from.get<bool>()) {
      own = std::make_unique<Features>();
      from.get(own->numeric);
      from.get(own->nominal);
      for (auto [some, of] : {std::pair(&own->numeric, &all.numeric), std::pair(&own->nominal, &all.nominal)})
        for (std::int32_t j : *some)
          if (!std::binary_search(of->begin(), of->end(), j))
            throw std::invalid_argument("damaged state: the features of a leaf");
    }
    std::vector<double> counts;
    from.get(counts);
    HoeffdingLeaf leaf(std::move(counts), all, std::move(own));
    for (auto* value : {&leaf.weight_, &leaf.since_search_, &leaf.right_majority_, &leaf.right_bayes_})
      *value = from.get<double>();
    if (!from.get<bool>()) {
      leaf.table_.reset();
    } else {
      leaf.table_->read(from, leaf.own_ ? *leaf.own_ : all);
      if (leaf.table_->n_classes() > int(leaf.counts_.size()))
        throw std::invalid_argument("damaged state: the classes of a leaf");
    }
    leaf.measure();
    return leaf;
  }

 private:
  std::unique_ptr<Features> own_;
  std::vector<double> counts_;  // [class]
  double weight_ = 0;
  double since_search_ = 0;     // weight seen since the last search for a split; a difference of weights would be rounded
  double right_majority_ = 0, right_bayes_ = 0;
  std::uint64_t stamp_ = 0;
  Lately lately_;  // of the last records, by the stamp
  std::optional<FeatureTable<RangedGauss>> table_;
  std::size_t bare_bytes_ = 0, table_bytes_ = 0;

  void measure() {
    bare_bytes_ = allocated(sizeof *this) + bytes_of(counts_);
    if (own_) bare_bytes_ += allocated(sizeof *own_) + own_->nbytes();
    table_bytes_ = table_ ? table_->nbytes() : 0;
  }

  bool uses_bayes(const TreeRules& rules) const {
    switch (rules.prediction) {
      case TreeRules::Prediction::majority: return false;
      case TreeRules::Prediction::naive_bayes: return table_.has_value();
      default: return table_ && right_bayes_ >= right_majority_;
    }
  }
  // MOA takes the silence of naive Bayes for the first class.
  void judge(const TreeRules& rules, const double* posterior, int y, double w) {
    const int C = int(counts_.size());
    if (best_class(counts_.data(), C) == y) right_majority_ += w;
    if (std::max(best_class(posterior, C), rules.moa_densities ? 0 : -1) == y) right_bayes_ += w;
  }
  void count(const Features& all, const double* x, int y, double w) {
    bool grown = std::size_t(y) >= counts_.size();
    if (grown) resize_exactly(counts_, std::size_t(y) + 1);
    counts_[y] += w;
    weight_ += w;
    since_search_ += w;
    ++stamp_;
    if (table_) {
      const Features& features = own_ ? *own_ : all;
      const bool more_classes = table_->grow(features, int(counts_.size()));
      const auto added = table_->add(features, x, y, w);
      grown |= more_classes || added.widened;
      lately_.note(y, added.shared || more_classes);
    }
    if (grown) measure();
  }

  // A class that was not seen since the leaf was made has no density, and no score as long as another has.
  void bayes(const TreeRules& rules, const Features& all, const double* x, double* out, int n_classes) const {
    const Features& features = own_ ? *own_ : all;
    const std::vector<double>& seen = table_->weights();
    bool any = false;
    for (double n : seen) any |= n > 0;
    if (!any) return majority(out, n_classes);
    if (rules.moa_densities) {
      products(features, x, out);
    } else {
      for (std::size_t c = 0; c < seen.size(); ++c)
        if (seen[c] > 0) out[c] = std::log(counts_[c]) + table_->log_likelihood(features, x, int(c));
      shares_of_logarithms(seen.data(), int(seen.size()), out);
    }
    std::fill(out + seen.size(), out + n_classes, 0.0);
  }

  // As MOA does it: where no class has a density, it is the first.
  void products(const Features& features, const double* x, double* out) const {
    double total = 0;
    for (std::size_t c = 0; c < counts_.size(); ++c) {
      const double vote = counts_[c] > 0 ? counts_[c] / weight_ * table_->moa_density(features, x, int(c)) : 0;
      total += out[c] = std::isnan(vote) ? 0 : std::min(vote, kMostVote);
    }
    if (!(total > 0)) total = out[0] = 1;
    for (std::size_t c = 0; c < counts_.size(); ++c) out[c] /= total;
  }
  static constexpr double kMostVote = 1e300;  // so that their sum is a number

  void majority(double* out, int n_classes) const {
    std::fill(out, out + n_classes, 0.0);
    if (!(weight_ > 0)) return;
    for (std::size_t c = 0; c < counts_.size(); ++c) out[c] = counts_[c] / weight_;
  }
};

}  // namespace prequential
