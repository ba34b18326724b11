// The hot loops over the numeric features of a table, four numbers at a time, compiled once for each set of instructions
// and chosen when the module is loaded. All variants give the same bits: vectors always have four lanes, whatever the
// registers hold; nothing is contracted or done by the C library; sums have a fixed order, (0 + 2) + (1 + 3).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace prequential {

constexpr std::size_t kLanes = 4;
constexpr std::size_t blocks_of(std::size_t n) { return (n + kLanes - 1) / kLanes; }

constexpr double kLeastPrior = 1e-300;  // of a class, so that its logarithm is found by its exponent

// What the loops see of a FeatureTable. A part is an array over the numeric features, with zeros up to a whole block.
struct TableView {
  enum Part { kMean, kM2, kInverse, kLeast, kMost };         // of a class; kInverse: of the variance, 0: no Gaussian.
                                                             // Last, if values are missing: their weights
  enum Shared { kLast, kGap, kFloor, kUnit, kFirst, kSecond, kAllMean, kAllWeight, kShared };

  double* numbers;  // [class][part][feature]
  double* shared;   // [part][feature], as in PooledFeature
  const double* weights;  // [class]
  std::size_t blocks, parts, n_classes;
  bool ragged;  // whether values were missing, so that each feature has weights of its own
  bool ranged;  // whether there are kLeast and kMost

  std::size_t width() const { return blocks * kLanes; }
  std::size_t stride() const { return parts * width(); }
  double* of_class(std::size_t c) const { return numbers + c * stride(); }
  double* own_weights(std::size_t c) const { return of_class(c) + (parts - 1) * width(); }
};

// A product of many numbers, m 2^e, which neither overflows nor underflows.
struct Volume {
  double m = 1, e = 0;
};

// What happened while a record was learned.
struct Learned {
  bool gap = false;    // a feature's gap became smaller
  bool binds = false;  // a gap bounds the density of the class
};

// Many records of one table: what a sweep makes of each.
struct Sweep {
  const double* packed;  // [record][feature]
  const std::int64_t* y;
  const double* w;       // null: 1
  double* distances;     // [record][class]
  double *prior, *m, *e;  // [record], of its class after it was learned
  std::int32_t* label;   // -1: not learned
  std::size_t may_learn;  // before the next summary
  double* weights;       // [class], counted
  bool binds;            // whether a gap bounds any density
};
enum class Stop : std::uint8_t { end, before, gap };  // before a record that is not easy; after one that changes others

// Thresholds of a numeric feature at equal distances, and what is known of each class: see SplitSearch.
struct Thresholds {
  const double *weight, *mean, *root, *least, *most;  // [class]; root: of twice the variance, 0 if there is none
  std::size_t n_classes, n_points;
  double first, step, end;  // at first + i * step, for i from 1; those at `end` or beyond are not tried
  double known, total, impurity, least_share;
  bool gini;
};

struct LaneKernel {
  const char* name;
  // The features of a record next to each other, with zeros up to a whole block.
  void (*pack)(const double* x, const std::int32_t* at, std::size_t n, double* out);
  // Squared distances of a record from the means of each class, by its variances; NaN if a value is missing.
  void (*distances)(const TableView&, const double* packed, double* out);
  double (*distance)(const TableView&, const double* packed, std::size_t c);
  // The same without the missing values, and the product of the sizes of the features that are there.
  double (*partial)(const TableView&, const double* packed, std::size_t c, Volume&);
  // Learn a record of class c, whose weight is counted already; the product of the sizes of its features.
  Learned (*learn)(const TableView&, const double* packed, std::size_t c, double w, Volume&);
  // The inverse variances of a class, and the product of the sizes, computed again. Returns whether a gap bounds its density.
  bool (*refresh)(const TableView&, std::size_t c, Volume&);
  // Score and learn records from..to-1 until one needs more; returns where it stopped.
  std::size_t (*sweep)(const TableView&, Sweep&, std::size_t from, std::size_t to, Stop&);
  // log(prior) - log(volume) / 2 of n records; room for whole blocks.
  void (*constants)(const double* prior, const double* m, const double* e, std::size_t n, double* out);
  // Logarithms become shares of 1, record by record; a record whose logarithms are all -infinity gets zeros.
  void (*shares)(std::size_t n, std::size_t n_classes, double* out);
  // The gain of each threshold, -infinity where it is no split; room for whole blocks.
  void (*gains)(const Thresholds&, double* out);
};

// The variants that this processor can run; the first is the plain one.
const std::vector<const LaneKernel*>& lane_kernels();
// The one in use: the last of them, unless another was chosen.
const LaneKernel& lane_kernel();
void choose_lane_kernel(const LaneKernel&);

}  // namespace prequential
