// ADWIN (Bifet & Gavaldà 2007): the longest window of recent values whose mean shows no change.
//
// The window is a row of buckets of 1, 2, 4, … values, at most `max_buckets` of each size: O(log n) memory. Every
// `clock` values, each place between two buckets is tried as a cut. If the means on the two sides differ by more than
// chance allows, the oldest bucket is dropped, and the search starts again. The window shrinks; it does not restart.
//
// The buckets matter only at a check, so values are collected one by one until then and merged together. A keeper that
// holds other data of the same window, such as the counts of its records, is called at each merger and each drop.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "prequential/bytes.hpp"
#include "prequential/elementary.hpp"
#include "prequential/memory.hpp"

namespace prequential {

// The defaults are MOA's. River requires 5 values per side (min_side = 5).
struct AdwinRules {
  double delta = 0.002;
  std::uint32_t clock = 32;        // values between two checks
  std::uint32_t max_buckets = 5;   // of one size; if there is one more, the two oldest are merged
  std::uint32_t min_window = 10;   // no check while the window has at most this many values
  std::uint32_t min_side = 7;      // a cut leaves at least this many values on each side ...
  std::uint32_t side_offset = 4;   // ... of which this many are not counted in the bound
  // Reproduce two faults of scikit-multiflow: neither side of a cut gets the youngest bucket of a size, and a merger
  // keeps only the variance of the younger bucket.
  bool multiflow = false;
  // The bound of theorem 3 of Bifet et al. (2015), for values from 0 to 1, instead of that with the variance. It counts
  // all values of a side.
  bool theorem3 = false;

  bool operator==(const AdwinRules&) const = default;
};

inline AdwinRules checked(const AdwinRules& rules) {
  if (!(rules.delta > 0 && rules.delta < 1)) throw std::invalid_argument("delta must lie in (0, 1)");
  if (rules.clock < 1 || rules.max_buckets < 2 || rules.max_buckets > 4096 || rules.min_side < 1)
    throw std::invalid_argument("clock, max_buckets and min_side must be at least 1, 2 and 1");
  if (rules.side_offset >= rules.min_side) throw std::invalid_argument("side_offset must lie below min_side");
  return rules;
}

// A keeper that keeps nothing. It is called when the 2n oldest buckets of 2^k values become n buckets of 2^(k+1), and
// when the oldest bucket of all, with 2^k values, is dropped.
struct Nobody {
  void merged(std::size_t, std::size_t) {}
  void dropped(std::size_t) {}
};

class Adwin {
 public:
  explicit Adwin(const AdwinRules& rules = {}) : rules_(checked(rules)) { clear(); }

  // Add a value; returns whether the window has shrunk.
  template <class Keeper>
  bool update(double x, Keeper& keeper) {
    rows_[0].push(x, 0);
    return ++n_waiting_ >= room_ && settle(keeper);
  }
  bool update(double x) {
    Nobody nobody;
    return update(x, nobody);
  }

  // How many values can be added at once.
  std::size_t room() const { return room_ - n_waiting_; }

  // Add up to that many values; only the last of them can make the window shrink.
  template <class Keeper>
  bool update(const double* x, std::size_t n, Keeper& keeper) {
    Row& row = rows_[0];
    row.make_room(n);
    std::copy_n(x, n, row.totals.begin() + std::ptrdiff_t(row.last));
    std::fill_n(row.squares.begin() + std::ptrdiff_t(row.last), n, 0.0);
    row.last += n;
    n_waiting_ += std::uint32_t(n);
    return n_waiting_ >= room_ && settle(keeper);
  }

  // Whether the last update that shrank the window raised its mean.
  bool increased() const { return increased_; }

  std::uint64_t width() const { return width_ + n_waiting_; }
  double mean() const { return total() / double(width()); }  // NaN without values
  double total() const { return total_ + waiting_total(n_waiting_); }

  const AdwinRules& rules() const { return rules_; }

  // Buckets of 2^k values; many single values may not be merged yet.
  std::size_t n_rows() const { return rows_.size(); }
  std::size_t n_buckets(std::size_t k) const { return k < rows_.size() ? rows_[k].size() : 0; }

  void clear() {
    rows_.assign(1, Row{});
    width_ = 0;
    n_waiting_ = 0;
    total_ = squares_ = 0;
    until_check_ = rules_.clock;
    find_room();
    increased_ = false;
  }

  // Beyond the object itself.
  std::size_t nbytes() const {
    std::size_t n = bytes_of(rows_);
    for (const Row& row : rows_) n += bytes_of(row.totals) + bytes_of(row.squares);
    return n;
  }

  void write(Writer& to) const {
    to.put(rules_.delta);
    for (auto rule : {rules_.clock, rules_.max_buckets, rules_.min_window, rules_.min_side, rules_.side_offset})
      to.put(rule);
    to.put(rules_.multiflow);
    to.put(rules_.theorem3);
    to.put(width_);
    to.put(n_waiting_);
    to.put(total_);
    to.put(squares_);
    to.put(until_check_);
    to.put(increased_);
    to.put(std::uint64_t(rows_.size()));
    for (const Row& row : rows_) {
      to.put(std::uint64_t(row.size()));
      for (std::size_t i = row.first; i < row.last; ++i) {
        to.put(row.totals[i]);
        to.put(row.squares[i]);
      }
    }
  }

