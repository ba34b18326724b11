// One linear model per class against the rest, trained by stochastic gradient descent on the log or the hinge loss.
// Numeric features may be standardised by their running mean and deviation; each nominal value is one input.
#pragma once
#include <algorithm>
#include <cmath>

#include "prequential/elementary.hpp"
#include "prequential/learner.hpp"
#include "prequential/moments.hpp"

namespace prequential {

class Sgd final : public Learner {
 public:
  struct Parameters {
    bool hinge = false;
    double rate = 0.01;
    double l2 = 0;
    bool standardise = true;
  };

  Sgd(int n_classes, std::vector<std::int32_t> cardinality, Parameters parameters)
      : parameters_(parameters), cardinality_(std::move(cardinality)) {
    divide_features();
    grow(n_classes);
  }

  const char* kind() const override { return "sgd"; }
  int n_classes() const override { return int(models_.size()); }
  void grow(int n_classes) override {
    while (int(models_.size()) < n_classes) {
      models_.emplace_back();
      models_.back().numeric.resize(numeric_.size());
      models_.back().nominal.resize(nominal_.size());
    }
  }
  void widen(const std::vector<std::int32_t>& cardinality) override {
    cardinality_ = cardinality;
    divide_features();
    for (Model& model : models_) {
      model.numeric.resize(numeric_.size());
      model.nominal.resize(nominal_.size());
    }
  }

  void scores(const double* x, double* out) const override {
    double total = 0;
    for (std::size_t c = 0; c < models_.size(); ++c) {
      const Model& model = models_[c];
      if (!model.seen) {
        out[c] = 0;
        continue;
      }
      double sum = 0;
      for (std::size_t k = 0; k < numeric_.size(); ++k) sum += model.numeric[k] * input(x, k);
      for (std::size_t k = 0; k < nominal_.size(); ++k) sum += weight_of(model, x, k);
      const double margin = std::clamp(model.bias + sum * model.scale, -500.0, 500.0);
      total += out[c] = 1 / (1 + elementary::exp(-margin));
    }
    if (total > 0)
      for (std::size_t c = 0; c < models_.size(); ++c) out[c] /= total;
  }

  void learn(const double* x, int y, double w) override {
    for (std::size_t k = 0; k < numeric_.size(); ++k)
      if (!std::isnan(x[numeric_[k]])) moments_[k].add(x[numeric_[k]], w);
    for (std::size_t k = 0; k < numeric_.size(); ++k) inputs_[k] = input(x, k);
    models_[y].seen = true;
    for (int c = 0; c < n_classes(); ++c)
      if (models_[c].seen) step(models_[c], x, c == y ? 1.0 : -1.0, w);
  }

  std::unique_ptr<Learner> fresh(std::uint64_t) const override {
    return std::make_unique<Sgd>(n_classes(), cardinality_, parameters_);
  }

  std::size_t nbytes() const override {
    std::size_t n = allocated(sizeof *this) + bytes_of(cardinality_) + bytes_of(numeric_) + bytes_of(nominal_) +
                    bytes_of(moments_) + bytes_of(inputs_) + bytes_of(models_);
    for (const Model& m : models_) {
      n += bytes_of(m.numeric) + bytes_of(m.nominal);
      for (const auto& values : m.nominal) n += bytes_of(values);
    }
    return n;
  }

