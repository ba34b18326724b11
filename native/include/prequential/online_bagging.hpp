// Online bagging (Oza & Russell 2001): each member learns each record as often as a Poisson draw says; their votes, each
// relative to its sum, are added up.
#pragma once
#include "prequential/members.hpp"
#include "prequential/poisson.hpp"

namespace prequential {

class OnlineBagging final : public Learner {
 public:
  OnlineBagging(std::unique_ptr<Learner> base, std::size_t size, double mean, std::uint64_t seed)
      : members_(std::move(base), seed, size), weights_(mean, seed), draws_(size) {}

  int n_classes() const override { return members_.n_classes(); }
  void grow(int n_classes) override { members_.grow(n_classes); }

  void scores(const double* x, double* out) const override {
    const int C = n_classes();
    Scratch vote(C);
    std::fill(out, out + C, 0.0);
    for (std::size_t m = 0; m < members_.size(); ++m) {
      members_[m].scores(x, vote.data());
      add_vote(vote.data(), C, 1, out);
    }
  }

  void learn(const double* x, int y, double w) override {
    weights_.of_record(n_learned_++, members_.size(), draws_.data());
    for (std::size_t m = 0; m < members_.size(); ++m)
      if (draws_[m] > 0) members_[m].learn(x, y, w * draws_[m]);
  }

  void score_then_learn(const double* x, int y, double w, double* out) override {
    const int C = n_classes();
    Scratch vote(C);
    std::fill(out, out + C, 0.0);
    weights_.of_record(n_learned_++, members_.size(), draws_.data());
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (draws_[m] > 0)
        members_[m].score_then_learn(x, y, w * draws_[m], vote.data());
      else
        members_[m].scores(x, vote.data());
      add_vote(vote.data(), C, 1, out);
    }
  }

  std::unique_ptr<Learner> fresh(std::uint64_t seed) const override {
    return std::make_unique<OnlineBagging>(members_.base().fresh(seed), members_.size(), weights_.mean(), seed);
  }
  void visit(const std::function<void(Learner&)>& show) override { members_.visit(show); }

  std::size_t nbytes() const override {
    return allocated(sizeof *this) + members_.nbytes() + weights_.nbytes() + bytes_of(draws_);
  }

  void write(Writer& to) const override {
    to.put(std::uint64_t(members_.size()));
    to.put(weights_.mean());
    to.put(weights_.seed());
    to.put(n_learned_);
    members_.write(to);
  }
  void read(Reader& from) override {
    if (from.get<std::uint64_t>() != members_.size() || from.get<double>() != weights_.mean())
      throw std::invalid_argument("these bytes are the state of a bagging ensemble with other parameters");
    weights_ = BaggingWeights(weights_.mean(), from.get<std::uint64_t>());
    n_learned_ = from.get<std::uint64_t>();
    members_.read(from, members_.size(), members_.size());
  }

 private:
  Members members_;
  BaggingWeights weights_;
  std::vector<int> draws_;  // of the record being learned
  std::uint64_t n_learned_ = 0;
};

}  // namespace prequential
