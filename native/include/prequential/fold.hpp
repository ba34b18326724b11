// Validation with k replicas of one learner (Bifet et al. 2015): counter-based draws decide which replicas test and
// train on a record.
#pragma once
#include "prequential/poisson.hpp"
#include "prequential/test_and_count.hpp"

namespace prequential {

enum class Scheme { kCross, kSplit, kBootstrap };

// The records that a replica tests: those it does not train on, all, or those it trains on (before training).
enum class TestsOn { kHeldOut, kAll, kTrained };

// For one replica, fold 1 to k, and each record: whether it tests, and how often it trains. The draws of four records
// are computed at once; they do not depend on the first record of the call.
class FoldDraws {
 public:
  FoldDraws(Scheme scheme, std::uint64_t k, std::uint64_t seed) : scheme_(scheme), k_(k), seed_(seed), weights_(1) {
    if (k < 2) throw std::invalid_argument("there must be at least two folds");
  }

  void of_records(std::uint64_t start, std::size_t n, std::uint64_t fold, TestsOn on, std::uint8_t* tests,
                  std::uint8_t* times) const {
    if (fold < 1 || fold > k_) throw std::invalid_argument("folds are numbered from 1 to k");
    Block block{};
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t index = start + i;
      if (i == 0 || index % 4 == 0) block = scheme_ == Scheme::kBootstrap ? draws(seed_, kWeights, index / 4, fold)
                                                                           : draws(seed_, kChosen, index / 4);
      const std::uint64_t word = block[index % 4];
      if (scheme_ == Scheme::kBootstrap) {
        times[i] = std::uint8_t(weights_.of(uniform(word)));
      } else {
        times[i] = (below(word) + 1 == fold) == (scheme_ == Scheme::kSplit);
      }
      tests[i] = on == TestsOn::kAll || (times[i] == 0) == (on == TestsOn::kHeldOut);
    }
  }

 private:
  static constexpr std::uint64_t kChosen = 0x464F4C44, kWeights = 0x424F4F54;  // "FOLD", "BOOT"
  Scheme scheme_;
  std::uint64_t k_, seed_;
  Poisson weights_;

  // A whole number below k.
  std::uint64_t below(std::uint64_t word) const {
    __extension__ using Wide = unsigned __int128;
    return std::uint64_t((Wide(word) * k_) >> 64);
  }
};

struct Part {  // the draws of one replica for some records
  const std::uint8_t* tests;
  const std::uint8_t* times;
};

// Score the records that test, learn those that train. One record in 32 is timed, as in test_then_train.
inline Seconds test_or_train(Learner& learner, const Records& r, const Part& part, std::size_t from, std::size_t to,
                             double* out, std::size_t n_columns) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t sample = 32;
  const auto begun = Clock::now();
  Clock::duration predicting{}, learning{};
  for (std::size_t i = from; i < to; ++i, out += n_columns) {
    const double* x = r.X + i * r.n_features;
    const double weight = weight_of(r.weight, i) * part.times[i];
    const bool tests = part.tests[i], trains = r.y[i] >= 0 && weight > 0;
    if (i % sample == 0) {
      const auto a = Clock::now();
      if (tests) learner.scores(x, out);
      const auto b = Clock::now();
      if (trains) learner.learn(x, int(r.y[i]), weight);
      if (r.y[i] < 0 && weight > 0) learner.learn_unlabelled(x);
      predicting += b - a;
      learning += Clock::now() - b;
    } else if (tests && trains) {
      learner.score_then_learn(x, int(r.y[i]), weight, out);
    } else if (r.y[i] < 0) {
      if (tests) learner.scores(x, out);
      if (weight > 0) learner.learn_unlabelled(x);
    } else if (tests) {
      learner.scores(x, out);
    } else if (trains) {
      learner.learn(x, int(r.y[i]), weight);
    }
  }
  return divided(Clock::now() - begun, predicting, learning);
}

// The same, a few records at a time, whose scores are counted at once.
inline Seconds fold_and_count(Learner& learner, Grid& grid, const Records& r, const Part& part, std::uint64_t every,
                              Snapshots& snapshots) {
  const std::size_t C = std::size_t(learner.n_classes());
  return counted(grid, r, part.tests, C, every, snapshots, [&](std::size_t from, std::size_t to, double* scores) {
    return test_or_train(learner, r, part, from, to, scores, C);
  });
}

}  // namespace prequential
