// The members of an ensemble and the untrained learner that they are made from.
#pragma once
#include "prequential/learner.hpp"
#include "prequential/philox.hpp"

namespace prequential {

// Add a vote, relative to its sum and times `weight`, to others; an abstention adds nothing.
inline void add_vote(const double* vote, int n_classes, double weight, double* sum) {
  double total = 0;
  for (int c = 0; c < n_classes; ++c) total += vote[c];
  if (!(total > 0)) return;
  for (int c = 0; c < n_classes; ++c) sum[c] += vote[c] * (weight / total);
}

// The seed of the learner that is the `birth`-th to become part of an ensemble.
inline std::uint64_t seed_of_member(std::uint64_t seed, std::uint64_t birth) {
  constexpr std::uint64_t kPurpose = 0x4D454D42;  // "MEMB"
  return draws(seed, kPurpose, birth)[0];
}

// The seed of the learner that another is made around: it shares no draw with it.
inline std::uint64_t seed_of_base(std::uint64_t seed) {
  constexpr std::uint64_t kPurpose = 0x42415345;  // "BASE"
  return draws(seed, kPurpose, 0)[0];
}

class Members {
 public:
  Members(std::unique_ptr<Learner> base, std::uint64_t seed, std::size_t size) : base_(std::move(base)), seed_(seed) {
    while (members_.size() < size) add(born());
  }

  std::uint64_t n_born() const { return n_born_; }
  std::size_t size() const { return members_.size(); }
  Learner& operator[](std::size_t m) { return *members_[m]; }
  const Learner& operator[](std::size_t m) const { return *members_[m]; }
  const Learner& base() const { return *base_; }

  std::unique_ptr<Learner> born() { return base_->fresh(seed_of_member(seed_, n_born_++)); }
  void add(std::unique_ptr<Learner> member) { members_.push_back(std::move(member)); }
  Learner& replace(std::size_t m) { return *(members_[m] = born()); }
  void remove(std::size_t m) {
    const auto gone = std::move(members_[m]);  // ends its life when the list is in order: it may be Python's
    members_.erase(members_.begin() + std::ptrdiff_t(m));
  }

  int n_classes() const { return base_->n_classes(); }
  void grow(int n_classes) {
    base_->grow(n_classes);
    for (auto& member : members_) member->grow(n_classes);
  }
  void visit(const std::function<void(Learner&)>& show) {
    show(*base_);
    for (auto& member : members_) show(*member);
  }

  // Beyond the object itself.
  std::size_t nbytes() const {
    std::size_t n = base_->nbytes() + bytes_of(members_);
    for (const auto& member : members_) n += member->nbytes();
    return n;
  }

  void write(Writer& to) const {
    to.put(seed_);
    to.put(n_born_);
    to.put(std::uint64_t(members_.size()));
    base_->write(to);
    for (const auto& member : members_) member->write(to);
  }
  void read(Reader& from, std::size_t least, std::size_t most) {
    seed_ = from.get<std::uint64_t>();
    n_born_ = from.get<std::uint64_t>();
    const auto n = from.get<std::uint64_t>();
    if (n < least || n > most || n > n_born_) throw std::invalid_argument("damaged state: the number of members");
    base_->read(from);
    members_.clear();
    while (members_.size() < n) {
      members_.push_back(base_->fresh(0));
      members_.back()->read(from);
      if (members_.back()->n_classes() != n_classes())
        throw std::invalid_argument("damaged state: the classes of a member");
    }
  }

 private:
  std::unique_ptr<Learner> base_;
  std::uint64_t seed_;
  std::uint64_t n_born_ = 0;
  std::vector<std::unique_ptr<Learner>> members_;
};

}  // namespace prequential
