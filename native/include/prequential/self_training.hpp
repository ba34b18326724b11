// Self-training (Yarowsky 1995): a record without a label is learned with the class that the learner itself predicts, if
// it is sure enough.
#pragma once
#include <cmath>

#include "prequential/learner.hpp"
#include "prequential/member_seed.hpp"

namespace prequential {

class SelfTraining final : public Learner {
 public:
  SelfTraining(std::unique_ptr<Learner> base, double threshold) : base_(std::move(base)), threshold_(threshold) {}

  const char* kind() const override { return "self_training"; }
  int n_classes() const override { return base_->n_classes(); }
  void grow(int n_classes) override { base_->grow(n_classes); }
  void scores(const double* x, double* out) const override { base_->scores(x, out); }
  void learn(const double* x, int y, double w) override { base_->learn(x, y, w); }
  void score_then_learn(const double* x, int y, double w, double* out) override {
    base_->score_then_learn(x, y, w, out);
  }

  bool learns_unlabelled() const override { return true; }
  void learn_unlabelled(const double* x) override {
    const int C = n_classes();
    Scratch vote(C);
    base_->scores(x, vote.data());
    double total = 0;
    for (int c = 0; c < C; ++c) total += vote[c];
    const int best = best_class(vote.data(), C);
    if (best < 0 || !std::isfinite(total) || !(vote[best] >= threshold_ * total)) return;
    ++n_pseudo_;
    base_->learn(x, best, 1);
  }

  std::unique_ptr<Learner> fresh(std::uint64_t seed) const override {
    return std::make_unique<SelfTraining>(base_->fresh(seed_of_base(seed)), threshold_);
  }
  void visit(const std::function<void(Learner&)>& show) override { show(*base_); }
  Facts facts() const override { return {{"n_self_trained", n_pseudo_}}; }
  std::size_t nbytes() const override { return allocated(sizeof *this) + base_->nbytes(); }

  void write(Writer& to) const override {
    to.put(threshold_);
    to.put(n_pseudo_);
    base_->write(to);
  }
  void read(Reader& from) override {
    if (from.get<double>() != threshold_)
      throw std::invalid_argument("these bytes are the state of self-training with another threshold");
    n_pseudo_ = from.get<std::uint64_t>();
    base_->read(from);
  }

 private:
  std::unique_ptr<Learner> base_;
  double threshold_;
  std::uint64_t n_pseudo_ = 0;
};

}  // namespace prequential
