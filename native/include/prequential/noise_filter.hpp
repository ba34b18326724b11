// Noise on the predictions of a learner: with probability p the predicted class is replaced by another one (Bifet et
// al. 2015, to get learners with a known difference).
//
// Scoring must not change a learner, so the draw cannot be the next one of a sequence. It is determined by the number
// of records learned so far and the values of the record: so it does not depend on chunks or on how often the learner
// is asked, and it differs from record to record, unless equal records come while nothing is learned.
#pragma once
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "prequential/learner.hpp"
#include "prequential/member_seed.hpp"

namespace prequential {

class NoiseFilter final : public Learner {
 public:
  NoiseFilter(std::unique_ptr<Learner> base, std::size_t n_features, double p, std::uint64_t seed)
      : base_(std::move(base)), n_features_(n_features), p_(p), seed_(seed) {
    if (!(p >= 0 && p <= 1)) throw std::invalid_argument("the probability of noise must lie in [0, 1]");
    grow(base_->n_classes());
  }

  const char* kind() const override { return "noise_filter"; }
  int n_classes() const override { return base_->n_classes(); }
  void grow(int n_classes) override {
    base_->grow(n_classes);
    seen_.resize(std::max(seen_.size(), std::size_t(n_classes)));
  }

  void widen(const std::vector<std::int32_t>& cardinality) override {
    base_->widen(cardinality);
    n_features_ = cardinality.size();
  }

  void scores(const double* x, double* out) const override {
    base_->scores(x, out);
    disturb(x, out);
  }
  void learn(const double* x, int y, double w) override {
    base_->learn(x, y, w);
    note_class(y);
  }
  void score_then_learn(const double* x, int y, double w, double* out) override {
    base_->score_then_learn(x, y, w, out);
    disturb(x, out);
    note_class(y);
  }

  bool learns_unlabelled() const override { return base_->learns_unlabelled(); }
  void learn_unlabelled(const double* x) override { base_->learn_unlabelled(x); }

  std::unique_ptr<Learner> fresh(std::uint64_t seed) const override {
    return std::make_unique<NoiseFilter>(base_->fresh(seed_of_base(seed)), n_features_, p_, seed);
  }
  void visit(const std::function<void(Learner&)>& show) override { show(*base_); }

  std::size_t nbytes() const override { return allocated(sizeof *this) + bytes_of(seen_) + base_->nbytes(); }

  void write(Writer& to) const override {
    to.put(p_);
    to.put(seed_);
    to.put(n_learned_);
    to.put(seen_);
    base_->write(to);
  }
  void read(Reader& from) override {
    if (from.get<double>() != p_)
      throw std::invalid_argument("these bytes are the state of a noise filter with another probability");
    seed_ = from.get<std::uint64_t>();
    n_learned_ = from.get<std::uint64_t>();
    from.get(seen_);
    base_->read(from);
    n_seen_ = int(std::count(seen_.begin(), seen_.end(), 1));
    const bool sound = n_seen_ + std::count(seen_.begin(), seen_.end(), 0) == n_classes();
    if (!sound || seen_.size() != std::size_t(n_classes()))
      throw std::invalid_argument("damaged state: the classes of a noise filter");
  }

 private:
  static constexpr std::uint64_t kPurpose = 0x4E4F495345;  // "NOISE"

  std::unique_ptr<Learner> base_;
  std::size_t n_features_;
  double p_;
  std::uint64_t seed_;
  std::uint64_t n_learned_ = 0;
  std::vector<char> seen_;  // [class]: whether it was ever learned
  int n_seen_ = 0;

  void note_class(int y) {
    ++n_learned_;
    if (seen_[std::size_t(y)]) return;
    seen_[std::size_t(y)] = 1;
    ++n_seen_;
  }

  // Swap the predicted class with another class that was learned.
  void disturb(const double* x, double* out) const {
    const int predicted = best_class(out, n_classes());
    if (predicted < 0) return;
    const int n_others = n_seen_ - seen_[std::size_t(predicted)];
    if (n_others == 0) return;
    const Block block = draws(seed_, kPurpose, n_learned_, bits_of(x));
    if (uniform(block[0]) >= p_) return;
    int nth = std::min(n_others - 1, int(uniform(block[1]) * n_others)), other = -1;
    while (nth >= 0)
      if (seen_[std::size_t(++other)] && other != predicted) --nth;
    std::swap(out[predicted], out[other]);
    if (best_class(out, n_classes()) != other)  // the lowest code would win the tie
      out[other] = std::nextafter(out[other], std::numeric_limits<double>::infinity());
  }

  // A hash of the record (FNV-1a per value), with one NaN and one zero. The random number generator mixes the bits.
  std::uint64_t bits_of(const double* x) const {
    std::uint64_t hash = 0xCBF29CE484222325ull;
    for (std::size_t j = 0; j < n_features_; ++j) {
      const double value = std::isnan(x[j]) ? std::numeric_limits<double>::quiet_NaN() : x[j] + 0.0;
      hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001B3ull;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

}  // namespace prequential
