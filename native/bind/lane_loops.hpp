// The loops of lanes.hpp for one set of instructions. It has no include guard: lanes.cpp includes it once for each set,
// in a namespace of its own, under a `#pragma GCC target`; GCC splits vectors that the target of a function lacks before
// it inlines anything, so one function for all sets would not do.
#include "lane_math.hpp"

// Mantissas and exponents of a product, lane by lane.
struct Product {
  V mantissa;
  I exponent;

  [[gnu::always_inline]] inline void take(V v) {
    mantissa *= (V)(((I)v & kMantissa) | kOne);
    exponent += (I)((U)v >> 52) - 1023;
  }
  [[gnu::always_inline]] inline void settle() {  // before the mantissas of many features overflow
    const I bits = (I)mantissa;
    mantissa = (V)((bits & kMantissa) | kOne);
    exponent += (I)((U)bits >> 52) - 1023;
  }
  [[gnu::always_inline]] inline Volume value() const {
    return {(mantissa[0] * mantissa[2]) * (mantissa[1] * mantissa[3]),
            double((exponent[0] + exponent[2]) + (exponent[1] + exponent[3]))};
  }
};
#define LANES_NOTHING {all(1), I{}}

static void pack(const double* x, const std::int32_t* at, std::size_t n, double* out) {
  for (; n >= kLanes; n -= kLanes, at += kLanes, out += kLanes) store(out, V{x[at[0]], x[at[1]], x[at[2]], x[at[3]]});
  if (n == 3) store(out, V{x[at[0]], x[at[1]], x[at[2]], 0});
  if (n == 2) store(out, V{x[at[0]], x[at[1]], 0, 0});
  if (n == 1) store(out, V{x[at[0]], 0, 0, 0});
}

template <int kBlocks>
LANES_INLINE std::size_t blocks_in(const TableView& t) {
  return kBlocks ? std::size_t(kBlocks) : t.blocks;
}

template <int kBlocks>
LANES_INLINE double distance_from(const TableView& t, const double* packed, const double* own) {
  const std::size_t blocks = blocks_in<kBlocks>(t), width = blocks * kLanes;
  V total = {};
  for (std::size_t b = 0; b < blocks; ++b) {
    const V d = load(packed + b * kLanes) - load(own + b * kLanes);
    total += d * d * load(own + TableView::kInverse * width + b * kLanes);
  }
  return sum(total);
}
template <int kBlocks>
LANES_INLINE void distances_from(const TableView& t, const double* packed, double* out) {
  for (std::size_t c = 0; c < t.n_classes; ++c) out[c] = distance_from<kBlocks>(t, packed, t.of_class(c));
}

// The inverse variance of some features in a class, and the size of each: see PooledFeature.
struct Density {
  V inverse, size;
  I binds;
};
LANES_INLINE Density density(V n, V f, V per_f, V m2, V gap, V floor, V unit) {
  const I on = unit > 0.0;
  m2 = larger(m2, PooledFeature::kLeast * f);
  Density made{f / m2, unit * (m2 * per_f), I{}};
  const I young = on & ~((n > 1.0) & (m2 * n >= floor * f));
  if (any(young)) [[unlikely]]
    for (std::size_t l = 0; l < kLanes; ++l) {
      if (!young[l]) continue;
      const double variance = PooledFeature::variance(n[l], m2[l], floor[l], unit[l]);
      made.inverse[l] = 1 / variance;
      made.size[l] = unit[l] * variance;
    }
  const V least = larger(gap * gap * (unit * (1 / PooledFeature::kTwoPi)), all(PooledFeature::kLeastSize));
  made.binds = on & (least > made.size);
  made.inverse = masked(made.inverse, on);
  made.size = pick(on, larger(made.size, least), all(1));
  return made;
}
LANES_INLINE Density density_at(const TableView& t, std::size_t b, std::size_t width, V n, V m2) {
  const double* shared = t.shared + b * kLanes;
  return density(n, n - 1.0, 1.0 / (n - 1.0), m2, load(shared + TableView::kGap * width),
                 load(shared + TableView::kFloor * width), load(shared + TableView::kUnit * width));
}
LANES_INLINE V weights_at(const TableView& t, std::size_t c, std::size_t b) {
  return t.ragged ? load(t.own_weights(c) + b * kLanes) : all(t.weights[c]);
}

