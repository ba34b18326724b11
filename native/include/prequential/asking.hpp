// A learner that is asked for predictions, and the time that it takes.
#pragma once
#include <chrono>

#include "prequential/renewable.hpp"

namespace prequential {

class Asking {
 public:
  // `lowest`: the prediction of a learner that abstains, -1 for none. `all`: ask even where the same prediction is
  // certain.
  Asking(Learner& learner, std::size_t n_features, std::int32_t lowest, Seconds& spent, bool all)
      : learner_(learner), renewable_(dynamic_cast<const Renewable*>(&learner)), n_features_(n_features),
        lowest_(lowest), spent_(spent), all_(all) {}

  // Whether one prediction is right for all records; whether the learner finds the records to be asked again itself.
  bool blind() const { return !all_ && renewable_ && renewable_->blind(); }
  bool selective() const { return !all_ && renewable_ && !renewable_->blind(); }
  int n_classes() const { return learner_.n_classes(); }
  std::size_t n_terms() const { return selective() ? renewable_->n_terms() : 0; }

  // The prediction for one record.
  std::int32_t one(const double* x, Basis& basis) {
    const auto begun = Clock::now();
    scores_.resize(std::size_t(learner_.n_classes()));
    if (renewable_) {
      renewable_->scores_on(x, scores_.data(), basis);
    } else {
      learner_.scores(x, scores_.data());
    }
    const auto answer = best(scores_.data());
    spent_.predict += since(begun);
    return answer;
  }
  // The scores of the last answer of `one`.
  const std::vector<double>& scores() const { return scores_; }
  // Find the records among `rows` whose prediction may have changed, and predict these: only if `selective`.
  const std::vector<std::int32_t>& renewed(const Asked& asked, const std::vector<std::size_t>& rows,
                                           std::vector<std::size_t>& stale) {
    const auto begun = Clock::now();  // once: reading the clock costs as much as a small leaf
    stale.clear();
    answers_.clear();
    renewable_->renew(asked, rows, stale, answers_);
    for (std::int32_t& answer : answers_) answer = std::max(lowest_, answer);
    spent_.predict += since(begun);
    return answers_;
  }
  // The predictions for `n` records, row by row.
  const std::vector<std::int32_t>& many(const double* X, std::size_t n) {
    const auto begun = Clock::now();
    const std::size_t C = std::size_t(learner_.n_classes());
    scores_.resize(n * C);
    answers_.resize(n);
    learner_.scores_of(X, n, n_features_, scores_.data());
    for (std::size_t i = 0; i < n; ++i) answers_[i] = best(scores_.data() + i * C);
    spent_.predict += since(begun);
    return answers_;
  }
  void learn(const double* x, int y, double w) {
    const auto begun = Clock::now();
    learner_.learn(x, y, w);
    spent_.learn += since(begun);
  }
  // No learner that can do this finds the records to be asked again itself.
  void learn_unlabelled(const double* x) {
    if (!learner_.learns_unlabelled()) return;
    const auto begun = Clock::now();
    learner_.learn_unlabelled(x);
    spent_.learn += since(begun);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double since(Clock::time_point begun) { return std::chrono::duration<double>(Clock::now() - begun).count(); }
  std::int32_t best(const double* scores) const { return std::max(lowest_, best_class(scores, learner_.n_classes())); }

  Learner& learner_;
  const Renewable* renewable_;  // the same, or null
  std::size_t n_features_;
  std::int32_t lowest_;
  Seconds& spent_;
  bool all_;
  std::vector<double> scores_;
  std::vector<std::int32_t> answers_;
};

}  // namespace prequential
