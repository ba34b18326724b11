#include "prequential/knn.hpp"
#include "prequential/majority_class.hpp"
#include "prequential/naive_bayes.hpp"
#include "prequential/no_change.hpp"
#include "prequential/sgd.hpp"
#include "python_learner.hpp"
#include "replica.hpp"

void init_learner(nb::module_& m) {
  nb::class_<Replica>(m, "Learner", nb::type_slots(kReplicaSlots), "A native learner, bound to a schema.")
      .def("scores", &Replica::scores, "X"_a)
      .def("learn", &Replica::learn, "X"_a, "y"_a.noconvert(), "w"_a.none())
      .def("test_then_train", &Replica::test_then_train, "X"_a, "y"_a.noconvert(), "w"_a.none(),
           "The scores of each record before it was learned, and the seconds spent predicting and learning.")
      .def("test_and_count", &Replica::test_and_count, "grid"_a, "X"_a, "y"_a.noconvert(), "w"_a.none(), "t"_a.none(),
           "every"_a,
           "The same with the scores counted at once: heads and counts of the checkpoints passed, and the seconds "
           "spent predicting, learning and counting.")
      .def("grow", [](Replica& r, int n) { prequential::checked_classes(n); r.learner->grow(n); }, "n_classes"_a)
      .def("announce", [](Replica& r, nb::object schema) { announce(*r.learner, schema); }, "schema"_a,
           "Tell the learners written in Python, if any, of classes and values that have appeared.")
      .def("to_bytes", &Replica::to_bytes, "said"_a = "", "The state, for a learner that says the same of itself.")
      .def("load_bytes", &Replica::load_bytes, "state"_a, "said"_a = "")
      .def_prop_ro("facts",
                   [](const Replica& r) {
                     nb::typed<nb::dict, nb::str, nb::int_> told;
                     for (const auto& [what, n] : r.learner->facts()) told[what.c_str()] = n;
                     return told;
                   })
      .def_prop_ro("nbytes", &Replica::nbytes);
  m.def("majority_class",
        [](int n_classes, std::vector<std::int32_t> cardinality, std::size_t window) {
          prequential::checked_classes(n_classes);
          return Replica{std::move(cardinality),
                         std::make_unique<prequential::MajorityClass>(n_classes, window)};
        },
        "n_classes"_a, "cardinality"_a, "window"_a);
  m.def("no_change",
        [](int n_classes, std::vector<std::int32_t> cardinality) {
          prequential::checked_classes(n_classes);
          return Replica{std::move(cardinality), std::make_unique<prequential::NoChange>(n_classes)};
        },
        "n_classes"_a, "cardinality"_a);
  m.def("naive_bayes",
        [](int n_classes, std::vector<std::int32_t> cardinality) {
          prequential::checked_classes(n_classes);
          return Replica{cardinality,
                         std::make_unique<prequential::NaiveBayes>(n_classes, cardinality)};
        },
        "n_classes"_a, "cardinality"_a);
  m.def("knn",
        [](int n_classes, std::vector<std::int32_t> cardinality, std::size_t k, std::size_t window) {
          prequential::checked_classes(n_classes);
          if (k == 0 || window == 0) throw nb::value_error("k and window must be at least 1");
          return Replica{cardinality, std::make_unique<prequential::Knn>(n_classes, cardinality, k, window)};
        },
        "n_classes"_a, "cardinality"_a, "k"_a, "window"_a);
  m.def("sgd",
        [](int n_classes, std::vector<std::int32_t> cardinality, bool hinge, double rate, double l2,
           bool standardise) {
          prequential::checked_classes(n_classes);
          return Replica{cardinality,
                         std::make_unique<prequential::Sgd>(
                             n_classes, cardinality, prequential::Sgd::Parameters{hinge, rate, l2, standardise})};
        },
        "n_classes"_a, "cardinality"_a, "hinge"_a, "rate"_a, "l2"_a, "standardise"_a);
  m.def("python_learner",
        [](int n_classes, std::vector<std::int32_t> cardinality, nb::object model) {
          prequential::checked_classes(n_classes);
          const std::size_t n_features = cardinality.size();
          return Replica{std::move(cardinality),
                         std::make_unique<PythonLearner>(n_classes, n_features, std::move(model)), true};
        },
        "n_classes"_a, "cardinality"_a, "model"_a, "A learner written in Python, as a base of native ones.");
}
