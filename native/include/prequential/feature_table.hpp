// Statistics of each feature in each class: mean and variance of a numeric feature, counts of a nominal one. Naive
// Bayes has one such table, a Hoeffding tree one per leaf.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "prequential/elementary.hpp"
#include "prequential/learner.hpp"
#include "prequential/moments.hpp"

namespace prequential {

// The features in a table, by their positions in a record.
struct Features {
  std::vector<std::int32_t> numeric, nominal;

  // cardinality: 0 for a numeric feature, otherwise the number of its values known so far.
  explicit Features(const std::vector<std::int32_t>& cardinality) {
    for (std::size_t j = 0; j < cardinality.size(); ++j) (cardinality[j] ? nominal : numeric).push_back(int(j));
  }
  Features() = default;

  std::size_t nbytes() const { return bytes_of(numeric) + bytes_of(nominal); }
};

inline void check_same_kinds(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  bool same = a.size() == b.size();
  for (std::size_t j = 0; same && j < a.size(); ++j) same = (a[j] == 0) == (b[j] == 0);
  if (!same) throw std::invalid_argument("these bytes are the state of a learner of other features");
}

// The range of a numeric feature over all classes. A class whose values do not vary gets a small share of it as
// deviation, so that the unit of the feature does not matter.
struct Scale {
  static constexpr double kLeastShare = 1e-5;  // of the range, as deviation
  double first = std::numeric_limits<double>::quiet_NaN(), least_variance = 0;

  // Returns whether the range has grown.
  bool add(double x) {
    if (std::isnan(first)) first = x;
    const double away = (x - first) * kLeastShare, before = least_variance;
    least_variance = std::max(least_variance, away * away);
    return least_variance > before;
  }
};

// Weights of the values of one nominal feature in each class; it grows as values appear.
struct Values {
  std::uint64_t width = 0;
  double n_seen = 0;           // distinct values learned so far
  std::vector<double> count;   // [class][value]
  std::vector<double> weight;  // [class]
  std::vector<char> seen;      // [value]

  // Returns whether the table had to grow, and whether the value is new.
  std::pair<bool, bool> add(std::size_t v, int y, double w) {
    const bool widened = v >= width;
    if (widened) widen(v + 1);
    const bool is_new = !seen[v];
    if (is_new) {
      seen[v] = 1;
      n_seen += 1;
    }
    count[y * width + v] += w;
    weight[y] += w;
    return {widened, is_new};
  }
  // The highest value seen in a class, plus one.
  std::size_t n_codes_of(int c) const {
    std::size_t n = width;
    while (n > 0 && !(count[std::size_t(c) * width + n - 1] > 0)) --n;
    return n;
  }
  // Laplace smoothing: the share of a value in a class as if every value had been seen once more.
  double share(std::size_t v, int c) const {
    return ((v < width ? count[c * width + v] : 0) + 1) / (weight[c] + n_seen);
  }
  // The highest value seen, plus one; there may be room for more.
  std::size_t n_codes() const {
    std::size_t n = width;
    while (n > 0 && !seen[n - 1]) --n;
    return n;
  }
  void widen(std::size_t to) {
    to = std::max(to, std::size_t(width + width / 2));
    std::vector<double> wider(weight.size() * to);
    for (std::size_t c = 0; c < weight.size(); ++c)
      std::copy_n(count.begin() + c * width, width, wider.begin() + c * to);
    count = std::move(wider);
    resize_exactly(seen, to);
    width = to;
  }
};

template <class Number>
class FeatureTable {
 public:
  explicit FeatureTable(const Features& features) : values_(features.nominal.size()) {}

  int n_classes() const { return int(weights_.size()); }
  // Returns whether there are more than before.
  bool grow(const Features& features, int n_classes) {
    if (n_classes <= this->n_classes()) return false;
    resize_exactly(weights_, std::size_t(n_classes));
    resize_exactly(scales_, features.numeric.size());
    resize_exactly(numbers_, std::size_t(n_classes) * features.numeric.size());
    for (Values& v : values_) {
      resize_exactly(v.count, std::size_t(n_classes) * v.width);
      resize_exactly(v.weight, std::size_t(n_classes));
    }
    return true;
  }

