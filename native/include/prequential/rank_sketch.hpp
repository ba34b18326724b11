// The order of the scores of a whole stream, in constant memory: of all history, or with a fading factor. For metrics of
// all records whose scores differ in a few thousand values it is exact; otherwise every metric has a bound on its error.
//
// One set of bins (score_bins.hpp) per class that is ranked. Fading makes new weights larger instead of old ones smaller,
// as in fading.hpp.
#pragma once
#include <array>

#include "prequential/forgetting.hpp"
#include "prequential/rank_estimate.hpp"
#include "prequential/rank_rules.hpp"

namespace prequential {

class RankSketch {
 public:
  RankSketch(int n_classes, const RankRules& rules, double growth = 1, std::size_t most = kMost)
      : n_classes_(n_classes), rules_(rules), growth_(growth), most_(most), present_(n_classes), abstained_(n_classes) {
    choose();
  }

  void add(const Outcomes& o) {
    constexpr std::size_t at_once = 512;
    for (std::size_t i = 0; i < o.n; i += at_once) add(o, i, std::min(o.n, i + at_once));
  }

  // The metrics, then the bounds on their errors.
  void read(double* out) {
    std::fill_n(out, 2 * kRanks, std::numeric_limits<double>::quiet_NaN());
    if (n_classes_ < 2) return;
    std::array<Mean, kRanks> means{};
    for (Ranking& ranking : rankings_) {
      ranking.bins.settle();
      if (!is_ranked(ranking.code) || !(wanted(kAuc) || wanted(kAveragePrecision) || wanted(kScoredAuc))) continue;
      if (wanted(kAuc) && !wanted(kAveragePrecision) && !wanted(kScoredAuc) && ranking.bins.n_labels() == 2 &&
          ranking.bins.retired().empty()) {
        means[kAuc].add(auc_of_two(ranking.bins, scale_));
        continue;
      }
      const RankReading reading(ranking.bins, -1, scale_);
      if (wanted(kAuc)) means[kAuc].add(reading.auc());
      if (wanted(kScoredAuc)) means[kScoredAuc].add(reading.scored_auc());
      if (wanted(kAveragePrecision)) means[kAveragePrecision].add(reading.average_precision());
    }
    if (wanted(kHandTill)) means[kHandTill] = hand_till();
    for (int rank = 0; rank < kRanks; ++rank)
      if (wanted(Rank(rank)) && means[rank].n > 0) {
        out[rank] = means[rank].value / means[rank].n;
        out[kRanks + rank] = means[rank].error / means[rank].n;
      }
  }

  void set_positive(int code) {
    if (code == rules_.positive) return;
    rules_.positive = code;
    choose();
  }

  // Before a class appears, its score is 0.
  void grow(int n_classes) {
    if (n_classes == n_classes_) return;
    const int before = n_classes_;
    n_classes_ = n_classes;
    present_.resize(n_classes);
    abstained_.resize(n_classes);
    known_ = before;
    choose();
    known_ = -1;
  }

  // `earlier`: how much the records of this sketch weigh after those of the later one.
  void merge(RankSketch& later, double earlier) {
    const double by = earlier * later.scale_ / scale_;
    for (Ranking& mine : rankings_)
      for (Ranking& its : later.rankings_)
        if (mine.code == its.code) mine.bins.merge(its.bins, by);
    for (int c = 0; c < n_classes_; ++c) {
      present_[c] = present_[c] * by + later.present_[c];
      abstained_[c] = abstained_[c] * by + later.abstained_[c];
    }
    scale_ = later.scale_;
  }

  std::size_t nbytes() const {
    std::size_t n = sizeof *this + (present_.capacity() + abstained_.capacity()) * sizeof(double) +
                    (score_.capacity() + weight_.capacity()) * sizeof(double) +
                    (label_.capacity() + column_.capacity()) * sizeof(std::int32_t);
    for (const Ranking& ranking : rankings_) n += sizeof ranking + ranking.bins.nbytes();
    return n;
  }

