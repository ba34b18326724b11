// The outcomes of some consecutive records: the input of every forgetting.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace prequential {

// A confusion matrix of more classes would take too much memory.
constexpr int kMostClasses = 4096;

// What a forgetting keeps in addition to its confusion matrix, in the order in which it is read.
enum Tally { kMajorityHits, kNoChangeHits, kWeight, kRecords, kAlarms, kLosses /* and on */ };

// The metrics of the order of scores, in the order in which they are read, after all others.
enum Rank { kAuc, kHandTill, kAveragePrecision, kScoredAuc, kRanks };

struct Outcomes {
  int n_classes = 0;
  int n_losses = 0;  // real numbers per record, to be averaged
  std::size_t n = 0;
  bool weighted = false;                // some weight so far was not 1; otherwise `weight` is not filled
  bool skipped = false;                 // some cell is -1: the record does not count, only its label
  bool plain = false;                   // two classes, each record predicted, counts only: `plain_cell` is filled too
  std::vector<std::int32_t> label;
  std::vector<std::int32_t> cell;       // in the matrix [label][prediction], whose last column means "none"
  std::vector<std::uint8_t> plain_cell;
  std::vector<std::uint8_t> no_change;  // was the last label right?
  std::vector<double> weight, time, losses;
  bool ranked = false;                  // `keys` holds one probability per class; the first is NaN if there are none
  std::vector<double> keys;

  // Whether only whole numbers are added: no compensation is needed, and there are no losses.
  bool counts() const { return !weighted && n_losses == 0 && !skipped; }

  double* key(std::size_t k) { return keys.data() + k * std::size_t(n_classes); }
  const double* key(std::size_t k) const { return keys.data() + k * std::size_t(n_classes); }

  void reserve(std::size_t most) {
    if (ranked) keys.resize(std::max(keys.size(), most * std::size_t(n_classes)));
    if (label.size() >= most) return;
    label.resize(most);
    cell.resize(most);
    plain_cell.resize(most);
    no_change.resize(most);
    weight.resize(most, 1.0);
    time.resize(most);
    losses.resize(most * std::size_t(n_losses));
  }
};

// The keys to rank a record by: one probability per class. Scores are divided by their sum, unless that is 1 up to
// rounding: a division could make equal scores differ. The first key is NaN if there are no scores.
inline void rank_keys(const double* scores, std::size_t n, double total, int n_classes, double* out) {
  if (!scores || !(total > 0)) {
    if (n_classes > 0) out[0] = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  double unit = 1;
  if (std::isinf(total)) {
    unit = 1 / double(n);
    total = 0;
    for (std::size_t c = 0; c < n; ++c) total += scores[c] * unit;
  }
  if (std::fabs(total - 1) <= 1e-5) {
    std::copy_n(scores, n, out);
  } else {
    for (std::size_t c = 0; c < n; ++c) out[c] = scores[c] * unit / total;
  }
  std::fill(out + n, out + n_classes, 0.0);
}

}  // namespace prequential
