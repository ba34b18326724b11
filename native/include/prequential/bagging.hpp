// What all kinds of online bagging share: each member learns each record as often as a Poisson draw says.
#pragma once
#include "prequential/ensemble.hpp"
#include "prequential/poisson.hpp"

namespace prequential {

template <class M = Member>
class Bagging : public Ensemble<M> {
 protected:
  Bagging(std::unique_ptr<Learner> base, std::size_t size, double mean, std::uint64_t seed)
      : Ensemble<M>(std::move(base), seed), weights_(mean, seed), draws_(size) {}

  BaggingWeights weights_;
  std::vector<int> draws_;  // one per member, for the record being learned

  // Draw for the next record.
  void draw() { weights_.of_record(this->n_learned_++, draws_.size(), draws_.data()); }

  // Call `count(m, vote)` with the vote of each member, which then learns the record as often as drawn.
  template <class Count>
  void bag(const double* x, int y, double w, double* out, const Count& count) {
    draw();
    this->vote_then_learn(x, y, w, draws_.size(), out, [&](std::size_t m) { return double(draws_[m]); }, count);
  }

  std::size_t bag_nbytes() const { return this->members_nbytes() + weights_.nbytes() + bytes_of(draws_); }

  void write_bag(Writer& to) const {
    to.put(std::uint64_t(draws_.size()));
    to.put(weights_.mean());
    to.put(weights_.seed());
    to.put(this->n_learned_);
    this->write_members(to);
  }
  void read_bag(Reader& from) {
    if (from.get<std::uint64_t>() != draws_.size() || from.get<double>() != weights_.mean())
      throw std::invalid_argument("these bytes are the state of a bagging ensemble with other parameters");
    weights_ = BaggingWeights(weights_.mean(), from.get<std::uint64_t>());
    this->n_learned_ = from.get<std::uint64_t>();
    this->read_members(from, draws_.size(), draws_.size());
  }
};

}  // namespace prequential
