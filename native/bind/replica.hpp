// A learner at the boundary to Python.
#pragma once
#include "arrays.hpp"
#include "bounded.hpp"
#include "prequential/learner.hpp"
#include "prequential/test_and_count.hpp"
#include "python_detector.hpp"
#include "python_learner.hpp"
#include "snapshots.hpp"

using prequential::Learner;

// The GIL released, unless Python code is called on the way: who traverses the objects then finds nobody at work.
class Unlocked {
 public:
  explicit Unlocked(bool python) {
    if (!python) release_.emplace();
  }

 private:
  std::optional<nb::gil_scoped_release> release_;
};

// A learner with what the boundary must know of it to check its input.
struct Replica {
  std::vector<std::int32_t> cardinality;
  std::unique_ptr<Learner> learner;
  bool python = false;  // made of a learner or detector written in Python

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
    const Bounded values(X);
    const std::size_t n = X.shape(0), C = std::size_t(learner->n_classes());
    auto* out = new double[n * C];
    auto result = array(out, {n, C});
    const Unlocked unlocked(python);
    for (std::size_t i = 0; i < n; ++i) learner->scores(values.data() + i * X.shape(1), out + i * C);
    return result;
  }

  void learn(Matrix X, Codes y, std::optional<Vector> w) {
    const Bounded values = prepare(X, y, w);
    const Unlocked unlocked(python);
    for (std::size_t i = 0; i < X.shape(0); ++i) {
      const double weight = prequential::weight_of(w ? w->data() : nullptr, i);
      if (y.data()[i] >= 0 && weight > 0) learner->learn(values.data() + i * X.shape(1), int(y.data()[i]), weight);
    }
  }

  std::tuple<Array<double>, double, double> test_then_train(Matrix X, Codes y, std::optional<Vector> w) {
    const Bounded values = prepare(X, y, w);
    const std::size_t n = X.shape(0), C = std::size_t(learner->n_classes());
    auto* out = new double[n * C];
    auto result = array(out, {n, C});
    prequential::Seconds seconds;
    {
      const Unlocked unlocked(python);
      seconds = prequential::test_then_train(*learner, values.data(), n, X.shape(1), y.data(), w ? w->data() : nullptr,
                                             out, C);
    }
    return {result, seconds.predict, seconds.learn};
  }

  std::tuple<Array<double>, Array<double>, double, double, double> test_and_count(
      prequential::Grid& grid, Matrix X, Codes y, std::optional<Vector> w, std::optional<Vector> t,
      std::uint64_t every) {
    const Bounded values = prepare(X, y, w);
    if (t) check_length("t", t->shape(0), X.shape(0));
    if (grid.regression()) throw nb::value_error("native learners predict classes, and this grid counts numbers");
    grid.grow(learner->n_classes());
    prequential::Records records{X.shape(0), X.shape(1), values.data(), y.data(), w ? w->data() : nullptr,
                                 t ? t->data() : nullptr};
    prequential::Snapshots snapshots;
    prequential::Seconds seconds;
    {
      const Unlocked unlocked(python);
      seconds = prequential::test_and_count(*learner, grid, records, every, snapshots);
    }
    const auto [head, counts] = both(grid, snapshots);
    return {head, counts, seconds.predict, seconds.learn, seconds.count};
  }

  // Check some records, and let the learner know of their classes.
  Bounded prepare(const Matrix& X, const Codes& y, const std::optional<Vector>& w) {
    check(X);
    check_weights(w, X.shape(0));
    Bounded values(X);
    learner->grow(check_codes("y", y, X.shape(0), learner->n_classes()));
    return values;
  }

  // The replica itself lies in memory of Python.
  std::size_t nbytes() const { return learner->nbytes() + prequential::bytes_of(cardinality); }

  // `said` is what the learner says of itself, its parameters: a state is for a learner that says the same.
  nb::bytes to_bytes(const std::string& said) const {
    prequential::Writer to(learner->kind(), 1);
    to.text(said);
    to.put(kinds());
    learner->write(to);
    to.seal();
    return nb::bytes(to.data.data(), to.data.size());
  }
  void load_bytes(nb::bytes state, const std::string& said) {
    prequential::Reader from(state.data(), state.size(), learner->kind(), 1);
    const std::string whose = from.text();
    if (whose != said) throw std::invalid_argument("these bytes are the state of " + whose + ", not of " + said);
    std::vector<std::uint8_t> others;
    from.get(others);
    if (others != kinds()) throw std::invalid_argument("these bytes are the state of a learner of other features");
    auto other = learner->fresh(0);
    other->read(from);
    from.done();
    other->grow(learner->n_classes());
    learner = std::move(other);
  }

 private:
  // Which features are nominal.
  std::vector<std::uint8_t> kinds() const {
    std::vector<std::uint8_t> found;
    for (auto values : cardinality) found.push_back(values != 0);
    return found;
  }
};

// Call `visit` with each Python object that a detector or learner holds.
inline void each_object(prequential::AnyDetector& detector, const std::function<void(nb::handle)>& visit) {
  if (auto* python = dynamic_cast<PythonDetector*>(&detector)) {
    visit(python->detector());
    visit(python->state());
  }
  detector.visit([&](prequential::AnyDetector& part) { each_object(part, visit); });
}
inline void each_object(Learner& learner, const std::function<void(nb::handle)>& visit) {
  if (auto* python = dynamic_cast<PythonLearner*>(&learner)) visit(python->model());
  learner.visit_detectors([&](prequential::AnyDetector& detector) { each_object(detector, visit); });
  learner.visit([&](Learner& part) { each_object(part, visit); });
}

// The garbage collector sees the Python objects that a replica holds.
inline int traverse_replica(PyObject* self, visitproc visit, void* arg) {
#if PY_VERSION_HEX >= 0x03090000
  Py_VISIT(Py_TYPE(self));
#endif
  if (!nb::inst_ready(self)) return 0;
  const auto* replica = nb::inst_ptr<Replica>(self);
  if (!replica->python || !replica->learner) return 0;
  int stop = 0;
  each_object(*replica->learner, [&](nb::handle object) {
    if (stop == 0 && object.is_valid()) stop = visit(object.ptr(), arg);
  });
  return stop;
}
inline int clear_replica(PyObject* self) {
  auto* replica = nb::inst_ptr<Replica>(self);
  if (replica->python) replica->learner.reset();
  return 0;
}
inline PyType_Slot kReplicaSlots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_replica)},
                                      {Py_tp_clear, reinterpret_cast<void*>(clear_replica)},
                                      {0, nullptr}};
