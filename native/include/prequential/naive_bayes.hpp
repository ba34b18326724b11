// Naive Bayes: a Gaussian for each class and numeric feature, a table of counts for each class and nominal feature.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "prequential/learner.hpp"

namespace prequential {

class NaiveBayes final : public Learner {
 public:
  // cardinality: 0 for a numeric feature, otherwise the number of its values known so far.
  NaiveBayes(int n_classes, std::vector<std::int32_t> cardinality) : cardinality_(std::move(cardinality)) {
    for (std::size_t j = 0; j < cardinality_.size(); ++j) (cardinality_[j] ? nominal_ : numeric_).push_back(int(j));
    values_.resize(nominal_.size());
    grow(n_classes);
  }

  int n_classes() const override { return int(prior_.size()); }

  void grow(int n_classes) override {
    if (n_classes <= this->n_classes()) return;
    prior_.resize(n_classes);
    gauss_.resize(std::size_t(n_classes) * numeric_.size());
    for (Values& v : values_) {
      v.count.resize(std::size_t(n_classes) * v.width);
      v.weight.resize(n_classes);
    }
  }

  void scores(const double* x, double* out) const override {
    const int C = n_classes();
    std::fill(out, out + C, 0.0);
    double top = -std::numeric_limits<double>::infinity();
    for (int c = 0; c < C; ++c)
      if (prior_[c] > 0) top = std::max(top, out[c] = log_joint(x, c));
    double total = 0;
    for (int c = 0; c < C; ++c)
      if (prior_[c] > 0) total += out[c] = std::exp(out[c] - top);
    if (total > 0)
      for (int c = 0; c < C; ++c) out[c] /= total;
  }

  void learn(const double* x, int y, double w) override {
    prior_[y] += w;
    Gauss* gauss = gauss_.data() + std::size_t(y) * numeric_.size();
    for (std::size_t k = 0; k < numeric_.size(); ++k) {
      const double value = x[numeric_[k]];
      if (!std::isnan(value)) gauss[k].add(value, w);
    }
    for (std::size_t k = 0; k < nominal_.size(); ++k) {
      const double value = x[nominal_[k]];
      if (!std::isnan(value)) values_[k].add(std::size_t(value), y, w, n_classes());
    }
  }

  std::unique_ptr<Learner> fresh(std::uint64_t) const override {
    return std::make_unique<NaiveBayes>(n_classes(), cardinality_);
  }

  std::size_t nbytes() const override {
    std::size_t n = allocated(sizeof *this) + bytes_of(cardinality_) + bytes_of(numeric_) + bytes_of(nominal_) + bytes_of(prior_) +
                    bytes_of(gauss_) + bytes_of(values_);
    for (const Values& v : values_) n += bytes_of(v.count) + bytes_of(v.weight) + bytes_of(v.seen);
    return n;
  }

  void write(Writer& to) const override {
    to.put(cardinality_);
    to.put(prior_);
    to.put(gauss_);
    for (const Values& v : values_) {
      to.put(v.width);
      to.put(v.n_seen);
      to.put(v.count);
      to.put(v.weight);
      to.put(v.seen);
    }
  }
  void read(Reader& from) override {
    std::vector<std::int32_t> cardinality;
    from.get(cardinality, cardinality_.size());
    for (std::size_t j = 0; j < cardinality.size(); ++j)
      if ((cardinality[j] == 0) != (cardinality_[j] == 0))
        throw std::invalid_argument("these bytes are the state of a learner of other features");
    NaiveBayes other(0, std::move(cardinality));
    from.get(other.prior_);
    const std::size_t C = other.prior_.size();
    from.get(other.gauss_, C * other.numeric_.size());
    for (Values& v : other.values_) {
      v.width = from.get<std::uint64_t>();
      v.n_seen = from.get<double>();
      if (v.width > (1u << 26)) throw std::invalid_argument("damaged state: the values of a nominal feature");
      from.get(v.count, C * v.width);
      from.get(v.weight, C);
      from.get(v.seen, v.width);
    }
    *this = std::move(other);
  }

 private:
  // Weighted running mean and sum of squared deviations.
  struct Gauss {
    double weight = 0, mean = 0, m2 = 0;
    void add(double x, double w) {
      weight += w;
      const double d = x - mean;
      mean += d * w / weight;
      m2 += w * d * (x - mean);
    }
  };

  // Weights of the values of one nominal feature in each class; it widens as values appear.
  struct Values {
    std::uint64_t width = 0;
    double n_seen = 0;            // distinct values learned so far
    std::vector<double> count;    // [class][value]
    std::vector<double> weight;   // [class]
    std::vector<char> seen;       // [value]

    void add(std::size_t v, int y, double w, int n_classes) {
      if (v >= width) widen(v + 1, n_classes);
      if (!seen[v]) {
        seen[v] = 1;
        n_seen += 1;
      }
      count[y * width + v] += w;
      weight[y] += w;
    }
    void widen(std::size_t to, int n_classes) {
      to = std::max(to, std::size_t(width + width / 2));
      std::vector<double> wider(std::size_t(n_classes) * to);
      for (int c = 0; c < n_classes; ++c) std::copy_n(count.begin() + c * width, width, wider.begin() + c * to);
      count = std::move(wider);
      seen.resize(to);
      width = to;
    }
  };

  static constexpr double kLeastVariance = 1e-9;
  static constexpr double kLog2Pi = 1.8378770664093454836;

  std::vector<std::int32_t> cardinality_;
  std::vector<int> numeric_, nominal_;
  std::vector<double> prior_;   // [class]
  std::vector<Gauss> gauss_;    // [class][numeric feature]
  std::vector<Values> values_;  // [nominal feature]

  double log_joint(const double* x, int c) const {
    double log_p = std::log(prior_[c]), quadratic = 0, volume = 1;
    const Gauss* gauss = gauss_.data() + std::size_t(c) * numeric_.size();
    int n_used = 0;
    for (std::size_t k = 0; k < numeric_.size(); ++k) {
      const double value = x[numeric_[k]];
      const Gauss& g = gauss[k];
      if (std::isnan(value) || g.weight <= 0) continue;
      const double variance = g.weight > 1 ? std::max(g.m2 / (g.weight - 1), kLeastVariance) : kLeastVariance;
      const double d = value - g.mean;
      quadratic += d * d / variance;
      volume *= variance;  // one logarithm for many factors
      if (!(volume > 1e-200 && volume < 1e200)) {
        log_p -= 0.5 * std::log(volume);
        volume = 1;
      }
      ++n_used;
    }
    log_p -= 0.5 * (std::log(volume) + quadratic + n_used * kLog2Pi);
    double odds = 1;
    for (std::size_t k = 0; k < nominal_.size(); ++k) {
      const double value = x[nominal_[k]];
      const Values& v = values_[k];
      if (std::isnan(value) || v.n_seen == 0) continue;
      const std::size_t code = std::size_t(value);
      const double count = code < v.width ? v.count[c * v.width + code] : 0;
      odds *= (count + 1) / (v.weight[c] + v.n_seen);
      if (odds < 1e-200) {
        log_p += std::log(odds);
        odds = 1;
      }
    }
    if (odds != 1) log_p += std::log(odds);
    return log_p;
  }
};

}  // namespace prequential
