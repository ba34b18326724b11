// Learners that are made of others: any base will do, native or written in Python.
#include "prequential/adaptive_random_forest.hpp"
#include "prequential/online_bagging.hpp"

#include "replica.hpp"

namespace {

// A learner made of `base`, at the boundary: it takes the same records, and keeps the GIL if the base does.
template <class Make>
Replica composed(const char* kind, const Replica& base, std::uint64_t seed, Make make) {
  return Replica{kind, base.cardinality, make(base.learner->fresh(seed)), base.python};
}

}  // namespace

void init_ensemble(nb::module_& m) {
  m.def("adaptive_random_forest",
        [](const Replica& base, std::size_t size, double mean, double warning_delta, double drift_delta, bool weighted,
           std::uint64_t seed) {
          return composed("adaptive_random_forest", base, seed, [&](std::unique_ptr<Learner> b) {
            return std::make_unique<prequential::AdaptiveRandomForest>(
                std::move(b),
                prequential::AdaptiveRandomForest::Parameters{size, mean, warning_delta, drift_delta, weighted}, seed);
          });
        },
        "base"_a, "size"_a, "mean"_a, "warning_delta"_a, "drift_delta"_a, "weighted"_a, "seed"_a);
  m.def("online_bagging",
        [](const Replica& base, std::size_t size, double mean, std::uint64_t seed) {
          return composed("online_bagging", base, seed, [&](std::unique_ptr<Learner> b) {
            return std::make_unique<prequential::OnlineBagging>(std::move(b), size, mean, seed);
          });
        },
        "base"_a, "size"_a, "mean"_a, "seed"_a);
}
