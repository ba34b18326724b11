// One pass over what was predicted: for every record the outcome, for every forgetting its counts, and at every
// checkpoint a copy of these counts.
//
// It is long because a record may be judged in three ways (two plain classes many at a time, any classes, numbers), and
// because what two grids need to become one is kept here, beside what one grid counts.
#pragma once
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "prequential/adwin_window.hpp"
#include "prequential/cumulative.hpp"
#include "prequential/exponential_histogram.hpp"
#include "prequential/fading.hpp"
#include "prequential/sliding.hpp"

namespace prequential {

// A score that cannot be: the records before it have been counted.
struct Rejected : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Predictions {  // of some consecutive records; absent parts are null
  std::size_t n = 0;
  const std::int64_t* label = nullptr;       // classification: < 0 is unlabelled
  const double* target = nullptr;            // regression: NaN is unlabelled
  const std::int64_t* prediction = nullptr;  // < 0 is none; where null the highest score decides
  const double* scores = nullptr;
  std::size_t n_columns = 0;
  const double* weight = nullptr;
  const double* time = nullptr;
  const std::uint8_t* tested = nullptr;  // 0: the record was not predicted and does not count; null: all were
};

struct Snapshots {
  std::vector<double> head;    // a row: records, time, unlabelled, abstained, of these not finite
  std::vector<double> counts;  // a row: for every forgetting, its matrix and tallies
};

inline int checked_classes(int n_classes) {
  if (n_classes < 0 || n_classes > kMostClasses) throw std::invalid_argument("n_classes must be from 0 to 4096");
  return n_classes;
}

class Grid {
 public:
  static constexpr int kHead = 5;

  // probabilities: keep log-loss and Brier score. skip: leave abstentions out instead of counting them wrong. ranks: which
  // measures of the order of scores to keep, as bits 1 << kAuc and so on.
  Grid(int n_classes, bool regression, bool probabilities, bool skip, unsigned ranks = 0)
      : regression_(regression), skip_(skip), n_classes_(regression ? 0 : checked_classes(n_classes)),
        ranks_(regression ? 0 : ranks) {
    if (ranks >= 1u << kRanks) throw std::invalid_argument("ranks must be from 0 to 15");
    outcomes_.n_classes = n_classes_;
    outcomes_.ranked = ranks_ != 0;
    outcomes_.n_losses = regression ? 4 : probabilities ? 2 : 0;
  }

  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;

  void add_cumulative() { parts_.push_back(std::make_unique<Cumulative>(n_classes_, n_losses())); }
  void add_sliding(double records, double seconds) {
    check_window(records, seconds);
    parts_.push_back(std::make_unique<Sliding>(n_classes_, n_losses(), records, seconds, ranks_));
  }
  void add_exponential_histogram(double records, double seconds, double error) {
    check_window(records, seconds);
    if (!(error > 0 && error < 1)) throw std::invalid_argument("error must lie in (0, 1)");
    parts_.push_back(std::make_unique<ExponentialHistogram>(n_classes_, n_losses(), records, seconds, error));
  }
  void add_fading(double alpha) {
    if (!(alpha > 0 && alpha <= 1)) throw std::invalid_argument("alpha must be in (0, 1]");
    parts_.push_back(std::make_unique<Fading>(n_classes_, n_losses(), alpha));
  }

  void add_adwin(double delta, double largest) {
    if (!(largest > 0 && largest <= std::numeric_limits<double>::max()))
      throw std::invalid_argument("largest must be a finite number above 0");
    AdwinRules rules;
    rules.delta = delta;
    parts_.push_back(std::make_unique<AdwinWindow>(n_classes_, n_losses(), rules, largest));
  }

  // Keep for every record from now on whether it was predicted right, until someone takes that away.
  enum Verdict : std::uint8_t { kWrong, kRight, kNotCounted };
  void keep_verdicts() { keep_verdicts_ = true; }
  std::vector<std::uint8_t> take_verdicts() { return std::exchange(verdicts_, {}); }

  int n_classes() const { return n_classes_; }
  int n_losses() const { return outcomes_.n_losses; }
  std::uint64_t n_seen() const { return n_seen_; }
  bool regression() const { return regression_; }
  std::size_t n_parts() const { return parts_.size(); }
  std::size_t width() const {
    return std::size_t(n_classes_) * (n_classes_ + 1) + kLosses + n_losses() + (ranks_ ? kRanks : 0);
  }

  void grow(int n_classes) {
    if (regression_ || n_classes <= n_classes_) return;
    for (auto& part : parts_) part->grow(n_classes);
    outcomes_.n_classes = n_classes_ = n_classes;
  }