  void write(Writer& to) const {
    to.put(n_classes_);
    to.put(rules_.wanted);
    to.put(rules_.positive);
    to.put(rules_.paper);
    to.put(rules_.open);
    to.put(growth_);
    to.put(scale_);
    to.put(present_);
    to.put(abstained_);
    to.put(std::uint64_t(rankings_.size()));
    for (const Ranking& ranking : rankings_) {
      to.put(ranking.code);
      ranking.bins.write(to);
    }
  }
  void load(Reader& from) {
    const bool same = from.get<int>() == n_classes_ && from.get<unsigned>() == rules_.wanted &&
                      from.get<int>() == rules_.positive && from.get<bool>() == rules_.paper &&
                      from.get<bool>() == rules_.open && from.get<double>() == growth_;
    if (!same) throw std::invalid_argument("these bytes are the state of a sketch of other ranks");
    scale_ = from.get<double>();
    from.get(present_, std::size_t(n_classes_));
    from.get(abstained_, std::size_t(n_classes_));
    const auto n = from.get<std::uint64_t>();
    if (n != rankings_.size()) throw std::invalid_argument("damaged state: a sketch of ranks");
    for (Ranking& ranking : rankings_) {
      if (from.get<int>() != ranking.code) throw std::invalid_argument("damaged state: a sketch of ranks");
      ranking.bins.load(from);
    }
  }

 private:
  static constexpr std::size_t kMost = 4096;                        // bins of one class
  static constexpr std::size_t kMostNumbers = std::size_t(1) << 22;  // in all bins: with many classes, fewer of them
  static constexpr double kMostScale = 1e100;

  struct Ranking {
    int code;
    ScoreBins bins;
  };
  struct Mean {
    double value = 0, error = 0;
    int n = 0;
    void add(const RankEstimate& one) {
      if (std::isnan(one.value)) return;
      value += one.value;
      error += one.error;
      ++n;
    }
  };

  int n_classes_;
  RankRules rules_;
  double growth_, scale_ = 1;
  std::size_t most_;
  int known_ = -1;                           // while classes are added: how many there were before
  std::vector<double> present_, abstained_;  // weight of the records of each label, with and without scores
  std::vector<Ranking> rankings_;
  std::vector<double> score_, weight_;  // of the records that are being added
  std::vector<std::int32_t> label_, column_;

  bool wanted(Rank rank) const { return rules_.wanted >> rank & 1; }
  bool pairwise() const { return wanted(kHandTill); }
  bool has_positive() const { return rules_.positive >= 0; }
  bool is_ranked(int code) const {
    if (rules_.positive == RankRules::kNotSeen) return false;
    if (has_positive()) return code == rules_.positive;
    return n_classes_ > 2 || code == 1;
  }
  // With two classes, the first is not ranked against the second; if more may come, its scores are needed then.
  bool is_kept(int code) const {
    if (pairwise() || is_ranked(code)) return true;
    return rules_.open && rules_.positive == RankRules::kNoPositive;
  }
  int column_of(int label, int code) const { return pairwise() ? label : label == code; }
  int own_column(int code) const { return pairwise() ? code : 1; }
  int n_columns() const { return pairwise() ? n_classes_ : 2; }

  // Create the bins of the classes that are ranked from now on, and drop the others.
  void choose() {
    std::vector<Ranking> kept;
    std::size_t n = 0, at = 0;
    for (int c = 0; c < n_classes_; ++c) n += is_kept(c);
    const ScoreBins one(n_columns(), 0, 64, wanted(kScoredAuc), rules_.paper);
    const std::size_t numbers = std::max<std::size_t>(1, n * one.stride());
    const std::size_t most = std::min(most_, kMostNumbers / numbers) / 2 * 2;
    for (int c = 0; c < n_classes_; ++c) {
      while (at < rankings_.size() && rankings_[at].code < c) ++at;
      const bool exists = at < rankings_.size() && rankings_[at].code == c;
      if (!is_kept(c)) continue;
      if (exists) {
        kept.push_back(std::move(rankings_[at]));
        kept.back().bins.grow(n_columns(), most);
      } else {
        kept.push_back({c, ScoreBins(n_columns(), own_column(c), most, wanted(kScoredAuc), rules_.paper)});
        add_past(kept.back());
      }
    }
    rankings_ = std::move(kept);
  }

