// A learner as Python sees it: the input is checked, then the learner does the work.
#pragma once
#include "arrays.hpp"
#include "bounded.hpp"
#include "prequential/learner.hpp"
#include "prequential/test_and_count.hpp"
#include "python_detector.hpp"
#include "python_learner.hpp"
#include "record.hpp"
#include "results.hpp"

using prequential::Learner;

// Releases the GIL, unless the learner calls Python code. So the garbage collector never runs while a learner that
// holds Python objects is at work.
class Unlocked {
 public:
  explicit Unlocked(bool python) {
    if (!python) release_.emplace();
  }

 private:
  std::optional<nb::gil_scoped_release> release_;
};

// A learner, and what is needed to check its input.
struct BoundLearner {
  std::vector<std::int32_t> cardinality;
  std::unique_ptr<Learner> learner;
  bool python = false;  // contains a learner or detector written in Python

  void check(const Matrix& X) const {
    if (X.shape(1) != cardinality.size())
      throw nb::value_error(("X has " + std::to_string(X.shape(1)) + " features where the schema has " +
                             std::to_string(cardinality.size())).c_str());
    for (std::size_t j = 0; j < cardinality.size(); ++j) {
      if (cardinality[j] == 0) continue;
      for (std::size_t i = 0; i < X.shape(0); ++i) {
        const double v = X.data()[i * X.shape(1) + j];
        if (!std::isnan(v) && !valid_code(v))
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
    auto result = empty<double>({n, C});
    double* out = result.data();
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

  void learn_unlabelled(Matrix X) {
    check(X);
    const Bounded values(X);
    const Unlocked unlocked(python);
    for (std::size_t i = 0; i < X.shape(0); ++i) learner->learn_unlabelled(values.data() + i * X.shape(1));
  }

  Tested test_then_train(Matrix X, Codes y, std::optional<Vector> w) {
    const Bounded values = prepare(X, y, w);
    const std::size_t n = X.shape(0), C = std::size_t(learner->n_classes());
    Tested tested{empty<double>({n, C}), {}};
    double* out = tested.scores.data();
    {
      const Unlocked unlocked(python);
      tested.seconds = prequential::test_then_train(*learner, values.data(), n, X.shape(1), y.data(),
                                                    w ? w->data() : nullptr, out);
    }
    return tested;
  }

  // One record, without arrays. Python's lock is kept: releasing it costs more than a small learner takes.
  nb::typed<nb::list, double> scores_of_record(nb::handle values) const {
    Record record(values, cardinality);
    const std::size_t C = std::size_t(learner->n_classes());
    prequential::Scratch out(C);
    learner->scores(record.data(), out.data());
    nb::typed<nb::list, double> scores;
    for (std::size_t c = 0; c < C; ++c) scores.append(out[c]);
    return scores;
  }
  int predict_record(nb::handle values) const {
    Record record(values, cardinality);
    prequential::Scratch out(std::size_t(learner->n_classes()));
    learner->scores(record.data(), out.data());
    return prequential::best_class(out.data(), learner->n_classes());
  }
  void learn_record(nb::handle values, int y, double w) {
    if (y < 0) throw nb::value_error("a record that is learned has a label");
    if (!(w >= 0) || std::isinf(w))
      throw nb::value_error(("the weight is " + std::to_string(w) + "; a weight is a finite number of at least 0").c_str());
    Record record(values, cardinality);
    learner->grow(prequential::checked_classes(std::max(y + 1, learner->n_classes())));
    if (w > 0) learner->learn(record.data(), y, prequential::weight_of(&w, 0));
  }

  // Features that follow the known ones: 0 for a numeric one.
  void widen(const std::vector<std::int32_t>& wider) {
    if (python) throw nb::value_error("a learner that contains one written in Python takes no new features");
    bool longer = wider.size() >= cardinality.size();
    for (std::size_t j = 0; longer && j < cardinality.size(); ++j) longer = (wider[j] == 0) == (cardinality[j] == 0);
    if (!longer) throw nb::value_error("new features must follow the known ones");
    learner->widen(wider);
    cardinality = wider;
  }

  Counted test_and_count(prequential::Grid& grid, Matrix X, Codes y, std::optional<Vector> w, std::optional<Vector> t,
                         std::uint64_t every) {
    return counted(grid, X, y, w, t, [&](const prequential::Records& records, prequential::Snapshots& snapshots) {
      return prequential::test_and_count(*learner, grid, records, every, snapshots);
    });
  }

  // Check some records, then let `step` test, train and count them; it returns the seconds spent.
  template <class Step>
  Counted counted(prequential::Grid& grid, const Matrix& X, const Codes& y, const std::optional<Vector>& w,
                  const std::optional<Vector>& t, const Step& step) {
    const Bounded values = prepare(X, y, w);
    if (t) check_length("t", t->shape(0), X.shape(0));
    if (grid.regression()) throw nb::value_error("native learners predict classes, and this grid counts numbers");
    grid.grow(learner->n_classes());
    const prequential::Records records{X.shape(0), X.shape(1), values.data(), y.data(), w ? w->data() : nullptr,
                                       t ? t->data() : nullptr};
    prequential::Snapshots snapshots;
    prequential::Seconds seconds;
    {
      const Unlocked unlocked(python);
      seconds = step(records, snapshots);
    }
    return {{grid, std::move(snapshots)}, seconds};
  }

  // Check some records, and tell the learner how many classes there are.
  Bounded prepare(const Matrix& X, const Codes& y, const std::optional<Vector>& w) {
    check(X);
    check_weights(w, X.shape(0));
    Bounded values(X);
    learner->grow(check_codes("y", y, X.shape(0), learner->n_classes()));
    return values;
  }

  // Without this object itself, which lies in Python's memory.
  std::size_t nbytes() const { return learner->nbytes() + prequential::bytes_of(cardinality); }

  // `description` gives the name and parameters of the learner: only a learner with the same description loads the
  // bytes.
  nb::bytes to_bytes(const std::string& description) const {
    prequential::Writer to(learner->kind(), kVersion);
    to.text(description);
    to.put(kinds());
    learner->write(to);
    to.seal();
    return nb::bytes(to.data.data(), to.data.size());
  }
  void load_bytes(nb::bytes state, const std::string& description) {
    prequential::Reader from(state.data(), state.size(), learner->kind(), kVersion);
    const std::string other = from.text();
    if (other != description)
      throw std::invalid_argument("these bytes are the state of " + other + ", not of " + description);
    std::vector<std::uint8_t> other_kinds;
    from.get(other_kinds);
    if (other_kinds != kinds())
      throw std::invalid_argument("these bytes are the state of a learner of other features");
    auto loaded = learner->fresh(0);
    loaded->read(from);
    from.done();
    loaded->grow(learner->n_classes());
    learner = std::move(loaded);
  }

 private:
  static constexpr std::uint32_t kVersion = 3;  // of the bytes; 1 had no pooled statistics of features, 2 no lanes

  // Which features are nominal.
  std::vector<std::uint8_t> kinds() const {
    std::vector<std::uint8_t> found;
    for (auto values : cardinality) found.push_back(values != 0);
    return found;
  }
};

// A new learner. `cardinality`: 0 for a numeric feature; `parameters`: what its constructor takes after `n_classes`.
template <class L, class... Parameters>
BoundLearner bound(int n_classes, const std::vector<std::int32_t>& cardinality, Parameters&&... parameters) {
  prequential::checked_classes(n_classes);
  return {cardinality, std::make_unique<L>(n_classes, std::forward<Parameters>(parameters)...), false};
}

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

// Show the garbage collector the Python objects that a learner holds.
inline int traverse_learner(PyObject* self, visitproc visit, void* arg) {
#if PY_VERSION_HEX >= 0x03090000
  Py_VISIT(Py_TYPE(self));
#endif
  if (!nb::inst_ready(self)) return 0;
  const auto* bound = nb::inst_ptr<BoundLearner>(self);
  if (!bound->python || !bound->learner) return 0;
  int stop = 0;
  each_object(*bound->learner, [&](nb::handle object) {
    if (stop == 0 && object.is_valid()) stop = visit(object.ptr(), arg);
  });
  return stop;
}
inline int clear_learner(PyObject* self) {
  auto* bound = nb::inst_ptr<BoundLearner>(self);
  if (bound->python) bound->learner.reset();
  return 0;
}
inline PyType_Slot kBoundLearnerSlots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_learner)},
                                      {Py_tp_clear, reinterpret_cast<void*>(clear_learner)},
                                      {0, nullptr}};
