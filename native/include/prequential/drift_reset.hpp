// A learner that is replaced by an untrained one when a detector on its errors gives an alarm (as in Gama et al. 2004).
#pragma once
#include "prequential/any_detector.hpp"
#include "prequential/learner.hpp"
#include "prequential/member_seed.hpp"

namespace prequential {

class DriftReset final : public Learner {
 public:
  DriftReset(std::unique_ptr<Learner> base, std::unique_ptr<AnyDetector> detector, std::uint64_t seed)
      : base_(std::move(base)), detector_(std::move(detector)), seed_(seed) {}

  const char* kind() const override { return "drift_reset"; }
  int n_classes() const override { return base_->n_classes(); }
  void grow(int n_classes) override { base_->grow(n_classes); }
  void scores(const double* x, double* out) const override { base_->scores(x, out); }

  void learn(const double* x, int y, double w) override {
    Scratch vote(n_classes());
    score_then_learn(x, y, w, vote.data());
  }

  // The error is that of the scores before learning. After an alarm the old base is dropped, with all it has learned.
  void score_then_learn(const double* x, int y, double w, double* out) override {
    base_->score_then_learn(x, y, w, out);
    if (!detector_->update(best_class(out, n_classes()) == y ? 0.0 : 1.0)) return;
    auto next = base_->fresh(draws(seed_, kPurpose, n_resets_++)[0]);
    next->learn(x, y, w);
    base_ = std::move(next);
    detector_->reset();  // its state is about the old one
  }

  bool learns_unlabelled() const override { return base_->learns_unlabelled(); }
  void learn_unlabelled(const double* x) override { base_->learn_unlabelled(x); }

  std::unique_ptr<Learner> fresh(std::uint64_t seed) const override {
    return std::make_unique<DriftReset>(base_->fresh(seed_of_base(seed)), detector_->fresh(), seed);
  }
  void visit(const std::function<void(Learner&)>& show) override { show(*base_); }
  Facts facts() const override { return {{"n_resets", n_resets_}}; }
  void visit_detectors(const std::function<void(AnyDetector&)>& show) override { show(*detector_); }

  std::size_t nbytes() const override { return allocated(sizeof *this) + base_->nbytes() + detector_->nbytes(); }

  void write(Writer& to) const override {
    to.put(seed_);
    to.put(n_resets_);
    base_->write(to);
    detector_->write(to);
  }
  void read(Reader& from) override {
    seed_ = from.get<std::uint64_t>();
    n_resets_ = from.get<std::uint64_t>();
    base_->read(from);
    detector_->load(from);
  }

 private:
  static constexpr std::uint64_t kPurpose = 0x5245534554;  // "RESET"

  std::unique_ptr<Learner> base_;
  std::unique_ptr<AnyDetector> detector_;
  std::uint64_t seed_;
  std::uint64_t n_resets_ = 0;
};

}  // namespace prequential