template <int kBlocks, bool kRagged>
LANES_INLINE Learned learn_in(const TableView& t, const double* packed, std::size_t c, double w, Volume& volume) {
  const std::size_t blocks = blocks_in<kBlocks>(t), width = blocks * kLanes;
  double* own = t.of_class(c);
  double* weights = own + (t.parts - 1) * width;
  const double n_one = t.weights[c], f_one = n_one - 1, per_f_one = 1 / f_one, rate_one = w / n_one;
  Product product = LANES_NOTHING;
  I gaps = {}, binds = {};
  for (std::size_t b = 0; b < blocks; ++b) {
    double* shared = t.shared + b * kLanes;
    double* at = own + b * kLanes;
    const V x = load(packed + b * kLanes), last = load(shared + TableView::kLast * width);
    V gap = load(shared + TableView::kGap * width);
    const V step = (V)((I)(x - last) & ~kSign);
    const I smaller_step = (step < gap) & (step > 0.0);
    gaps |= smaller_step;
    gap = pick(smaller_step, step, gap);
    store(shared + TableView::kGap * width, gap);
    V d, n, f, per_f, mean = load(at), m2;
    if constexpr (kRagged) {
      const I known = there(x);
      store(shared + TableView::kLast * width, pick(known, x, last));
      const V part = masked(all(w), known), before = load(weights + b * kLanes);
      n = before + part;
      store(weights + b * kLanes, n);
      f = n - 1.0;
      per_f = 1.0 / f;
      const I any_before = before > 0.0;
      const V start = masked(mean, any_before);  // without a value yet, the mean is that of all classes
      d = masked(x - start, known);
      mean = pick(known, start + d * masked(part / n, known),
                  pick(any_before, mean, load(shared + TableView::kAllMean * width)));
      m2 = load(at + TableView::kM2 * width) + (d * part) * masked(x - mean, known);
    } else {
      store(shared + TableView::kLast * width, x);
      n = all(n_one);
      f = all(f_one);
      per_f = all(per_f_one);
      d = x - mean;
      mean += d * rate_one;
      m2 = load(at + TableView::kM2 * width) + (d * w) * (x - mean);
    }
    store(at, mean);
    store(at + TableView::kM2 * width, m2);
    if (t.ranged) {  // a missing value changes neither
      double *least = at + TableView::kLeast * width, *most = at + TableView::kMost * width;
      store(least, smaller(x, load(least)));
      store(most, larger(x, load(most)));
    }
    const Density made = density(n, f, per_f, m2, gap, load(shared + TableView::kFloor * width),
                                 load(shared + TableView::kUnit * width));
    store(at + TableView::kInverse * width, made.inverse);
    binds |= made.binds;
    product.take(made.size);
    if (!kBlocks && b % 64 == 63) product.settle();
  }
  if (!kBlocks) product.settle();
  volume = product.value();
  return {any(gaps), any(binds)};
}
template <int kBlocks>
LANES_INLINE Learned learn_any(const TableView& t, const double* packed, std::size_t c, double w, Volume& volume) {
  return t.ragged ? learn_in<kBlocks, true>(t, packed, c, w, volume) : learn_in<kBlocks, false>(t, packed, c, w, volume);
}

static bool refresh(const TableView& t, std::size_t c, Volume& volume) {
  const std::size_t width = t.width();
  double* own = t.of_class(c);
  Product product = LANES_NOTHING;
  I binds = {};
  for (std::size_t b = 0; b < t.blocks; ++b) {
    const V n = weights_at(t, c, b);
    if (t.ragged) {
      double* mean = own + b * kLanes;
      store(mean, pick(n > 0.0, load(mean), load(t.shared + TableView::kAllMean * width + b * kLanes)));
    }
    const Density made = density_at(t, b, width, n, load(own + TableView::kM2 * width + b * kLanes));
    store(own + TableView::kInverse * width + b * kLanes, made.inverse);
    binds |= made.binds;
    product.take(made.size);
    if (b % 64 == 63) product.settle();
  }
  product.settle();
  volume = product.value();
  return any(binds);
}

static double partial(const TableView& t, const double* packed, std::size_t c, Volume& volume) {
  const std::size_t width = t.width();
  const double* own = t.of_class(c);
  Product product = LANES_NOTHING;
  V total = {};
  for (std::size_t b = 0; b < t.blocks; ++b) {
    const V x = load(packed + b * kLanes), d = x - load(own + b * kLanes);
    const I known = there(x);
    total += masked(d * d * load(own + TableView::kInverse * width + b * kLanes), known);
    const Density made =
        density_at(t, b, width, weights_at(t, c, b), load(own + TableView::kM2 * width + b * kLanes));
    product.take(pick(known, made.size, all(1)));
    if (b % 64 == 63) product.settle();
  }
  product.settle();
  volume = product.value();
  return sum(total);
}

