// A leaf of a Hoeffding tree: it keeps statistics of its records, predicts from them, and finds its best split.
#pragma once
#include <optional>
#include <span>
#include <utility>

#include "prequential/philox.hpp"
#include "prequential/moa_density.hpp"
#include "prequential/naive_bayes_renewal.hpp"
#include "prequential/split_search.hpp"

namespace prequential {

// The features of the `birth`-th leaf of a tree: all (null), or a random subset.
inline std::unique_ptr<Features> drawn_features(const Features& all, const TreeRules& rules, std::uint64_t seed,
                                                std::uint64_t birth) {
  std::vector<std::int32_t> rest(all.numeric);
  rest.insert(rest.end(), all.nominal.begin(), all.nominal.end());
  const std::size_t n_drawn = rules.n_drawn(rest.size());
  if (n_drawn == rest.size()) return nullptr;
  constexpr std::uint64_t kPurpose = 0x4C454146;  // "LEAF"
  auto own = std::make_unique<Features>();
  Block block{};
  for (std::size_t i = 0; i < n_drawn; ++i) {
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
  // `counts`: the class weights that the parent expects here. `own`: the features it uses, if not all.
  HoeffdingLeaf(std::vector<double> counts, const Features& all, std::unique_ptr<Features> own)
      : own_(std::move(own)), counts_(std::move(counts)), table_(std::in_place, own_ ? *own_ : all) {
    for (double n : counts_) weight_ += n;
    metric();
  }

  const std::vector<double>& counts() const { return counts_; }
  double weight() const { return weight_; }  // inherited from the parent, plus what was learned since
  std::uint64_t stamp() const { return stamp_; }  // changes with every record

  // The weight outside the largest class: how many errors a better leaf could save at best.
  double promise() const {
    double most = 0;
    for (double n : counts_) most = std::max(most, n);
    return weight_ - most;
  }

  // Without a table, a leaf takes little memory, predicts the majority class, and is never split.
  bool active() const { return table_.has_value(); }
  void deactivate() {
    table_.reset();
    metric();
  }
  void activate(const Features& all) {
    if (active()) return;
    table_.emplace(own_ ? *own_ : all);
    right_majority_ = right_bayes_ = since_search_ = 0;
    metric();
  }

  // New features are of use to a leaf that considers all.
  void widen(const Features& before, const Features& after) {
    if (!table_ || own_) return;
    table_->widen(before, after, counts_.data());
    metric();
  }

  // `out` has room for one score per class of the tree; this leaf may know fewer classes.
  void scores(const TreeRules& rules, const Features& all, const double* x, double* out, int n_classes) const {
    if (uses_bayes(rules))
      bayes(rules, all, x, Packed(own_ ? *own_ : all, x).data(), out, n_classes);
    else
      majority(out, n_classes);
  }

  // Add the best classes of the records `rows`, which are in this leaf.
  void renew(const TreeRules& rules, const Features& all, const Asked& asked, std::span<const std::size_t> rows,
             int n_classes, std::vector<std::int32_t>& answers) const {
    Scratch out(n_classes);
    if (!uses_bayes(rules)) {  // the same for all
      majority(out.data(), n_classes);
      answers.insert(answers.end(), rows.size(), best_class(out.data(), n_classes));
      for (const std::size_t i : rows) asked.bases[i].stamp = stamp_;
      return;
    }
    NaiveBayesRenewal renewal(*table_, own_ ? *own_ : all, counts_.data());
    for (const std::size_t i : rows) {
      Basis& basis = asked.bases[i];
      int best = NaiveBayesRenewal<RangedMoments>::kUnclear;
      if (!rules.moa_densities) {
        best = renewal.best(asked.record(i), asked.terms_of(i), last_change_.changed(basis.kept, stamp_));
        basis.kept = stamp_;
      }
      if (best == NaiveBayesRenewal<RangedMoments>::kUnclear) {
        const double* x = asked.record(i);
        bayes(rules, all, x, Packed(own_ ? *own_ : all, x).data(), out.data(), n_classes);
        best = best_class(out.data(), n_classes);
      }
      basis.stamp = stamp_;
      answers.push_back(best);
    }
  }

  void learn(const TreeRules& rules, const Features& all, const double* x, int y, double w) {
    const Packed packed(own_ ? *own_ : all, x);
    if (table_ && rules.prediction == TreeRules::Prediction::adaptive) {
      const int C = int(counts_.size());
      Scratch posterior(C);
      bayes(rules, all, x, packed.data(), posterior.data(), C);
      judge(rules, posterior.data(), y, w);
    }
    count(all, x, packed.data(), y, w);
  }

  void score_then_learn(const TreeRules& rules, const Features& all, const double* x, int y, double w, double* out,
                        int n_classes) {
    const Packed packed(own_ ? *own_ : all, x);
    if (!table_ || rules.prediction != TreeRules::Prediction::adaptive) {
      scores(rules, all, x, out, n_classes);
      return count(all, x, packed.data(), y, w);
    }
    bayes(rules, all, x, packed.data(), out, n_classes);
    const bool as_bayes = uses_bayes(rules);
    judge(rules, out, y, w);
    if (!as_bayes) majority(out, n_classes);
    count(all, x, packed.data(), y, w);
  }

  // Whether it is time to search for a split; if so, the next search is a grace period away.
  bool due(const TreeRules& rules) {
    if (!table_ || since_search_ < rules.grace) return false;
    since_search_ = 0;
    return true;
  }

  // The best split, if it is better than all others and than none: by more than Hoeffding's bound, or by any amount if
  // the bound is below tau. `n_classes`: of the whole tree, for the range of the gain.
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

  // Read at every record, so they are counted only when they change.
  std::size_t table_nbytes() const { return table_bytes_; }
  std::size_t nbytes() const { return bare_bytes_ + table_bytes_; }

  // The bytes of a leaf like this one before its first record.
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
      leaf.table_->read(from, leaf.own_ ? *leaf.own_ : all, &leaf.counts_);
      if (leaf.table_->n_classes() > int(leaf.counts_.size()))
        throw std::invalid_argument("damaged state: the classes of a leaf");
    }
    leaf.metric();
    return leaf;
  }

