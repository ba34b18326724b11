// The features of a learner or a leaf, and a record as its loops take it.
#pragma once
#include <stdexcept>

#include "prequential/lanes.hpp"
#include "prequential/learner.hpp"

namespace prequential {

// The features in a table, by their positions in a record.
struct Features {
  std::vector<std::int32_t> numeric, nominal;

  // cardinality: 0 for a numeric feature, otherwise the number of its values known so far.
  explicit Features(const std::vector<std::int32_t>& cardinality) {
    for (std::size_t j = 0; j < cardinality.size(); ++j) (cardinality[j] ? nominal : numeric).push_back(int(j));
  }
  Features() = default;

  std::size_t nbytes() const { return bytes_of(numeric) + bytes_of(nominal); }
};

inline void check_same_kinds(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  bool same = a.size() == b.size();
  for (std::size_t j = 0; same && j < a.size(); ++j) same = (a[j] == 0) == (b[j] == 0);
  if (!same) throw std::invalid_argument("these bytes are the state of a learner of other features");
}

// A record as the loops of lanes.hpp take it: its numeric features next to each other. Room for few is on the stack.
class Packed {
 public:
  Packed(const Features& features, const double* x) : numbers_(kLanes * blocks_of(features.numeric.size())) {
    lane_kernel().pack(x, features.numeric.data(), features.numeric.size(), numbers_.data());
  }
  const double* data() const { return numbers_.data(); }

 private:
  Scratch numbers_;
};

}  // namespace prequential
