// The densities and shares of naive Bayes as MOA computes them, from a FeatureTable.
#pragma once
#include "prequential/feature_table.hpp"

namespace prequential {

// The density as MOA computes it: a product, in the order of the features. A class whose values do not vary has the
// density 1 at its value and 0 elsewhere; a class without values has the density 0. A nominal value is smoothed by
// the highest code of its class.
template <class Number>
double moa_density(const FeatureTable<Number>& table, const Features& features, const double* x, int c) {
  const std::size_t n_numeric = features.numeric.size(), n = n_numeric + features.nominal.size();
  constexpr double kSqrt2Pi = 2.5066282746310005024;
  double density = 1;
  for (std::size_t i = 0, j = 0; i + j < n;) {
    const bool numeric = j == features.nominal.size() || (i < n_numeric && features.numeric[i] < features.nominal[j]);
    const double value = x[numeric ? features.numeric[i] : features.nominal[j]];
    const std::size_t k = numeric ? i++ : j++;
    if (std::isnan(value)) continue;
    if (numeric) {
      const Number g = table.number(k, c);
      const double deviation = std::sqrt(g.variance()), d = value - g.mean;
      if (deviation > 0)
        density *= elementary::exp(-(d * d / (2 * deviation * deviation))) / (kSqrt2Pi * deviation);
      else
        density *= g.weight > 0 && d == 0;
    } else {
      const Values& v = table.values(k);
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
template <class Number>
void moa_scores(const FeatureTable<Number>& table, const Features& features, const double* x,
                const std::vector<double>& prior, double total, double* out) {
  constexpr double kMostVote = 1e300;  // so that their sum is finite
  double sum = 0;
  for (std::size_t c = 0; c < prior.size(); ++c) {
    const double vote = prior[c] > 0 ? prior[c] / total * moa_density(table, features, x, int(c)) : 0;
    sum += out[c] = std::isnan(vote) ? 0 : std::min(vote, kMostVote);
  }
  if (!(sum > 0)) sum = out[0] = 1;
  for (std::size_t c = 0; c < prior.size(); ++c) out[c] /= sum;
}

}  // namespace prequential
