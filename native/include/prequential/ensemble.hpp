// What all ensembles share: the base that new members are copied from, the members, their votes, new classes, bytes and
// memory.
#pragma once
#include "prequential/learner.hpp"
#include "prequential/member_seed.hpp"

namespace prequential {

// Add a vote, scaled to the sum `weight`, to the sum of votes; an abstention adds nothing.
inline void add_vote(const double* vote, int n_classes, double weight, double* sum) {
  double total = 0;
  for (int c = 0; c < n_classes; ++c) total += vote[c];
  if (!(total > 0)) return;
  for (int c = 0; c < n_classes; ++c) sum[c] += vote[c] * (weight / total);
}

// A member; an ensemble that keeps more about each of its members derives from it and hides these functions.
struct Member {
  std::unique_ptr<Learner> model;

  explicit Member(std::unique_ptr<Learner> learner) : model(std::move(learner)) {}

  void visit(const std::function<void(Learner&)>& show) { show(*model); }
  std::size_t nbytes() const { return model->nbytes(); }  // beyond the object itself
  void write(Writer& to) const { model->write(to); }
  void read(Reader& from, const Learner&) { model->read(from); }
};

template <class M = Member>
class Ensemble : public Learner {
 public:
  int n_classes() const final { return base_->n_classes(); }
  void grow(int n_classes) override {
    visit([&](Learner& learner) { learner.grow(n_classes); });
  }
  void visit(const std::function<void(Learner&)>& show) final {
    show(*base_);
    for (M& member : members_) member.visit(show);
  }
  Facts facts() const override { return {{"n_members", members_.size()}, {"n_born", n_born_}}; }

 protected:
  // Without members: the constructors of the ensembles add them.
  Ensemble(std::unique_ptr<Learner> base, std::uint64_t seed) : base_(std::move(base)), seed_(seed) {}

  std::unique_ptr<Learner> base_;  // untrained
  std::uint64_t seed_;
  std::uint64_t n_born_ = 0;     // members so far, including those that have left
  std::uint64_t n_learned_ = 0;  // records
  std::vector<M> members_;

  std::unique_ptr<Learner> new_model() { return base_->fresh(seed_of_member(seed_, n_born_++)); }
  void remove(std::size_t m) {
    const M gone = std::move(members_[m]);  // destroyed last: that may call Python, which may look at the list
    members_.erase(members_.begin() + std::ptrdiff_t(m));
  }

  // Set `out` to zero, then call `count(m, vote)` with the vote of each of the first `n` members.
  template <class Count>
  void vote(const double* x, std::size_t n, double* out, const Count& count) const {
    const int C = n_classes();
    Scratch vote(C);
    std::fill(out, out + C, 0.0);
    for (std::size_t m = 0; m < n; ++m) {
      members_[m].model->scores(x, vote.data());
      count(m, static_cast<const double*>(vote.data()));
    }
  }
  // The same; each member then learns the record with the weight `w * times(m)`, unless that is 0.
  template <class Times, class Count>
  void vote_then_learn(const double* x, int y, double w, std::size_t n, double* out, const Times& times,
                       const Count& count) {
    const int C = n_classes();
    Scratch vote(C);
    std::fill(out, out + C, 0.0);
    for (std::size_t m = 0; m < n; ++m) {
      const double factor = times(m);
      if (factor > 0)
        members_[m].model->score_then_learn(x, y, w * factor, vote.data());
      else
        members_[m].model->scores(x, vote.data());
      count(m, static_cast<const double*>(vote.data()));
    }
  }

  std::size_t members_nbytes() const {
    std::size_t n = base_->nbytes() + bytes_of(members_);
    for (const M& member : members_) n += member.nbytes();
    return n;
  }

  void write_members(Writer& to) const {
    to.put(seed_);
    to.put(n_born_);
    to.put(std::uint64_t(members_.size()));
    write_models(to);
  }
  void read_members(Reader& from, std::size_t least, std::size_t most) {
    seed_ = from.get<std::uint64_t>();
    n_born_ = from.get<std::uint64_t>();
    const auto n = from.get<std::uint64_t>();
    if (n < least || n > most || n > n_born_) throw std::invalid_argument("damaged state: the number of members");
    read_models(from, n, [](std::unique_ptr<Learner> model) { return M(std::move(model)); });
  }

  // The base and the members alone. `member_of` makes a member of a model.
  void write_models(Writer& to) const {
    base_->write(to);
    for (const M& member : members_) member.write(to);
  }
  template <class MemberOf>
  void read_models(Reader& from, std::size_t n, const MemberOf& member_of) {
    base_->read(from);
    members_.clear();
    while (members_.size() < n) {
      members_.push_back(member_of(base_->fresh(0)));
      members_.back().read(from, *base_);
      if (members_.back().model->n_classes() != n_classes())
        throw std::invalid_argument("damaged state: the classes of a member");
    }
  }
};

}  // namespace prequential
