// Adaptive random forest (Gomes et al. 2017): online bagging of randomised trees, each with two ADWINs on its error.
// The more sensitive one gives a warning: a tree is started in the background. The other one detects a drift: the
// background tree replaces the member.
#pragma once
#include "prequential/adwin_detector.hpp"
#include "prequential/bagging.hpp"

namespace prequential {

// A tree of the forest.
struct ForestMember : Member {
  AdwinDetector warning, drift;
  double seen = 0, right = 0;  // weight of the records it voted on, and of those it got right
  std::unique_ptr<Learner> background;

  ForestMember(std::unique_ptr<Learner> model, double warning_delta, double drift_delta)
      : Member(std::move(model)), warning(detector(warning_delta)), drift(detector(drift_delta)) {}

  void visit(const std::function<void(Learner&)>& show) {
    show(*model);
    if (background) show(*background);
  }
  std::size_t nbytes() const {
    return model->nbytes() + (background ? background->nbytes() : 0) + warning.nbytes() + drift.nbytes();
  }
  void write(Writer& to) const {
    model->write(to);
    warning.write(to);
    drift.write(to);
    to.put(seen);
    to.put(right);
    to.put(background != nullptr);
    if (background) background->write(to);
  }
  void read(Reader& from, const Learner& base) {
    model->read(from);
    warning.load(from);
    drift.load(from);
    seen = from.get<double>();
    right = from.get<double>();
    background.reset();
    if (!from.get<bool>()) return;
    background = base.fresh(0);
    background->read(from);
  }

 private:
  static AdwinDetector detector(double delta) { return AdwinDetector({.delta = delta}, Direction::up, false); }
};

class AdaptiveRandomForest final : public Bagging<ForestMember> {
 public:
  struct Parameters {
    std::size_t size = 10;
    double mean = 6;              // of the Poisson weights
    double warning_delta = 0.01;
    double drift_delta = 0.001;
    bool weighted = true;         // weight the vote of a member by its accuracy since it joined
  };

  AdaptiveRandomForest(std::unique_ptr<Learner> base, const Parameters& parameters, std::uint64_t seed)
      : Bagging(std::move(base), parameters.size, parameters.mean, seed), parameters_(parameters) {
    while (members_.size() < parameters.size) members_.push_back(member_of(new_model()));
  }

  const char* kind() const override { return "adaptive_random_forest"; }

  void scores(const double* x, double* out) const override {
    const int C = n_classes();
    vote(x, members_.size(), out,
         [&](std::size_t m, const double* vote) { add_vote(vote, C, weight_of(members_[m]), out); });
  }
  void learn(const double* x, int y, double w) override {
    Scratch unused(n_classes());
    score_then_learn(x, y, w, unused.data());
  }
  void score_then_learn(const double* x, int y, double w, double* out) override {
    const int C = n_classes();
    bag(x, y, w, out, [&](std::size_t m, const double* vote) {
      ForestMember& member = members_[m];
      add_vote(vote, C, weight_of(member), out);
      if (draws_[m] > 0 && member.background) member.background->learn(x, y, w * draws_[m]);
      const bool wrong = best_class(vote, C) != y;
      member.seen += w;
      member.right += wrong ? 0 : w;
      watch(member, wrong ? 1.0 : 0.0);
    });
  }

  Facts facts() const override {
    std::uint64_t n_background = 0;
    for (const ForestMember& member : members_) n_background += member.background != nullptr;
    return {{"n_members", members_.size()}, {"n_background", n_background}, {"n_warnings", n_warnings_},
            {"n_drifts", n_drifts_}};
  }

  std::unique_ptr<Learner> fresh(std::uint64_t seed) const override {
    return std::make_unique<AdaptiveRandomForest>(base_->fresh(seed), parameters_, seed);
  }

  std::size_t nbytes() const override { return allocated(sizeof *this) + bag_nbytes(); }

  void write(Writer& to) const override {
    to.put(std::uint64_t(members_.size()));
    to.put(weights_.seed());
    for (std::uint64_t n : {n_learned_, n_born_, n_warnings_, n_drifts_}) to.put(n);
    write_models(to);
  }
  void read(Reader& from) override {
    if (from.get<std::uint64_t>() != draws_.size()) throw std::invalid_argument("damaged state: the size of a forest");
    seed_ = from.get<std::uint64_t>();
    weights_ = BaggingWeights(parameters_.mean, seed_);
    for (auto* n : {&n_learned_, &n_born_, &n_warnings_, &n_drifts_}) *n = from.get<std::uint64_t>();
    read_models(from, draws_.size(), [&](std::unique_ptr<Learner> model) { return member_of(std::move(model)); });
  }

 private:
  Parameters parameters_;
  std::uint64_t n_warnings_ = 0, n_drifts_ = 0;

  ForestMember member_of(std::unique_ptr<Learner> model) const {
    return {std::move(model), parameters_.warning_delta, parameters_.drift_delta};
  }
  double weight_of(const ForestMember& member) const {
    if (!parameters_.weighted) return 1;
    return std::max(member.right / std::max(member.seen, 1e-9), 1e-9);  // never 0: it may be the only one that votes
  }

  void watch(ForestMember& member, double error) {
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
