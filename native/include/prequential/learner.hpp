// The interface of a learner: score a record, learn a record with its weight, make an untrained copy, save and load.
// Ensembles and wrappers can be made of any learner.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "prequential/bytes.hpp"
#include "prequential/memory.hpp"

namespace prequential {

using Facts = std::vector<std::pair<std::string, std::uint64_t>>;
class AnyDetector;

class Learner {
 public:
  virtual ~Learner() = default;

  // The name in the header of its bytes.
  virtual const char* kind() const = 0;

  // Classes known so far: the number of scores. A class that was never learned scores zero, so it does not matter when
  // `grow` is called.
  virtual int n_classes() const = 0;
  virtual void grow(int n_classes) = 0;

  // Adopt features that follow the known ones in a record, as if they had always been there and always been missing.
  // `cardinality`: of all features; 0 for a numeric one. A learner that is made of others passes it on.
  virtual void widen(const std::vector<std::int32_t>& cardinality) {
    visit([&](Learner& part) { part.widen(cardinality); });
  }

  // If all are zero, the learner abstains.
  virtual void scores(const double* x, double* out) const = 0;
  virtual void learn(const double* x, int y, double w) = 0;

  // Learn a record whose label is not known, or not yet: only some learners can.
  virtual bool learns_unlabelled() const { return false; }
  virtual void learn_unlabelled(const double*) {}

  // Score, then learn; a learner may share work between the two.
  virtual void score_then_learn(const double* x, int y, double w, double* out) {
    scores(x, out);
    learn(x, y, w);
  }

  // Score, then learn many records, those with a weight; `w` null: all weigh 1. A learner may share work
  // between records; the scores are the same.
  virtual void score_then_learn_all(const double* X, std::size_t n, std::size_t n_features, const std::int64_t* y,
                                    const double* w, double* out);

  // The scores of many records, row by row; a learner whose calls are expensive scores them all at once.
  virtual void scores_of(const double* X, std::size_t n, std::size_t n_features, double* out) const {
    for (std::size_t i = 0; i < n; ++i) scores(X + i * n_features, out + i * std::size_t(n_classes()));
  }

  // An untrained learner with the same parameters and classes.
  virtual std::unique_ptr<Learner> fresh(std::uint64_t seed) const = 0;

  // Call `show` with each learner that this one is made of, including the one it copies new members from.
  virtual void visit(const std::function<void(Learner&)>&) {}

  // Facts about the model: the number of leaves, members, replacements.
  virtual Facts facts() const { return {}; }
  // Call `show` with each detector of this learner itself (any_detector.hpp).
  virtual void visit_detectors(const std::function<void(AnyDetector&)>&) {}

  // Allocated bytes, including the object itself.
  virtual std::size_t nbytes() const = 0;
  virtual void write(Writer& to) const = 0;
  virtual void read(Reader& from) = 0;
};

// The class with the highest score, the lowest code in a tie; -1 if all are zero: the learner abstains.
inline int best_class(const double* scores, int n_classes) {
  int best = -1;
  double most = 0;
  for (int c = 0; c < n_classes; ++c)
    if (scores[c] > most) {
      most = scores[c];
      best = c;
    }
  return best;
}

// Room for one number per class, on the stack if there are few. It belongs to the call, so two threads can ask one
// learner.
class Scratch {
 public:
  explicit Scratch(std::size_t n) : data_(few_) {
    if (n > kFew) {
      many_.resize(n);
      data_ = many_.data();
    }
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  double* data() { return data_; }
  const double* data() const { return data_; }
  double& operator[](std::size_t i) { return data_[i]; }

 private:
  static constexpr std::size_t kFew = 32;
  double few_[kFew];
  std::vector<double> many_;
  double* data_;
};

struct Seconds {
  double predict = 0;
  double learn = 0;
  double count = 0;
};

// The weight of record i, at most 1e40: sums of weights, and their products with squares of values, stay finite.
inline double weight_of(const double* w, std::size_t i) { return w ? std::min(w[i], 1e40) : 1.0; }

inline void Learner::score_then_learn_all(const double* X, std::size_t n, std::size_t n_features, const std::int64_t* y,
                                          const double* w, double* out) {
  const std::size_t C = std::size_t(n_classes());
  for (std::size_t i = 0; i < n; ++i) {
    const double weight = weight_of(w, i);
    if (y[i] >= 0 && weight > 0) {
      score_then_learn(X + i * n_features, int(y[i]), weight, out + i * C);
    } else {
      scores(X + i * n_features, out + i * C);
      if (y[i] < 0 && weight > 0) learn_unlabelled(X + i * n_features);
    }
  }
}

// The whole time, divided in the proportion of the parts that were timed separately.
inline Seconds divided(std::chrono::steady_clock::duration whole, std::chrono::steady_clock::duration predicting,
                          std::chrono::steady_clock::duration learning) {
  const auto seconds = [](auto time) { return std::chrono::duration<double>(time).count(); };
  const double timed = seconds(predicting + learning);
  const double share = timed > 0 ? seconds(predicting) / timed : 0.5;
  return {seconds(whole) * share, seconds(whole) * (1 - share), 0};
}

// Score every record before learning it; records with y < 0 have no label and are scored only. Reading the clock costs
// as much as a small learner, so predicting and learning are timed for one record in 64, and the time of the whole
// chunk is divided in that proportion.
inline Seconds test_then_train(Learner& learner, const double* X, std::size_t n, std::size_t n_features,
                               const std::int64_t* y, const double* w, double* out) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t sample = 64;
  const std::size_t C = std::size_t(learner.n_classes());
  const auto begun = Clock::now();
  Clock::duration predicting{}, learning{};
  for (std::size_t i = 0; i < n; i += sample) {
    const double weight = weight_of(w, i);
    const auto a = Clock::now();
    learner.scores(X + i * n_features, out + i * C);
    const auto b = Clock::now();
    if (y[i] >= 0 && weight > 0) learner.learn(X + i * n_features, int(y[i]), weight);
    if (y[i] < 0 && weight > 0) learner.learn_unlabelled(X + i * n_features);
    predicting += b - a;
    learning += Clock::now() - b;
    const std::size_t from = i + 1, rest = std::min(sample, n - i) - 1;
    if (rest > 0)
      learner.score_then_learn_all(X + from * n_features, rest, n_features, y + from, w ? w + from : nullptr,
                                   out + from * C);
  }
  return divided(Clock::now() - begun, predicting, learning);
}

}  // namespace prequential