  // If the bytes do not fit, nothing is changed.
  void load(Reader& from) {
    AdwinRules rules;
    rules.delta = from.get<double>();
    for (auto* rule : {&rules.clock, &rules.max_buckets, &rules.min_window, &rules.min_side, &rules.side_offset})
      *rule = from.get<std::uint32_t>();
    rules.multiflow = from.get<bool>();
    rules.theorem3 = from.get<bool>();
    if (rules != rules_) throw std::invalid_argument("these bytes are the state of an ADWIN with other rules");
    Adwin loaded(rules_);
    loaded.width_ = from.get<std::uint64_t>();
    loaded.n_waiting_ = from.get<std::uint32_t>();
    loaded.total_ = from.get<double>();
    loaded.squares_ = from.get<double>();
    loaded.until_check_ = from.get<std::uint32_t>();
    loaded.find_room();
    loaded.increased_ = from.get<bool>();
    const auto n_rows = from.get<std::uint64_t>();
    if (n_rows < 1 || n_rows > 64 || loaded.until_check_ < 1 || loaded.until_check_ > rules_.clock)
      throw std::invalid_argument("damaged state: the window of an ADWIN");
    loaded.rows_.resize(n_rows);
    std::uint64_t width = 0;
    for (std::size_t k = 0; k < n_rows; ++k) {
      const auto n = from.get<std::uint64_t>();
      const std::size_t most = k == 0 ? std::max<std::size_t>(kMostWaiting, rules_.max_buckets) : rules_.max_buckets;
      if (n > most) throw std::invalid_argument("damaged state: a row of an ADWIN");
      width += n << k;
      for (std::uint64_t i = 0; i < n; ++i) {
        const double total = from.get<double>();
        loaded.rows_[k].push(total, from.get<double>());
      }
    }
    if (loaded.n_waiting_ > loaded.rows_[0].size() || width != loaded.width())
      throw std::invalid_argument("damaged state: the width of an ADWIN");
    *this = std::move(loaded);
  }

 private:
  static constexpr std::size_t kMostWaiting = 64;

  // Buckets of one size, oldest first, from `first` to `last`.
  struct Row {
    std::vector<double> totals;
    std::vector<double> squares;  // of the distances from the bucket's mean
    std::size_t first = 0, last = 0;

    std::size_t size() const { return last - first; }
    void pop(std::size_t n) {
      first += n;
      if (first == last) first = last = 0;
    }
    void push(double total, double square) {
      make_room(1);
      totals[last] = total;
      squares[last++] = square;
    }
    void make_room(std::size_t n) {
      if (last + n <= totals.size()) return;
      for (auto* values : {&totals, &squares}) {
        values->erase(values->begin(), values->begin() + std::ptrdiff_t(first));
        values->resize(2 * (size() + n) + 16);
      }
      last -= first;
      first = 0;
    }
  };

  AdwinRules rules_;
  std::vector<Row> rows_;  // rows_[k] holds buckets of 2^k values
  std::uint32_t n_waiting_ = 0;  // single values, the youngest, not yet included in the next three
  std::uint64_t width_ = 0;
  double total_ = 0;
  double squares_ = 0;  // of the distances from the window's mean
  std::uint32_t until_check_ = 0;
  std::uint32_t room_ = 0;  // for single values until the next check
  bool increased_ = false;

  static constexpr double kMost = std::numeric_limits<double>::max();

  static double size_of(std::size_t row) { return double(std::uint64_t(1) << row); }

