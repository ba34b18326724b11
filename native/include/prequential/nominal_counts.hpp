// Counts of the values of a nominal feature.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "prequential/memory.hpp"

namespace prequential {

// Weights of the values of one nominal feature in each class; it grows as values appear.
struct Values {
  std::uint64_t width = 0;
  double n_seen = 0;           // distinct values learned so far
  std::vector<double> count;   // [class][value]
  std::vector<double> weight;  // [class]
  std::vector<char> seen;      // [value]
  std::vector<double> marginal;  // [value], at the last summary; empty if there is none
  double marginal_of_unknown = 0;

  // Returns whether the table had to grow, and whether the value is new.
  std::pair<bool, bool> add(std::size_t v, int y, double w) {
    const bool widened = v >= width;
    if (widened) widen(v + 1);
    const bool is_new = !seen[v];
    if (is_new) {
      seen[v] = 1;
      n_seen += 1;
    }
    count[y * width + v] += w;
    weight[y] += w;
    return {widened, is_new};
  }
  // The highest value seen in a class, plus one.
  std::size_t n_codes_of(int c) const {
    std::size_t n = width;
    while (n > 0 && !(count[std::size_t(c) * width + n - 1] > 0)) --n;
    return n;
  }
  // The probability of a value in a class. By Laplace's rule: its share as if every value had been seen once more. With
  // marginals: as if as many records again, twice the number of values, had come from all classes together.
  double probability(std::size_t v, int c) const {
    const double n = v < width ? count[std::size_t(c) * width + v] : 0;
    if (marginal.empty()) return (n + 1) / (weight[std::size_t(c)] + n_seen);
    const double prior = 2 * n_seen;
    return (n + prior * (v < width ? marginal[v] : marginal_of_unknown)) / (weight[std::size_t(c)] + prior);
  }
  // The probability of each value over all classes, by Laplace's rule.
  void summarise() {
    double total = n_seen;
    for (double w : weight) total += w;
    marginal_of_unknown = 1 / total;
    resize_exactly(marginal, width);
    for (std::size_t v = 0; v < width; ++v) {
      double n = 1;
      for (std::size_t c = 0; c < weight.size(); ++c) n += count[c * width + v];
      marginal[v] = n / total;
    }
  }
  // The highest value seen, plus one; there may be room for more.
  std::size_t n_codes() const {
    std::size_t n = width;
    while (n > 0 && !seen[n - 1]) --n;
    return n;
  }
  void widen(std::size_t to) {
    to = std::max(to, std::size_t(width + width / 2));
    std::vector<double> wider(weight.size() * to);
    for (std::size_t c = 0; c < weight.size(); ++c)
      std::copy_n(count.begin() + c * width, width, wider.begin() + c * to);
    count = std::move(wider);
    resize_exactly(seen, to);
    width = to;
  }
};

}  // namespace prequential
