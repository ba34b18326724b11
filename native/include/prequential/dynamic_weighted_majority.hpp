// Dynamic weighted majority (Kolter & Maloof 2007): experts vote with weights. At every `period`-th record those that
// are wrong lose weight, those with little weight go, and one is added if they are wrong together.
#pragma once
#include "prequential/members.hpp"

namespace prequential {

class DynamicWeightedMajority final : public Learner {
 public:
  struct Rules {
    std::uint64_t period;  // records from review to review
    double beta;           // by which the weight of a wrong expert is multiplied
    double theta;          // an expert with less of the largest weight goes
    std::uint64_t size;    // most experts; where there are as many the weakest makes room

    bool operator==(const Rules&) const = default;
  };

  DynamicWeightedMajority(std::unique_ptr<Learner> base, const Rules& rules, std::uint64_t seed)
      : rules_(rules), members_(std::move(base), seed, 1), weights_(1, 1.0) {
    if (rules.period < 1 || rules.size < 1) throw std::invalid_argument("period and size must be at least 1");
    // Some weight is left to the best expert, which is scaled to 1, so one always stays.
    if (!(rules.beta > 0 && rules.beta < 1 && rules.theta >= 0 && rules.theta < 1))
      throw std::invalid_argument("beta must lie in (0, 1) and theta in [0, 1)");
  }

  const char* kind() const override { return "dynamic_weighted_majority"; }
  int n_classes() const override { return members_.n_classes(); }
  void grow(int n_classes) override { members_.grow(n_classes); }

  void scores(const double* x, double* out) const override {
    const int C = n_classes();
    Scratch vote(C);
    std::fill(out, out + C, 0.0);
    for (std::size_t m = 0; m < members_.size(); ++m) {
      members_[m].scores(x, vote.data());
      const int said = best_class(vote.data(), C);
      if (said >= 0) out[said] += weights_[m];
    }
  }

  void learn(const double* x, int y, double w) override {
    if ((n_learned_ + 1) % rules_.period == 0) {
      Scratch unused(n_classes());
      score_then_learn(x, y, w, unused.data());
    } else {
      ++n_learned_;
      for (std::size_t m = 0; m < members_.size(); ++m) members_[m].learn(x, y, w);
    }
  }

  // Experts do not know of each other, so that each can learn before it is decided which of them stay.
  void score_then_learn(const double* x, int y, double w, double* out) override {
    const int C = n_classes();
    Scratch vote(C), revised(C);
    std::fill(out, out + C, 0.0);
    std::fill(revised.data(), revised.data() + C, 0.0);
    const bool review = ++n_learned_ % rules_.period == 0;
    for (std::size_t m = 0; m < members_.size(); ++m) {
      members_[m].score_then_learn(x, y, w, vote.data());
      const int said = best_class(vote.data(), C);
      if (said >= 0) out[said] += weights_[m];
      if (review && said != y) weights_[m] *= rules_.beta;
      if (said >= 0) revised[said] += weights_[m];
    }
    if (!review) return;
    remove_weak();
    if (best_class(revised.data(), C) != y) add_expert(x, y, w);
  }

  std::unique_ptr<Learner> fresh(std::uint64_t seed) const override {
    return std::make_unique<DynamicWeightedMajority>(members_.base().fresh(seed), rules_, seed);
  }
  void visit(const std::function<void(Learner&)>& show) override { members_.visit(show); }
  Facts facts() const override { return {{"n_members", members_.size()}, {"n_born", members_.n_born()}}; }

  std::size_t nbytes() const override { return allocated(sizeof *this) + members_.nbytes() + bytes_of(weights_); }

  void write(Writer& to) const override {
    to.put(rules_);
    to.put(n_learned_);
    to.put(weights_);
    members_.write(to);
  }
  void read(Reader& from) override {
    if (from.get<Rules>() != rules_)
      throw std::invalid_argument("these bytes are the state of a dynamic weighted majority with other parameters");
    n_learned_ = from.get<std::uint64_t>();
    from.get(weights_);
    for (const double weight : weights_)
      if (!(weight >= 0 && weight <= 1)) throw std::invalid_argument("damaged state: the weight of an expert");
    members_.read(from, 1, rules_.size);
    if (weights_.size() != members_.size()) throw std::invalid_argument("damaged state: the number of weights");
  }

 private:
  Rules rules_;
  Members members_;
  std::vector<double> weights_;  // of each member; the largest is 1 after a review
  std::uint64_t n_learned_ = 0;

  void remove_weak() {
    const double most = *std::max_element(weights_.begin(), weights_.end());
    for (std::size_t m = members_.size(); m-- > 0;) {
      weights_[m] /= most;
      if (weights_[m] < rules_.theta) remove(m);
    }
  }

  void add_expert(const double* x, int y, double w) {
    if (members_.size() == rules_.size)
      remove(std::size_t(std::min_element(weights_.begin(), weights_.end()) - weights_.begin()));
    auto expert = members_.born();  // and taught, before it is one of them: a learner written in Python may fail
    expert->learn(x, y, w);
    members_.add(std::move(expert));
    weights_.push_back(1);
  }

  void remove(std::size_t m) {
    members_.remove(m);
    weights_.erase(weights_.begin() + std::ptrdiff_t(m));
  }
};

}  // namespace prequential
