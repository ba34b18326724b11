// The role of a learner: score a record, learn a record with its weight, make a fresh copy, bytes in and out. Whatever
// composes learners composes any of them.
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

// What an answer rests on: numbers that only the learner that gave it understands. They hold while it lives, and are not
// among its bytes. No learner has the version that a basis is born with, so that nothing rests on it.
struct Basis {
  std::uint64_t place = 0, stamp = 0, version = ~std::uint64_t(0);
  double reach = 0;
};

class Learner {
 public:
  virtual ~Learner() = default;

  // What its bytes are told by.
  virtual const char* kind() const = 0;

  // Classes known so far; `scores` fills as many numbers. A class that was never learned scores zero, so that it does
  // not matter when `grow` was called.
  virtual int n_classes() const = 0;
  virtual void grow(int n_classes) = 0;

  // All zero: the learner abstains.
  virtual void scores(const double* x, double* out) const = 0;
  virtual void learn(const double* x, int y, double w) = 0;

  // Both, one after the other; a learner may share work between them.
  virtual void score_then_learn(const double* x, int y, double w, double* out) {
    scores(x, out);
    learn(x, y, w);
  }

  // Of many records, one after another; a learner whose every call is dear does them at once.
  virtual void scores_of(const double* X, std::size_t n, std::size_t n_features, double* out) const {
    for (std::size_t i = 0; i < n; ++i) scores(X + i * n_features, out + i * std::size_t(n_classes()));
  }

  // For whoever asks the same again as the model learns (waiting.hpp). Whether all records get the same scores, whatever
  // their features are; whether it can say what an answer rests on; the answer with what it rests on; and whether a new
  // answer would be the same for sure. The last may be false at any time.
  virtual bool blind() const { return false; }
  virtual bool tells_basis() const { return false; }
  virtual void scores_on(const double* x, double* out, Basis&) const { scores(x, out); }
  virtual bool holds(const double*, const Basis&) const { return false; }
  // Of some records, given by their rows: add those whose answer may be another one.
  virtual void find_stale(const double* X, std::size_t n_features, const Basis* bases,
                          const std::vector<std::size_t>& rows, std::vector<std::size_t>& stale) const {
    for (const std::size_t i : rows)
      if (!holds(X + i * n_features, bases[i])) stale.push_back(i);
  }

  // An untrained learner with the same parameters and classes.
  virtual std::unique_ptr<Learner> fresh(std::uint64_t seed) const = 0;

  // Show each learner that this one is made of, the one it makes fresh ones from included.
  virtual void visit(const std::function<void(Learner&)>&) {}

  // What can be told of the model in numbers: how many leaves, members, replacements.
  virtual Facts facts() const { return {}; }
  // Show each detector that this learner itself has in a box (any_detector.hpp).
  virtual void visit_detectors(const std::function<void(AnyDetector&)>&) {}

  // What the allocator has given to this learner, the object itself included.
  virtual std::size_t nbytes() const = 0;
  virtual void write(Writer& to) const = 0;
  virtual void read(Reader& from) = 0;
};

// The class with the highest score, the lowest code of several; -1 where there is none (all zero: abstains).
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

// Room for a number a class, on the stack where there are few, so that a learner can be asked from two threads at once.
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

// The weight of record i; one beyond 1e40 counts as 1e40, so that sums of weights stay finite, as do their products with
// the squares of values.
inline double weight_of(const double* w, std::size_t i) { return w ? std::min(w[i], 1e40) : 1.0; }

// The whole time, shared out in the proportion of the parts of it that were timed apart.
inline Seconds shared_out(std::chrono::steady_clock::duration whole, std::chrono::steady_clock::duration predicting,
                          std::chrono::steady_clock::duration learning) {
  const auto seconds = [](auto time) { return std::chrono::duration<double>(time).count(); };
  const double timed = seconds(predicting + learning);
  const double share = timed > 0 ? seconds(predicting) / timed : 0.5;
  return {seconds(whole) * share, seconds(whole) * (1 - share), 0};
}

// Score every record before learning it; records with y < 0 have no label and are scored only. Reading the clock costs
// as much as a small learner, so one record in 32 is timed, its two parts apart, and the chunk's time is shared out in that
// proportion.
inline Seconds test_then_train(Learner& learner, const double* X, std::size_t n, std::size_t n_features,
                               const std::int64_t* y, const double* w, double* out, std::size_t n_columns) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t sample = 32;
  const auto begun = Clock::now();
  Clock::duration predicting{}, learning{};
  for (std::size_t i = 0; i < n; ++i) {
    const double* x = X + i * n_features;
    const bool labelled = y[i] >= 0;
    const double weight = weight_of(w, i);
    if (i % sample == 0) {
      const auto a = Clock::now();
      learner.scores(x, out + i * n_columns);
      const auto b = Clock::now();
      if (labelled && weight > 0) learner.learn(x, int(y[i]), weight);
      predicting += b - a;
      learning += Clock::now() - b;
    } else if (labelled && weight > 0) {
      learner.score_then_learn(x, int(y[i]), weight, out + i * n_columns);
    } else {
      learner.scores(x, out + i * n_columns);
    }
  }
  return shared_out(Clock::now() - begun, predicting, learning);
}

}  // namespace prequential
