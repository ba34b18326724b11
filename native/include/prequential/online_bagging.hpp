// Online bagging (Oza & Russell 2001): each member learns each record as often as a Poisson draw says. The votes are
// scaled to a sum of 1 and added up.
#pragma once
#include "prequential/bagging.hpp"

namespace prequential {

class OnlineBagging : public Bagging<> {
 public:
  OnlineBagging(std::unique_ptr<Learner> base, std::size_t size, double mean, std::uint64_t seed)
      : Bagging(std::move(base), size, mean, seed) {
    while (members_.size() < size) members_.emplace_back(new_model());
  }

  const char* kind() const override { return "online_bagging"; }

  void scores(const double* x, double* out) const final {
    const int C = n_classes();
    vote(x, members_.size(), out, [&](std::size_t, const double* vote) { add_vote(vote, C, 1, out); });
  }

  void learn(const double* x, int y, double w) override {
    draw();
    for (std::size_t m = 0; m < members_.size(); ++m)
      if (draws_[m] > 0) members_[m].model->learn(x, y, w * draws_[m]);
  }

  void score_then_learn(const double* x, int y, double w, double* out) override {
    const int C = n_classes();
    bag(x, y, w, out, [&](std::size_t, const double* vote) { add_vote(vote, C, 1, out); });
  }

  std::unique_ptr<Learner> fresh(std::uint64_t seed) const override {
    return std::make_unique<OnlineBagging>(base_->fresh(seed), members_.size(), weights_.mean(), seed);
  }

  std::size_t nbytes() const override { return allocated(sizeof *this) + bag_nbytes(); }
  void write(Writer& to) const override { write_bag(to); }
  void read(Reader& from) override { read_bag(from); }
};

}  // namespace prequential