  // every: records between snapshots, 0 for none.
  void update(const Predictions& p, std::uint64_t every, Snapshots& snapshots) {
    constexpr std::size_t most = 4096;  // outcomes at a time: they stay in the cache
    outcomes_.reserve(std::min(most, p.n));
    for (std::size_t i = 0; i < p.n;) {
      std::size_t stop = std::min(p.n, i + most);
      if (every > 0) stop = std::size_t(std::min<std::uint64_t>(stop, i + every - n_seen_ % every));
      step(p, i, stop);
      i = stop;
      if (every > 0 && n_seen_ % every == 0) snapshot(snapshots);
    }
  }

  // Labels that came before the first record to be counted: the baselines know them.
  void prime(const std::int64_t* y, const double* weight, const double* time, std::size_t n) {
    constexpr std::size_t most = 4096;
    outcomes_.reserve(std::min(most, n));
    for (std::size_t i = 0; i < n;) {
      outcomes_.n = 0;
      outcomes_.plain = outcomes_.skipped = false;
      for (const std::size_t stop = std::min(n, i + most); i < stop; ++i)
        if (y[i] >= 0 && (!weight || weight[i] > 0)) put_label(weight ? weight[i] : 1.0, time ? time[i] : 0.0, y[i]);
      count();
    }
  }

  void snapshot(Snapshots& to) const {
    to.head.insert(to.head.end(), {double(n_seen_), last_time_, double(n_unlabelled_), double(n_abstained_),
                                    double(n_nonfinite_)});
    const std::size_t at = to.counts.size();
    to.counts.resize(at + parts_.size() * width(), std::numeric_limits<double>::quiet_NaN());  // ranks, without a window
    for (std::size_t k = 0; k < parts_.size(); ++k) parts_[k]->read(&to.counts[at + k * width()]);
  }

  // Go on as if the records of `later`, which began empty, had come after those of this grid. If it cannot be, nothing
  // is changed.
  void merge(const Grid& later) {
    if (later.regression_ != regression_) throw std::invalid_argument("one grid counts classes, the other numbers");
    if (later.n_losses() != n_losses())
      throw std::invalid_argument("one grid keeps what probabilities need, the other does not");
    if (later.ranks_ != ranks_) throw std::invalid_argument("one grid ranks scores by other measures than the other");
    if (later.skip_ != skip_) throw std::invalid_argument("one grid leaves abstentions out, the other does not");
    if (later.n_parts() != n_parts()) throw std::invalid_argument("the two grids have different forgettings");
    if (later.first_time_ < last_time_)
      throw std::invalid_argument("the later grid begins at time " + std::to_string(later.first_time_) +
                                  ", before the earlier one ends, at " + std::to_string(last_time_));
    const int n_classes = std::max(n_classes_, later.n_classes_);
    const Seam seam = seam_to(later);
    std::vector<std::unique_ptr<Forgetting>> merged;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      auto part = parts_[k]->clone(), its = later.parts_[k]->clone();
      if (n_classes > n_classes_) part->grow(n_classes);
      if (n_classes > later.n_classes_) its->grow(n_classes);
      if (seam.n_earlier == 0 && seam.shift == 0) {
        part = std::move(its);
      } else if (seam.n_later > 0) {
        part->merge(*its, seam);
      }
      if (!std::isnan(later.last_time_)) part->advance(later.last_time_);
      merged.push_back(std::move(part));
    }
    parts_ = std::move(merged);
    outcomes_.n_classes = n_classes_ = n_classes;
    take_over(later);
  }

  std::size_t nbytes() const {
    std::size_t n = sizeof *this;
    for (const auto& part : parts_) n += part->nbytes();
    return n;
  }

