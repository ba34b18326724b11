// ADWIN (Bifet & Gavaldà 2007): the longest window of recent values whose mean shows no change.
//
// The window is a row of buckets of 1, 2, 4, … values, at most `max_buckets` of a size: O(log n) memory. Every `clock`
// values each place between two buckets is tried as a cut; where the means on its two sides differ by more than chance
// allows, the oldest bucket goes, and the search starts anew. The window shrinks; it does not restart.
//
// A bucket can carry a payload of the caller's, say the counts of its records, so that any statistic can be kept over
// the window: `merge` when two buckets become one, and a call for each bucket that is dropped.
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

namespace prequential {

// The defaults are MOA's. River asks for 5 values a side (min_side = 5).
struct AdwinRules {
  double delta = 0.002;
  std::uint32_t clock = 32;        // values from check to check
  std::uint32_t max_buckets = 5;   // buckets of one size; one more, and the two oldest are merged
  std::uint32_t min_window = 10;   // no check as long as the window has no more values than this
  std::uint32_t min_side = 7;      // a cut leaves at least so many values on each side ...
  std::uint32_t side_offset = 4;   // ... of which so many are not counted in the bound
  // Two faults of scikit-multiflow, for those who must repeat its alarms: no side of a cut gets the youngest bucket of
  // a size, and of two buckets that are merged only the younger's variance is kept.
  bool multiflow = false;

  bool operator==(const AdwinRules&) const = default;
};

inline AdwinRules checked(const AdwinRules& rules) {
  if (!(rules.delta > 0 && rules.delta < 1)) throw std::invalid_argument("delta must lie in (0, 1)");
  if (rules.clock < 1 || rules.max_buckets < 2 || rules.max_buckets > 4096 || rules.min_side < 1)
    throw std::invalid_argument("clock, max_buckets and min_side must be at least 1, 2 and 1");
  if (rules.side_offset >= rules.min_side) throw std::invalid_argument("side_offset must lie below min_side");
  return rules;
}

// The payload of the plain detector.
struct Nothing {
  void merge(const Nothing&) {}
  void write(Writer&) const {}
  void load(Reader&) {}
};

// A payload P has `void merge(const P& younger)`, and `write(Writer&) const` and `load(Reader&)` if its state is to be
// saved; it can be moved, and one made by default is good to be loaded into.
template <class Payload = Nothing>
class Adwin {
 public:
  explicit Adwin(const AdwinRules& rules = {}) : rules_(checked(rules)) { clear(); }

  // Add a value. Whether the window has shrunk; then `on_drop` has been called with each payload that went, oldest
  // first.
  template <class OnDrop>
  bool update(double x, Payload payload, OnDrop&& on_drop) {
    const bool check = --until_check_ == 0;
    const double before = check ? mean() : 0;
    insert(x, std::move(payload));
    if (!check) return false;
    until_check_ = rules_.clock;
    if (width_ <= rules_.min_window || !shrink(on_drop)) return false;
    increased_ = mean() > before;
    return true;
  }
  bool update(double x) {
    return update(x, Payload{}, [](const Payload&) {});
  }

  // Whether the last update that shrank the window raised its mean.
  bool increased() const { return increased_; }

  std::uint64_t width() const { return width_; }
  double total() const { return total_; }
  double mean() const { return width_ > 0 ? total_ / double(width_) : std::numeric_limits<double>::quiet_NaN(); }
  double variance() const {
    return width_ > 0 ? squares_ / double(width_) : std::numeric_limits<double>::quiet_NaN();
  }
  const AdwinRules& rules() const { return rules_; }

  // Every payload, oldest first.
  template <class Visit>
  void each(Visit&& visit) {
    for (auto row = rows_.rbegin(); row != rows_.rend(); ++row)
      for (std::size_t i = row->first; i < row->buckets.size(); ++i) visit(row->buckets[i].payload);
  }

  void clear() {
    rows_.assign(1, Row{});
    width_ = 0;
    total_ = squares_ = 0;
    until_check_ = rules_.clock;
    increased_ = false;
  }

