// Hoeffding trees.
#include "prequential/hoeffding_adaptive_tree.hpp"
#include "prequential/hoeffding_tree.hpp"

#include "bound_learner.hpp"

using namespace prequential;

namespace {

template <class Choice>
Choice one_of(const char* what, const std::string& name, std::initializer_list<std::pair<const char*, Choice>> choices) {
  for (const auto& [known, choice] : choices)
    if (name == known) return choice;
  throw nb::value_error((std::string(what) + " cannot be " + name).c_str());
}

TreeRules rules(const std::string& leaf, const std::string& densities, const std::string& criterion, bool binary,
                std::int32_t n_points, double subspace, double grace, double delta, double tau,
                double least_share) {
  using Prediction = TreeRules::Prediction;
  TreeRules made;
  made.prediction = one_of<Prediction>("leaf", leaf, {{"mc", Prediction::majority}, {"nb", Prediction::naive_bayes},
                                                      {"nba", Prediction::adaptive}});
  made.moa_densities = one_of<bool>("densities", densities, {{"bounded", false}, {"moa", true}});
  made.criterion =
      one_of<Criterion>("criterion", criterion, {{"info_gain", Criterion::info_gain}, {"gini", Criterion::gini}});
  made.binary = binary;
  made.n_points = n_points;
  made.subspace = subspace;
  made.grace = grace;
  made.delta = delta;
  made.tau = tau;
  made.least_share = least_share;
  return made;
}

}  // namespace

void init_tree(nb::module_& m) {
  nb::class_<TreeRules>(m, "TreeRules", "When and how a Hoeffding tree splits its leaves, and what they predict.")
      .def("__init__", [](TreeRules* self, const std::string& leaf, const std::string& densities,
                          const std::string& criterion, bool binary, std::int32_t n_points, double subspace,
                          double grace, double delta, double tau, double least_share) {
             new (self) TreeRules(
                 rules(leaf, densities, criterion, binary, n_points, subspace, grace, delta, tau, least_share));
           },
           "leaf"_a, "densities"_a, "criterion"_a, "binary"_a, "n_points"_a, "subspace"_a, "grace"_a, "delta"_a, "tau"_a,
           "least_share"_a);
  m.def("hoeffding_tree",
        [](int n_classes, std::vector<std::int32_t> cardinality, const TreeRules& rules, std::uint64_t max_bytes,
           std::uint64_t seed) {
          return bound<HoeffdingTree>(n_classes, cardinality, cardinality, rules, max_bytes, seed);
        },
        "n_classes"_a, "cardinality"_a, "rules"_a, "max_bytes"_a, "seed"_a);
  m.def("hoeffding_adaptive_tree",
        [](int n_classes, std::vector<std::int32_t> cardinality, const TreeRules& rules, double adwin_delta,
           double switch_delta, std::uint64_t least_width, bool bootstrap, std::uint64_t max_bytes,
           std::uint64_t seed) {
          const HoeffdingAdaptiveTree::Parameters parameters{rules,       adwin_delta, switch_delta,
                                                             least_width, bootstrap,   max_bytes};
          return bound<HoeffdingAdaptiveTree>(n_classes, cardinality, cardinality, parameters, seed);
        },
        "n_classes"_a, "cardinality"_a, "rules"_a, "adwin_delta"_a, "switch_delta"_a, "least_width"_a, "bootstrap"_a,
        "max_bytes"_a, "seed"_a);
}
