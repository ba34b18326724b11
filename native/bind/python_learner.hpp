// A learner written in Python, behind the native interface, as a base of native ensembles. It is called with the GIL
// held: a learner that contains one never releases it.
#pragma once
#include "arrays.hpp"
#include "prequential/learner.hpp"

class PythonLearner final : public prequential::Learner {
 public:
  // `model` is a `Foreign` of learners/foreign.py.
  PythonLearner(int n_classes, std::size_t n_features, nb::object model)
      : n_classes_(n_classes), n_features_(n_features), model_(std::move(model)) {}

  const char* kind() const override { return "python_learner"; }
  int n_classes() const override { return n_classes_; }
  void grow(int n_classes) override { n_classes_ = std::max(n_classes_, n_classes); }

  void scores(const double* x, double* out) const override {
    const auto row = nb::cast<Vector>(model_.attr("scores")(record(x)));
    const std::size_t n = std::min(row.shape(0), std::size_t(n_classes_));
    std::copy_n(row.data(), n, out);
    std::fill(out + n, out + n_classes_, 0.0);
  }
  void scores_of(const double* X, std::size_t n, std::size_t n_features, double* out) const override {
    const auto rows = nb::cast<Matrix>(model_.attr("scores_of")(copy_of(X, n, n_features)));
    const std::size_t C = std::size_t(n_classes_), width = std::min(rows.shape(1), C);
    if (rows.shape(0) != n) throw nb::value_error("the learner did not score every record");
    std::fill_n(out, n * C, 0.0);
    for (std::size_t i = 0; i < n; ++i) std::copy_n(rows.data() + i * rows.shape(1), width, out + i * C);
  }
  void learn(const double* x, int y, double w) override { model_.attr("learn")(record(x), y, w); }
  bool learns_unlabelled() const override { return nb::cast<bool>(model_.attr("learns_unlabelled")); }
  void learn_unlabelled(const double* x) override {
    if (learns_unlabelled()) model_.attr("learn_unlabelled")(record(x));
  }

  std::unique_ptr<prequential::Learner> fresh(std::uint64_t seed) const override {
    return std::make_unique<PythonLearner>(n_classes_, n_features_, model_.attr("fresh")(seed));
  }

  std::size_t nbytes() const override {
    return prequential::allocated(sizeof *this) + nb::cast<std::size_t>(model_.attr("nbytes"));
  }

  void write(prequential::Writer& to) const override {
    const auto state = nb::cast<nb::bytes>(model_.attr("to_bytes")());
    to.put(n_classes_);
    to.text(std::string(state.c_str(), state.size()));
  }
  void read(prequential::Reader& from) override {
    n_classes_ = from.get<int>();
    const std::string state = from.text();
    model_.attr("load_bytes")(nb::bytes(state.data(), state.size()));
  }

  nb::handle model() const { return model_; }
  void announce(nb::handle schema) { model_.attr("extend")(schema); }

 private:
  int n_classes_;
  std::size_t n_features_;
  nb::object model_;

  Array<double> record(const double* x) const { return copy_of(x, 1, n_features_); }
  // A copy, because the model may keep it.
  static Array<double> copy_of(const double* X, std::size_t n, std::size_t n_features) {
    auto copy = empty<double>({n, n_features});
    std::copy_n(X, n * n_features, copy.data());
    return copy;
  }
};

// Call `visit` with each learner written in Python that a learner contains.
inline void each_python(prequential::Learner& learner, const std::function<void(PythonLearner&)>& visit) {
  if (auto* python = dynamic_cast<PythonLearner*>(&learner)) visit(*python);
  learner.visit([&](prequential::Learner& part) { each_python(part, visit); });
}

inline void announce(prequential::Learner& learner, nb::handle schema) {
  each_python(learner, [&](PythonLearner& python) { python.announce(schema); });
}
