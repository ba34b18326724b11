// The online accuracy updated ensemble (Brzezinski & Stefanowski 2014): the smaller the squared error of a member over
// the last records, the larger its weight. Every `window` records a new member joins, in place of the weakest.
#pragma once
#include "prequential/ensemble.hpp"

namespace prequential {

// The mean of the squared errors of the last records. They are kept as multiples of 2^-31, so that removing an error
// subtracts exactly what was added.
class RecentErrors {
 public:
  explicit RecentErrors(std::size_t window) : steps_(window) {}

  // 0 without records.
  double mean() const {
    const std::uint64_t n = std::min<std::uint64_t>(n_, steps_.size());
    return n == 0 ? 0 : double(sum_) / kSteps / double(n);
  }
  void add(double error) {
    std::uint32_t& place = steps_[n_++ % steps_.size()];
    sum_ -= place;
    place = std::uint32_t(error * kSteps + 0.5);
    sum_ += place;
  }

  std::size_t nbytes() const { return bytes_of(steps_); }  // beyond the object itself

  void write(Writer& to) const {
    to.put(n_);
    to.put(steps_);
  }
  void read(Reader& from) {
    n_ = from.get<std::uint64_t>();
    from.get(steps_, steps_.size());
    sum_ = 0;
    for (const std::uint32_t step : steps_) {
      if (step > kSteps) throw std::invalid_argument("damaged state: the error of a member");
      sum_ += step;
    }
  }

 private:
  static constexpr double kSteps = 2147483648.0;
  std::vector<std::uint32_t> steps_;  // a ring
  std::uint64_t n_ = 0, sum_ = 0;
};

class AccuracyUpdatedEnsemble final : public Ensemble<> {
 public:
  AccuracyUpdatedEnsemble(std::unique_ptr<Learner> base, std::size_t size, std::size_t window, std::uint64_t seed)
      : Ensemble(std::move(base), seed), size_(size), counts_(n_classes()), labels_(window, -1) {
    members_.emplace_back(new_model());
    if (size < 1 || window < 1) throw std::invalid_argument("size and window must be at least 1");
  }

  const char* kind() const override { return "accuracy_updated_ensemble"; }
  void grow(int n) override {
    Ensemble::grow(n);
    counts_.resize(n_classes());
  }

  void scores(const double* x, double* out) const override {
    const int C = n_classes();
    const double chance = chance_error();
    vote(x, n_voters(), out,
         [&](std::size_t m, const double* vote) { add_vote(vote, C, weight(m, chance), out); });
  }

  // The error of a member is that of its vote before it learns.
  void learn(const double* x, int y, double w) override {
    Scratch unused(n_classes());
    score_then_learn(x, y, w, unused.data());
  }

  void score_then_learn(const double* x, int y, double w, double* out) override {
    const int C = n_classes();
    const bool alone = errors_.empty();
    if (!alone) members_.back().model->learn(x, y, w);
    const double chance = chance_error();
    const auto once = [](std::size_t) { return 1.0; };
    vote_then_learn(x, y, w, n_voters(), out, once, [&](std::size_t m, const double* vote) {
      add_vote(vote, C, weight(m, chance), out);
      if (!alone) errors_[m].add(squared_error(vote, C, y));
    });
    std::int32_t& place = labels_[n_learned_++ % labels_.size()];
    if (place >= 0) --counts_[place];
    place = y;
    ++counts_[y];
    if (n_learned_ % labels_.size() == 0) admit_candidate();
  }

  std::unique_ptr<Learner> fresh(std::uint64_t seed) const override {
    return std::make_unique<AccuracyUpdatedEnsemble>(base_->fresh(seed), size_, labels_.size(), seed);
  }
  Facts facts() const override { return {{"n_members", errors_.size()}, {"n_born", n_born_}}; }

  std::size_t nbytes() const override {
    std::size_t n = allocated(sizeof *this) + members_nbytes() + bytes_of(errors_);
    n += bytes_of(counts_) + bytes_of(labels_);
    for (const RecentErrors& error : errors_) n += error.nbytes();
    return n;
  }

  void write(Writer& to) const override {
    to.put(std::uint64_t(size_));
    to.put(std::uint64_t(labels_.size()));
    to.put(n_learned_);
    to.put(labels_);
    write_members(to);
    for (const RecentErrors& error : errors_) error.write(to);
  }
  void read(Reader& from) override {
    if (from.get<std::uint64_t>() != size_ || from.get<std::uint64_t>() != labels_.size())
      throw std::invalid_argument("these bytes are the state of an accuracy updated ensemble with other parameters");
    n_learned_ = from.get<std::uint64_t>();
    from.get(labels_, labels_.size());
    read_members(from, 1, size_ + 1);
    errors_.assign(members_.size() - 1, RecentErrors(labels_.size()));
    for (RecentErrors& error : errors_) error.read(from);
    counts_.assign(n_classes(), 0);
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      if (labels_[i] < -1 || labels_[i] >= n_classes() || (labels_[i] >= 0) != (i < n_learned_))
        throw std::invalid_argument("damaged state: a label of the last records");
      if (labels_[i] >= 0) ++counts_[labels_[i]];
    }
  }

 private:
  std::size_t size_;
  // The last member is the candidate; it votes only while it is the only member.
  std::vector<RecentErrors> errors_;   // one per member, without the candidate
  std::vector<std::uint64_t> counts_;  // [class], among the labels
  std::vector<std::int32_t> labels_;   // of the last records, a ring; -1: none yet

  std::size_t n_voters() const { return std::max<std::size_t>(1, errors_.size()); }

  // Keeps weights finite where neither a member nor chance is ever wrong.
  static constexpr double kLeastError = 1e-9;

  double weight(std::size_t m, double chance) const {
    return errors_.empty() ? 1 : 1 / (chance + errors_[m].mean() + kLeastError);
  }

  // The mean squared error of random guesses by the class frequencies among the last records.
  double chance_error() const {
    const double n = double(std::min<std::uint64_t>(n_learned_, labels_.size()));
    double sum = 0;
    for (const std::uint64_t count : counts_) {
      const double share = double(count) / n;
      if (count > 0) sum += share * (1 - share) * (1 - share);
    }
    return sum;
  }

  // An abstention has the error 1.
  static double squared_error(const double* vote, int n_classes, int y) {
    double total = 0;
    for (int c = 0; c < n_classes; ++c) total += vote[c];
    const double miss = total > 0 ? 1 - vote[y] / total : 1;
    return miss * miss;
  }

  void admit_candidate() {
    auto next = new_model();  // first: a learner written in Python may fail
    if (errors_.size() == size_) {
      std::size_t weakest = 0;
      for (std::size_t m = 1; m < size_; ++m)
        if (errors_[m].mean() > errors_[weakest].mean()) weakest = m;
      remove(weakest);
      errors_.erase(errors_.begin() + std::ptrdiff_t(weakest));
    }
    errors_.emplace_back(labels_.size());
    members_.emplace_back(std::move(next));
  }
};

}  // namespace prequential
