// The online accuracy updated ensemble (Brzezinski & Stefanowski 2014): a member weighs the more the smaller its
// squared error over the last records is; every `window` records a new one joins, and the weakest makes room.
#pragma once
#include "prequential/members.hpp"

namespace prequential {

// The mean of the squared errors of the last records. They are kept in whole steps of 2^-31: what goes takes away
// exactly what came.
class RecentErrors {
 public:
  explicit RecentErrors(std::size_t window) : steps_(window) {}

  // 0 of no record.
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

class AccuracyUpdatedEnsemble final : public Learner {
 public:
  AccuracyUpdatedEnsemble(std::unique_ptr<Learner> base, std::size_t size, std::size_t window, std::uint64_t seed)
      : size_(size), members_(std::move(base), seed, 1), counts_(members_.n_classes()), labels_(window, -1) {
    if (size < 1 || window < 1) throw std::invalid_argument("size and window must be at least 1");
  }

  const char* kind() const override { return "accuracy_updated_ensemble"; }
  int n_classes() const override { return members_.n_classes(); }
  void grow(int n_classes) override {
    members_.grow(n_classes);
    counts_.resize(members_.n_classes());
  }

  void scores(const double* x, double* out) const override {
    const int C = n_classes();
    Scratch vote(C);
    std::fill(out, out + C, 0.0);
    if (errors_.empty()) {
      members_[0].scores(x, vote.data());
      add_vote(vote.data(), C, 1, out);
    }
    const double chance = chance_error();
    for (std::size_t m = 0; m < errors_.size(); ++m) {
      members_[m].scores(x, vote.data());
      add_vote(vote.data(), C, weight(m, chance), out);
    }
  }

  // A member is judged by what it says before it learns.
  void learn(const double* x, int y, double w) override {
    Scratch unused(n_classes());
    score_then_learn(x, y, w, unused.data());
  }

  void score_then_learn(const double* x, int y, double w, double* out) override {
    const int C = n_classes();
    Scratch vote(C);
    std::fill(out, out + C, 0.0);
    if (errors_.empty()) {
      members_[0].score_then_learn(x, y, w, vote.data());
      add_vote(vote.data(), C, 1, out);
    } else {
      members_[errors_.size()].learn(x, y, w);
    }
    const double chance = chance_error();
    for (std::size_t m = 0; m < errors_.size(); ++m) {
      members_[m].score_then_learn(x, y, w, vote.data());
      add_vote(vote.data(), C, weight(m, chance), out);
      errors_[m].add(squared_error(vote.data(), C, y));
    }
    std::int32_t& place = labels_[n_learned_++ % labels_.size()];
    if (place >= 0) --counts_[place];
    place = y;
    ++counts_[y];
    if (n_learned_ % labels_.size() == 0) take_in_candidate();
  }

  std::unique_ptr<Learner> fresh(std::uint64_t seed) const override {
    return std::make_unique<AccuracyUpdatedEnsemble>(members_.base().fresh(seed), size_, labels_.size(), seed);
  }
  void visit(const std::function<void(Learner&)>& show) override { members_.visit(show); }
  Facts facts() const override { return {{"n_members", errors_.size()}, {"n_born", members_.n_born()}}; }

  std::size_t nbytes() const override {
    std::size_t n = allocated(sizeof *this) + members_.nbytes() + bytes_of(errors_);
    n += bytes_of(counts_) + bytes_of(labels_);
    for (const RecentErrors& error : errors_) n += error.nbytes();
    return n;
  }

  void write(Writer& to) const override {
    to.put(std::uint64_t(size_));
    to.put(std::uint64_t(labels_.size()));
    to.put(n_learned_);
    to.put(labels_);
    members_.write(to);
    for (const RecentErrors& error : errors_) error.write(to);
  }
  void read(Reader& from) override {
    if (from.get<std::uint64_t>() != size_ || from.get<std::uint64_t>() != labels_.size())
      throw std::invalid_argument("these bytes are the state of an accuracy updated ensemble with other parameters");
    n_learned_ = from.get<std::uint64_t>();
    from.get(labels_, labels_.size());
    members_.read(from, 1, size_ + 1);
    errors_.assign(members_.size() - 1, RecentErrors(labels_.size()));
    for (RecentErrors& error : errors_) error.read(from);
    counts_.assign(members_.n_classes(), 0);
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      if (labels_[i] < -1 || labels_[i] >= n_classes() || (labels_[i] >= 0) != (i < n_learned_))
        throw std::invalid_argument("damaged state: a label of the last records");
      if (labels_[i] >= 0) ++counts_[labels_[i]];
    }
  }

 private:
  std::size_t size_;
  Members members_;                    // the last is the candidate; it votes only while it is alone
  std::vector<RecentErrors> errors_;   // of the others
  std::vector<std::uint64_t> counts_;  // of each class among the labels
  std::vector<std::int32_t> labels_;   // of the last records, a ring; -1: none yet
  std::uint64_t n_learned_ = 0;

  // What keeps weights finite where neither a member nor chance is ever wrong.
  static constexpr double kLeastError = 1e-9;

  double weight(std::size_t m, double chance) const { return 1 / (chance + errors_[m].mean() + kLeastError); }

  // The mean squared error of guessing by the shares of the classes among the last records.
  double chance_error() const {
    const double n = double(std::min<std::uint64_t>(n_learned_, labels_.size()));
    double sum = 0;
    for (const std::uint64_t count : counts_) {
      const double share = double(count) / n;
      if (count > 0) sum += share * (1 - share) * (1 - share);
    }
    return sum;
  }

  // An abstention is wholly wrong.
  static double squared_error(const double* vote, int n_classes, int y) {
    double total = 0;
    for (int c = 0; c < n_classes; ++c) total += vote[c];
    const double miss = total > 0 ? 1 - vote[y] / total : 1;
    return miss * miss;
  }

  void take_in_candidate() {
    auto next = members_.born();  // first: a learner written in Python may fail
    if (errors_.size() == size_) {
      std::size_t weakest = 0;
      for (std::size_t m = 1; m < size_; ++m)
        if (errors_[m].mean() > errors_[weakest].mean()) weakest = m;
      members_.remove(weakest);
      errors_.erase(errors_.begin() + std::ptrdiff_t(weakest));
    }
    errors_.emplace_back(labels_.size());
    members_.add(std::move(next));
  }
};

}  // namespace prequential
