// The ids of records that no longer wait for their label, and of labels that came without a record: the last `most` of
// them, each with its outcome.
#pragma once
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "prequential/bytes.hpp"

namespace prequential {

class PastIds {
 public:
  // An outcome is the label, or kExpired, or kEarly and below: the label came before the record.
  static constexpr std::int64_t kExpired = -1, kEarly = -2;
  static std::int64_t early(std::int64_t label) { return kEarly - label; }
  static std::int64_t label_of(std::int64_t outcome) { return outcome <= kEarly ? kEarly - outcome : outcome; }

  explicit PastIds(std::size_t most) : most_(most) {}

  std::size_t most() const { return most_; }
  std::size_t size() const { return outcomes_.size(); }
  bool contains(std::int64_t id) const { return outcomes_.contains(id); }
  // The outcome, or null if the id is not known.
  const std::int64_t* find(std::int64_t id) const {
    const auto found = outcomes_.find(id);
    return found == outcomes_.end() ? nullptr : &found->second;
  }
  void add(std::int64_t id, std::int64_t outcome) {
    if (most_ == 0) return;
    if (outcomes_.insert_or_assign(id, outcome).second) order_.push_back(id);
    while (order_.size() > most_) {
      outcomes_.erase(order_.front());
      order_.pop_front();
    }
  }
  void copy_to(std::vector<std::int64_t>& ids) const {
    for (const auto& one : outcomes_) ids.push_back(one.first);
  }

  std::size_t nbytes() const { return outcomes_.size() * 72; }  // beyond the object itself
  void write(Writer& to) const {
    std::vector<Past> past;
    for (const std::int64_t id : order_) past.push_back({id, outcomes_.at(id)});
    to.put(past);
  }
  void read(Reader& from) {
    std::vector<Past> past;
    from.get(past);
    for (const Past& one : past) {
      outcomes_[one.id] = one.outcome;
      order_.push_back(one.id);
    }
  }

 private:
  struct Past {
    std::int64_t id, outcome;
  };
  std::size_t most_;
  std::unordered_map<std::int64_t, std::int64_t> outcomes_;
  std::deque<std::int64_t> order_;  // of the ids, the oldest first
};

}  // namespace prequential
