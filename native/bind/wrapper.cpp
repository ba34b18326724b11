// Learners that wrap one other learner, native or written in Python.
#include "prequential/drift_reset.hpp"
#include "prequential/noise_filter.hpp"
#include "prequential/self_training.hpp"

#include "bound_learner.hpp"
#include "detector_of.hpp"

void init_wrapper(nb::module_& m) {
  m.def("drift_reset",
        [](const BoundLearner& base, nb::object detector, std::optional<double> fading,
           std::optional<std::size_t> window, std::uint64_t seed) {
          auto [boxed, python] = detector_of(std::move(detector), fading, window);
          auto fresh = base.learner->fresh(prequential::seed_of_base(seed));
          return BoundLearner{base.cardinality,
                              std::make_unique<prequential::DriftReset>(std::move(fresh), std::move(boxed), seed),
                              base.python || python};
        },
        "base"_a, "detector"_a, "fading"_a.none(), "window"_a.none(), "seed"_a,
        "`detector` is a `Detector`, fed with each error, or with the mean of the errors, faded or over a window.");
  m.def("self_training",
        [](const BoundLearner& base, double threshold, std::uint64_t seed) {
          auto fresh = base.learner->fresh(prequential::seed_of_base(seed));
          return BoundLearner{base.cardinality,
                              std::make_unique<prequential::SelfTraining>(std::move(fresh), threshold), base.python};
        },
        "base"_a, "threshold"_a, "seed"_a);
  m.def("noise_filter",
        [](const BoundLearner& base, double p, std::uint64_t seed) {
          auto fresh = base.learner->fresh(prequential::seed_of_base(seed));
          const std::size_t n_features = base.cardinality.size();
          return BoundLearner{base.cardinality,
                              std::make_unique<prequential::NoiseFilter>(std::move(fresh), n_features, p, seed),
                              base.python};
        },
        "base"_a, "p"_a, "seed"_a);
}