  void write(Writer& to) const {
    to.put(regression_);
    to.put(skip_);
    to.put(n_classes_);
    to.put(outcomes_.n_losses);
    to.put(ranks_);
    to.put(outcomes_.weighted);
    to.put(last_label_);
    to.put(first_time_);
    to.put(last_time_);
    to.put(origin_);
    to.put(n_seen_);
    to.put(n_unlabelled_);
    to.put(n_abstained_);
    to.put(n_nonfinite_);
    to.put(n_given_);
    to.put(first_label_);
    to.put(first_weight_);
    to.put(first_counts_);
    for (const auto& part : parts_) part->write(to);
  }
  // Into a grid of the same forgettings.
  void load(Reader& from) {
    const bool same = from.get<bool>() == regression_ && from.get<bool>() == skip_;
    const int n_classes = from.get<int>();
    const bool kept = from.get<int>() == n_losses() && from.get<unsigned>() == ranks_;
    if (!same || !kept || n_classes < n_classes_ || n_classes > kMostClasses)
      throw std::invalid_argument("these bytes are the state of a grid of another kind");
    grow(n_classes);
    outcomes_.weighted = from.get<bool>();
    last_label_ = from.get<std::int64_t>();
    first_time_ = from.get<double>();
    last_time_ = from.get<double>();
    origin_ = from.get<double>();
    n_seen_ = from.get<std::uint64_t>();
    n_unlabelled_ = from.get<std::uint64_t>();
    n_abstained_ = from.get<std::uint64_t>();
    n_nonfinite_ = from.get<std::uint64_t>();
    n_given_ = from.get<std::uint64_t>();
    first_label_ = from.get<std::int64_t>();
    first_weight_ = from.get<double>();
    first_counts_ = from.get<bool>();
    for (auto& part : parts_) part->load(from);
    from.done();
  }

 private:
  bool regression_, skip_;
  int n_classes_;
  unsigned ranks_;
  Outcomes outcomes_;
  std::vector<std::unique_ptr<Forgetting>> parts_;
  bool keep_verdicts_ = false;
  std::vector<std::uint8_t> verdicts_;
  std::uint8_t* verdict_ = nullptr;  // where those of the records at hand go
  std::int64_t last_label_ = -1;
  double first_time_ = std::numeric_limits<double>::quiet_NaN();
  double last_time_ = std::numeric_limits<double>::quiet_NaN();  // the latest so far
  double origin_ = std::numeric_limits<double>::quiet_NaN();  // the first target: R2 sums relative to it
  std::uint64_t n_seen_ = 0, n_unlabelled_ = 0, n_abstained_ = 0, n_nonfinite_ = 0;
  std::uint64_t n_given_ = 0;  // records that the forgettings were given; of the first of them:
  std::int64_t first_label_ = -1;
  double first_weight_ = 1;
  bool first_counts_ = false;

  static void check_window(double records, double seconds) {
    if (!(records >= 1 && (std::isinf(records) || records == std::floor(records))))
      throw std::invalid_argument("records must be a whole number of at least 1, or infinite");
    if (!(seconds > 0)) throw std::invalid_argument("seconds must be a number above 0, or infinite");
    if (std::isinf(records) == std::isinf(seconds))
      throw std::invalid_argument("one of records and seconds must be finite, and not both");
  }

  Seam seam_to(const Grid& later) const {
    Seam seam;
    seam.n_earlier = n_given_;
    seam.n_later = later.n_given_;
    seam.no_change = later.first_counts_ && later.first_label_ == last_label_;
    seam.weight = later.first_weight_;
    if (!std::isnan(origin_) && !std::isnan(later.origin_)) seam.shift = later.origin_ - origin_;
    return seam;
  }
  // What a grid knows besides its forgettings.
  void take_over(const Grid& later) {
    outcomes_.weighted = outcomes_.weighted || later.outcomes_.weighted;
    if (n_given_ == 0) {
      first_label_ = later.first_label_;
      first_weight_ = later.first_weight_;
      first_counts_ = later.first_counts_;
    }
    if (later.last_label_ >= 0) last_label_ = later.last_label_;
    if (std::isnan(first_time_)) first_time_ = later.first_time_;
    if (!std::isnan(later.last_time_)) last_time_ = later.last_time_;
    if (std::isnan(origin_)) origin_ = later.origin_;
    n_given_ += later.n_given_;
    n_seen_ += later.n_seen_;
    n_unlabelled_ += later.n_unlabelled_;
    n_abstained_ += later.n_abstained_;
    n_nonfinite_ += later.n_nonfinite_;
  }

  void step(const Predictions& p, std::size_t from, std::size_t to) {
    outcomes_.n = 0;
    outcomes_.plain = outcomes_.skipped = false;
    const std::size_t n_judged = verdicts_.size();
    if (keep_verdicts_) verdicts_.resize(n_judged + to - from, kNotCounted);
    verdict_ = keep_verdicts_ ? verdicts_.data() + n_judged : nullptr;
    std::size_t i = from;
    try {
      if (plain(p)) i = judge_plain(p, from, to);
      for (; i < to; ++i) {
        if (p.time) look_at_clock(p.time[i]);
        if (p.tested && !p.tested[i]) [[unlikely]] {
          pass_over(p, i);
        } else if (regression_) {
          judge_number(p, i);
        } else {
          judge_class(p, i, from);
        }
        ++n_seen_;
      }
    } catch (const Rejected&) {
      if (keep_verdicts_) verdicts_.resize(n_judged + i - from);
      count();
      throw;
    }
    count();
    if (p.time && to > from)
      for (auto& part : parts_) part->advance(last_time_);
  }
  // The clock never goes back, so that it does not matter where records are cut into pieces: one that does not count
  // moves it on as well.
  void look_at_clock(double time) {
    if (std::isnan(first_time_)) first_time_ = time;
    last_time_ = std::fmax(last_time_, time);
  }
  void count() {
    if (n_given_ == 0 && outcomes_.n > 0) {
      first_label_ = outcomes_.label[0];
      first_weight_ = outcomes_.weighted ? outcomes_.weight[0] : 1.0;
      first_counts_ = outcomes_.cell[0] >= 0;
    }
    n_given_ += outcomes_.n;
    for (auto& part : parts_) part->add(outcomes_);
  }