  // Make room for the features that `after` has in addition, which follow the others.
  void widen(const Features& before, const Features& after) {
    const std::size_t C = std::size_t(n_classes()), n = before.numeric.size(), m = after.numeric.size();
    resize_exactly(values_, after.nominal.size());
    for (std::size_t k = before.nominal.size(); k < values_.size(); ++k) resize_exactly(values_[k].weight, C);
    if (C == 0) return;
    resize_exactly(scales_, m);
    std::vector<Number> wider(C * m);
    for (std::size_t c = 0; c < C; ++c) std::copy_n(numbers_.begin() + c * n, n, wider.begin() + c * m);
    numbers_ = std::move(wider);
  }

  struct Added {
    bool widened = false;  // the table takes more bytes than before
    bool shared = false;   // something that the densities of all classes depend on has changed
  };
  // Missing values are skipped.
  Added add(const Features& features, const double* x, int y, double w) {
    Added added;
    weights_[y] += w;
    Number* numbers = numbers_.data() + std::size_t(y) * features.numeric.size();
    for (std::size_t k = 0; k < features.numeric.size(); ++k) {
      const double value = x[features.numeric[k]];
      if (std::isnan(value)) continue;
      numbers[k].add(value, w);
      added.shared |= scales_[k].add(value);
    }
    for (std::size_t k = 0; k < features.nominal.size(); ++k) {
      const double value = x[features.nominal[k]];
      if (std::isnan(value)) continue;
      const auto [widened, is_new] = values_[k].add(std::size_t(value), y, w);
      added.widened |= widened;
      added.shared |= is_new;
    }
    return added;
  }

  // The log density of a record in a class, with independent features. A feature is left out if its value is missing,
  // if it was never seen in this class, or if it has had only one value in all classes.
  double log_likelihood(const Features& features, const double* x, int c) const {
    double log_p = 0, quadratic = 0, volume = 1;
    const std::size_t n = features.numeric.size();
    const Number* numbers = numbers_.data() + std::size_t(c) * n;
    int n_used = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const double value = x[features.numeric[k]];
      const Number& g = numbers[k];
      const double least = scales_[k].least_variance;
      if (std::isnan(value) || g.weight <= 0 || least <= 0) continue;
      const double variance = std::max(g.variance(), least);
      const double d = value - g.mean;
      quadratic += d * d / variance;
      gather(volume, variance, log_p);
      ++n_used;
    }
    return with_nominal(features, x, c, log_p - 0.5 * (elementary::log(volume) + quadratic + n_used * kLog2Pi));
  }
  // Variances are multiplied, so that one logarithm serves many; it is taken before the product overflows or
  // underflows.
  static void gather(double& volume, double variance, double& log_p) {
    volume *= variance;
    if (!(volume > 1e-200 && volume < 1e200)) {
      log_p -= 0.5 * elementary::log(volume);
      volume = 1;
    }
  }
  // Add the nominal features to the log density `log_p` of the numeric ones.
  double with_nominal(const Features& features, const double* x, int c, double log_p) const {
    double odds = 1;
    for (std::size_t k = 0; k < features.nominal.size(); ++k) {
      const double value = x[features.nominal[k]];
      const Values& v = values_[k];
      if (std::isnan(value) || v.n_seen == 0) continue;
      odds *= v.share(std::size_t(value), c);
      if (odds < 1e-200) {
        log_p += elementary::log(odds);
        odds = 1;
      }
    }
    if (odds != 1) log_p += elementary::log(odds);
    return log_p;
  }
  static constexpr double kLog2Pi = 1.8378770664093454836;

