// Counter-based random numbers, and the generators that use them.
#include "prequential/agrawal.hpp"
#include "prequential/hyperplane.hpp"
#include "prequential/led.hpp"
#include "prequential/mixed.hpp"
#include "prequential/random_rbf.hpp"
#include "prequential/random_tree.hpp"
#include "prequential/rotating_gaussian.hpp"
#include "prequential/sea.hpp"
#include "prequential/sine.hpp"
#include "prequential/stagger.hpp"
#include "prequential/waveform.hpp"

#include "arrays.hpp"

namespace {

using Seed = std::uint64_t;

// Rejects values that would index outside an array; the Python classes reject the other wrong values.
void check(bool right, const char* sentence) {
  if (!right) throw nb::value_error(sentence);
}

// All generators have one method: the features and labels of records `start` to `start + n`. `make` is a constructor
// that checks its arguments.
template <class G, class Make, class... Names>
nb::class_<G> bind_generator(nb::module_& m, const char* name, Make make, const Names&... names) {
  nb::class_<G> bound(m, name);
  bound
      .def(nb::new_(make), names...)
      .def("records", [](G& generator, std::uint64_t start, std::size_t n) {
        const std::size_t width = generator.n_features();
        auto features = empty<double>({n, width});
        auto labels = empty<std::int64_t>({n});
        double* X = features.data();
        std::int64_t* y = labels.data();
        {
          nb::gil_scoped_release nogil;
          for (std::size_t i = 0; i < n; ++i) y[i] = generator.record(start + i, X + width * i);
        }
        return std::make_tuple(features, labels);
      }, "start"_a, "n"_a);
  return bound;
}

}  // namespace

void init_generators(nb::module_& m) {
  using namespace prequential;
  m.def("philox", [](Seed seed, std::uint64_t purpose, std::uint64_t index) {
    const auto block = draws(seed, purpose, index);
    return std::vector<std::uint64_t>(block.begin(), block.end());
  }, "seed"_a, "purpose"_a, "index"_a, "The four 64-bit draws of one record.");
  m.def("uniforms", [](Seed seed, std::uint64_t purpose, std::uint64_t start, std::size_t n) {
    auto result = empty<double>({n});
    double* out = result.data();
    nb::gil_scoped_release nogil;
    for (std::size_t i = 0; i < n; ++i) out[i] = uniform(draws(seed, purpose, start + i)[0]);
    return result;
  }, "seed"_a, "purpose"_a, "start"_a, "n"_a, "One number in [0, 1) for each of n consecutive records.");

  bind_generator<Sea>(m, "Sea", [](Seed seed, int concept_number, double noise) {
    check(concept_number >= 1 && concept_number <= 4, "concept must be 1, 2, 3 or 4");
    return new Sea(seed, concept_number, noise);
  }, "seed"_a, "concept"_a, "noise"_a);
  bind_generator<Led>(m, "Led", [](Seed seed, std::optional<Seed> model_seed, int n_features, double noise, int n_drifting) {
    check(n_features >= 7 && n_features <= 24, "n_features must be 7 to 24");
    check(n_drifting <= std::min(7, n_features - 7), "n_drifting must be at most 7, and n_features - 7");
    return new Led(seed, model_seed, n_features, noise, n_drifting);
  }, "seed"_a, "model_seed"_a.none(), "n_features"_a, "noise"_a, "n_drifting"_a)
      .def_prop_ro("places", &Led::places, "The position of each segment, the relevant ones first.");
  bind_generator<Waveform>(m, "Waveform", [](Seed seed, Seed model_seed, int n_features, int n_drifting) {
    check(n_features >= 21, "n_features must be at least 21");
    return new Waveform(seed, model_seed, n_features, n_drifting);
  }, "seed"_a, "model_seed"_a, "n_features"_a, "n_drifting"_a);
  bind_generator<Hyperplane>(m, "Hyperplane",
                             [](Seed seed, int n_features, int n_drifting, double speed, double reversal, double noise) {
    check(n_features >= 1 && n_drifting >= 0 && n_drifting <= n_features, "n_drifting must be 0 to n_features");
    return new Hyperplane(seed, n_features, n_drifting, speed, reversal, noise);
  }, "seed"_a, "n_features"_a, "n_drifting"_a, "speed"_a, "reversal"_a, "noise"_a)
      .def_prop_ro("first_weights", &Hyperplane::first_weights, "The weights at the first record.");
  bind_generator<RandomRbf>(m, "RandomRbf", [](Seed seed, Seed model_seed, int n_features, int n_classes,
                                               int n_centroids, int n_drifting, double speed) {
    check(n_features >= 1 && n_classes >= 1 && n_centroids >= 1, "counts must be at least 1");
    return new RandomRbf(seed, model_seed, n_features, n_classes, n_centroids, n_drifting, speed);
  }, "seed"_a, "model_seed"_a, "n_features"_a, "n_classes"_a, "n_centroids"_a, "n_drifting"_a, "speed"_a);
  bind_generator<RandomTree>(m, "RandomTree", [](Seed seed, Seed model_seed, int n_classes, int n_nominal, int n_values,
                                                 int n_numeric, int max_depth, int first_leaf_level, double leaf_share) {
    check(n_numeric >= 0 && n_nominal >= 0 && n_numeric + n_nominal >= 1, "there must be a feature");
    check(n_classes >= 1 && n_values >= 1, "counts must be at least 1");
    check(max_depth <= 100, "max_depth must be at most 100");  // it is grown by recursion
    return new RandomTree(seed, model_seed,
                          {n_classes, n_nominal, n_values, n_numeric, max_depth, first_leaf_level, leaf_share});
  }, "seed"_a, "model_seed"_a, "n_classes"_a, "n_nominal"_a, "n_values"_a, "n_numeric"_a, "max_depth"_a,
     "first_leaf_level"_a, "leaf_share"_a)
      .def("labels", [](const RandomTree& tree, const Matrix& X) {
        check(X.shape(1) == tree.n_features(), "X must have a column for each feature");
        auto labels = empty<std::int64_t>({X.shape(0)});
        std::int64_t* y = labels.data();
        nb::gil_scoped_release nogil;
        for (std::size_t i = 0; i < X.shape(0); ++i) y[i] = tree.label(X.data() + X.shape(1) * i);
        return labels;
      }, "X"_a, "The class that the tree gives to each row.");
  bind_generator<Agrawal>(m, "Agrawal", [](Seed seed, int concept_number, double perturbation) {
    return new Agrawal(seed, concept_number, perturbation);
  }, "seed"_a, "concept"_a, "perturbation"_a);
  bind_generator<Stagger>(m, "Stagger", [](Seed seed, int concept_number) {
    return new Stagger(seed, concept_number);
  }, "seed"_a, "concept"_a);
  bind_generator<Sine>(m, "Sine", [](Seed seed, int concept_number, int n_features) {
    check(n_features >= 2, "n_features must be at least 2");
    return new Sine(seed, concept_number, n_features);
  }, "seed"_a, "concept"_a, "n_features"_a);
  bind_generator<Mixed>(m, "Mixed", [](Seed seed, int concept_number) {
    return new Mixed(seed, concept_number);
  }, "seed"_a, "concept"_a);
  bind_generator<RotatingGaussian>(m, "RotatingGaussian", [](Seed seed, std::uint64_t period, double spread) {
    return new RotatingGaussian(seed, period, spread);
  }, "seed"_a, "period"_a, "spread"_a);
}