  // The sum of the first n new values, as four independent sums.
  double waiting_total(std::size_t n) const {
    const double* x = waiting();
    double sums[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4)
      for (std::size_t k = 0; k < 4; ++k) sums[k] += x[i + k];
    for (; i < n; ++i) sums[0] += x[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
  const double* waiting() const { return rows_[0].totals.data() + (rows_[0].last - n_waiting_); }

  void find_room() { room_ = std::min<std::uint32_t>(kMostWaiting, until_check_); }

  // Include the new values in the window; then check it, if it is time.
  template <class Keeper>
  bool settle(Keeper& keeper) {
    const double others = waiting_total(n_waiting_ - 1), n_others = double(width_) + n_waiting_ - 1;
    const double before = (total_ + others) / n_others;  // the mean before the last value
    take_in(others + rows_[0].totals[rows_[0].last - 1]);
    for (std::size_t k = 0; k < rows_.size() && rows_[k].size() > rules_.max_buckets; ++k) merge(k, keeper);
    const bool check = until_check_ == 0;
    if (check) until_check_ = rules_.clock;
    find_room();
    if (!check || width_ <= rules_.min_window || !shrink(keeper)) return false;
    increased_ = mean() > before;
    return true;
  }

  // Include the new values in the sums (the rule of Chan, Golub and LeVeque for two samples).
  void take_in(double sum) {
    const double* x = waiting();
    const double n = n_waiting_, before = double(width_), mean = sum / n;
    double sums[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= n_waiting_; i += 4)
      for (std::size_t k = 0; k < 4; ++k) sums[k] += (x[i + k] - mean) * (x[i + k] - mean);
    for (; i < n_waiting_; ++i) sums[0] += (x[i] - mean) * (x[i] - mean);
    double squares = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    if (before > 0) {
      const double away = mean - total_ / before;
      squares += away * away * before * n / (before + n);
    }
    squares_ += squares;
    total_ += sum;
    width_ += n_waiting_;
    until_check_ -= n_waiting_;
    n_waiting_ = 0;
  }

  // More buckets than `max_buckets`: the two oldest are merged. The result is the same all at once or one by one.
  template <class Keeper>
  void merge(std::size_t k, Keeper& keeper) {
    if (k + 1 == rows_.size()) rows_.emplace_back();
    Row &row = rows_[k], &next = rows_[k + 1];
    const std::size_t pairs = (row.size() - rules_.max_buckets + 1) / 2;
    const double n = size_of(k), share = 1 / n, kept = rules_.multiflow ? 0 : 1;
    next.make_room(pairs);
    const double *totals = &row.totals[row.first], *squares = &row.squares[row.first];
    double *sums = &next.totals[next.last], *spreads = &next.squares[next.last];
    for (std::size_t i = 0; i < pairs; ++i) {
      const double older = totals[2 * i], younger = totals[2 * i + 1], away = older * share - younger * share;
      sums[i] = older + younger;
      spreads[i] = kept * squares[2 * i] + squares[2 * i + 1] + n * 0.5 * away * away;
    }
    next.last += pairs;
    row.pop(2 * pairs);
    keeper.merged(k, pairs);
  }

  template <class Keeper>
  void drop_oldest(Keeper& keeper) {
    const std::size_t k = rows_.size() - 1;
    const double n = size_of(k), total = rows_[k].totals[rows_[k].first], squares = rows_[k].squares[rows_[k].first];
    width_ -= std::uint64_t(1) << k;
    keeper.dropped(k);
    rows_[k].pop(1);
    while (rows_.size() > 1 && rows_.back().size() == 0) rows_.pop_back();
    if (rules_.multiflow) {
      total_ -= total;
      const double left = double(width_), away = total / n - total_ / left;
      squares_ -= squares + n * left * away * away / (n + left);
    } else {
      add_up();
    }
  }

  // The sums of the window, from its buckets: subtracting a huge value would leave a lasting rounding error.
  void add_up() {
    double n = 0;
    total_ = squares_ = 0;
    for (std::size_t k = rows_.size(); k-- > 0;) {
      const double size = size_of(k);
      for (std::size_t i = rows_[k].first; i < rows_[k].last; ++i) {
        const double total = rows_[k].totals[i];
        if (n > 0) {
          const double away = total_ / n - total / size;
          squares_ += n * size * away * away / (n + size);
        }
        squares_ += rows_[k].squares[i];
        total_ += total;
        n += size;
      }
    }
  }

  template <class Keeper>
  bool shrink(Keeper& keeper) {
    bool shrunk = false;
    while (width_ > 1 && finds_cut()) {
      drop_oldest(keeper);
      shrunk = true;
    }
    return shrunk;
  }

  // Whether the means differ at any cut. Logarithms are computed once, not per bucket; roots and quotients only if the
  // squared gap may exceed the first term of the bound, which is rare. For that test one side counts as slightly larger
  // than it is: the bound is lower then, and needs two products less.
  bool finds_cut() const {
    const bool theorem3 = rules_.theorem3;
    const double n = double(width_), variance = std::max(0.0, squares_ / n);
    const double least = rules_.min_side, offset = rules_.side_offset;
    const double confidence = elementary::log((theorem3 ? 4 * n : 2 * elementary::log(n)) / rules_.delta);
    const double bound = confidence * (theorem3 ? n / 2 : 2 * variance * (n - 2 * offset)) * (1 - 1e-9);
    double n0 = 0, n1 = n, sum0 = 0, sum1 = total_;
    for (std::size_t k = rows_.size(); k-- > 0;) {
      const Row& row = rows_[k];
      const double size = size_of(k);
      const std::size_t end = row.last - (rules_.multiflow && row.size() > 0);
      for (std::size_t i = row.first; i < end; ++i) {
        n0 += size;
        n1 -= size;
        if (n1 < least) return false;
        sum0 += row.totals[i];
        sum1 -= row.totals[i];
        if (n0 < least) continue;
        const double apart = sum0 * n1 - sum1 * n0, limit = bound * n0 * n1;
        if (apart * apart <= limit && limit <= kMost) continue;
        const double gap = std::fabs(sum0 / n0 - sum1 / n1);
        if (theorem3) {
          if (gap >= std::sqrt((1 / n0 + 1 / n1) * confidence / 2)) return true;
          continue;
        }
        const double m = 1 / (n0 - offset) + 1 / (n1 - offset);
        if (gap > std::sqrt(2 * m * variance * confidence) + 2.0 / 3 * confidence * m) return true;
      }
    }
    return false;
  }
};

}  // namespace prequential
