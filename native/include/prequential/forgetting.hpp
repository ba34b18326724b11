// The interface of a forgetting: it decides which records count, and how much, in the confusion matrix, in the two
// causal baselines and in the sums of losses. Every metric is a function of these.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "prequential/bytes.hpp"
#include "prequential/outcome.hpp"
#include "prequential/sum.hpp"

namespace prequential {

class RankWindow;

// Where two parts of a stream meet that were counted separately, each from an empty state.
struct Seam {
  std::uint64_t n_earlier = 0, n_later = 0;  // records given to a forgetting in each part
  bool no_change = false;                    // the last label before the seam equals the first after it, which counts
  double weight = 1;                         // of the first record after the seam
  double shift = 0;                          // regression: first target of the later part minus that of the earlier
};

class Forgetting {
 public:
  virtual ~Forgetting() = default;
  virtual void add(const Outcomes& outcomes) = 0;
  // The time is now at least this, with or without a label.
  virtual void advance(double) {}
  // Matrix [label][prediction or none], then the tallies.
  virtual void read(double* out) const = 0;
  virtual void grow(int n_classes) = 0;
  // The class that metrics of the order of scores rank against the rest.
  virtual void set_positive(int) {}
  // The records in the order of their scores; null if they are not kept.
  virtual RankWindow* ranks() { return nullptr; }
  virtual std::size_t nbytes() const = 0;
  virtual void write(Writer& to) const = 0;
  virtual void load(Reader& from) = 0;

  virtual std::unique_ptr<Forgetting> clone() const = 0;
  // Append the records of `later`, which began empty, has the same number of classes, and is used up.
  virtual void merge(Forgetting& later, const Seam& seam) = 0;
};

// The later part of a merge, which must be of the same kind.
template <class T>
T& of_same_kind(Forgetting& later) {
  T* same = dynamic_cast<T*>(&later);
  if (!same) throw std::invalid_argument("the two grids have different forgettings");
  return *same;
}

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// Sums of a regression (absolute error, squared error, target, squared target) for targets relative to an origin that
// is lower by `shift`.
template <class T>
void shift_targets(T* losses, double weight, double shift) {
  losses[3] += 2 * shift * losses[2] + weight * shift * shift;
  losses[2] += weight * shift;
}

// Copy a matrix of [classes][classes + none] into a larger one.
template <class T>
std::vector<T> grown(const std::vector<T>& matrix, int from, int to) {
  std::vector<T> larger(std::size_t(to) * (to + 1));
  for (int y = 0; y < from; ++y) {
    for (int p = 0; p < from; ++p) larger[std::size_t(y) * (to + 1) + p] = matrix[std::size_t(y) * (from + 1) + p];
    larger[std::size_t(y) * (to + 1) + to] = matrix[std::size_t(y) * (from + 1) + from];
  }
  return larger;
}

// Add `by` for each cell listed.
inline void tally(std::vector<Sum>& matrix, const std::int32_t* cells, std::size_t n, double by) {
  for (std::size_t i = 0; i < n; ++i) matrix[cells[i]].count(by);
}

// Add `by` for each plain cell listed (two classes, no abstention: 0, 1, 3 or 4), many at a time.
template <class T>
void tally_plain(std::vector<Sum>& matrix, const T* cells, std::size_t n, double by) {
  std::int32_t ones = 0, predicted = 0, both = 0;  // labels of the second class, predictions of it, both
  for (std::size_t i = 0; i < n; ++i) {
    const int label = cells[i] >= 3, prediction = (cells[i] == 1) | (cells[i] == 4);
    ones += label;
    predicted += prediction;
    both += label & prediction;
  }
  matrix[0].count(by * double(std::int32_t(n) - ones - predicted + both));
  matrix[1].count(by * double(predicted - both));
  matrix[3].count(by * double(ones - both));
  matrix[4].count(by * double(both));
}

// The class with the largest weight, the lowest code in a tie, -1 if there is none.
inline int heaviest(const std::vector<Sum>& weights) {
  int code = -1;
  double best = 0;
  for (int c = 0; c < int(weights.size()); ++c)
    if (weights[c].value() > best) {
      best = weights[c].value();
      code = c;
    }
  return code;
}

// The same after class y has gained weight.
inline int heaviest(const std::vector<Sum>& weights, int y, int before) {
  if (before < 0) return weights[y].value() > 0 ? y : -1;
  const double mine = weights[y].value(), best = weights[before].value();
  return mine > best || (mine == best && y < before) ? y : before;
}

inline int checked_majority(int code, int n_classes) {
  if (code < -1 || code >= n_classes) throw std::invalid_argument("damaged state: a majority class");
  return code;
}

}  // namespace prequential
