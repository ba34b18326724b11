// Ensembles: the base may be native or written in Python.
#include "prequential/adaptive_random_forest.hpp"
#include "prequential/accuracy_updated_ensemble.hpp"
#include "prequential/adwin_bagging.hpp"
#include "prequential/dynamic_weighted_majority.hpp"
#include "prequential/online_bagging.hpp"

#include "bound_learner.hpp"

namespace {

// An ensemble of `base`: it takes the same records, and keeps the GIL if the base does.
template <class Ensemble, class... Parameters>
BoundLearner composed(const BoundLearner& base, std::uint64_t seed, const Parameters&... parameters) {
  auto fresh = base.learner->fresh(prequential::seed_of_base(seed));
  return BoundLearner{base.cardinality, std::make_unique<Ensemble>(std::move(fresh), parameters..., seed), base.python};
}

}  // namespace

void init_ensemble(nb::module_& m) {
  m.def("adaptive_random_forest",
        [](const BoundLearner& base, std::size_t size, double mean, double warning_delta, double drift_delta,
           bool weighted, std::uint64_t seed) {
          using Forest = prequential::AdaptiveRandomForest;
          return composed<Forest>(base, seed, Forest::Parameters{size, mean, warning_delta, drift_delta, weighted});
        },
        "base"_a, "size"_a, "mean"_a, "warning_delta"_a, "drift_delta"_a, "weighted"_a, "seed"_a);
  m.def("online_bagging",
        [](const BoundLearner& base, std::size_t size, double mean, std::uint64_t seed) {
          return composed<prequential::OnlineBagging>(base, seed, size, mean);
        },
        "base"_a, "size"_a, "mean"_a, "seed"_a);
  m.def("adwin_bagging",
        [](const BoundLearner& base, std::size_t size, double mean, double delta, std::uint64_t seed) {
          return composed<prequential::AdwinBagging>(base, seed, size, mean, delta);
        },
        "base"_a, "size"_a, "mean"_a, "delta"_a, "seed"_a);
  m.def("dynamic_weighted_majority",
        [](const BoundLearner& base, std::uint64_t period, double beta, double theta, std::uint64_t size,
           std::uint64_t seed) {
          const prequential::DynamicWeightedMajority::Rules rules{period, beta, theta, size};
          return composed<prequential::DynamicWeightedMajority>(base, seed, rules);
        },
        "base"_a, "period"_a, "beta"_a, "theta"_a, "size"_a, "seed"_a);
  m.def("accuracy_updated_ensemble",
        [](const BoundLearner& base, std::size_t size, std::size_t window, std::uint64_t seed) {
          return composed<prequential::AccuracyUpdatedEnsemble>(base, seed, size, window);
        },
        "base"_a, "size"_a, "window"_a, "seed"_a);
}