  std::size_t nbytes() const {
    std::size_t n = sizeof *this + rows_.capacity() * sizeof(Row);
    for (const Row& row : rows_) n += row.buckets.capacity() * sizeof(Bucket);
    return n;
  }

  void write(Writer& to) const {
    to.put(rules_.delta);
    for (auto rule : {rules_.clock, rules_.max_buckets, rules_.min_window, rules_.min_side, rules_.side_offset})
      to.put(rule);
    to.put(rules_.multiflow);
    to.put(width_);
    to.put(total_);
    to.put(squares_);
    to.put(until_check_);
    to.put(increased_);
    to.put(std::uint64_t(rows_.size()));
    for (const Row& row : rows_) {
      to.put(std::uint64_t(row.size()));
      for (std::size_t i = row.first; i < row.buckets.size(); ++i) {
        to.put(row.buckets[i].total);
        to.put(row.buckets[i].squares);
        row.buckets[i].payload.write(to);
      }
    }
  }

  // Where the bytes do not fit, nothing is changed.
  void load(Reader& from) {
    AdwinRules rules;
    rules.delta = from.get<double>();
    for (auto* rule : {&rules.clock, &rules.max_buckets, &rules.min_window, &rules.min_side, &rules.side_offset})
      *rule = from.get<std::uint32_t>();
    rules.multiflow = from.get<bool>();
    if (rules != rules_) throw std::invalid_argument("these bytes are the state of an ADWIN with other rules");
    Adwin loaded(rules_);
    loaded.width_ = from.get<std::uint64_t>();
    loaded.total_ = from.get<double>();
    loaded.squares_ = from.get<double>();
    loaded.until_check_ = from.get<std::uint32_t>();
    loaded.increased_ = from.get<bool>();
    const auto n_rows = from.get<std::uint64_t>();
    if (n_rows < 1 || n_rows > 64 || loaded.until_check_ < 1 || loaded.until_check_ > rules_.clock)
      throw std::invalid_argument("damaged state: the window of an ADWIN");
    loaded.rows_.resize(n_rows);
    std::uint64_t width = 0;
    for (std::size_t k = 0; k < n_rows; ++k) {
      const auto n = from.get<std::uint64_t>();
      if (n > rules_.max_buckets) throw std::invalid_argument("damaged state: a row of an ADWIN");
      width += n << k;
      for (std::uint64_t i = 0; i < n; ++i) {
        Bucket bucket{from.get<double>(), from.get<double>(), Payload{}};
        bucket.payload.load(from);
        loaded.rows_[k].buckets.push_back(std::move(bucket));
      }
    }
    if (width != loaded.width_) throw std::invalid_argument("damaged state: the width of an ADWIN");
    *this = std::move(loaded);
  }

 private:
  struct Bucket {
    double total;
    double squares;  // of the distances from the bucket's mean
    [[no_unique_address]] Payload payload;
  };
  // Buckets of one size, oldest first; those before `first` have gone.
  struct Row {
    std::vector<Bucket> buckets;
    std::size_t first = 0;

    std::size_t size() const { return buckets.size() - first; }
    Bucket& oldest() { return buckets[first]; }
    void pop() {
      if (++first == buckets.size()) {
        buckets.clear();
        first = 0;
      }
    }
    void push(Bucket&& bucket, std::size_t most) {
      if (buckets.size() == buckets.capacity()) make_room(most);
      buckets.push_back(std::move(bucket));
    }
    void make_room(std::size_t most) {
      buckets.erase(buckets.begin(), buckets.begin() + std::ptrdiff_t(first));
      first = 0;
      buckets.reserve(2 * most + 2);
    }
  };

  AdwinRules rules_;
  std::vector<Row> rows_;  // rows_[k] holds buckets of 2^k values
  std::uint64_t width_ = 0;
  double total_ = 0;
  double squares_ = 0;  // of the distances from the window's mean
  std::uint32_t until_check_ = 0;
  bool increased_ = false;

  static constexpr double kMost = std::numeric_limits<double>::max();

  static double size_of(std::size_t row) { return double(std::uint64_t(1) << row); }

