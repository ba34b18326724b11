// What k-fold validation draws.
#include "prequential/fold.hpp"

#include "replica.hpp"

namespace {

// Apart from the learners' own functions, which the compiler then treats as if there were no folds.
std::tuple<Array<double>, Array<double>, double, double, double> fold_and_count(
    Replica& replica, prequential::Grid& grid, Matrix X, Codes y, std::optional<Vector> w, std::optional<Vector> t,
    Flags tests, Flags times, std::uint64_t every) {
  const Bounded values = replica.prepare(X, y, w);
  if (t) check_length("t", t->shape(0), X.shape(0));
  check_length("tests", tests.shape(0), X.shape(0));
  check_length("times", times.shape(0), X.shape(0));
  if (grid.regression()) throw nb::value_error("native learners predict classes, and this grid counts numbers");
  grid.grow(replica.learner->n_classes());
  prequential::Records records{X.shape(0), X.shape(1), values.data(), y.data(), w ? w->data() : nullptr,
                               t ? t->data() : nullptr};
  prequential::Snapshots snapshots;
  prequential::Seconds seconds;
  {
    const Unlocked unlocked(replica.python);
    seconds =
        prequential::fold_and_count(*replica.learner, grid, records, {tests.data(), times.data()}, every, snapshots);
  }
  const auto [head, counts] = both(grid, snapshots);
  return {head, counts, seconds.predict, seconds.learn, seconds.count};
}

}  // namespace

void init_fold(nb::module_& m) {
  m.def("fold_draws",
        [](const std::string& scheme, std::uint64_t k, std::uint64_t fold, bool all, std::uint64_t seed,
           std::uint64_t start, std::size_t n) {
          if (scheme != "cross" && scheme != "split" && scheme != "bootstrap")
            throw nb::value_error("scheme must be cross, split or bootstrap");
          const auto kind = scheme == "cross"   ? prequential::Scheme::kCross
                            : scheme == "split" ? prequential::Scheme::kSplit
                                                : prequential::Scheme::kBootstrap;
          const prequential::FoldDraws draws(kind, k, seed);
          auto* tests = new std::uint8_t[n];
          auto first = array(tests, {n});
          auto* times = new std::uint8_t[n];
          auto second = array(times, {n});
          {
            nb::gil_scoped_release nogil;
            draws.of_records(start, n, fold, all, tests, times);
          }
          return std::make_tuple(first, second);
        },
        "scheme"_a, "k"_a, "fold"_a, "all"_a, "seed"_a, "start"_a, "n"_a,
        "Of each record, whether a replica tests, and how often it trains.");
  m.def("fold_and_count", &fold_and_count, "learner"_a, "grid"_a, "X"_a, "y"_a.noconvert(), "w"_a.none(),
        "t"_a.none(), "tests"_a.noconvert(), "times"_a.noconvert(), "every"_a,
        "As Learner.test_and_count, of one fold: only the records that are flagged in 'tests' are scored and counted, and "
        "each is learned with its weight times 'times'.");
}