  // The records so far, for a class whose scores were not kept: they are 0 if the class was not there, or not known.
  void add_past(Ranking& ranking) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const bool zero = known_ >= 0 && ranking.code >= known_;
    std::vector<double> unknown(n_columns());
    for (int y = 0; y < n_classes_; ++y) {
      const std::int32_t column = column_of(y, ranking.code);
      if (abstained_[y] > 0) {
        const double score = y == ranking.code ? -infinity : infinity;
        ranking.bins.add(&score, &column, &abstained_[y], 1);
      }
      if (present_[y] > 0 && zero) {
        const double score = 0;
        ranking.bins.add(&score, &column, &present_[y], 1);
      }
      if (!zero) unknown[column] += present_[y];
    }
    if (std::any_of(unknown.begin(), unknown.end(), [](double w) { return w > 0; }))
      ranking.bins.add_unknown(0, 1, unknown.data());
  }

  void add(const Outcomes& o, std::size_t from, std::size_t to) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    score_.resize(to - from);
    weight_.resize(to - from);
    label_.resize(to - from);
    column_.resize(to - from);
    std::size_t n = 0;
    std::size_t next = from;
    for (; next < to; ++next) {
      if (growth_ != 1) {
        if (scale_ * growth_ > kMostScale) break;
        scale_ *= growth_;
      }
      if (o.cell[next] < 0) continue;  // it does not count
      const double w = o.weighted ? scale_ * o.weight[next] : scale_;
      weight_[n] = w;
      label_[n] = std::int32_t(next);
      (std::isnan(*o.key(next)) ? abstained_ : present_)[o.label[next]] += w;
      ++n;
    }
    for (Ranking& ranking : rankings_) {
      const int c = ranking.code;
      for (std::size_t k = 0; k < n; ++k) {
        const std::size_t i = std::size_t(label_[k]);
        const double* keys = o.key(i);
        const int y = o.label[i];
        // An abstention is wrong in each of its pairs.
        score_[k] = !std::isnan(keys[0]) ? keys[c] : y == c ? -infinity : infinity;
        column_[k] = column_of(y, c);
      }
      ranking.bins.add(score_.data(), column_.data(), weight_.data(), n);
    }
    if (next == to) return;
    const double by = 1 / scale_;
    scale_ = 1;
    for (Ranking& ranking : rankings_) ranking.bins.scale(by);
    for (auto* weights : {&present_, &abstained_})
      for (double& w : *weights) w *= by;
    add(o, next, to);
  }

  // The mean of (A(i|j) + A(j|i)) / 2 over all pairs of classes with records (Hand and Till 2001).
  Mean hand_till() const {
    std::vector<RankEstimate> one(std::size_t(n_classes_) * n_classes_);
    for (const Ranking& ranking : rankings_)
      for (int other = 0; other < n_classes_; ++other)
        if (other != ranking.code)
          one[std::size_t(ranking.code) * n_classes_ + other] = RankReading(ranking.bins, other, scale_).auc();
    Mean mean;
    for (int i = 0; i < n_classes_; ++i)
      for (int j = 0; j < i; ++j) {
        const RankEstimate &a = one[std::size_t(i) * n_classes_ + j], &b = one[std::size_t(j) * n_classes_ + i];
        mean.add({(a.value + b.value) / 2, (a.error + b.error) / 2});
      }
    return mean;
  }
};

}  // namespace prequential
