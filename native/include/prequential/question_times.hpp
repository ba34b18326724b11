// The times at which records that wait for their labels were asked again. They are the same for all records that were
// due, so they are kept once, and entered into a record when its prediction changes or its label comes.
#pragma once
#include "prequential/waiting_record.hpp"

namespace prequential {

class QuestionTimes {
 public:
  // A record is asked again after every `period` labels that were learned since it arrived. `first`: the next label.
  explicit QuestionTimes(std::uint64_t period, std::uint64_t first = 0)
      : period_(std::min(period, std::uint64_t(1) << 62)), first_(first) {}

  std::uint64_t period() const { return period_; }
  void add(double time) { times_.push_back(time); }
  bool full() const { return times_.size() >= kMost; }
  void restart(std::uint64_t first) {
    first_ = first;
    times_.clear();
  }

  // Enter the times since the last call, at which the prediction stayed the same.
  void catch_up(WaitingRecord& record) const {
    const std::uint64_t end = first_ + times_.size();
    const std::uint64_t known = std::max(record.followed, record.born + 1) - record.born;
    const std::uint64_t first = record.born + (known + period_ - 1) / period_ * period_;
    if (first < end) {
      const std::uint64_t last = record.born + (end - 1 - record.born) / period_ * period_;
      record.follow(times_[first - first_]);
      record.asked = times_[last - first_];
    }
    record.followed = std::max(record.followed, end);
  }

  // The first label from `n_labels` on at which a record is due that arrived before label `born`.
  std::uint64_t next_due(std::uint64_t born, std::uint64_t n_labels) const {
    const std::uint64_t beyond = (n_labels - born) % period_;
    return born < n_labels && beyond == 0 ? n_labels : n_labels - beyond + period_;
  }

  std::size_t nbytes() const { return bytes_of(times_); }  // beyond the object itself

 private:
  static constexpr std::size_t kMost = 4096;
  std::uint64_t period_;
  std::vector<double> times_;  // one per label
  std::uint64_t first_;        // the number of the first of these labels
};

}  // namespace prequential
