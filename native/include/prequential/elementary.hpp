// Elementary functions that give the same bits on every processor. The C library chooses other variants of exp, log,
// sin, cos and erfc where the processor has fused multiply-add, so a published seed would not reproduce. Here there are
// only additions, multiplications, divisions and square roots, which IEEE 754 rounds alike everywhere, in a fixed order;
// the build forbids contraction.
//
// Largest errors, in units of the last place (tests/unit/test_elementary.py): exp, log, sin and cos 1, log2 2, erfc 3,
// normal_quantile 5. The coefficients are minimax, except those of normal_quantile.
#pragma once
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace prequential::elementary {

// c[0] + c[1] x + ...: terms of even and of odd degree apart, which takes half the time of one chain.
template <std::size_t N>
constexpr double polynomial(double x, const double (&c)[N]) {
  const double z = x * x;
  std::size_t k = N - 1;
  double high = c[k--], low = c[k];
  while (k >= 2) {
    high = high * z + c[--k];
    low = low * z + c[--k];
  }
  // The two highest terms have degree N - 1 and N - 2; after the loop one or none is left.
  if (k == 1) {
    high = high * z + c[0];
    return high + low * x;
  }
  return low + high * x;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kLn2High = 0x1.62e42fee00000p-1, kLn2Low = 0x1.a39ef35793c76p-33;  // k * kLn2High is exact
constexpr double kInverseLn2 = 0x1.71547652b82fep+0;
constexpr double kRound = 0x1.8p52;  // added and subtracted: the nearest whole number

// 2^k for -1022 <= k <= 1023.
inline double power_of_two(std::int64_t k) { return std::bit_cast<double>(std::uint64_t(1023 + k) << 52); }

constexpr double kExpTerms[] = {0x1.0000000000009p-1,  0x1.5555555555560p-3,  0x1.55555555508c4p-5,  0x1.111111110d9c4p-7,
                                0x1.6c16c1842443dp-10, 0x1.a01a01b9de90fp-13, 0x1.a0199a0c2964dp-16, 0x1.71dde1c35073fp-19,
                                0x1.28ad7c4a67eb2p-22, 0x1.af82c72d9f58cp-26};
// exp(x + low), for a `low` that is a rounding error of x: x + low = k ln 2 + r, |r| <= ln 2 / 2.
inline double exp(double x, double low = 0) {
  if (!(x > -745.2)) return std::isnan(x) ? x : 0;
  if (x > 709.79) return kInfinity;
  const double k = (x * kInverseLn2 + kRound) - kRound;
  const double high = x - k * kLn2High, rest = k * kLn2Low - low, r = high - rest;
  const double y = 1 + (high + (r * r * polynomial(r, kExpTerms) - rest));
  const auto exponent = std::int64_t(k);
  if (exponent >= -1021 && exponent <= 1023) return y * power_of_two(exponent);
  const std::int64_t half = exponent / 2;  // the result overflows or is subnormal: it is rounded once
  return y * power_of_two(half) * power_of_two(exponent - half);
}

constexpr std::uint64_t kRootHalf = 0x3FE6A09E667F3BCD;  // the bits of sqrt(1/2)

// x = 2^exponent m with m in [sqrt(1/2), sqrt(2)), for finite x > 0.
struct Parts {
  double m;
  double exponent;
};
inline Parts parts(double x) {
  std::int64_t exponent = 0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;
    exponent = -54;
  }
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) - kRootHalf;
  exponent += std::int64_t(bits) >> 52;
  const double m = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFF) + kRootHalf);
  return {m, double(exponent)};
}

constexpr double kLogTerms[] = {0x1.555555555557ep-1, 0x1.99999999854e9p-2, 0x1.2492493dd42aap-2, 0x1.c71c54fe764a0p-3,
                                0x1.7465b239a125ap-3, 0x1.39aec80c0457fp-3, 0x1.2e8ae4ee26fedp-3};
// log(m) = 2 atanh(s) with s = f / (2 + f), f = m - 1: f - f^2/2 plus what `correction` adds.
struct LogParts {
  double f, half_square, correction;
};
inline LogParts log_parts(double m) {
  const double f = m - 1, s = f / (2 + f), z = s * s, half_square = 0.5 * f * f;
  return {f, half_square, s * (half_square + z * polynomial(z, kLogTerms))};
}

