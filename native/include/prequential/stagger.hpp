// The STAGGER concepts (Schlimmer and Granger 1986): size, colour and shape, and three rules over them.
#pragma once
#include <cstdint>

#include "prequential/record_draws.hpp"

namespace prequential {

class Stagger {
 public:
  Stagger(std::uint64_t seed, int rule) : seed_(seed), rule_(rule) {}

  std::size_t n_features() const { return 3; }

  std::int64_t record(std::uint64_t index, double* x) const {
    RecordDraws draw(seed_, 0x53544147 /* "STAG" */, index);
    const auto size = draw.below(3), colour = draw.below(3), shape = draw.below(3);
    x[0] = double(size);
    x[1] = double(colour);
    x[2] = double(shape);
    switch (rule_) {
      case 1: return size == 0 && colour == 0;
      case 2: return colour == 2 || shape == 0;
      default: return size != 0;
    }
  }

 private:
  std::uint64_t seed_;
  int rule_;
};

}  // namespace prequential
