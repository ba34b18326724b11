// Mixed (Gama et al. 2004): two booleans and a point of the unit square. The class says whether at least two of three
// hold: the first boolean, the second, the point lies below a wave.
#pragma once
#include <cstdint>

#include "prequential/sine.hpp"

namespace prequential {

class Mixed {
 public:
  Mixed(std::uint64_t seed, int rule) : seed_(seed), rule_(rule) {}

  std::size_t n_features() const { return 4; }

  std::int64_t record(std::uint64_t index, double* x) const {
    RecordDraws draw(seed_, 0x4D49584544 /* "MIXED" */, index);
    const bool v = draw.below(2), w = draw.below(2);
    x[0] = v;
    x[1] = w;
    x[2] = draw.uniform();
    x[3] = draw.uniform();
    const bool below = x[3] < short_wave(x[2]);
    return (int(v) + int(w) + int(below) >= 2) != (rule_ == 1);
  }

 private:
  std::uint64_t seed_;
  int rule_;
};

}  // namespace prequential
