#include "prequential/sea.hpp"

#include "arrays.hpp"

void init_sea(nb::module_& m) {
  m.def("philox", [](std::uint64_t seed, std::uint64_t purpose, std::uint64_t index) {
    const auto block = prequential::draws(seed, purpose, index);
    return std::vector<std::uint64_t>(block.begin(), block.end());
  }, "seed"_a, "purpose"_a, "index"_a, "The four 64-bit draws of one record.");
  m.def("uniforms", [](std::uint64_t seed, std::uint64_t purpose, std::uint64_t start, std::size_t n) {
    auto* out = new double[n];
    auto result = array(out, {n});
    nb::gil_scoped_release nogil;
    for (std::size_t i = 0; i < n; ++i) out[i] = prequential::uniform(prequential::draws(seed, purpose, start + i)[0]);
    return result;
  }, "seed"_a, "purpose"_a, "start"_a, "n"_a, "One number in [0, 1) for each of n consecutive records.");
  m.def("sea", [](std::uint64_t seed, std::uint64_t start, std::size_t n, int concept_number, double noise) {
    if (concept_number < 1 || concept_number > 4) throw nb::value_error("concept must be 1, 2, 3 or 4");
    auto* X = new double[n * 3];
    auto features = array(X, {n, std::size_t(3)});
    auto* y = new std::int64_t[n];
    auto labels = array(y, {n});
    {
      nb::gil_scoped_release nogil;
      prequential::sea(seed, start, n, concept_number, noise, X, y);
    }
    return std::make_tuple(features, labels);
  }, "seed"_a, "start"_a, "n"_a, "concept"_a, "noise"_a);
}
