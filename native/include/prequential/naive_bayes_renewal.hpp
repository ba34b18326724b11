// New predictions of naive Bayes for records that it has predicted before (renewable.hpp). A label changes one class
// only, so the log weight of each record in each class is kept, and only that of this class is computed again. What is
// the same for all records is computed once. The logarithms are those of `FeatureTable`, bit for bit.
#pragma once
#include <optional>

#include "prequential/feature_table.hpp"
#include "prequential/renewable.hpp"

namespace prequential {

// The class that alone has changed in the last steps, and their number.
class LastChange {
 public:
  static constexpr int kAll = -1;

  // `shared`: something that all classes depend on has changed too.
  void note(int y, bool shared) {
    n_ = shared ? 0 : std::uint32_t(y) == class_ ? n_ + 1 : 1;
    class_ = std::uint32_t(y);
  }
  // The only class that has changed in the steps from `kept` to `now`, or kAll.
  int changed(std::uint64_t kept, std::uint64_t now) const { return kept <= now && now - kept <= n_ ? int(class_) : kAll; }

 private:
  std::uint32_t class_ = 0, n_ = 0;
};

// The density of one class, prepared for many records.
template <class Number>
class PreparedDensity {
 public:
  PreparedDensity(const FeatureTable<Number>& table, const Features& features, int c)
      : table_(table), features_(features), class_(c) {
    double volume = 1;
    for (std::size_t k = 0; k < features.numeric.size(); ++k) {
      const Number& g = table.number(features, k, c);
      const PooledFeature& pooled = table.pooled(k);
      if (pooled.says_nothing()) continue;
      const std::size_t feature = std::size_t(features.numeric[k]);
      if (pooled.has_two_values()) {
        of_two_values_.push_back({feature, k});
        continue;
      }
      numbers_.push_back({feature, pooled.mean_of(g), pooled.variance(g)});
      table.gather(volume, pooled.size(numbers_.back().variance), constant_);
    }
    log_volume_ = elementary::log(volume);
  }

  double log_likelihood(const double* x) const {
    double quadratic = 0;
    for (const Numeric& one : numbers_) {
      const double value = x[one.feature];
      if (std::isnan(value)) return table_.log_likelihood(features_, x, class_);
      const double d = value - one.mean;
      quadratic += d * d / one.variance;
    }
    Odds odds;
    for (const auto& [feature, k] : of_two_values_)
      if (!std::isnan(x[feature]))
        odds.times(table_.pooled(k).probability(x[feature], table_.number(features_, k, class_)));
    return table_.with_nominal(features_, x, class_, constant_ - 0.5 * (log_volume_ + quadratic), odds);
  }

 private:
  struct Numeric {
    std::size_t feature;
    double mean, variance;
  };
  const FeatureTable<Number>& table_;
  const Features& features_;
  int class_;
  std::vector<Numeric> numbers_;
  std::vector<std::pair<std::size_t, std::size_t>> of_two_values_;  // the feature, and its place in the table
  double constant_ = 0, log_volume_ = 0;
};

// The predictions of naive Bayes in its current state. `prior`: the weights of the classes. A class without records in
// the table is never predicted.
template <class Number>
class NaiveBayesRenewal {
 public:
  NaiveBayesRenewal(const FeatureTable<Number>& table, const Features& features, const double* prior)
      : table_(table), features_(features), prior_(prior), ready_(std::size_t(table.n_classes())),
        log_prior_(ready_.size()) {}

  static constexpr int kUnclear = -1;

  // The best class of a record, or kUnclear if two are so close that only the scores can decide. `terms`: the logarithm
  // for each class, which is updated. `changed`: the class that has changed since, or kAll.
  int best(const double* x, double* terms, int changed) {
    if (changed != LastChange::kAll) {
      renew(x, terms, std::size_t(changed));
    } else {
      for (std::size_t c = 0; c < ready_.size(); ++c) renew(x, terms, c);
    }
    int best = kUnclear;
    double top = -kInfinity, second = -kInfinity;
    bool numbers = true;
    for (std::size_t c = 0; c < ready_.size(); ++c) {
      numbers = numbers && !std::isnan(terms[c]);
      if (terms[c] > top) {
        second = top;
        top = terms[c];
        best = int(c);
      } else {
        second = std::max(second, terms[c]);
      }
    }
    return numbers && top < kInfinity && top - second > kClear ? best : kUnclear;
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr double kClear = 1e-9;  // the scores of the two classes then differ by many rounding errors

  void renew(const double* x, double* terms, std::size_t c) {
    if (!(table_.weights()[c] > 0)) {
      terms[c] = -kInfinity;
      return;
    }
    if (!ready_[c]) {
      ready_[c].emplace(table_, features_, int(c));
      log_prior_[c] = elementary::log(prior_[c]);
    }
    terms[c] = log_prior_[c] + ready_[c]->log_likelihood(x);
  }

  const FeatureTable<Number>& table_;
  const Features& features_;
  const double* prior_;
  std::vector<std::optional<PreparedDensity<Number>>> ready_;
  std::vector<double> log_prior_;
};

}  // namespace prequential
