// Learners around one other, native or written in Python.
#include "prequential/drift_reset.hpp"
#include "prequential/noise_filter.hpp"

#include "detector_of.hpp"
#include "replica.hpp"

void init_wrapper(nb::module_& m) {
  m.def("drift_reset",
        [](const Replica& base, nb::object detector, std::optional<double> fading, std::optional<std::size_t> window,
           std::uint64_t seed) {
          auto [boxed, python] = detector_of(std::move(detector), fading, window);
          return Replica{base.cardinality,
                         std::make_unique<prequential::DriftReset>(base.learner->fresh(prequential::seed_of_base(seed)), std::move(boxed), seed),
                         base.python || python};
        },
        "base"_a, "detector"_a, "fading"_a.none(), "window"_a.none(), "seed"_a,
        "`detector` is a `Detector`; it sees each error, or the mean of the errors, faded or over a window.");
  m.def("noise_filter",
        [](const Replica& base, double p, std::uint64_t seed) {
          return Replica{base.cardinality,
                         std::make_unique<prequential::NoiseFilter>(base.learner->fresh(prequential::seed_of_base(seed)),
                                                                    base.cardinality.size(), p, seed),
                         base.python};
        },
        "base"_a, "p"_a, "seed"_a);
}
