// Adaptive random forest (Gomes et al. 2017): leveraged bagging of randomised trees, each with two ADWINs on its error.
// The quicker one warns: a tree is begun in the background. The slower one sees a drift: the background tree takes over.
#pragma once
#include "prequential/adwin_detector.hpp"
#include "prequential/members.hpp"
#include "prequential/poisson.hpp"

namespace prequential {

class AdaptiveRandomForest final : public Learner {
 public:
  struct Parameters {
    std::size_t size = 10;
    double mean = 6;              // of the Poisson weights
    double warning_delta = 0.01;
    double drift_delta = 0.001;
    bool weighted = true;         // a member's vote counts by its accuracy since it began
  };

  AdaptiveRandomForest(std::unique_ptr<Learner> base, const Parameters& parameters, std::uint64_t seed)
      : parameters_(parameters), base_(std::move(base)), weights_(parameters.mean, seed), draws_(parameters.size) {
    for (std::size_t m = 0; m < parameters.size; ++m) members_.push_back(member_of(new_model()));
  }

  const char* kind() const override { return "adaptive_random_forest"; }
  int n_classes() const override { return base_->n_classes(); }
  void grow(int n_classes) override {
    visit([&](Learner& learner) { learner.grow(n_classes); });
  }

  void scores(const double* x, double* out) const override {
    const int C = n_classes();
    Scratch vote(C);
    std::fill(out, out + C, 0.0);
    for (const Member& member : members_) {
      member.model->scores(x, vote.data());
      add_vote(vote.data(), C, weight_of(member), out);
    }
  }
  void learn(const double* x, int y, double w) override {
    Scratch out(n_classes());
    score_then_learn(x, y, w, out.data());
  }
  void score_then_learn(const double* x, int y, double w, double* out) override {
    const int C = n_classes();
    Scratch vote(C);
    std::fill(out, out + C, 0.0);
    weights_.of_record(n_learned_++, members_.size(), draws_.data());
    for (std::size_t m = 0; m < members_.size(); ++m) {
      Member& member = members_[m];
      const double times = draws_[m];
      if (times > 0)
        member.model->score_then_learn(x, y, w * times, vote.data());
      else
        member.model->scores(x, vote.data());
      add_vote(vote.data(), C, weight_of(member), out);
      if (times > 0 && member.background) member.background->learn(x, y, w * times);
      const bool wrong = best_class(vote.data(), C) != y;
      member.seen += w;
      member.right += wrong ? 0 : w;
      watch(member, wrong ? 1.0 : 0.0);
    }
  }

  Facts facts() const override {
    std::uint64_t n_background = 0;
    for (const Member& member : members_) n_background += member.background != nullptr;
    return {{"n_members", members_.size()}, {"n_background", n_background}, {"n_warnings", n_warnings_},
            {"n_drifts", n_drifts_}};
  }

  std::unique_ptr<Learner> fresh(std::uint64_t seed) const override {
    return std::make_unique<AdaptiveRandomForest>(base_->fresh(seed), parameters_, seed);
  }
  void visit(const std::function<void(Learner&)>& show) override {
    show(*base_);
    for (Member& member : members_) {
      show(*member.model);
      if (member.background) show(*member.background);
    }
  }

  std::size_t nbytes() const override {
    std::size_t n = allocated(sizeof *this) + base_->nbytes() + weights_.nbytes() + bytes_of(draws_) + bytes_of(members_);
    for (const Member& member : members_) {
      n += member.model->nbytes() + (member.background ? member.background->nbytes() : 0);
      n += member.warning.nbytes() + member.drift.nbytes();
    }
    return n;
  }

  void write(Writer& to) const override {
    to.put(std::uint64_t(members_.size()));
    to.put(weights_.seed());
    for (std::uint64_t n : {n_learned_, n_born_, n_warnings_, n_drifts_}) to.put(n);
    base_->write(to);
    for (const Member& member : members_) {
      member.model->write(to);
      member.warning.write(to);
      member.drift.write(to);
      to.put(member.seen);
      to.put(member.right);
      to.put(member.background != nullptr);
      if (member.background) member.background->write(to);
    }
  }
  void read(Reader& from) override {
    if (from.get<std::uint64_t>() != members_.size()) throw std::invalid_argument("damaged state: the size of a forest");
    weights_ = BaggingWeights(parameters_.mean, from.get<std::uint64_t>());
    for (auto* n : {&n_learned_, &n_born_, &n_warnings_, &n_drifts_}) *n = from.get<std::uint64_t>();
    base_->read(from);
    for (Member& member : members_) {
      member.model->read(from);
      member.warning.load(from);
      member.drift.load(from);
      member.seen = from.get<double>();
      member.right = from.get<double>();
      member.background.reset();
      if (!from.get<bool>()) continue;
      member.background = base_->fresh(0);
      member.background->read(from);
    }
  }

 private:
  struct Member {
    std::unique_ptr<Learner> model;
    AdwinDetector warning, drift;
    double seen = 0, right = 0;  // weight of the records it was asked for, and of those it got right
    std::unique_ptr<Learner> background;
  };

  Parameters parameters_;
  std::unique_ptr<Learner> base_;  // untrained: what the members are made from
  BaggingWeights weights_;
  std::vector<Member> members_;
  std::vector<int> draws_;  // of the record being learned
  std::uint64_t n_learned_ = 0, n_born_ = 0, n_warnings_ = 0, n_drifts_ = 0;

  std::unique_ptr<Learner> new_model() { return base_->fresh(seed_of_member(weights_.seed(), n_born_++)); }
  static AdwinDetector detector(double delta) { return AdwinDetector({.delta = delta}, Direction::up, false); }
  Member member_of(std::unique_ptr<Learner> model) const {
    return {std::move(model), detector(parameters_.warning_delta), detector(parameters_.drift_delta), 0, 0, nullptr};
  }
  double weight_of(const Member& member) const {
    if (!parameters_.weighted) return 1;
    return std::max(member.right / std::max(member.seen, 1e-9), 1e-9);  // never 0: it may be the only one with a say
  }

  void watch(Member& member, double error) {
    if (member.warning.update(error)) {
      member.background = new_model();
      member.warning.reset();
      ++n_warnings_;
    }
    if (!member.drift.update(error)) return;
    ++n_drifts_;
    member = member_of(member.background ? std::move(member.background) : new_model());
  }
};

}  // namespace prequential