template <int kBlocks>
LANES_INLINE std::size_t sweep_in(const TableView& given, Sweep& s, std::size_t from, std::size_t to, Stop& stop) {
  const TableView t = given;
  const std::size_t width = blocks_in<kBlocks>(t) * kLanes, C = t.n_classes;
  for (std::size_t i = from; i < to; ++i) {
    const double* packed = s.packed + i * width;
    double* q = s.distances + i * C;
    distances_from<kBlocks>(t, packed, q);
    const double w = s.w ? s.w[i] : 1.0;
    const std::int64_t y = w > 0 ? s.y[i] : -1;
    const bool easy = q[0] == q[0] && (y < 0 || (s.may_learn > 0 && s.weights[y] > 0));
    if (!easy) [[unlikely]] return stop = Stop::before, i;
    s.label[i] = std::int32_t(y);
    s.prior[i] = 1;
    s.m[i] = 1;
    s.e[i] = 0;
    if (y < 0) continue;
    const double weight = w < 1e40 ? w : 1e40;  // weight_of
    --s.may_learn;
    s.weights[y] += weight;
    Volume volume;
    const Learned learned = learn_any<kBlocks>(t, packed, std::size_t(y), weight, volume);
    s.prior[i] = s.weights[y];
    s.m[i] = volume.m;
    s.e[i] = volume.e;
    s.binds |= learned.binds;
    if (learned.gap && s.binds) [[unlikely]] return stop = Stop::gap, i + 1;
  }
  stop = Stop::end;
  return to;
}

LANES_INLINE V constant_of(V prior, V m, V e) {
  prior = larger(prior, all(kLeastPrior));
  const V part = (V)(((I)prior & kMantissa) | kOne);
  const V power = (V)((I)((U)prior >> 52) | (I)all(kTwo52)) - kTwo52 - 1023.0;
  return 0.5 * log_of(part * part / m, (power + power) - e);
}
static void constants(const double* prior, const double* m, const double* e, std::size_t n, double* out) {
  for (std::size_t i = 0; i < n; i += kLanes)
    store(out + i, constant_of(load(prior + i), load(m + i), load(e + i)));
}

LANES_INLINE V every(const double* p, std::size_t step) { return V{p[0], p[step], p[2 * step], p[3 * step]}; }
constexpr double kMinusInfinity = -__builtin_inf();

// The same operations in the same order as shares_of_logarithms.
LANES_INLINE void shares_of_four(std::size_t C, double* o) {
  V top = all(kMinusInfinity), total = {};
  for (std::size_t c = 0; c < C; ++c) top = larger(every(o + c, C), top);
  const I known = top > all(kMinusInfinity);
  for (std::size_t c = 0; c < C; ++c) {
    const V e = masked(exp_of(larger(every(o + c, C) - masked(top, known), all(-1e308))), known);
    total += e;
    for (std::size_t l = 0; l < kLanes; ++l) o[l * C + c] = e[l];
  }
  total = pick(known, total, all(1));
  for (std::size_t c = 0; c < C; ++c) {
    const V share = every(o + c, C) / total;
    for (std::size_t l = 0; l < kLanes; ++l) o[l * C + c] = share[l];
  }
}
static void shares(std::size_t n, std::size_t C, double* out) {
  std::size_t i = 0;
  if (C == 2)
    for (; i + kLanes <= n; i += kLanes) {
      double* o = out + 2 * i;
      const V lo = load(o), hi = load(o + kLanes);
      const V a = __builtin_shuffle(lo, hi, I{0, 2, 4, 6}), b = __builtin_shuffle(lo, hi, I{1, 3, 5, 7});
      const V d = b - a, away = (V)((I)d | kSign);  // -|d|; NaN if both are -infinity
      const I second = d > 0.0, known = larger(a, b) > all(kMinusInfinity);
      const V e = exp_of(larger(away, all(-1e308))), total = e + 1.0, most = 1.0 / total, rest = e / total;
      const V p = masked(pick(second, rest, most), known), r = masked(pick(second, most, rest), known);
      store(o, __builtin_shuffle(p, r, I{0, 4, 1, 5}));
      store(o + kLanes, __builtin_shuffle(p, r, I{2, 6, 3, 7}));
    }
  else
    for (; i + kLanes <= n; i += kLanes) shares_of_four(C, out + i * C);
  if (i == n) return;
  std::vector<double> rest(kLanes * C, kMinusInfinity);
  std::copy(out + i * C, out + n * C, rest.begin());
  shares_of_four(C, rest.data());
  std::copy(rest.begin(), rest.begin() + std::ptrdiff_t((n - i) * C), out + i * C);
}

