// What all classes share about a numeric feature: how far a class of which little was seen may be from what is known.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "prequential/moments.hpp"

namespace prequential {

// The density of a class is a Gaussian, with two bounds. Its variance is at least kShare W / n, where W is the variance
// within classes and n the weight of the class: a mean of n values is no better known than that. And no recorded value
// has a probability above 1: the density is at most 1 / gap, the gap being the least distance of successive values.
// Densities are in units of the feature's deviation over all classes, so that its unit does not matter.
struct PooledFeature {
  static constexpr double kShare = 0.25;
  static constexpr double kTwoPi = 6.283185307179586477;

  double first = kUnknown, second = kUnknown;  // the first two values; equal as soon as there is a third
  double last = kUnknown, gap = std::numeric_limits<double>::infinity();
  // As they were at the last summary:
  double floor = 0;              // kShare W
  double unit = 0;               // 2π / variance over all classes; 0: that variance is not known yet
  double mean = 0, weight = 0;   // over all classes

  // Of two values, shares are known better than densities.
  bool has_two_values() const { return first < second || second < first; }
  // Until a feature has two values, it says nothing.
  bool says_nothing() const { return !(unit > 0); }

  struct Noted {
    bool new_value = false;  // one of the first three: it is time for a new summary
    bool gap = false;        // the gap is smaller than before
  };
  Noted note(double x) {
    Noted noted;
    const double step = std::fabs(x - last);
    last = x;
    if (step < gap && step > 0) {
      gap = step;
      noted.gap = true;
    }
    if (first == second || x == first || x == second) return noted;
    if (std::isnan(first)) {
      first = x;
    } else {
      second = std::isnan(second) ? x : first;
      noted.new_value = true;
    }
    return noted;
  }

  // `of(c)`: the moments of a class. A variance is divided by one less than the number of records, or of records and
  // classes, in a way that does not depend on the unit of their weights.
  template <class Of>
  void summarise(int n_classes, double n_records, const Of& of) {
    unit = floor = weight = mean = 0;
    for (int c = 0; c < n_classes; ++c) weight += of(c).weight;
    if (std::isnan(second)) return;  // what looks like variance is rounding
    for (int c = 0; c < n_classes; ++c)
      if (of(c).weight > 0) mean += (of(c).mean - first) * (of(c).weight / weight);
    mean += first;
    double within = 0, between = 0, n_known = 0;
    for (int c = 0; c < n_classes; ++c) {
      if (!(of(c).weight > 0)) continue;
      const double d = of(c).mean - mean;
      within += of(c).m2;
      between += of(c).weight * (d * d);
      ++n_known;
    }
    const double total = n_records > 1 ? (within + between) / weight * (n_records / (n_records - 1)) : 0;
    if (total > kLeast) unit = kTwoPi / total;
    const bool known = within > 0 && n_records > n_known;
    floor = kShare * (known ? within / weight * (n_records / (n_records - n_known)) : total);
  }

  // Of a class; over all classes if it has no value.
  double variance(const Moments& g) const {
    if (g.weight > 1 && g.m2 * g.weight >= floor * (g.weight - 1)) return at_least_some(g.m2 / (g.weight - 1));
    const double total = kTwoPi / unit;
    if (floor < total * g.weight) return at_least_some(floor / g.weight);
    return g.weight > 1 ? std::max(total, g.m2 / (g.weight - 1)) : total;
  }
  double mean_of(const Moments& g) const { return g.weight > 0 ? g.mean : mean; }

  // 2πV in units of the variance over all classes, and at least the square of the gap: exp(−(x − mean)² / 2V) divided by
  // its root is the density.
  double size(double variance) const {
    const double least = gap * gap * (unit / kTwoPi);
    return std::max({unit * variance, least, 1e-100});
  }

  // The probability of a value in a class, of two values. The mean tells how often each was seen; one record drawn from
  // all classes is added.
  double probability(double x, const Moments& g) const {
    const double share = (upper_share(mean) * weight + 0.5) / (weight + 1);
    const double upper = g.weight > 0 ? upper_share(g.mean) * g.weight : 0;
    if (x == second) return (upper + share) / (g.weight + 1);
    if (x == first) return (g.weight - upper + (1 - share)) / (g.weight + 1);
    return 0.5 / (weight + 1) / (g.weight + 1);
  }

 private:
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  static constexpr double kLeast = 1e-300;  // of a variance, so that it can be divided by

  static double at_least_some(double variance) { return std::max(variance, kLeast); }
  double upper_share(double of_mean) const {
    return std::min(std::max((of_mean - first) / (second - first), 0.0), 1.0);
  }
};

}  // namespace prequential