// The logarithm of a number that has none that is finite.
inline double log_of_special(double x) { return x == 0 ? -kInfinity : x > 0 ? x : kNaN; }
inline bool has_finite_log(double x) { return x > 0 && x <= std::numeric_limits<double>::max(); }

inline double log(double x) {
  if (!has_finite_log(x)) return log_of_special(x);
  const auto [m, k] = parts(x);
  const auto [f, half_square, correction] = log_parts(m);
  return k * kLn2High - ((half_square - (correction + k * kLn2Low)) - f);
}

// The logarithm of x 2^power, for a normal x > 0.
inline double log_of_product(double x, double power) {
  const auto [m, exponent] = parts(x);
  const double k = exponent + power;
  const auto [f, half_square, correction] = log_parts(m);
  return k * kLn2High - ((half_square - (correction + k * kLn2Low)) - f);
}

inline double log2(double x) {
  if (!has_finite_log(x)) return log_of_special(x);
  const auto [m, k] = parts(x);
  const auto [f, half_square, correction] = log_parts(m);
  return k + (f - (half_square - correction)) * kInverseLn2;
}

// x - n pi/2 = r + low, |r| <= pi/4; pi/2 in three parts, so that n times the first two is exact.
struct Reduced {
  double r, low;
  std::int64_t n;
};
inline Reduced reduced(double x) {
  constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
  constexpr double a = 0x1.921fb54400000p+0, b = 0x1.0b4611a600000p-34, c = 0x1.3198a2e037073p-69;
  const double n = (x * kTwoOverPi + kRound) - kRound;
  const double first = x - n * a, second = n * b, t = first - second;
  const double rest = n * c - ((first - t) - second), r = t - rest;
  return {r, (t - r) - rest, std::int64_t(n)};
}
inline double sin_near_zero(double r, double low) {
  constexpr double c[] = {-0x1.555555555554cp-3, 0x1.111111110fc3ep-7,  -0x1.a01a019c753fdp-13,
                          0x1.71de35c2320d7p-19, -0x1.ae5e99db851afp-26, 0x1.5da081a27ade1p-33};
  const double z = r * r;
  return r + (z * r * polynomial(z, c) + low * (1 - 0.5 * z));
}
inline double cos_near_zero(double r, double low) {
  constexpr double c[] = {0x1.555555555554dp-5,   -0x1.6c16c16c15425p-10, 0x1.a01a019ced0eep-16,
                          -0x1.27e4f830ed32fp-22, 0x1.1eea045678401p-29,  -0x1.8fba62cbbab1bp-37};
  const double z = r * r, half = 0.5 * z, w = 1 - half;
  return w + (((1 - w) - half) + (z * z * polynomial(z, c) - r * low));
}

// The sine of x + turns * pi/2. Up to kMostAngle in size; NaN beyond, where the reduction would be inexact.
constexpr double kMostAngle = 1.6e6;
inline double sin(double x, std::int64_t turns = 0) {
  if (!(x >= -kMostAngle && x <= kMostAngle)) return kNaN;
  const auto [r, low, n] = reduced(x);
  switch ((n + turns) & 3) {
    case 0: return sin_near_zero(r, low);
    case 1: return cos_near_zero(r, low);
    case 2: return -sin_near_zero(r, low);
    default: return -cos_near_zero(r, low);
  }
}
inline double cos(double x) { return sin(x, 1); }

// a * b + error, exactly (Dekker 1971), unless it overflows or underflows.
struct Product {
  double value, error;
};
inline Product product(double a, double b) {
  const auto upper = [](double x) {
    const double scaled = 0x1.0000002p27 * x;
    return scaled - (scaled - x);
  };
  const double value = a * b, a1 = upper(a), a2 = a - a1, b1 = upper(b), b2 = b - b1;
  return {value, ((a1 * b1 - value) + a1 * b2 + a2 * b1) + a2 * b2};
}

constexpr double kErfcNear[] = {0x1.06eba8214db69p-3, -0x1.812746b0379e6p-2, 0x1.ce2f21a042b29p-4,
                                -0x1.b82ce3127f79ep-6, 0x1.565bcd0aa80abp-8, -0x1.c02db23dda7b9p-11,
                                0x1.f9a2a680737dbp-14, -0x1.f4bba29dc5fcbp-17, 0x1.b77672f193818p-20,
                                -0x1.39fc6b191490fp-23};
