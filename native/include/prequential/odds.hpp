// Products of probabilities, and probabilities from logarithms.
#pragma once
#include <algorithm>
#include <limits>

#include "prequential/elementary.hpp"

namespace prequential {

// A product of probabilities whose logarithm is taken before it underflows.
class Odds {
 public:
  void times(double probability) {
    product_ *= probability;
    if (product_ < 1e-200) {
      log_ += elementary::log(product_);
      product_ = 1;
    }
  }
  double log() const { return product_ == 1 ? log_ : log_ + elementary::log(product_); }

 private:
  double product_ = 1, log_ = 0;
};

// Turn logarithms of weights into shares of 1; the share is 0 where `of` is not positive.
inline void shares_of_logarithms(const double* of, int n_classes, double* out) {
  double top = -std::numeric_limits<double>::infinity(), total = 0;
  for (int c = 0; c < n_classes; ++c)
    if (of[c] > 0) top = std::max(top, out[c]);
  for (int c = 0; c < n_classes; ++c)
    total += out[c] = !(of[c] > 0) ? 0 : out[c] == top ? 1 : elementary::exp(out[c] - top);
  if (total > 0)
    for (int c = 0; c < n_classes; ++c) out[c] /= total;
}

}  // namespace prequential
