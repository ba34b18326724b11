// The nodes of a tree of scores (rank_tree.hpp): up to 32 scores, or 32 children, in ascending order. Searches and sums
// look at all 32 without a branch, because a binary search would be mispredicted at every step. Nodes are saved byte by
// byte, so they are plain structs.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "prequential/sum.hpp"

namespace prequential {

constexpr int kRankFan = 32;

// The score of an empty slot: no comparison with it is true.
constexpr double kNoScore = std::numeric_limits<double>::quiet_NaN();

using TwoScores = double __attribute__((vector_size(16)));

// For how many values a test is true, two at a time.
template <class Test>
int n_true(const double (&values)[kRankFan], const Test& test) {
  decltype(test(TwoScores{})) odd{}, even{};
  for (int k = 0; k < kRankFan; k += 4) {
    TwoScores first, second;
    std::memcpy(&first, values + k, sizeof first);
    std::memcpy(&second, values + k + 2, sizeof second);
    odd -= test(first);  // true is -1
    even -= test(second);
  }
  odd += even;
  return int(odd[0] + odd[1]);
}

// The sum of the values before a slot.
inline double sum_before(const double (&values)[kRankFan], int slot) {
  static constexpr auto ones = [] {
    std::array<double, 2 * kRankFan> made{};
    for (int k = 0; k < kRankFan; ++k) made[k] = 1;
    return made;
  }();
  const double* on = ones.data() + kRankFan - slot;
  double sums[4] = {};
  for (int k = 0; k < kRankFan; k += 4)
    for (int j = 0; j < 4; ++j) sums[j] += values[k + j] * on[k + j];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// Make room for a value at k among the first `size`, or remove the one at k.
template <class T>
void open_slot(T* values, int k, int size) {
  std::copy_backward(values + k, values + size, values + size + 1);
}
template <class T>
void close_slot(T* values, int k, int size) {
  std::copy(values + k + 1, values + size, values + k);
}

// Scores, each with the weights of its negatives (n) and positives (p).
struct RankLeaf {
  double score[kRankFan], n[kRankFan], p[kRankFan];  // ascending; kNoScore after the last
  int size;

  // The slot of a score, or where it belongs.
  int slot_of(double value) const {
    return n_true(score, [value](TwoScores values) { return values < value; });
  }
  bool holds(int k, double value) const { return k < size && score[k] == value; }
  void open(int k, double value) {
    for (double* values : {score, n, p}) open_slot(values, k, size);
    score[k] = value;
    n[k] = p[k] = 0;
    ++size;
  }
  void close(int k) {
    for (double* values : {score, n, p}) close_slot(values, k, size);
    score[--size] = kNoScore;
  }
  // Move the upper half to an empty leaf.
  void split_to(RankLeaf& high) {
    constexpr int half = kRankFan / 2;
    for (auto member : {&RankLeaf::score, &RankLeaf::n, &RankLeaf::p})
      std::copy_n(this->*member + half, half, high.*member);
    std::fill_n(score + half, half, kNoScore);
    size = high.size = half;
  }
};

// Next to a leaf, if weights or the paper's rule for ties need it.
struct RankDetail {
  Sum sum[2][kRankFan], tied[kRankFan];
  std::uint32_t count[2][kRankFan];

  void open(int k, int size) {
    for (int c = 0; c < 2; ++c) {
      open_slot(sum[c], k, size);
      open_slot(count[c], k, size);
      sum[c][k] = {};
      count[c][k] = 0;
    }
    open_slot(tied, k, size);
    tied[k] = {};
  }
  void close(int k, int size) {
    for (int c = 0; c < 2; ++c) {
      close_slot(sum[c], k, size);
      close_slot(count[c], k, size);
    }
    close_slot(tied, k, size);
  }
  void split_to(RankDetail& high) const {
    constexpr int half = kRankFan / 2;
    for (int c = 0; c < 2; ++c) {
      std::copy_n(sum[c] + half, half, high.sum[c]);
      std::copy_n(count[c] + half, half, high.count[c]);
    }
    std::copy_n(tied + half, half, high.tied);
  }
};

// Children, each with the sums over its subtree.
struct RankInner {
  double least[kRankFan];  // no score of the child is lower (of the first child: not kept)
  double n[kRankFan], p[kRankFan], pairs[kRankFan], n_score[kRankFan], p_score[kRankFan], scored[kRankFan];
  std::uint32_t child[kRankFan];
  int size;

  // The child that holds a score, if any does.
  int slot_of(double value) const {
    return n_true(least, [value](TwoScores values) { return values <= value; }) - (least[0] <= value);
  }
  void open(int k) {
    for (double* values : numbers()) open_slot(values, k, size);
    open_slot(child, k, size);
    ++size;
  }
  void close(int k) {
    for (double* values : numbers()) close_slot(values, k, size);
    close_slot(child, k, size);
    least[--size] = kNoScore;
  }
  // Move the upper half to an empty node; returns its least score.
  double split_to(RankInner& high) {
    constexpr int half = kRankFan / 2;
    const auto mine = numbers(), its = high.numbers();
    for (std::size_t i = 0; i < mine.size(); ++i) std::copy_n(mine[i] + half, half, its[i]);
    std::copy_n(child + half, half, high.child);
    std::fill_n(least + half, half, kNoScore);
    size = high.size = half;
    return high.least[0];
  }

 private:
  std::array<double*, 7> numbers() { return {least, n, p, pairs, n_score, p_score, scored}; }
};

// Sums over the records of a node. `scored` sums (positive score - negative score) over the correct pairs; it and the
// sums of scores are computed on request only.
struct RankTotals {
  double n = 0, p = 0, pairs = 0, n_score = 0, p_score = 0, scored = 0;

  // `ties`: the weights of tied pairs under the paper's rule; null if a tied pair counts one half.
  static RankTotals of(const RankLeaf& leaf, const RankDetail* ties, bool with_scores) {
    RankTotals t;
    if (ties) {
      for (int k = 0; k < leaf.size; ++k) {
        t.pairs += leaf.p[k] * t.n + ties->tied[k].value();
        t.n += leaf.n[k];
        t.p += leaf.p[k];
      }
    } else {
      for (int k = 0; k < leaf.size; ++k) {
        t.pairs += leaf.p[k] * (t.n + 0.5 * leaf.n[k]);
        t.n += leaf.n[k];
        t.p += leaf.p[k];
      }
    }
    if (with_scores) {
      double n = 0;
      for (int k = 0; k < leaf.size; ++k) {
        if (!std::isfinite(leaf.score[k])) {  // correct in no pair
          n += leaf.n[k];
          continue;
        }
        t.scored += leaf.p[k] * (n * leaf.score[k] - t.n_score);
        t.n_score += leaf.n[k] * leaf.score[k];
        t.p_score += leaf.p[k] * leaf.score[k];
        n += leaf.n[k];
      }
    }
    return t;
  }

  static RankTotals of(const RankInner& node, bool with_scores) {
    RankTotals t;
    if (with_scores) {
      for (int k = 0; k < node.size; ++k) {
        t.scored += node.scored[k] + (t.n * node.p_score[k] - t.n_score * node.p[k]);
        t.n_score += node.n_score[k];
        t.p_score += node.p_score[k];
        t.n += node.n[k];
      }
      t.n = 0;
    }
    for (int k = 0; k < node.size; ++k) {
      t.pairs += node.pairs[k] + t.n * node.p[k];
      t.n += node.n[k];
      t.p += node.p[k];
    }
    return t;
  }
};

// A score while a tree is built.
struct RankGroup {
  double score;
  Sum sum[2], tied;
  std::uint32_t count[2];
};

}  // namespace prequential
