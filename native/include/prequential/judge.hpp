// How predictions become outcomes: which class or number was predicted for each record, whether it was right, its
// losses, and what the two causal baselines would have predicted.
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "prequential/bytes.hpp"
#include "prequential/elementary.hpp"
#include "prequential/outcome.hpp"

namespace prequential {

// A score that is not allowed: the records before it have been counted.
struct Rejected : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Predictions {  // of some consecutive records; absent parts are null
  std::size_t n = 0;
  const std::int64_t* label = nullptr;       // classification: < 0 is unlabelled
  const double* target = nullptr;            // regression: NaN is unlabelled
  const std::int64_t* prediction = nullptr;  // < 0 is none; if null, the highest score decides
  const double* scores = nullptr;
  std::size_t n_columns = 0;
  const double* margin = nullptr;  // two classes: above 0 for `positive`, below for the other; instead of scores
  int positive = 1;
  const double* weight = nullptr;
  const double* time = nullptr;
  const double* own = nullptr;  // losses of the user's own, a row per record, if the grid keeps some
  const std::uint8_t* tested = nullptr;  // 0: the record was not predicted and does not count; null: all were predicted
};

inline int checked_classes(int n_classes) {
  if (n_classes < 0 || n_classes > kMostClasses) throw std::invalid_argument("n_classes must be from 0 to 4096");
  return n_classes;
}

class Judge {
 public:
  // See Grid.
  Judge(int n_classes, bool regression, bool probabilities, bool skip, unsigned ranks, int n_own = 0)
      : regression_(regression), skip_(skip), n_classes_(regression ? 0 : checked_classes(n_classes)),
        n_own_(n_own), ranks_(regression ? 0 : ranks) {
    if (n_own < 0 || n_own > 64) throw std::invalid_argument("n_own must be from 0 to 64");
    if (ranks >= 1u << kRanks) throw std::invalid_argument("ranks must be from 0 to 15");
    outcomes_.n_classes = n_classes_;
    outcomes_.ranked = ranks_ != 0;
    outcomes_.n_losses = n_own + (regression ? 4 : probabilities ? 2 : 0);
  }

  bool regression() const { return regression_; }
  int n_classes() const { return n_classes_; }
  int n_losses() const { return outcomes_.n_losses; }
  int n_own() const { return n_own_; }
  unsigned ranks() const { return ranks_; }
  std::uint64_t n_seen() const { return n_seen_; }
  double first_time() const { return first_time_; }
  double last_time() const { return last_time_; }
  double origin() const { return origin_; }
  std::int64_t last_label() const { return last_label_; }
  // Records, time, unlabelled, abstained, of these not finite.
  std::array<double, 5> head() const {
    return {double(n_seen_), last_time_, double(n_unlabelled_), double(n_abstained_), double(n_nonfinite_)};
  }

  void grow(int n_classes) { outcomes_.n_classes = n_classes_ = n_classes; }

  // Whether each record was predicted right: kept from the first call on, until `take_verdicts`.
  enum Verdict : std::uint8_t { kWrong, kRight, kNotCounted };
  void keep_verdicts() { keep_verdicts_ = true; }
  std::vector<std::uint8_t> take_verdicts() { return std::exchange(verdicts_, {}); }

  // Outcomes at a time: they stay in the cache.
  static constexpr std::size_t kMost = 4096;
  void reserve(std::size_t n) { outcomes_.reserve(std::min(kMost, n)); }
  const Outcomes& outcomes() const { return outcomes_; }

