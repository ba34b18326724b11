// Online bagging (Oza & Russell 2001): each member learns each record as often as a Poisson draw says; their votes, each
// relative to its sum, are added up.
#pragma once
#include "prequential/learner.hpp"
#include "prequential/poisson.hpp"

namespace prequential {

// Add a vote, relative to its sum and times `weight`, to others; an abstention adds nothing.
inline void add_vote(const double* vote, int n_classes, double weight, double* sum) {
  double total = 0;
  for (int c = 0; c < n_classes; ++c) total += vote[c];
  if (!(total > 0)) return;
  for (int c = 0; c < n_classes; ++c) sum[c] += vote[c] * (weight / total);
}

class OnlineBagging final : public Learner {
 public:
  OnlineBagging(std::unique_ptr<Learner> base, std::size_t size, double mean, std::uint64_t seed)
      : base_(std::move(base)), weights_(mean, seed), draws_(size) {
    for (std::size_t m = 0; m < size; ++m) members_.push_back(base_->fresh(seed_of_member(seed, m)));
  }

  int n_classes() const override { return base_->n_classes(); }
  void grow(int n_classes) override {
    base_->grow(n_classes);
    for (auto& member : members_) member->grow(n_classes);
  }

  void scores(const double* x, double* out) const override {
    const int C = n_classes();
    Scratch vote(C);
    std::fill(out, out + C, 0.0);
    for (const auto& member : members_) {
      member->scores(x, vote.data());
      add_vote(vote.data(), C, 1, out);
    }
  }

  void learn(const double* x, int y, double w) override {
    weights_.of_record(n_learned_++, members_.size(), draws_.data());
    for (std::size_t m = 0; m < members_.size(); ++m)
      if (draws_[m] > 0) members_[m]->learn(x, y, w * draws_[m]);
  }

  void score_then_learn(const double* x, int y, double w, double* out) override {
    const int C = n_classes();
    Scratch vote(C);
    std::fill(out, out + C, 0.0);
    weights_.of_record(n_learned_++, members_.size(), draws_.data());
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (draws_[m] > 0)
        members_[m]->score_then_learn(x, y, w * draws_[m], vote.data());
      else
        members_[m]->scores(x, vote.data());
      add_vote(vote.data(), C, 1, out);
    }
  }

  std::unique_ptr<Learner> fresh(std::uint64_t seed) const override {
    return std::make_unique<OnlineBagging>(base_->fresh(seed), members_.size(), weights_.mean(), seed);
  }
  void visit(const std::function<void(Learner&)>& show) override {
    show(*base_);
    for (auto& member : members_) show(*member);
  }

  std::size_t nbytes() const override {
    std::size_t n = allocated(sizeof *this) + weights_.nbytes() + bytes_of(draws_) + bytes_of(members_) + base_->nbytes();
    for (const auto& member : members_) n += member->nbytes();
    return n;
  }

  void write(Writer& to) const override {
    to.put(std::uint64_t(members_.size()));
    to.put(weights_.mean());
    to.put(weights_.seed());
    to.put(n_learned_);
    base_->write(to);
    for (const auto& member : members_) member->write(to);
  }
  void read(Reader& from) override {
    if (from.get<std::uint64_t>() != members_.size() || from.get<double>() != weights_.mean())
      throw std::invalid_argument("these bytes are the state of a bagging ensemble with other parameters");
    weights_ = BaggingWeights(weights_.mean(), from.get<std::uint64_t>());
    n_learned_ = from.get<std::uint64_t>();
    base_->read(from);
    for (auto& member : members_) member->read(from);
  }

 private:
  std::unique_ptr<Learner> base_;  // untrained: what the members are made from
  BaggingWeights weights_;
  std::vector<std::unique_ptr<Learner>> members_;
  std::vector<int> draws_;  // of the record being learned
  std::uint64_t n_learned_ = 0;
};

}  // namespace prequential
