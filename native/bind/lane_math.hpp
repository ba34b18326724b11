// Four numbers at a time, and elementary functions of them: those of elementary.hpp, operation by operation. Without an
// include guard, for lane_loops.hpp.
#define LANES_INLINE [[gnu::always_inline]] static inline

using V = double __attribute__((vector_size(32)));
using I = std::int64_t __attribute__((vector_size(32)));
using U = std::uint64_t __attribute__((vector_size(32)));

LANES_INLINE V load(const double* p) {
  V v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
LANES_INLINE void store(double* p, V v) { __builtin_memcpy(p, &v, sizeof v); }
LANES_INLINE V all(double x) { return V{x, x, x, x}; }
LANES_INLINE V masked(V v, I mask) { return (V)((I)v & mask); }
LANES_INLINE V pick(I mask, V a, V b) { return (V)(((I)a & mask) | ((I)b & ~mask)); }
LANES_INLINE I there(V v) { return v == v; }  // not NaN
#ifdef LANES_AVX2
LANES_INLINE V larger(V a, V b) { return __builtin_ia32_maxpd256(a, b); }  // a > b ? a : b
LANES_INLINE V smaller(V a, V b) { return __builtin_ia32_minpd256(a, b); }
LANES_INLINE bool any(I mask) { return __builtin_ia32_movmskpd256((V)mask) != 0; }
#else
LANES_INLINE V larger(V a, V b) { return pick(a > b, a, b); }
LANES_INLINE V smaller(V a, V b) { return pick(a < b, a, b); }
LANES_INLINE bool any(I mask) { return (mask[0] | mask[1] | mask[2] | mask[3]) != 0; }
#endif
LANES_INLINE double sum(V v) { return (v[0] + v[2]) + (v[1] + v[3]); }

constexpr std::int64_t kMantissa = (std::int64_t(1) << 52) - 1, kOne = std::int64_t(1023) << 52, kSign = INT64_MIN;
constexpr double kTwo52 = 0x1p52;

template <std::size_t N>
LANES_INLINE V polynomial(V x, const double (&c)[N]) {  // elementary::polynomial
  const V z = x * x;
  std::size_t k = N - 1;
  V high = all(c[k--]), low = all(c[k]);
  while (k >= 2) {
    high = high * z + c[--k];
    low = low * z + c[--k];
  }
  if (k == 1) {
    high = high * z + c[0];
    return high + low * x;
  }
  return low + high * x;
}

// x = 2^k (1 + f) and log(1 + f) = f - half_square + correction, for normal x > 0: see elementary::log_parts.
struct LogParts {
  V k, f, half_square, correction;
};
LANES_INLINE LogParts log_parts(V x) {
  constexpr std::uint64_t kShift = 0x3FF0000000000000 - elementary::kRootHalf;
  const U bits = (U)x + kShift;
  const V k = (V)((I)(bits >> 52) | (I)all(kTwo52)) - kTwo52 - 1023.0;
  const V f = (V)((bits & (std::uint64_t)kMantissa) + elementary::kRootHalf) - 1.0;
  const V s = f / (2.0 + f), z = s * s, half_square = 0.5 * f * f;
  return {k, f, half_square, s * (half_square + z * polynomial(z, elementary::kLogTerms))};
}
// elementary::log_of_product(m, e), for normal m > 0.
LANES_INLINE V log_of(V m, V e) {
  const auto [exponent, f, half_square, correction] = log_parts(m);
  const V k = exponent + e;
  return k * elementary::kLn2High - ((half_square - (correction + k * elementary::kLn2Low)) - f);
}
// elementary::log2, for x > 0.
LANES_INLINE V log2_of(V x) {
  const I tiny = x < all(0x1p-1022);
  const auto [exponent, f, half_square, correction] = log_parts(pick(tiny, x * 0x1p54, x));
  const V k = exponent + masked(all(-54), tiny);
  return k + (f - (half_square - correction)) * elementary::kInverseLn2;
}

// elementary::exp of x + low, for x <= 0.
LANES_INLINE V exp_of(V given, V low = V{}) {
  const I far = given < all(-700.0);
  const V x = masked(given, ~far);
  const V shifted = x * elementary::kInverseLn2 + elementary::kRound, k = shifted - elementary::kRound;
  const V high = x - k * elementary::kLn2High, rest = k * elementary::kLn2Low - masked(low, ~far), r = high - rest;
  const V y = 1.0 + (high + (r * r * polynomial(r, elementary::kExpTerms) - rest));
  V out = y * (V)(((I)shifted + 1023) << 52);
  if (any(far)) [[unlikely]]
    for (std::size_t l = 0; l < kLanes; ++l)
      if (far[l]) out[l] = elementary::exp(given[l], low[l]);
  return out;
}

// elementary::erfc
LANES_INLINE V upper(V x) {
  const V scaled = 0x1.0000002p27 * x;
  return scaled - (scaled - x);
}
LANES_INLINE V erfc_of(V x) {
  const V size = (V)((I)x & ~kSign);
  const V near = 1.0 - (x + x * polynomial(x * x, elementary::kErfcNear));
  const V t = (size - 3.75) / (size + 3.75), terms = t * polynomial(t, elementary::kErfcFar);
  const V flat = elementary::kErfcFirst + terms, by = 1.0 + 2.0 * size;
  const V square = size * size, high = upper(size), low = size - high;
  const V error = ((high * high - square) + high * low + low * high) + low * low;
  const V lost = ((elementary::kErfcFirst - flat) + terms) / flat - (2.0 * size - (by - 1.0)) / by;
  const V tail = exp_of(-square, lost - error) * (flat / by);
  const V beyond = masked(all(2), x < 0.0);
  const V far = pick(size < 28.0, pick(x > 0.0, tail, 2.0 - tail), beyond);
  return pick(size < 0.5, near, far);
}