constexpr std::size_t kFewClasses = 8;
// Each operation as in SplitSearch::consider, which computes the split that is chosen once more.
static void gains(const Thresholds& s, double* out) {
  for (std::size_t from = 0; from < s.n_points; from += kLanes) {
    const double i = double(from + 1);
    const V at = s.first + s.step * V{i, i + 1, i + 2, i + 3};
    const auto below_of = [&](std::size_t c) __attribute__((always_inline)) {
      const double n = s.weight[c];
      V below = masked(all(n), ~(at < s.least[c]));
      if (!(n > 0)) return V{};
      const I inside = (at >= s.least[c]) & (at < s.most[c]);
      const V part = s.root[c] > 0 ? n * 0.5 * erfc_of((s.mean[c] - at) / s.root[c])
                                   : masked(all(n), s.mean[c] <= at);
      return pick(inside, part, below);
    };
    V left = {}, right = {};
    V below[kFewClasses];  // of more classes it is computed twice
    for (std::size_t c = 0; c < s.n_classes; ++c) {
      const V part = below_of(c);
      if (c < kFewClasses) below[c] = part;
      left += part;
      right += s.weight[c] - part;
    }
    V order_left = {}, order_right = {};
    for (std::size_t c = 0; c < s.n_classes; ++c) {
      const V part = c < kFewClasses ? below[c] : below_of(c), rest = s.weight[c] - part;
      const auto term = [&](V count, V weight) __attribute__((always_inline)) {
        const I some = count > 0.0;
        const V p = pick(some, count / weight, all(1));
        return masked(s.gini ? p * p : -p * log2_of(p), some);
      };
      order_left += term(part, left);
      order_right += term(rest, right);
    }
    const I any_left = left > 0.0, any_right = right > 0.0;
    if (s.gini) {
      order_left = 1.0 - order_left;
      order_right = 1.0 - order_right;
    }
    const V after = left * masked(order_left, any_left) + right * masked(order_right, any_right);
    const V gain = (s.impurity - after / s.known) * (s.known / s.total);
    const double least = s.least_share * s.known;
    const I split = (at >= s.first) & (at < s.end) & (left > least) & (right > least);
    store(out + from, pick(split, gain, all(kMinusInfinity)));
  }
}

// With the usual numbers of features unrolled.
template <int kBlocks>
static void distances_of(const TableView& t, const double* packed, double* out) {
  distances_from<kBlocks>(t, packed, out);
}
template <int kBlocks>
static double distance_of(const TableView& t, const double* packed, std::size_t c) {
  return distance_from<kBlocks>(t, packed, t.of_class(c));
}
template <int kBlocks>
static Learned learn_of(const TableView& t, const double* packed, std::size_t c, double w, Volume& volume) {
  return learn_any<kBlocks>(t, packed, c, w, volume);
}
template <int kBlocks>
static std::size_t sweep_of(const TableView& t, Sweep& s, std::size_t from, std::size_t to, Stop& stop) {
  return sweep_in<kBlocks>(t, s, from, to, stop);
}
#define LANES_UNROLLED(of, t, ...)                                     \
  switch ((t).blocks) {                                                \
    case 1: return of<1>(t, __VA_ARGS__);                              \
    case 2: return of<2>(t, __VA_ARGS__);                              \
    case 3: return of<3>(t, __VA_ARGS__);                              \
    default: return of<0>(t, __VA_ARGS__);                             \
  }
static void distances(const TableView& t, const double* packed, double* out) { LANES_UNROLLED(distances_of, t, packed, out) }
static double distance(const TableView& t, const double* packed, std::size_t c) { LANES_UNROLLED(distance_of, t, packed, c) }
static Learned learn(const TableView& t, const double* packed, std::size_t c, double w, Volume& volume) {
  LANES_UNROLLED(learn_of, t, packed, c, w, volume)
}
static std::size_t sweep(const TableView& t, Sweep& s, std::size_t from, std::size_t to, Stop& stop) {
  LANES_UNROLLED(sweep_of, t, s, from, to, stop)
}

static constexpr LaneKernel kKernel{LANES_NAME, pack,  distances, distance,  partial,
                                    learn,      refresh, sweep,     constants, shares, gains};
#undef LANES_INLINE
#undef LANES_NOTHING
#undef LANES_UNROLLED