constexpr double kErfcFirst = 0x1.3ccda0b5d5dc2p+0;
constexpr double kErfcFar[] = {-0x1.1f367683f899fp-3, 0x1.d5f294815bc51p-9, 0x1.510169d095ff0p-4, -0x1.bda9309a2c770p-4,
                               0x1.7a14188aad062p-4, -0x1.e0d0fa6d3a21fp-5, 0x1.d0b0037883503p-6, -0x1.3f603c5c2f6e9p-7,
                               0x1.cc3a114ec0c02p-10, 0x1.33fb4b31db8c1p-12, -0x1.303fe6e840354p-12,
                               0x1.b13e739275c59p-15, 0x1.779acbfff468cp-16, -0x1.7fbfe034d7efdp-17,
                               -0x1.078b74a6b9bb2p-20, 0x1.d21adbcdb699bp-20, -0x1.86587f8c87822p-25,
                               -0x1.00d2ebbc4ec8bp-22, 0x1.d3036b1ac59c9p-27, 0x1.9f830edb8dffap-26};
// 1 - erf(x). From 1/2 on: (1 + 2x) exp(x^2) erfc(x) hardly varies and is a polynomial of (x - 3.75) / (x + 3.75)
// (Shepherd and Laframboise 1981).
inline double erfc(double x) {
  const double size = std::abs(x);
  if (size < 0.5) {
    return 1 - (x + x * polynomial(x * x, kErfcNear));
  }
  if (!(size < 28)) return x > 0 ? 0 : x < 0 ? 2 : x;
  const double t = (size - 3.75) / (size + 3.75), terms = t * polynomial(t, kErfcFar);
  const double flat = kErfcFirst + terms, by = 1 + 2 * size;
  const auto [square, error] = product(x, x);
  const double lost = ((kErfcFirst - flat) + terms) / flat - (2 * size - (by - 1)) / by;  // by rounding `flat` and `by`
  const double tail = exp(-square, lost - error) * (flat / by);
  return x > 0 ? tail : 2 - tail;
}

// The x with P(X <= x) = p for a standard normal X (Wichura 1988, algorithm AS 241).
inline double normal_quantile(double p) {
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    constexpr double a[] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                            1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                            3.3430575583588128105e+4, 2.5090809287301226727e+3};
    constexpr double b[] = {1,                        4.2313330701600911252e+1, 6.8718700749205790830e+2,
                            5.3941960214247511077e+3, 2.1213794301586595867e+4, 3.9307895800092710610e+4,
                            2.8729085735721942674e+4, 5.2264952788528545610e+3};
    const double r = 0.180625 - q * q;
    return q * polynomial(r, a) / polynomial(r, b);
  }
  if (!(p > 0 && p < 1)) return p == 0 ? -kInfinity : p == 1 ? kInfinity : kNaN;
  const double r = std::sqrt(-log(q < 0 ? p : 1 - p));
  double x;
  if (r <= 5) {
    constexpr double a[] = {1.42343711074968357734e0,  4.63033784615654529590e0,  5.76949722146069140550e0,
                            3.64784832476320460504e0,  1.27045825245236838258e0,  2.41780725177450611770e-1,
                            2.27238449892691845833e-2, 7.74545014278341407640e-4};
    constexpr double b[] = {1,                         2.05319162663775882187e0,  1.67638483018380384940e0,
                            6.89767334985100004550e-1, 1.48103976427480074590e-1, 1.51986665636164571966e-2,
                            5.47593808499534494600e-4, 1.05075007164441684324e-9};
    x = polynomial(r - 1.6, a) / polynomial(r - 1.6, b);
  } else {
    constexpr double a[] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                            2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                            2.71155556874348757815e-5, 2.01033439929228813265e-7};
    constexpr double b[] = {1,                         5.99832206555887937690e-1, 1.36929880922735805310e-1,
                            1.48753612908506148525e-2, 7.86869131145613259100e-4, 1.84631831751005468180e-5,
                            1.42151175831644588870e-7, 2.04426310338993978564e-15};
    x = polynomial(r - 5, a) / polynomial(r - 5, b);
  }
  return q < 0 ? -x : x;
}

}  // namespace prequential::elementary
