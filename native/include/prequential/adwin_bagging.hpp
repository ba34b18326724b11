// Bagging with ADWIN (Bifet et al. 2009): online bagging that watches the error of each member; when one of them rises,
// the member with the highest error is replaced by a new one.
#pragma once
#include "prequential/adwin_detector.hpp"
#include "prequential/members.hpp"
#include "prequential/poisson.hpp"

namespace prequential {

class AdwinBagging final : public Learner {
 public:
  AdwinBagging(std::unique_ptr<Learner> base, std::size_t size, double mean, double delta, std::uint64_t seed)
      : members_(std::move(base), seed, size),
        weights_(mean, seed),
        delta_(delta),
        errors_(size, unseen()),
        draws_(size) {}

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

  // A member is judged by what it says before it learns.
  void learn(const double* x, int y, double w) override {
    Scratch unused(n_classes());
    score_then_learn(x, y, w, unused.data());
  }

  void score_then_learn(const double* x, int y, double w, double* out) override {
    const int C = n_classes();
    Scratch vote(C);
    std::fill(out, out + C, 0.0);
    weights_.of_record(n_learned_++, members_.size(), draws_.data());
    bool risen = false;
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (draws_[m] > 0)
        members_[m].score_then_learn(x, y, w * draws_[m], vote.data());
      else
        members_[m].scores(x, vote.data());
      add_vote(vote.data(), C, 1, out);
      risen |= errors_[m].update(best_class(vote.data(), C) != y);
    }
    if (risen) replace_worst(x, y, w);
  }

  std::unique_ptr<Learner> fresh(std::uint64_t seed) const override {
    return std::make_unique<AdwinBagging>(members_.base().fresh(seed), members_.size(), weights_.mean(), delta_, seed);
  }
  void visit(const std::function<void(Learner&)>& show) override { members_.visit(show); }

  std::size_t nbytes() const override {
    std::size_t n = allocated(sizeof *this) + members_.nbytes() + weights_.nbytes() + bytes_of(draws_);
    n += bytes_of(errors_);
    for (const AdwinDetector& error : errors_) n += error.nbytes();
    return n;
  }

  void write(Writer& to) const override {
    to.put(std::uint64_t(members_.size()));
    to.put(weights_.mean());
    to.put(weights_.seed());
    to.put(n_learned_);
    members_.write(to);
    for (const AdwinDetector& error : errors_) error.write(to);
  }
  void read(Reader& from) override {
    if (from.get<std::uint64_t>() != members_.size() || from.get<double>() != weights_.mean())
      throw std::invalid_argument("these bytes are the state of a bagging ensemble with other parameters");
    weights_ = BaggingWeights(weights_.mean(), from.get<std::uint64_t>());
    n_learned_ = from.get<std::uint64_t>();
    members_.read(from, members_.size(), members_.size());
    for (AdwinDetector& error : errors_) error.load(from);
  }

 private:
  Members members_;
  BaggingWeights weights_;
  double delta_;
  std::vector<AdwinDetector> errors_;  // of each member
  std::vector<int> draws_;             // of the record being learned
  std::uint64_t n_learned_ = 0;

  AdwinDetector unseen() const { return AdwinDetector({.delta = delta_}, Direction::up, false); }

  // The new member learns the record at once: one that knows nothing would be wrong, and could be the next to go.
  void replace_worst(const double* x, int y, double w) {
    std::size_t worst = 0;
    for (std::size_t m = 1; m < members_.size(); ++m)
      if (errors_[m].window().mean() > errors_[worst].window().mean()) worst = m;
    members_.replace(worst).learn(x, y, w);
    errors_[worst] = unseen();
  }
};

}  // namespace prequential
