// Random tree (Domingos and Hulten 2000): uniform features, labelled by a random decision tree.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "prequential/record_draws.hpp"

namespace prequential {

class RandomTree {
 public:
  struct Shape {
    int n_classes, n_nominal, n_values, n_numeric, max_depth, first_leaf_level;
    double leaf_share;
  };
  static constexpr std::size_t kMostNodes = 1'000'000;

  RandomTree(std::uint64_t seed, std::uint64_t model_seed, const Shape& shape)
      : seed_(seed), shape_(shape), draw_(model_seed, 0x545245454D /* "TREEM" */, 0) {
    std::vector<int> candidates;
    for (int j = 0; j < shape.n_nominal + shape.n_numeric; ++j) candidates.push_back(j);
    nodes_.emplace_back();
    std::vector<double> low(candidates.size(), 0.0), high(candidates.size(), 1.0);
    grow(0, 0, candidates, low, high);
  }

  std::size_t n_features() const { return std::size_t(shape_.n_nominal + shape_.n_numeric); }

  std::int64_t record(std::uint64_t index, double* x) const {
    RecordDraws draw(seed_, 0x54524545 /* "TREE" */, index);
    for (int j = 0; j < shape_.n_nominal; ++j) x[j] = double(draw.below(shape_.n_values));
    for (int j = 0; j < shape_.n_numeric; ++j) x[shape_.n_nominal + j] = draw.uniform();
    return label(x);
  }

  // The class of any features; invalid values of a nominal feature count as its last one.
  std::int64_t label(const double* x) const {
    const Node* node = &nodes_[0];
    while (node->feature >= 0) {
      const double value = x[node->feature];
      const bool numeric = node->feature >= shape_.n_nominal;
      node = &nodes_[node->first + (numeric ? std::size_t(value >= node->threshold) : branch(value))];
    }
    return node->label;
  }

 private:
  std::size_t branch(double value) const {
    const double last = double(shape_.n_values - 1);
    return std::size_t(value >= 0 && value <= last ? value : last);
  }

  struct Node {
    int feature = -1;  // of a leaf
    double threshold = 0;
    std::size_t first = 0;  // its children are next to each other
    std::int64_t label = 0;
  };

  // On a path, a numeric feature may be split again, within the rest of its range from `low` to `high`, which are
  // restored afterwards; a nominal feature only once.
  void grow(std::size_t at, int depth, const std::vector<int>& candidates, std::vector<double>& low,
            std::vector<double>& high) {
    const bool leaf = depth >= shape_.max_depth || candidates.empty() ||
                      (depth >= shape_.first_leaf_level && draw_.uniform() < shape_.leaf_share);
    if (leaf) {
      nodes_[at].label = std::int64_t(draw_.below(shape_.n_classes));
      return;
    }
    const std::size_t chosen = draw_.below(candidates.size());
    const int feature = candidates[chosen];
    const bool numeric = feature >= shape_.n_nominal;
    const std::size_t first = nodes_.size(), n = numeric ? 2 : std::size_t(shape_.n_values);
    if (first + n > kMostNodes) throw std::invalid_argument("a tree of these settings has more than 1,000,000 nodes");
    nodes_[at].feature = feature;
    nodes_[at].first = first;
    nodes_.resize(first + n);
    if (numeric) {
      const double threshold = low[feature] + (high[feature] - low[feature]) * draw_.uniform();
      nodes_[at].threshold = threshold;
      const double whole[] = {low[feature], high[feature]};
      high[feature] = threshold;
      grow(first, depth + 1, candidates, low, high);
      low[feature] = threshold;
      high[feature] = whole[1];
      grow(first + 1, depth + 1, candidates, low, high);
      low[feature] = whole[0];
      return;
    }
    auto left = candidates;
    left.erase(left.begin() + std::ptrdiff_t(chosen));
    for (std::size_t k = 0; k < n; ++k) grow(first + k, depth + 1, left, low, high);
  }

  std::uint64_t seed_;
  Shape shape_;
  RecordDraws draw_;
  std::vector<Node> nodes_;
};

}  // namespace prequential