  void insert(double x, Payload&& payload) {
    const double before = double(width_);
    ++width_;
    if (before > 0) {
      const double away = x - total_ / before;
      squares_ += before * away * away / (before + 1);
    }
    total_ += x;
    rows_[0].push({x, 0, std::move(payload)}, rules_.max_buckets);
    for (std::size_t k = 0; rows_[k].size() > rules_.max_buckets; ++k) merge_oldest(k);
  }

  void merge_oldest(std::size_t k) {
    if (k + 1 == rows_.size()) rows_.emplace_back();
    Row& row = rows_[k];
    Bucket merged = std::move(row.oldest());
    row.pop();
    Bucket& younger = row.oldest();
    const double n = size_of(k), away = merged.total / n - younger.total / n;
    merged.squares = (rules_.multiflow ? 0 : merged.squares) + younger.squares + n * 0.5 * away * away;
    merged.total += younger.total;
    merged.payload.merge(younger.payload);
    row.pop();
    rows_[k + 1].push(std::move(merged), rules_.max_buckets);
  }

  template <class OnDrop>
  void drop_oldest(OnDrop& on_drop) {
    const std::size_t k = rows_.size() - 1;
    Row& row = rows_[k];
    const double n = size_of(k), total = row.oldest().total, squares = row.oldest().squares;
    width_ -= std::uint64_t(1) << k;
    on_drop(std::as_const(row.oldest().payload));
    row.pop();
    while (rows_.size() > 1 && rows_.back().size() == 0) rows_.pop_back();
    if (rules_.multiflow) {
      total_ -= total;
      const double left = double(width_), away = total / n - total_ / left;
      squares_ -= squares + n * left * away * away / (n + left);
    } else {
      add_up();
    }
  }

  // The sums of the window, from its buckets. What a subtraction leaves of a huge value would be wrong for good.
  void add_up() {
    double n = 0;
    total_ = squares_ = 0;
    for (std::size_t k = rows_.size(); k-- > 0;) {
      const double size = size_of(k);
      for (std::size_t i = rows_[k].first; i < rows_[k].buckets.size(); ++i) {
        const Bucket& bucket = rows_[k].buckets[i];
        if (n > 0) {
          const double away = total_ / n - bucket.total / size;
          squares_ += n * size * away * away / (n + size);
        }
        squares_ += bucket.squares;
        total_ += bucket.total;
        n += size;
      }
    }
  }

  template <class OnDrop>
  bool shrink(OnDrop& on_drop) {
    bool shrunk = false;
    while (width_ > 1 && finds_cut()) {
      drop_oldest(on_drop);
      shrunk = true;
    }
    return shrunk;
  }

  // Whether any cut tells the two sides apart. Logarithms are taken once, not once a bucket, and roots and quotients only
  // where the gap, squared, passes the first term of the bound, which it seldom does.
  bool finds_cut() const {
    const double n = double(width_), variance = std::max(0.0, squares_ / n);
    const double least = rules_.min_side, offset = rules_.side_offset;
    const double confidence = std::log(2 * std::log(n) / rules_.delta);
    const double bound = 2 * variance * confidence * (n - 2 * offset) * (1 - 1e-9);
    double n0 = 0, n1 = n, sum0 = 0, sum1 = total_;
    for (std::size_t k = rows_.size(); k-- > 0;) {
      const Row& row = rows_[k];
      const double size = size_of(k);
      const std::size_t end = row.buckets.size() - (rules_.multiflow && row.size() > 0);
      for (std::size_t i = row.first; i < end; ++i) {
        n0 += size;
        n1 -= size;
        if (n1 < least) return false;
        sum0 += row.buckets[i].total;
        sum1 -= row.buckets[i].total;
        if (n0 < least) continue;
        const double across = n0 * n1, apart = sum0 * n1 - sum1 * n0, limit = bound * across * across;
        if (apart * apart * (n0 - offset) * (n1 - offset) <= limit && limit <= kMost) continue;
        const double gap = std::fabs(sum0 / n0 - sum1 / n1);
        const double m = 1 / (n0 - offset) + 1 / (n1 - offset);
        if (gap > std::sqrt(2 * m * variance * confidence) + 2.0 / 3 * confidence * m) return true;
      }
    }
    return false;
  }
};

}  // namespace prequential
