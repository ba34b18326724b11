// A record that waits for its label: when it came, how its prediction changed, and what follows for each bin of the
// time it waited.
//
// The waiting time is cut into bins of equal length. A bin holds the prediction that was valid when it began; if the
// record was asked once within the bin, the new prediction; if it was asked more often, the class that was predicted
// longest within the bin, the lowest code in a tie.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "prequential/bytes.hpp"
#include "prequential/memory.hpp"

namespace prequential {

struct WaitingRecord {
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  struct Change {
    double time, before, after;  // of this question, of the previous one, of the next one
    std::int64_t prediction;
  };

  std::int64_t id = 0;
  double arrived = 0, asked = -kNever;  // when it came, and when it was last asked again
  std::uint64_t number = 0;             // its number among the records
  std::uint64_t born = 0;               // labels learned before it came
  std::uint64_t followed = 0;           // up to this label, the times of its questions are entered here
  std::int32_t first = -1;              // prediction
  std::vector<Change> changes;

  // A question at this time; the first one after a change is kept with it.
  void follow(double time) {
    if (!changes.empty() && changes.back().after == kNever) changes.back().after = time;
  }

  // With its current prediction.
  void write(Writer& to, std::int32_t prediction) const {
    to.put(id);
    for (double value : {arrived, asked}) to.put(value);
    to.put(number);
    to.put(born);
    to.put(first);
    to.put(prediction);
    to.put(changes);
  }
  std::int32_t read(Reader& from) {
    id = from.get<std::int64_t>();
    for (double* value : {&arrived, &asked}) *value = from.get<double>();
    number = from.get<std::uint64_t>();
    born = from.get<std::uint64_t>();
    first = from.get<std::int32_t>();
    const auto prediction = from.get<std::int32_t>();
    from.get(changes);
    return prediction;
  }
};

// The predictions in the bins of a record whose label has come.
class WaitingBins {
 public:
  explicit WaitingBins(int n) : n_(n) {}

  int n() const { return n_; }

  // Fill the bins 1 to n, all of which hold the first prediction.
  void fill(const WaitingRecord& record, double waited, std::int32_t* bins) {
    const auto bin_of = [&](double time) {
      return std::size_t(std::clamp(1 + std::floor(double(n_) * (time - record.arrived) / waited), 1.0, double(n_)));
    };
    constexpr double kNever = WaitingRecord::kNever;
    const auto& changes = record.changes;
    std::int64_t valid = record.first;
    std::size_t filled = 1;
    for (std::size_t i = 0; i < changes.size();) {
      const std::size_t b = bin_of(changes[i].time);
      std::size_t end = i + 1;
      while (end < changes.size() && bin_of(changes[end].time) == b) ++end;
      std::fill(bins + filled, bins + b, std::int32_t(valid));
      const bool once = end == i + 1 && !(changes[i].before > -kNever && bin_of(changes[i].before) == b) &&
                        !(changes[i].after < kNever && bin_of(changes[i].after) == b);
      bins[b] = std::int32_t(once ? changes[i].prediction : longest(record, waited, b, valid, i, end));
      valid = changes[end - 1].prediction;
      filled = b + 1;
      i = end;
    }
    std::fill(bins + filled, bins + std::size_t(n_) + 1, std::int32_t(valid));
  }

 private:
  int n_;
  std::vector<std::pair<std::int64_t, double>> held_;  // scratch of `longest`: prediction, time

  // The class predicted longest in bin b: `valid` when the bin began, then the changes i to `end`. Times are multiplied
  // by the number of bins instead of dividing the waiting time, so that whole times stay whole and a tie is exact.
  std::int64_t longest(const WaitingRecord& record, double waited, std::size_t b, std::int64_t valid, std::size_t i,
                       std::size_t end) {
    const double from = waited * double(b - 1), to = waited * double(b);
    const auto time_of = [&](const WaitingRecord::Change& change) {
      return std::clamp(double(n_) * (change.time - record.arrived), from, to);
    };
    held_.clear();
    const auto hold = [&](std::int64_t prediction, double time) {
      for (auto& [known, sum] : held_)
        if (known == prediction) {
          sum += time;
          return;
        }
      held_.push_back({prediction, time});
    };
    hold(valid, time_of(record.changes[i]) - from);
    for (; i < end; ++i)
      hold(record.changes[i].prediction,
           (i + 1 < end ? time_of(record.changes[i + 1]) : to) - time_of(record.changes[i]));
    auto best = held_.front();
    for (const auto& one : held_)
      if (one.second > best.second || (one.second == best.second && one.first < best.first)) best = one;
    return best.first;
  }
};

}  // namespace prequential
