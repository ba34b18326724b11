#include "prequential/learner.hpp"

#include "arrays.hpp"
#include "prequential/test_and_count.hpp"
#include "prequential/knn.hpp"
#include "prequential/majority_class.hpp"
#include "prequential/naive_bayes.hpp"
#include "prequential/no_change.hpp"
#include "prequential/sgd.hpp"
#include "snapshots.hpp"

namespace {

using prequential::Learner;

// A learner with what the boundary must know of it to check its input.
struct Replica {
  std::string kind;
  std::vector<std::int32_t> cardinality;
  std::unique_ptr<Learner> learner;

  void check(const Matrix& X) const {
    if (X.shape(1) != cardinality.size())
      throw nb::value_error(("X has " + std::to_string(X.shape(1)) + " features where the schema has " +
                             std::to_string(cardinality.size())).c_str());
    for (std::size_t j = 0; j < cardinality.size(); ++j) {
      if (cardinality[j] == 0) continue;
      for (std::size_t i = 0; i < X.shape(0); ++i) {
        const double v = X.data()[i * X.shape(1) + j];
        if (!std::isnan(v) && !(v >= 0 && v < (1 << 24) && v == std::floor(v)))
          throw nb::value_error(("X holds " + std::to_string(v) + " at record " + std::to_string(i) +
                                 " of this call, nominal feature " + std::to_string(j) +
                                 "; a nominal value is a code of at least 0, or NaN").c_str());
      }
    }
  }

  Array<double> scores(Matrix X) const {
    check(X);
    const std::size_t n = X.shape(0), C = std::size_t(learner->n_classes());
    auto* out = new double[n * C];
    auto result = array(out, {n, C});
    nb::gil_scoped_release nogil;
    for (std::size_t i = 0; i < n; ++i) learner->scores(X.data() + i * X.shape(1), out + i * C);
    return result;
  }

  void learn(Matrix X, Codes y, std::optional<Vector> w) {
    prepare(X, y, w);
    nb::gil_scoped_release nogil;
    for (std::size_t i = 0; i < X.shape(0); ++i) {
      const double weight = w ? w->data()[i] : 1.0;
      if (y.data()[i] >= 0 && weight > 0) learner->learn(X.data() + i * X.shape(1), int(y.data()[i]), weight);
    }
  }

  std::tuple<Array<double>, double, double> test_then_train(Matrix X, Codes y, std::optional<Vector> w) {
    prepare(X, y, w);
    const std::size_t n = X.shape(0), C = std::size_t(learner->n_classes());
    auto* out = new double[n * C];
    auto result = array(out, {n, C});
    prequential::Seconds seconds;
    {
      nb::gil_scoped_release nogil;
      seconds = prequential::test_then_train(*learner, X.data(), n, X.shape(1), y.data(), w ? w->data() : nullptr, out,
                                             C);
    }
    return {result, seconds.predict, seconds.learn};
  }

  std::tuple<Array<double>, Array<double>, double, double, double> test_and_count(
      prequential::Grid& grid, Matrix X, Codes y, std::optional<Vector> w, std::optional<Vector> t,
      std::uint64_t every) {
    prepare(X, y, w);
    if (t) check_length("t", t->shape(0), X.shape(0));
    if (grid.regression()) throw nb::value_error("native learners predict classes, and this grid counts numbers");
    grid.grow(learner->n_classes());
    prequential::Records records{X.shape(0), X.shape(1), X.data(), y.data(), w ? w->data() : nullptr,
                                 t ? t->data() : nullptr};
    prequential::Snapshots snapshots;
    prequential::Seconds seconds;
    {
      nb::gil_scoped_release nogil;
      seconds = prequential::test_and_count(*learner, grid, records, every, snapshots);
    }
    const auto [head, counts] = both(grid, snapshots);
    return {head, counts, seconds.predict, seconds.learn, seconds.count};
  }

  nb::bytes to_bytes() const {
    prequential::Writer to(kind, 1);
    learner->write(to);
    to.seal();
    return nb::bytes(to.data.data(), to.data.size());
  }
  void load_bytes(nb::bytes state) {
    prequential::Reader from(state.data(), state.size(), kind, 1);
    auto other = learner->fresh(0);
    other->read(from);
    from.done();
    learner = std::move(other);
  }

 private:
  void prepare(const Matrix& X, const Codes& y, const std::optional<Vector>& w) {
    check(X);
    check_weights(w, X.shape(0));
    learner->grow(check_codes("y", y, X.shape(0), learner->n_classes()));
  }
};

}  // namespace

void init_learner(nb::module_& m) {
  nb::class_<Replica>(m, "Learner", "A native learner, bound to a schema.")
      .def("scores", &Replica::scores, "X"_a)
      .def("learn", &Replica::learn, "X"_a, "y"_a.noconvert(), "w"_a.none())
      .def("test_then_train", &Replica::test_then_train, "X"_a, "y"_a.noconvert(), "w"_a.none(),
           "The scores of each record before it was learned, and the seconds spent predicting and learning.")
      .def("test_and_count", &Replica::test_and_count, "grid"_a, "X"_a, "y"_a.noconvert(), "w"_a.none(), "t"_a.none(),
           "every"_a,
           "The same with the scores counted at once: heads and counts of the checkpoints passed, and the seconds "
           "spent predicting, learning and counting.")
      .def("grow", [](Replica& r, int n) { prequential::checked_classes(n); r.learner->grow(n); }, "n_classes"_a)
      .def("to_bytes", &Replica::to_bytes)
      .def("load_bytes", &Replica::load_bytes, "state"_a)
      .def_prop_ro("nbytes", [](const Replica& r) { return r.learner->nbytes(); });
  m.def("majority_class",
        [](int n_classes, std::vector<std::int32_t> cardinality, std::size_t window) {
          prequential::checked_classes(n_classes);
          return Replica{"majority_class", std::move(cardinality),
                         std::make_unique<prequential::MajorityClass>(n_classes, window)};
        },
        "n_classes"_a, "cardinality"_a, "window"_a);
  m.def("no_change",
        [](int n_classes, std::vector<std::int32_t> cardinality) {
          prequential::checked_classes(n_classes);
          return Replica{"no_change", std::move(cardinality), std::make_unique<prequential::NoChange>(n_classes)};
        },
        "n_classes"_a, "cardinality"_a);
  m.def("naive_bayes",
        [](int n_classes, std::vector<std::int32_t> cardinality) {
          prequential::checked_classes(n_classes);
          return Replica{"naive_bayes", cardinality,
                         std::make_unique<prequential::NaiveBayes>(n_classes, cardinality)};
        },
        "n_classes"_a, "cardinality"_a);
  m.def("knn",
        [](int n_classes, std::vector<std::int32_t> cardinality, std::size_t k, std::size_t window) {
          prequential::checked_classes(n_classes);
          if (k == 0 || window == 0) throw nb::value_error("k and window must be at least 1");
          return Replica{"knn", cardinality, std::make_unique<prequential::Knn>(n_classes, cardinality, k, window)};
        },
        "n_classes"_a, "cardinality"_a, "k"_a, "window"_a);
  m.def("sgd",
        [](int n_classes, std::vector<std::int32_t> cardinality, bool hinge, double rate, double l2,
           bool standardise) {
          prequential::checked_classes(n_classes);
          return Replica{"sgd", cardinality,
                         std::make_unique<prequential::Sgd>(
                             n_classes, cardinality, prequential::Sgd::Parameters{hinge, rate, l2, standardise})};
        },
        "n_classes"_a, "cardinality"_a, "hinge"_a, "rate"_a, "l2"_a, "standardise"_a);
}
