// Bagging with ADWIN (Bifet et al. 2009): online bagging with an ADWIN on the error of each member. When one of the
// errors rises, the member with the highest error is replaced by a new one.
#pragma once
#include "prequential/adwin_detector.hpp"
#include "prequential/online_bagging.hpp"

namespace prequential {

class AdwinBagging final : public OnlineBagging {
 public:
  AdwinBagging(std::unique_ptr<Learner> base, std::size_t size, double mean, double delta, std::uint64_t seed)
      : OnlineBagging(std::move(base), size, mean, seed), delta_(delta), errors_(size, new_detector()) {}

  const char* kind() const override { return "adwin_bagging"; }

  // The error of a member is that of its vote before it learns.
  void learn(const double* x, int y, double w) override {
    Scratch unused(n_classes());
    score_then_learn(x, y, w, unused.data());
  }

  void score_then_learn(const double* x, int y, double w, double* out) override {
    const int C = n_classes();
    bool risen = false;
    bag(x, y, w, out, [&](std::size_t m, const double* vote) {
      add_vote(vote, C, 1, out);
      risen |= errors_[m].update(best_class(vote, C) != y);
    });
    if (risen) replace_worst(x, y, w);
  }

  std::unique_ptr<Learner> fresh(std::uint64_t seed) const override {
    return std::make_unique<AdwinBagging>(base_->fresh(seed), members_.size(), weights_.mean(), delta_, seed);
  }
  Facts facts() const override {
    return {{"n_members", members_.size()}, {"n_replaced", n_born_ - members_.size()}};
  }

  std::size_t nbytes() const override {
    std::size_t n = allocated(sizeof *this) + bag_nbytes() + bytes_of(errors_);
    for (const AdwinDetector& error : errors_) n += error.nbytes();
    return n;
  }
  void write(Writer& to) const override {
    write_bag(to);
    for (const AdwinDetector& error : errors_) error.write(to);
  }
  void read(Reader& from) override {
    read_bag(from);
    for (AdwinDetector& error : errors_) error.load(from);
  }

 private:
  double delta_;
  std::vector<AdwinDetector> errors_;  // one per member

  AdwinDetector new_detector() const { return AdwinDetector({.delta = delta_}, Direction::up, false); }

  // The new member learns the record at once: an untrained one would be wrong, and could be replaced next.
  void replace_worst(const double* x, int y, double w) {
    std::size_t worst = 0;
    for (std::size_t m = 1; m < members_.size(); ++m)
      if (errors_[m].window().mean() > errors_[worst].window().mean()) worst = m;
    members_[worst].model = new_model();
    members_[worst].model->learn(x, y, w);
    errors_[worst] = new_detector();
  }
};

}  // namespace prequential
