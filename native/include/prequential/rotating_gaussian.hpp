// Two normal distributions on opposite sides of a circle, which move around it at the same speed.
#pragma once
#include <cstdint>
#include <numbers>

#include "prequential/elementary.hpp"
#include "prequential/record_draws.hpp"

namespace prequential {

class RotatingGaussian {
 public:
  // period 0: they do not move
  RotatingGaussian(std::uint64_t seed, std::uint64_t period, double spread)
      : seed_(seed), period_(period), spread_(spread) {}

  std::size_t n_features() const { return 2; }

  std::int64_t record(std::uint64_t index, double* x) const {
    RecordDraws draw(seed_, 0x4741555353 /* "GAUSS" */, index);
    const auto label = draw.below(2);
    const double turn = period_ ? double(index % period_) / double(period_) : 0;
    const double angle = 2 * std::numbers::pi * (turn + 0.5 * double(label));
    x[0] = elementary::cos(angle) + spread_ * draw.normal();
    x[1] = elementary::sin(angle) + spread_ * draw.normal();
    return std::int64_t(label);
  }

 private:
  std::uint64_t seed_, period_;
  double spread_;
};

}  // namespace prequential
