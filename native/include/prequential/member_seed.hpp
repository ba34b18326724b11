// The seeds of learners that are part of another learner.
#pragma once
#include "prequential/philox.hpp"

namespace prequential {

// The seed of the `birth`-th learner to join an ensemble.
inline std::uint64_t seed_of_member(std::uint64_t seed, std::uint64_t birth) {
  constexpr std::uint64_t kPurpose = 0x4D454D42;  // "MEMB"
  return draws(seed, kPurpose, birth)[0];
}

// The seed of the base of a learner. The two share no draw.
inline std::uint64_t seed_of_base(std::uint64_t seed) {
  constexpr std::uint64_t kPurpose = 0x42415345;  // "BASE"
  return draws(seed, kPurpose, 0)[0];
}

}  // namespace prequential
