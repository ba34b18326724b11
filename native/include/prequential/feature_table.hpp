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
#include "prequential/nominal_counts.hpp"
#include "prequential/pooled_feature.hpp"

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

// A product of probabilities whose logarithm is taken before it underflows.
class Odds {
 public:
  void times(double probability) {
    product_ *= probability;
    if (product_ < 1e-200) {
      log_ += elementary::log(product_);
      product_ = 1;
    }
  }
  double log() const { return product_ == 1 ? log_ : log_ + elementary::log(product_); }

 private:
  double product_ = 1, log_ = 0;
};

// How the values of a nominal feature are smoothed.
enum class Smoothing : std::uint8_t { laplace, marginal };

// What the classes share is summarised again whenever the number of records has grown by an eighth, and when a new value
// matters. In between, a record changes the densities of its own class only.
template <class Number>
class FeatureTable {
 public:
  explicit FeatureTable(const Features& features, Smoothing smoothing = Smoothing::laplace)
      : smoothing_(smoothing), values_(features.nominal.size()) {}

  int n_classes() const { return int(weights_.size()); }
  // Returns whether there are more than before.
  bool grow(const Features& features, int n_classes) {
    if (n_classes <= this->n_classes()) return false;
    resize_exactly(weights_, std::size_t(n_classes));
    resize_exactly(pooled_, features.numeric.size());
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
    resize_exactly(pooled_, m);
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
    n_records_ += 1;
    const bool due = n_records_ >= next_summary_;
    Number* numbers = numbers_.data() + std::size_t(y) * features.numeric.size();
    for (std::size_t k = 0; k < features.numeric.size(); ++k) {
      const double value = x[features.numeric[k]];
      if (std::isnan(value)) continue;
      numbers[k].add(value, w);
      const auto noted = pooled_[k].note(value);
      if (noted.new_value && !due) summarise(features, k);
      added.shared |= noted.gap || noted.new_value;
    }
    for (std::size_t k = 0; k < features.nominal.size(); ++k) {
      const double value = x[features.nominal[k]];
      if (std::isnan(value)) continue;
      const auto [widened, is_new] = values_[k].add(std::size_t(value), y, w);
      if (is_new && !due && smoothing_ == Smoothing::marginal) values_[k].summarise();
      added.widened |= widened;
      added.shared |= is_new;
    }
    if (due) {
      for (std::size_t k = 0; k < features.numeric.size(); ++k) summarise(features, k);
      if (smoothing_ == Smoothing::marginal)
        for (Values& v : values_)
          if (v.n_seen > 0) v.summarise();
      next_summary_ = n_records_ + std::max(1.0, std::floor(n_records_ / 8));
      added.shared = true;
    }
    return added;
  }

  // The log density of a record in a class, with independent features, each in units of its deviation. A feature is
  // left out if its value is missing, or if it has had only one value in all classes.
  double log_likelihood(const Features& features, const double* x, int c) const {
    double log_p = 0, quadratic = 0, volume = 1;
    Odds odds;
    const std::size_t n = features.numeric.size();
    const Number* numbers = numbers_.data() + std::size_t(c) * n;
    for (std::size_t k = 0; k < n; ++k) {
      const double value = x[features.numeric[k]];
      const PooledFeature& pooled = pooled_[k];
      if (std::isnan(value) || pooled.says_nothing()) continue;
      const Number& g = numbers[k];
      if (pooled.has_two_values()) {
        odds.times(pooled.probability(value, g));
        continue;
      }
      const double variance = pooled.variance(g);
      const double d = value - pooled.mean_of(g);
      quadratic += d * d / variance;
      gather(volume, pooled.size(variance), log_p);
    }
    return with_nominal(features, x, c, log_p - 0.5 * (elementary::log(volume) + quadratic), odds);
  }
  // Sizes are multiplied, so that one logarithm serves many; it is taken before the product overflows or underflows.
  static void gather(double& volume, double size, double& log_p) {
    volume *= size;
    if (!(volume > 1e-200 && volume < 1e200)) {
      log_p -= 0.5 * elementary::log(volume);
      volume = 1;
    }
  }
  // Add features of two values, whose odds are given, and nominal features to the log density `log_p` of the others. It
  // stays finite, so that classes can be compared when the record is too far from all.
  double with_nominal(const Features& features, const double* x, int c, double log_p, Odds odds) const {
    for (std::size_t k = 0; k < features.nominal.size(); ++k) {
      const double value = x[features.nominal[k]];
      const Values& v = values_[k];
      if (std::isnan(value) || v.n_seen == 0) continue;
      odds.times(v.probability(std::size_t(value), c));
    }
    return std::max(log_p + odds.log(), -1e300);
  }

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