  void write(Writer& to) const override {
    to.put(parameters_.hinge);  // one by one: no padding in the saved bytes
    to.put(parameters_.rate);
    to.put(parameters_.l2);
    to.put(parameters_.standardise);
    to.put(cardinality_);
    to.put(moments_);
    to.put(std::uint64_t(models_.size()));
    for (const Model& m : models_) {
      to.put(m.seen);
      to.put(m.scale);
      to.put(m.bias);
      to.put(m.numeric);
      for (const auto& values : m.nominal) to.put(values);
    }
  }
  void read(Reader& from) override {
    if (from.get<bool>() != parameters_.hinge || from.get<double>() != parameters_.rate ||
        from.get<double>() != parameters_.l2 || from.get<bool>() != parameters_.standardise)
      throw std::invalid_argument("these bytes are the state of an SGD model with other parameters");
    std::vector<std::int32_t> cardinality;
    from.get(cardinality, cardinality_.size());
    for (std::size_t j = 0; j < cardinality.size(); ++j)
      if ((cardinality[j] == 0) != (cardinality_[j] == 0))
        throw std::invalid_argument("these bytes are the state of a learner of other features");
    Sgd other(0, std::move(cardinality), parameters_);
    from.get(other.moments_, other.numeric_.size());
    const auto n = from.get<std::uint64_t>();
    if (n > (1u << 20)) throw std::invalid_argument("damaged state: the classes of an SGD model");
    other.grow(int(n));
    for (Model& m : other.models_) {
      m.seen = from.get<bool>();
      m.scale = from.get<double>();
      m.bias = from.get<double>();
      from.get(m.numeric, other.numeric_.size());
      for (auto& values : m.nominal) from.get(values);
    }
    *this = std::move(other);
  }

 private:
  static constexpr double kMost = 1e40;  // deviations: a feature that has hardly varied so far may suddenly be far away

  // The true weights are these times `scale`, so that shrinking all of them is one multiplication. The bias is not
  // regularised: it reflects the class frequency.
  struct Model {
    bool seen = false;
    double scale = 1, bias = 0;
    std::vector<double> numeric;
    std::vector<std::vector<double>> nominal;
  };

  Parameters parameters_;
  std::vector<std::int32_t> cardinality_;
  std::vector<int> numeric_, nominal_;
  std::vector<Moments> moments_;
  std::vector<double> inputs_;  // of the record being learned
  std::vector<Model> models_;

  void divide_features() {
    numeric_.clear();
    nominal_.clear();
    for (std::size_t j = 0; j < cardinality_.size(); ++j) (cardinality_[j] ? nominal_ : numeric_).push_back(int(j));
    moments_.resize(numeric_.size());
    inputs_.resize(numeric_.size());
  }

  double input(const double* x, std::size_t k) const {
    const double value = x[numeric_[k]];
    if (std::isnan(value)) return 0;
    if (!parameters_.standardise) return value;
    const Moments& m = moments_[k];
    const double deviation = std::sqrt(m.m2 / m.weight);  // NaN before the first value
    return deviation > 0 ? std::clamp((value - m.mean) / deviation, -kMost, kMost) : 0;
  }
  double weight_of(const Model& model, const double* x, std::size_t k) const {
    const double value = x[nominal_[k]];
    const auto& values = model.nominal[k];
    return std::isnan(value) || std::size_t(value) >= values.size() ? 0 : values[std::size_t(value)];
  }

  void step(Model& model, const double* x, double sign, double w) {
    double sum = 0;
    for (std::size_t k = 0; k < numeric_.size(); ++k) sum += model.numeric[k] * inputs_[k];
    for (std::size_t k = 0; k < nominal_.size(); ++k) sum += weight_of(model, x, k);
    const double margin = std::clamp(sign * (model.bias + sum * model.scale), -500.0, 500.0);
    const double pull = parameters_.hinge ? (margin < 1 ? 1.0 : 0.0) : 1 / (1 + elementary::exp(margin));
    model.scale *= std::max(0.0, 1 - parameters_.rate * parameters_.l2 * w);
    if (model.scale < 1e-9) fold(model);
    const double step = parameters_.rate * w * sign * pull, by = step / model.scale;
    if (step == 0) return;
    model.bias += step;
    for (std::size_t k = 0; k < numeric_.size(); ++k) model.numeric[k] += by * inputs_[k];
    for (std::size_t k = 0; k < nominal_.size(); ++k) {
      const double value = x[nominal_[k]];
      if (std::isnan(value)) continue;
      auto& values = model.nominal[k];
      if (std::size_t(value) >= values.size()) values.resize(std::size_t(value) + 1);
      values[std::size_t(value)] += by;
    }
  }
  static void fold(Model& model) {
    for (double& v : model.numeric) v *= model.scale;
    for (auto& values : model.nominal)
      for (double& v : values) v *= model.scale;
    model.scale = 1;
  }
};

}  // namespace prequential
