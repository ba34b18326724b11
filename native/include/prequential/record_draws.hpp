// The random numbers of one record, as many as needed. They depend only on the seed and the number of the record.
#pragma once
#include <cmath>
#include <cstdint>
#include <numbers>

#include "prequential/elementary.hpp"
#include "prequential/philox.hpp"

namespace prequential {

class RecordDraws {
 public:
  RecordDraws(std::uint64_t seed, std::uint64_t purpose, std::uint64_t index)
      : seed_(seed), purpose_(purpose), index_(index) {}

  std::uint64_t word() {
    if (at_ == 4) {
      block_ = draws(seed_, purpose_, index_, part_++);
      at_ = 0;
    }
    return block_[at_++];
  }

  // A number in [0, 1).
  double uniform() { return prequential::uniform(word()); }

  // A whole number below n.
  std::uint64_t below(std::uint64_t n) {
    __extension__ using Wide = unsigned __int128;
    return std::uint64_t((Wide(word()) * n) >> 64);
  }

  // A standard normal number (Box and Muller 1958): two uniform ones give two, the second is kept for the next call.
  double normal() {
    if (kept_) {
      kept_ = false;
      return second_;
    }
    const double radius = std::sqrt(-2 * elementary::log(1 - uniform()));
    const double angle = 2 * std::numbers::pi * uniform();
    second_ = radius * elementary::sin(angle);
    kept_ = true;
    return radius * elementary::cos(angle);
  }

 private:
  std::uint64_t seed_, purpose_, index_, part_ = 0;
  Block block_{};
  unsigned at_ = 4;
  bool kept_ = false;
  double second_ = 0;
};

}  // namespace prequential
