// A detector written in Python, behind the native interface. It is called with the GIL held: a learner that contains
// one never releases it.
#pragma once
#include "arrays.hpp"
#include "prequential/any_detector.hpp"

class PythonDetector final : public prequential::AnyDetector {
 public:
  // A `Detector` of the drift package, and its state.
  PythonDetector(nb::object detector, nb::object state) : detector_(std::move(detector)), state_(std::move(state)) {}

  bool update(double x) override {
    auto value = empty<double>({1});
    *value.data() = x;
    return nb::cast<std::size_t>(state_.attr("until_alarm")(value)) == 0;
  }
  void reset() override { state_.attr("reset")(); }
  std::unique_ptr<prequential::AnyDetector> fresh() const override {
    return std::make_unique<PythonDetector>(detector_, detector_.attr("_start")());
  }

  // The memory in Python is not known.
  std::size_t nbytes() const override { return prequential::allocated(sizeof *this); }

  void write(prequential::Writer& to) const override {
    const auto state = nb::cast<nb::bytes>(state_.attr("to_bytes")());
    to.text(std::string(state.c_str(), state.size()));
  }
  void load(prequential::Reader& from) override {
    const std::string state = from.text();
    state_.attr("load_bytes")(nb::bytes(state.data(), state.size()));
  }

  nb::handle detector() const { return detector_; }
  nb::handle state() const { return state_; }

 private:
  nb::object detector_, state_;
};