  // The shares of the classes as MOA computes them; if no class has a density, the first class is predicted. `prior`: the
  // weights of the classes, with the sum `total`.
  void moa_scores(const Features& features, const double* x, const std::vector<double>& prior, double total,
                  double* out) const {
    double sum = 0;
    for (std::size_t c = 0; c < prior.size(); ++c) {
      const double vote = prior[c] > 0 ? prior[c] / total * moa_density(features, x, int(c)) : 0;
      sum += out[c] = std::isnan(vote) ? 0 : std::min(vote, kMostVote);
    }
    if (!(sum > 0)) sum = out[0] = 1;
    for (std::size_t c = 0; c < prior.size(); ++c) out[c] /= sum;
  }

  const std::vector<double>& weights() const { return weights_; }  // of the records of each class
  const Number& number(const Features& features, std::size_t k, int c) const {
    return numbers_[std::size_t(c) * features.numeric.size() + k];
  }
  const Values& values(std::size_t k) const { return values_[k]; }
  const PooledFeature& pooled(std::size_t k) const { return pooled_[k]; }

  // Beyond the object itself.
  std::size_t nbytes() const {
    std::size_t n = bytes_of(weights_) + bytes_of(pooled_) + bytes_of(numbers_) + bytes_of(values_);
    for (const Values& v : values_)
      n += bytes_of(v.count) + bytes_of(v.weight) + bytes_of(v.seen) + bytes_of(v.marginal);
    return n;
  }

  void write(Writer& to) const {
    to.put(n_records_);
    to.put(next_summary_);
    to.put(weights_);
    to.put(pooled_);
    to.put(numbers_);
    for (const Values& v : values_) {
      to.put(v.width);
      to.put(v.n_seen);
      to.put(v.count);
      to.put(v.weight);
      to.put(v.seen);
      to.put(v.marginal);
      to.put(v.marginal_of_unknown);
    }
  }
  void read(Reader& from, const Features& features) {
    n_records_ = from.get<double>();
    next_summary_ = from.get<double>();
    from.get(weights_);
    const std::size_t C = weights_.size();
    from.get(pooled_, C > 0 ? features.numeric.size() : 0);
    from.get(numbers_, C * features.numeric.size());
    for (Values& v : values_) {
      v.width = from.get<std::uint64_t>();
      v.n_seen = from.get<double>();
      if (v.width > (1u << 26)) throw std::invalid_argument("damaged state: the values of a nominal feature");
      from.get(v.count, C * v.width);
      from.get(v.weight, C);
      from.get(v.seen, v.width);
      from.get(v.marginal, smoothing_ == Smoothing::marginal && v.n_seen > 0 ? v.width : 0);
      v.marginal_of_unknown = from.get<double>();
    }
  }

 private:
  static constexpr double kSqrt2Pi = 2.5066282746310005024;
  static constexpr double kMostVote = 1e300;  // so that their sum is finite

  Smoothing smoothing_;
  double n_records_ = 0, next_summary_ = 0;  // learned so far, and when to summarise again
  std::vector<double> weights_;              // [class]
  std::vector<PooledFeature> pooled_;        // [numeric feature]
  std::vector<Number> numbers_;              // [class][numeric feature]
  std::vector<Values> values_;               // [nominal feature]

  void summarise(const Features& features, std::size_t k) {
    pooled_[k].summarise(n_classes(), n_records_,
                         [&](int c) -> const Number& { return number(features, k, c); });
  }
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