  void put(const Predictions& p, std::size_t i, std::int64_t label, std::int64_t prediction) {
    const std::size_t k = outcomes_.n++;
    outcomes_.label[k] = std::int32_t(label);
    outcomes_.cell[k] = std::int32_t(label * (n_classes_ + 1) + prediction);
    outcomes_.no_change[k] = label == last_label_;
    const double w = p.weight ? p.weight[i] : 1.0;
    outcomes_.weight[k] = w;
    if (w != 1.0) outcomes_.weighted = true;
    if (p.time) outcomes_.time[k] = last_time_;
  }

  // Two classes, scores, nothing else: by far the most common case, without a branch that fails.
  bool plain(const Predictions& p) const {
    return n_classes_ == 2 && p.scores && p.n_columns == 2 && !p.prediction && !p.weight && !p.time && !p.tested &&
           outcomes_.counts();
  }
  std::size_t judge_plain(const Predictions& p, std::size_t from, std::size_t to) {
    const double* s = p.scores + 2 * from;
    const std::int64_t* y = p.label + from;
    const std::size_t n = to - from;
    std::int32_t* label = outcomes_.label.data();
    std::int32_t* cell = outcomes_.cell.data();
    std::uint8_t* plain_cell = outcomes_.plain_cell.data();
    std::uint8_t* no_change = outcomes_.no_change.data();
    // Numbers from zero on are in the order of their bits; only negative numbers have the first bit set. So these sums
    // have it where something is odd: a score below zero, too large or not finite, two zeros, no label.
    constexpr std::uint64_t most = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::max() / 2);
    constexpr std::uint64_t first = std::uint64_t(1) << 63, over = first - most - 1;
    std::uint64_t odd = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const auto a = std::bit_cast<std::uint64_t>(s[2 * k]), b = std::bit_cast<std::uint64_t>(s[2 * k + 1]);
      odd |= a | b | (a + over) | (b + over) | ((a | b) - 1) | std::uint64_t(y[k]);
      plain_cell[k] = std::uint8_t(3 * std::uint64_t(y[k]) + ((a - b) >> 63));
    }
    if (odd & first) return from;
    for (std::size_t k = 0; k < n; ++k) cell[k] = plain_cell[k];
    for (std::size_t k = 0; k < n; ++k) label[k] = plain_cell[k] >= 3;
    no_change[0] = y[0] == last_label_;
    for (std::size_t k = 1; k < n; ++k) no_change[k] = (plain_cell[k] >= 3) == (plain_cell[k - 1] >= 3);
    last_label_ = y[n - 1];
    if (verdict_)
      for (std::size_t k = 0; k < n; ++k) verdict_[k] = (plain_cell[k] == 0) | (plain_cell[k] == 4);
    if (ranks_)
      for (std::size_t k = 0; k < n; ++k) rank_keys(s + 2 * k, 2, s[2 * k] + s[2 * k + 1], 2, outcomes_.key(k));
    outcomes_.plain = true;
    outcomes_.n = n;
    n_seen_ += n;
    return to;
  }

  // A record whose label the baselines know, but which does not count.
  void put_label(double weight, double time, std::int64_t label) {
    const std::size_t k = outcomes_.n++;
    outcomes_.label[k] = std::int32_t(label);
    outcomes_.cell[k] = -1;
    outcomes_.no_change[k] = 0;
    outcomes_.weight[k] = weight;
    outcomes_.time[k] = time;
    std::fill_n(outcomes_.losses.begin() + k * n_losses(), n_losses(), 0.0);
    if (weight != 1.0) outcomes_.weighted = true;
    outcomes_.skipped = true;
    last_label_ = label;
  }

  // A record that was not predicted: its label is known to whoever predicts that nothing changes.
  void pass_over(const Predictions& p, std::size_t i) {
    if (regression_ ? std::isnan(p.target[i]) : p.label[i] < 0) {
      ++n_unlabelled_;
    } else if (!regression_ && !(p.weight && p.weight[i] == 0)) {
      last_label_ = p.label[i];
    }
  }

  void judge_class(const Predictions& p, std::size_t i, std::size_t from) {
    const std::int64_t y = p.label[i];
    const double* s = p.scores ? p.scores + i * p.n_columns : nullptr;
    double total = 0;
    std::int64_t best = kNone;
    if (s) best = highest(s, p.n_columns, total);
    if (p.prediction) best = p.prediction[i];
    if (y < 0) {
      ++n_unlabelled_;
      return;
    }
    if (p.weight && p.weight[i] == 0) return;  // it does not count, and nobody learns it
    if (best < 0) {
      ++n_abstained_;
      if (best == kNotFinite) ++n_nonfinite_;
      if (skip_) {
        put_label(p.weight ? p.weight[i] : 1.0, p.time ? last_time_ : 0.0, y);
        return;
      }
      best = n_classes_;
    }
    put(p, i, y, best);
    if (verdict_) verdict_[i - from] = best == y ? kRight : kWrong;
    if (ranks_) {
      double* keys = outcomes_.key(outcomes_.n - 1);
      rank_keys(s, p.n_columns, best == n_classes_ ? 0.0 : total, n_classes_, keys);
      if (!s && best < n_classes_) {  // a bare prediction
        std::fill_n(keys, n_classes_, 0.0);
        keys[best] = 1;
      }
    }
    if (n_losses() > 0) probability_losses(s, p.n_columns, total, y, &outcomes_.losses[(outcomes_.n - 1) * 2]);
    last_label_ = y;
  }

  static constexpr std::int64_t kNone = -1, kNotFinite = -2;

  // The class of the highest score, the lowest code among equals; negative where the learner abstains.
  static std::int64_t highest(const double* s, std::size_t n, double& total) {
    std::size_t best = 0;
    double least = 0, sum = 0;
    for (std::size_t c = 0; c < n; ++c) {
      sum += s[c];
      if (s[c] > s[best]) best = c;
      if (s[c] < least) least = s[c];
    }
    if (least < 0) {
      for (std::size_t c = 0; c < n; ++c)
        if (s[c] < 0 && std::isfinite(s[c]))
          throw Rejected("the score " + std::to_string(s[c]) + " of class code " + std::to_string(c) + " is negative");
    }
    total = sum;
    if (sum > 0 && sum <= std::numeric_limits<double>::max()) return std::int64_t(best);
    for (std::size_t c = 0; c < n; ++c)
      if (!std::isfinite(s[c])) {
        total = 0;
        return kNotFinite;
      }
    return sum > 0 ? std::int64_t(best) : kNone;  // finite scores whose sum is not: the total stays infinite
  }

  // Log-loss (the probability cut off at machine epsilon, as scikit-learn does) and Brier score over all classes.
  // No probabilities at all count as a probability of zero for every class.
  static void probability_losses(const double* s, std::size_t n, double total, std::int64_t y, double* out) {
    double unit = 1;
    if (std::isinf(total)) {
      unit = 1 / double(n);
      total = 0;
      for (std::size_t c = 0; c < n; ++c) total += s[c] * unit;
    }
    const double p = s && total > 0 && std::size_t(y) < n ? s[y] * unit / total : 0;
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    out[0] = -std::log(std::clamp(p, epsilon, 1 - epsilon));
    double squares = (1 - p) * (1 - p);
    if (s && total > 0)
      for (std::size_t c = 0; c < n; ++c)
        if (std::int64_t(c) != y) squares += (s[c] * unit / total) * (s[c] * unit / total);
    out[1] = squares;
  }

  void judge_number(const Predictions& p, std::size_t i) {
    const double y = p.target[i];
    if (std::isnan(y)) {
      ++n_unlabelled_;
      return;
    }
    if (p.weight && p.weight[i] == 0) return;
    if (std::isnan(origin_)) origin_ = y;
    const double predicted = p.scores[i * p.n_columns];
    if (!std::isfinite(predicted)) {  // no number is the wrong number: leave it out and say so
      ++n_abstained_;
      ++n_nonfinite_;
      return;
    }
    put(p, i, 0, 0);
    const double error = predicted - y, away = y - origin_;
    double* losses = &outcomes_.losses[(outcomes_.n - 1) * 4];
    losses[0] = std::fabs(error);
    losses[1] = error * error;
    losses[2] = away;
    losses[3] = away * away;
  }
};

}  // namespace prequential
