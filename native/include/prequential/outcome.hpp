// What became of some consecutive records: the input of every forgetting.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace prequential {

// A confusion matrix of more classes would take more memory than it is worth.
constexpr int kMostClasses = 4096;

// The numbers a forgetting keeps besides its confusion matrix, in the order in which they are read.
enum Tally { kMajorityHits, kNoChangeHits, kWeight, kRecords, kAlarms, kLosses /* and on */ };

struct Outcomes {
  int n_classes = 0;
  int n_losses = 0;  // real numbers a record, to be averaged
  std::size_t n = 0;
  bool weighted = false;                // some weight so far was not 1; otherwise `weight` is not filled
  bool skipped = false;                 // some cell is -1: its label is known, but the record does not count
  bool plain = false;                   // two classes, each record predicted, counts only: `plain_cell` is filled too
  std::vector<std::int32_t> label;
  std::vector<std::int32_t> cell;       // in the matrix [label][prediction], whose last column means "none"
  std::vector<std::uint8_t> plain_cell;
  std::vector<std::uint8_t> no_change;  // was the last label right?
  std::vector<double> weight, time, losses;

  // Only whole numbers are to be added up: no compensation is needed and no loss looked at.
  bool counts() const { return !weighted && n_losses == 0 && !skipped; }

  void reserve(std::size_t most) {
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

}  // namespace prequential
