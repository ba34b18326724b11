// Learners that are made of others: any base will do, native or written in Python.
#include "prequential/adaptive_random_forest.hpp"
#include "prequential/accuracy_updated_ensemble.hpp"
#include "prequential/adwin_bagging.hpp"
#include "prequential/dynamic_weighted_majority.hpp"
#include "prequential/online_bagging.hpp"

#include "replica.hpp"

namespace {

// A learner made of `base`, at the boundary: it takes the same records, and keeps the GIL if the base does.
template <class Ensemble, class... Parameters>
Replica composed(const Replica& base, std::uint64_t seed, const Parameters&... parameters) {
  return Replica{base.cardinality, std::make_unique<Ensemble>(base.learner->fresh(prequential::seed_of_base(seed)), parameters..., seed),
                 base.python};
}

}  // namespace

void init_ensemble(nb::module_& m) {
  m.def("adaptive_random_forest",
        [](const Replica& base, std::size_t size, double mean, double warning_delta, double drift_delta, bool weighted,
           std::uint64_t seed) {
          const prequential::AdaptiveRandomForest::Parameters parameters{size, mean, warning_delta, drift_delta, weighted};
          return composed<prequential::AdaptiveRandomForest>(base, seed, parameters);
        },
        "base"_a, "size"_a, "mean"_a, "warning_delta"_a, "drift_delta"_a, "weighted"_a, "seed"_a);
  m.def("online_bagging",
        [](const Replica& base, std::size_t size, double mean, std::uint64_t seed) {
          return composed<prequential::OnlineBagging>(base, seed, size, mean);
        },
        "base"_a, "size"_a, "mean"_a, "seed"_a);
  m.def("adwin_bagging",
        [](const Replica& base, std::size_t size, double mean, double delta, std::uint64_t seed) {
          return composed<prequential::AdwinBagging>(base, seed, size, mean, delta);
        },
        "base"_a, "size"_a, "mean"_a, "delta"_a, "seed"_a);
  m.def("dynamic_weighted_majority",
        [](const Replica& base, std::uint64_t period, double beta, double theta, std::uint64_t size,
           std::uint64_t seed) {
          const prequential::DynamicWeightedMajority::Rules rules{period, beta, theta, size};
          return composed<prequential::DynamicWeightedMajority>(base, seed, rules);
        },
        "base"_a, "period"_a, "beta"_a, "theta"_a, "size"_a, "seed"_a);
  m.def("accuracy_updated_ensemble",
        [](const Replica& base, std::size_t size, std::size_t window, std::uint64_t seed) {
          return composed<prequential::AccuracyUpdatedEnsemble>(base, seed, size, window);
        },
        "base"_a, "size"_a, "window"_a, "seed"_a);
}
