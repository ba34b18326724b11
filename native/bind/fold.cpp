// K-fold validation: the draws, and one replica's test-then-train.
#include "prequential/fold.hpp"

#include "bound_learner.hpp"

namespace {

// In a file of its own: the compiler then optimises the learners' own functions as if there were no folds.
Counted fold_and_count(BoundLearner& bound, prequential::Grid& grid, Matrix X, Codes y, std::optional<Vector> w,
                       std::optional<Vector> t, Flags tests, Flags times, std::uint64_t every) {
  check_length("tests", tests.shape(0), X.shape(0));
  check_length("times", times.shape(0), X.shape(0));
  return bound.counted(grid, X, y, w, t, [&](const prequential::Records& records, prequential::Snapshots& snapshots) {
    return prequential::fold_and_count(*bound.learner, grid, records, {tests.data(), times.data()}, every, snapshots);
  });
}

}  // namespace

void init_fold(nb::module_& m) {
  m.def("fold_draws",
        [](const std::string& scheme, std::uint64_t k, std::uint64_t fold, const std::string& on, std::uint64_t seed,
           std::uint64_t start, std::size_t n) {
          if (scheme != "cross" && scheme != "split" && scheme != "bootstrap")
            throw nb::value_error("scheme must be cross, split or bootstrap");
          const auto kind = scheme == "cross"   ? prequential::Scheme::kCross
                            : scheme == "split" ? prequential::Scheme::kSplit
                                                : prequential::Scheme::kBootstrap;
          if (on != "held_out" && on != "all" && on != "trained")
            throw nb::value_error("tests must be held_out, all or trained");
          const auto tested = on == "held_out" ? prequential::TestsOn::kHeldOut
                              : on == "all"    ? prequential::TestsOn::kAll
                                               : prequential::TestsOn::kTrained;
          const prequential::FoldDraws draws(kind, k, seed);
          auto tests = empty<std::uint8_t>({n}), times = empty<std::uint8_t>({n});
          {
            nb::gil_scoped_release nogil;
            draws.of_records(start, n, fold, tested, tests.data(), times.data());
          }
          return std::make_tuple(tests, times);
        },
        "scheme"_a, "k"_a, "fold"_a, "tests"_a, "seed"_a, "start"_a, "n"_a,
        "For each record: whether a replica tests on it, and how often it trains on it.");
  m.def("fold_and_count", &fold_and_count, "learner"_a, "grid"_a, "X"_a, "y"_a.noconvert(), "w"_a.none(),
        "t"_a.none(), "tests"_a.noconvert(), "times"_a.noconvert(), "every"_a,
        "Learner.test_and_count for one fold: only the records flagged in 'tests' are scored and counted, and each is "
        "learned with its weight times 'times'.");
}