 private:
  std::unique_ptr<Features> own_;
  std::vector<double> counts_;  // [class]
  double weight_ = 0;
  double since_search_ = 0;     // weight learned since the last search for a split; a difference of weights would be rounded
  double right_majority_ = 0, right_bayes_ = 0;
  std::uint64_t stamp_ = 0;
  LastChange last_change_;
  std::optional<FeatureTable<RangedMoments>> table_;
  std::size_t bare_bytes_ = 0, table_bytes_ = 0;

  void metric() {
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
  // In MOA, naive Bayes predicts the first class when it abstains.
  void judge(const TreeRules& rules, const double* posterior, int y, double w) {
    const int C = int(counts_.size());
    if (best_class(counts_.data(), C) == y) right_majority_ += w;
    if (std::max(best_class(posterior, C), rules.moa_densities ? 0 : -1) == y) right_bayes_ += w;
  }
  void count(const Features& all, const double* x, const double* packed, int y, double w) {
    bool grown = std::size_t(y) >= counts_.size();
    if (grown) resize_exactly(counts_, std::size_t(y) + 1);
    counts_[y] += w;
    weight_ += w;
    since_search_ += w;
    ++stamp_;
    if (table_) {
      const Features& features = own_ ? *own_ : all;
      const bool more_classes = table_->grow(features, int(counts_.size()));
      const auto added = table_->add(features, x, packed, y, w, counts_.data());
      grown |= more_classes || added.widened;
      last_change_.note(y, added.shared || more_classes);
    }
    if (grown) metric();
  }

  // A class without records since the leaf was made scores 0 if another class has records.
  void bayes(const TreeRules& rules, const Features& all, const double* x, const double* packed, double* out,
             int n_classes) const {
    const Features& features = own_ ? *own_ : all;
    const std::vector<double>& seen = table_->weights();
    bool any = false;
    for (double n : seen) any |= n > 0;
    if (!any) return majority(out, n_classes);
    if (rules.moa_densities) {
      moa_scores(*table_, features, x, counts_, weight_, out);
    } else {
      table_->logarithms(features, x, packed, counts_.data(), out);
      shares_of_logarithms(seen.data(), int(seen.size()), out);
    }
    std::fill(out + seen.size(), out + n_classes, 0.0);
  }

  void majority(double* out, int n_classes) const {
    std::fill(out, out + n_classes, 0.0);
    if (!(weight_ > 0)) return;
    for (std::size_t c = 0; c < counts_.size(); ++c) out[c] = counts_[c] / weight_;
  }
};

}  // namespace prequential
