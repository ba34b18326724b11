// Philox4x64-10 (Salmon et al. 2011): counter-based random numbers. The draw of a record depends on its number only, so
// it is the same with any chunks, threads and machines.
#pragma once
#include <array>
#include <cstdint>

namespace prequential {

using Block = std::array<std::uint64_t, 4>;

inline Block philox(Block counter, std::uint64_t key0, std::uint64_t key1) {
  __extension__ using Wide = unsigned __int128;
  for (int round = 0; round < 10; ++round) {
    const Wide a = Wide(0xD2E7470EE14C6C93ull) * counter[0];
    const Wide b = Wide(0xCA5A826395121157ull) * counter[2];
    counter = {std::uint64_t(b >> 64) ^ counter[1] ^ key0, std::uint64_t(b),
               std::uint64_t(a >> 64) ^ counter[3] ^ key1, std::uint64_t(a)};
    key0 += 0x9E3779B97F4A7C15ull;
    key1 += 0xBB67AE8584CAA73Bull;
  }
  return counter;
}

// The four draws of record `index` of the stream `purpose` of `seed`.
inline Block draws(std::uint64_t seed, std::uint64_t purpose, std::uint64_t index) {
  return philox({index, 0, 0, 0}, seed, purpose);
}

// More draws for the same record: any number of blocks, numbered by `part`.
inline Block draws(std::uint64_t seed, std::uint64_t purpose, std::uint64_t index, std::uint64_t part) {
  return philox({index, part, 0, 0}, seed, purpose);
}

// A number in [0, 1) from 53 of the 64 bits.
inline double uniform(std::uint64_t bits) { return double(bits >> 11) * 0x1.0p-53; }

}  // namespace prequential
