// What k-fold validation draws.
#include "prequential/fold.hpp"

#include "arrays.hpp"

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
}