  // The density as MOA computes it: a product, in the order of the features. A class whose values do not vary has the
  // density 1 at its value and 0 elsewhere; a class without values has the density 0. A nominal value is smoothed by
  // the highest code of its class.
  double moa_density(const Features& features, const double* x, int c) const {
    const std::size_t n_numeric = features.numeric.size(), n = n_numeric + features.nominal.size();
    double density = 1;
    for (std::size_t i = 0, j = 0; i + j < n;) {
      const bool numeric = j == features.nominal.size() || (i < n_numeric && features.numeric[i] < features.nominal[j]);
      const double value = x[numeric ? features.numeric[i] : features.nominal[j]];
      const std::size_t k = numeric ? i++ : j++;
      if (std::isnan(value)) continue;
      if (numeric) {
        const Number& g = number(features, k, c);
        const double deviation = std::sqrt(g.variance()), d = value - g.mean;
        if (deviation > 0)
          density *= elementary::exp(-(d * d / (2 * deviation * deviation))) / (kSqrt2Pi * deviation);
        else
          density *= g.weight > 0 && d == 0;
      } else {
        const Values& v = values_[k];
        const std::size_t code = std::size_t(value);
        const double count = code < v.width ? v.count[std::size_t(c) * v.width + code] : 0;
        const double weight = v.weight[std::size_t(c)];
        density *= weight > 0 ? (count + 1) / (weight + double(v.n_codes_of(c))) : 0;
      }
    }
    return density;
  }

  const std::vector<double>& weights() const { return weights_; }  // of the records of each class
  const Number& number(const Features& features, std::size_t k, int c) const {
    return numbers_[std::size_t(c) * features.numeric.size() + k];
  }
  const Values& values(std::size_t k) const { return values_[k]; }
  double least_variance(std::size_t k) const { return scales_[k].least_variance; }

  // Beyond the object itself.
  std::size_t nbytes() const {
    std::size_t n = bytes_of(weights_) + bytes_of(scales_) + bytes_of(numbers_) + bytes_of(values_);
    for (const Values& v : values_) n += bytes_of(v.count) + bytes_of(v.weight) + bytes_of(v.seen);
    return n;
  }

  void write(Writer& to) const {
    to.put(weights_);
    to.put(scales_);
    to.put(numbers_);
    for (const Values& v : values_) {
      to.put(v.width);
      to.put(v.n_seen);
      to.put(v.count);
      to.put(v.weight);
      to.put(v.seen);
    }
  }
  void read(Reader& from, const Features& features) {
    from.get(weights_);
    const std::size_t C = weights_.size();
    from.get(scales_, C > 0 ? features.numeric.size() : 0);
    from.get(numbers_, C * features.numeric.size());
    for (Values& v : values_) {
      v.width = from.get<std::uint64_t>();
      v.n_seen = from.get<double>();
      if (v.width > (1u << 26)) throw std::invalid_argument("damaged state: the values of a nominal feature");
      from.get(v.count, C * v.width);
      from.get(v.weight, C);
      from.get(v.seen, v.width);
    }
  }

 private:
  static constexpr double kSqrt2Pi = 2.5066282746310005024;

  std::vector<double> weights_;  // [class]
  std::vector<Scale> scales_;    // [numeric feature]
  std::vector<Number> numbers_;  // [class][numeric feature]
  std::vector<Values> values_;   // [nominal feature]
};

// Turn logarithms of weights into shares of 1; the share is 0 where `of` is not positive.
inline void shares_of_logarithms(const double* of, int n_classes, double* out) {
  double top = -std::numeric_limits<double>::infinity(), total = 0;
  for (int c = 0; c < n_classes; ++c)
    if (of[c] > 0) top = std::max(top, out[c]);
  for (int c = 0; c < n_classes; ++c) total += out[c] = of[c] > 0 ? elementary::exp(out[c] - top) : 0;
  if (total > 0)
    for (int c = 0; c < n_classes; ++c) out[c] /= total;
}

}  // namespace prequential
