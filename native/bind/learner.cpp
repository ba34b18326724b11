#include "prequential/knn.hpp"
#include "prequential/majority_class.hpp"
#include "prequential/naive_bayes.hpp"
#include "prequential/no_change.hpp"
#include "prequential/sgd.hpp"

#include "bound_learner.hpp"

void init_learner(nb::module_& m) {
  nb::class_<BoundLearner>(m, "Learner", nb::type_slots(kBoundLearnerSlots),
                           "A native learner for the records of one schema.")
      .def("scores", &BoundLearner::scores, "X"_a)
      .def("learn", &BoundLearner::learn, "X"_a, "y"_a.noconvert(), "w"_a.none())
      .def("learn_unlabelled", &BoundLearner::learn_unlabelled, "X"_a, "Learn records without labels, if it can.")
      .def_prop_ro("learns_unlabelled", [](const BoundLearner& b) { return b.learner->learns_unlabelled(); })
      .def("test_then_train", &BoundLearner::test_then_train, "X"_a, "y"_a.noconvert(), "w"_a.none(),
           "Score each record, then learn it.")
      .def("test_and_count", &BoundLearner::test_and_count, "grid"_a, "X"_a, "y"_a.noconvert(), "w"_a.none(),
           "t"_a.none(), "every"_a, "Score each record, then learn it; the grid counts the scores.")
      .def("grow", [](BoundLearner& b, int n) { b.learner->grow(prequential::checked_classes(n)); }, "n_classes"_a)
      .def("scores_of_record", &BoundLearner::scores_of_record, "values"_a,
           "Score one record: a number or None per feature, as a tuple or list.")
      .def("predict_record", &BoundLearner::predict_record, "values"_a,
           "The class with the highest score, the lowest in a tie; -1 for an abstention.")
      .def("learn_record", &BoundLearner::learn_record, "values"_a, "y"_a, "w"_a = 1.0)
      .def("widen", &BoundLearner::widen, "cardinality"_a,
           "Adopt features that follow the known ones, as if they had always been missing.")
      .def("announce", [](BoundLearner& b, nb::object schema) { announce(*b.learner, schema); }, "schema"_a,
           "Tell the learners written in Python, if any, about new classes and values.")
      .def("to_bytes", &BoundLearner::to_bytes, "description"_a = "",
           "The state; only a learner with the same description loads it.")
      .def("load_bytes", &BoundLearner::load_bytes, "state"_a, "description"_a = "")
      .def_prop_ro("facts",
                   [](const BoundLearner& b) {
                     nb::typed<nb::dict, nb::str, nb::int_> facts;
                     for (const auto& [name, n] : b.learner->facts()) facts[name.c_str()] = n;
                     return facts;
                   })
      .def_prop_ro("nbytes", &BoundLearner::nbytes);
  m.def("majority_class",
        [](int n_classes, std::vector<std::int32_t> cardinality, std::size_t window) {
          return bound<prequential::MajorityClass>(n_classes, cardinality, window);
        },
        "n_classes"_a, "cardinality"_a, "window"_a);
  m.def("no_change",
        [](int n_classes, std::vector<std::int32_t> cardinality) {
          return bound<prequential::NoChange>(n_classes, cardinality);
        },
        "n_classes"_a, "cardinality"_a);
  m.def("naive_bayes",
        [](int n_classes, std::vector<std::int32_t> cardinality, bool moa_densities) {
          return bound<prequential::NaiveBayes>(n_classes, cardinality, cardinality, moa_densities);
        },
        "n_classes"_a, "cardinality"_a, "moa_densities"_a);
  m.def("knn",
        [](int n_classes, std::vector<std::int32_t> cardinality, std::size_t k, std::size_t window) {
          if (k == 0 || window == 0) throw nb::value_error("k and window must be at least 1");
          return bound<prequential::Knn>(n_classes, cardinality, cardinality, k, window);
        },
        "n_classes"_a, "cardinality"_a, "k"_a, "window"_a);
  m.def("sgd",
        [](int n_classes, std::vector<std::int32_t> cardinality, bool hinge, double rate, double l2,
           bool standardise) {
          const prequential::Sgd::Parameters parameters{hinge, rate, l2, standardise};
          return bound<prequential::Sgd>(n_classes, cardinality, cardinality, parameters);
        },
        "n_classes"_a, "cardinality"_a, "hinge"_a, "rate"_a, "l2"_a, "standardise"_a);
  m.def("python_learner",
        [](int n_classes, std::vector<std::int32_t> cardinality, nb::object model) {
          auto learner = bound<PythonLearner>(n_classes, cardinality, cardinality.size(), std::move(model));
          learner.python = true;
          return learner;
        },
        "n_classes"_a, "cardinality"_a, "model"_a, "Wrap a learner written in Python, as a base for native learners.");
}
