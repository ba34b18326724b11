// A drift detector of any kind behind one interface.
#pragma once
#include <functional>
#include <memory>
#include <utility>

#include "prequential/detector.hpp"
#include "prequential/memory.hpp"

namespace prequential {

class AnyDetector {
 public:
  virtual ~AnyDetector() = default;

  // Returns whether there is an alarm after x.
  virtual bool update(double x) = 0;
  virtual void reset() = 0;

  // A new one with the same parameters.
  virtual std::unique_ptr<AnyDetector> fresh() const = 0;

  // Call `show` with each detector that this one is made of.
  virtual void visit(const std::function<void(AnyDetector&)>&) {}

  // Allocated bytes, including the object itself.
  virtual std::size_t nbytes() const = 0;
  virtual void write(Writer& to) const = 0;
  virtual void load(Reader& from) = 0;
};

// A detector as described in detector.hpp. Its bytes begin with its rules, so the bytes of another kind are rejected.
template <class D>
class Boxed final : public AnyDetector {
 public:
  explicit Boxed(D detector) : detector_(std::move(detector)) {}

  bool update(double x) override {
    check_values(detector_, &x, 1);
    return detector_.update(x);
  }
  void reset() override { detector_.reset(); }
  std::unique_ptr<AnyDetector> fresh() const override {
    auto other = std::make_unique<Boxed>(detector_);
    other->reset();
    return other;
  }
  std::size_t nbytes() const override { return allocated(sizeof *this) + detector_.nbytes(); }
  void write(Writer& to) const override { detector_.write(to); }
  void load(Reader& from) override { detector_.load(from); }

 private:
  D detector_;
};

// A detector that is fed with a mean that forgets (mean.hpp) instead of the values; after an alarm both restart.
template <class Mean>
class OnMean final : public AnyDetector {
 public:
  OnMean(Mean mean, std::unique_ptr<AnyDetector> detector) : mean_(std::move(mean)), detector_(std::move(detector)) {}

  bool update(double x) override {
    if (!detector_->update(mean_.update(x))) return false;
    mean_.reset();
    return true;
  }
  void reset() override {
    mean_.reset();
    detector_->reset();
  }
  std::unique_ptr<AnyDetector> fresh() const override {
    return std::make_unique<OnMean>(Mean(mean_.parameter()), detector_->fresh());
  }
  void visit(const std::function<void(AnyDetector&)>& show) override { show(*detector_); }
  std::size_t nbytes() const override { return allocated(sizeof *this) + mean_.nbytes() + detector_->nbytes(); }
  void write(Writer& to) const override {
    to.put(mean_.parameter());
    mean_.write(to);
    detector_->write(to);
  }
  void load(Reader& from) override {
    if (from.get<double>() != mean_.parameter())
      throw std::invalid_argument("these bytes are the state of a detector on another mean");
    mean_.load(from);
    detector_->load(from);
  }

 private:
  Mean mean_;
  std::unique_ptr<AnyDetector> detector_;
};

}  // namespace prequential