  // Judge the records `from` to `to`, at most kMost. After Rejected, the outcomes are those of the records before it.
  void judge(const Predictions& p, std::size_t from, std::size_t to) {
    clear();
    const std::size_t n_judged = verdicts_.size();
    if (keep_verdicts_) verdicts_.resize(n_judged + to - from, kNotCounted);
    verdict_ = keep_verdicts_ ? verdicts_.data() + n_judged : nullptr;
    std::size_t i = from;
    try {
      if (plain(p)) i = judge_plain(p, from, to);
      for (; i < to; ++i) {
        if (p.time) advance_clock(p.time[i]);
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
      throw;
    }
  }

  // Labels that came before the first record to be counted: only the baselines learn them.
  void prime(const std::int64_t* y, const double* weight, const double* time, std::size_t from, std::size_t to) {
    clear();
    for (std::size_t i = from; i < to; ++i)
      if (y[i] >= 0 && (!weight || weight[i] > 0)) put_label(weight ? weight[i] : 1.0, time ? time[i] : 0.0, y[i]);
  }

  void check_same(const Judge& later) const {
    if (later.regression_ != regression_)
      throw std::invalid_argument("one grid counts classes, the other numbers");
    if (later.n_losses() != n_losses())
      throw std::invalid_argument("one grid keeps other losses than the other");
    if (later.ranks_ != ranks_) throw std::invalid_argument("the two grids rank scores by different metrics");
    if (later.skip_ != skip_) throw std::invalid_argument("one grid leaves abstentions out, the other does not");
    if (later.first_time_ < last_time_)
      throw std::invalid_argument("the later grid begins at time " + std::to_string(later.first_time_) +
                                  ", before the earlier one ends, at " + std::to_string(last_time_));
  }
  // As if the records of `later` had come after those of this one.
  void append(const Judge& later) {
    outcomes_.weighted = outcomes_.weighted || later.outcomes_.weighted;
    if (later.last_label_ >= 0) last_label_ = later.last_label_;
    if (std::isnan(first_time_)) first_time_ = later.first_time_;
    if (!std::isnan(later.last_time_)) last_time_ = later.last_time_;
    if (std::isnan(origin_)) origin_ = later.origin_;
    n_seen_ += later.n_seen_;
    n_unlabelled_ += later.n_unlabelled_;
    n_abstained_ += later.n_abstained_;
    n_nonfinite_ += later.n_nonfinite_;
  }

  void write(Writer& to) const {
    to.put(regression_);
    to.put(skip_);
    to.put(n_classes_);
    to.put(outcomes_.n_losses);
    to.put(ranks_);
    to.put(outcomes_.weighted);
    to.put(last_label_);
    for (double number : {first_time_, last_time_, origin_}) to.put(number);
    for (std::uint64_t n : {n_seen_, n_unlabelled_, n_abstained_, n_nonfinite_}) to.put(n);
  }
  // Returns the number of classes; `grow` has to be called with it.
  int load(Reader& from) {
    const bool same = from.get<bool>() == regression_ && from.get<bool>() == skip_;
    const int n_classes = from.get<int>();
    const bool kept = from.get<int>() == n_losses() && from.get<unsigned>() == ranks_;
    if (!same || !kept || n_classes < n_classes_ || n_classes > kMostClasses)
      throw std::invalid_argument("these bytes are the state of a grid of another kind");
    outcomes_.weighted = from.get<bool>();
    last_label_ = from.get<std::int64_t>();
    for (double* number : {&first_time_, &last_time_, &origin_}) *number = from.get<double>();
    for (auto* n : {&n_seen_, &n_unlabelled_, &n_abstained_, &n_nonfinite_}) *n = from.get<std::uint64_t>();
    return n_classes;
  }

 private:
  static constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

  bool regression_, skip_;
  int n_classes_, n_own_;
  unsigned ranks_;
  Outcomes outcomes_;
  bool keep_verdicts_ = false;
  std::vector<std::uint8_t> verdicts_;
  std::uint8_t* verdict_ = nullptr;  // of the first record of this call
  std::int64_t last_label_ = -1;
  double first_time_ = kNoNumber, last_time_ = kNoNumber;  // last: the latest so far
  double origin_ = kNoNumber;                              // the first target: R2 sums relative to it
  std::uint64_t n_seen_ = 0, n_unlabelled_ = 0, n_abstained_ = 0, n_nonfinite_ = 0;

  void clear() {
    outcomes_.n = 0;
    outcomes_.plain = outcomes_.skipped = false;
  }
  // The clock never runs backwards, and records that do not count advance it too: so the result does not depend on how
  // the records are cut into chunks.
  void advance_clock(double time) {
    if (std::isnan(first_time_)) first_time_ = time;
    last_time_ = std::fmax(last_time_, time);
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

  // Two classes, scores, nothing else: by far the most common case, without branches that are hard to predict.
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
    // Numbers of at least zero are in the order of their bits; only negative numbers have the first bit set. So these
    // sums have it if something is unusual: a score below zero, too large or not finite, two zeros, no label.
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

  // A record that does not count; the baselines learn its label.
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

  // A record that was not predicted; the no-change baseline learns its label.
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
    if (p.margin) best = !std::isfinite(p.margin[i]) ? kNotFinite : p.margin[i] > 0 ? p.positive : 1 - p.positive;
    if (p.prediction) best = p.prediction[i];
    if (y < 0) {
      ++n_unlabelled_;
      return;
    }
    if (p.weight && p.weight[i] == 0) return;  // it does not count, and no baseline learns it
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
      if (p.margin) {
        if (best < n_classes_ && std::isfinite(p.margin[i])) {
          keys[p.positive] = p.margin[i];
          keys[1 - p.positive] = -p.margin[i];
        }
      } else if (!s && best < n_classes_) {  // a bare prediction
        std::fill_n(keys, n_classes_, 0.0);
        keys[best] = 1;
      }
    }
    if (n_losses() > 0) {
      double* losses = &outcomes_.losses[(outcomes_.n - 1) * std::size_t(n_losses())];
      if (n_losses() > n_own_) probability_losses(s, p.n_columns, total, y, losses);
      put_own(p, i, losses);
    }
    last_label_ = y;
  }

  static constexpr std::int64_t kNone = -1, kNotFinite = -2;

  // The class with the highest score, the lowest code in a tie; negative if the learner abstains.
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
    return sum > 0 ? std::int64_t(best) : kNone;  // finite scores with an infinite sum
  }

  // Log-loss (the probability clipped at machine epsilon, as in scikit-learn) and Brier score over all classes. Without
  // scores, every class has the probability zero.
  static void probability_losses(const double* s, std::size_t n, double total, std::int64_t y, double* out) {
    double unit = 1;
    if (std::isinf(total)) {
      unit = 1 / double(n);
      total = 0;
      for (std::size_t c = 0; c < n; ++c) total += s[c] * unit;
    }
    const double p = s && total > 0 && std::size_t(y) < n ? s[y] * unit / total : 0;
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    out[0] = -elementary::log(std::clamp(p, epsilon, 1 - epsilon));
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
    if (!std::isfinite(predicted)) {  // no number is an abstention: it does not count
      ++n_abstained_;
      ++n_nonfinite_;
      return;
    }
    put(p, i, 0, 0);
    const double error = predicted - y, away = y - origin_;
    double* losses = &outcomes_.losses[(outcomes_.n - 1) * std::size_t(n_losses())];
    losses[0] = std::fabs(error);
    losses[1] = error * error;
    losses[2] = away;
    losses[3] = away * away;
    put_own(p, i, losses);
  }

  // The last losses of a record.
  void put_own(const Predictions& p, std::size_t i, double* losses) const {
    if (n_own_ > 0 && p.own) std::copy_n(p.own + i * std::size_t(n_own_), n_own_, losses + n_losses() - n_own_);
  }
};

}  // namespace prequential
