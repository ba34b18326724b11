// Dynamic weighted majority (Kolter & Maloof 2007): experts vote with weights. At every `period`-th record the experts
// that are wrong lose weight, those with too little weight are removed, and a new one is added if the majority is
// wrong.
#pragma once
#include "prequential/ensemble.hpp"

namespace prequential {

class DynamicWeightedMajority final : public Ensemble<> {
 public:
  struct Rules {
    std::uint64_t period;  // records between two reviews
    double beta;           // the weight of a wrong expert is multiplied by it
    double theta;          // experts with less than this share of the largest weight are removed
    std::uint64_t size;    // most experts; a new one then replaces the weakest

    bool operator==(const Rules&) const = default;
  };

  DynamicWeightedMajority(std::unique_ptr<Learner> base, const Rules& rules, std::uint64_t seed)
      : Ensemble(std::move(base), seed), rules_(rules), weights_(1, 1.0) {
    members_.emplace_back(new_model());
    if (rules.period < 1 || rules.size < 1) throw std::invalid_argument("period and size must be at least 1");
    // The weight of the best expert stays above 0 and is scaled to 1, so at least one expert always remains.
    if (!(rules.beta > 0 && rules.beta < 1 && rules.theta >= 0 && rules.theta < 1))
      throw std::invalid_argument("beta must lie in (0, 1) and theta in [0, 1)");
  }

  const char* kind() const override { return "dynamic_weighted_majority"; }

  void scores(const double* x, double* out) const override {
    const int C = n_classes();
    vote(x, members_.size(), out, [&](std::size_t m, const double* vote) {
      const int predicted = best_class(vote, C);
      if (predicted >= 0) out[predicted] += weights_[m];
    });
  }

  void learn(const double* x, int y, double w) override {
    if ((n_learned_ + 1) % rules_.period == 0) {
      Scratch unused(n_classes());
      score_then_learn(x, y, w, unused.data());
    } else {
      ++n_learned_;
      for (Member& member : members_) member.model->learn(x, y, w);
    }
  }

  // Experts do not depend on each other, so each can learn before it is decided which of them remain.
  void score_then_learn(const double* x, int y, double w, double* out) override {
    const int C = n_classes();
    Scratch revised(C);
    std::fill(revised.data(), revised.data() + C, 0.0);
    const bool review = ++n_learned_ % rules_.period == 0;
    const auto once = [](std::size_t) { return 1.0; };
    vote_then_learn(x, y, w, members_.size(), out, once, [&](std::size_t m, const double* vote) {
      const int predicted = best_class(vote, C);
      if (predicted >= 0) out[predicted] += weights_[m];
      if (review && predicted != y) weights_[m] *= rules_.beta;
      if (predicted >= 0) revised[predicted] += weights_[m];
    });
    if (!review) return;
    remove_weak();
    if (best_class(revised.data(), C) != y) add_expert(x, y, w);
  }

  std::unique_ptr<Learner> fresh(std::uint64_t seed) const override {
    return std::make_unique<DynamicWeightedMajority>(base_->fresh(seed), rules_, seed);
  }

  std::size_t nbytes() const override { return allocated(sizeof *this) + members_nbytes() + bytes_of(weights_); }

  void write(Writer& to) const override {
    to.put(rules_);
    to.put(n_learned_);
    to.put(weights_);
    write_members(to);
  }
  void read(Reader& from) override {
    if (from.get<Rules>() != rules_)
      throw std::invalid_argument("these bytes are the state of a dynamic weighted majority with other parameters");
    n_learned_ = from.get<std::uint64_t>();
    from.get(weights_);
    for (const double weight : weights_)
      if (!(weight >= 0 && weight <= 1)) throw std::invalid_argument("damaged state: the weight of an expert");
    read_members(from, 1, rules_.size);
    if (weights_.size() != members_.size()) throw std::invalid_argument("damaged state: the number of weights");
  }

 private:
  Rules rules_;
  std::vector<double> weights_;  // one per member; the largest is 1 after a review

  void remove_weak() {
    const double most = *std::max_element(weights_.begin(), weights_.end());
    for (std::size_t m = members_.size(); m-- > 0;) {
      weights_[m] /= most;
      if (weights_[m] < rules_.theta) remove_expert(m);
    }
  }

  void add_expert(const double* x, int y, double w) {
    if (members_.size() == rules_.size)
      remove_expert(std::size_t(std::min_element(weights_.begin(), weights_.end()) - weights_.begin()));
    auto expert = new_model();
    expert->learn(x, y, w);  // before it joins: a learner written in Python may fail
    members_.emplace_back(std::move(expert));
    weights_.push_back(1);
  }

  void remove_expert(std::size_t m) {
    remove(m);
    weights_.erase(weights_.begin() + std::ptrdiff_t(m));
  }
};

}  // namespace prequential
