// Scores of two classes in order: how many pairs of a positive and a negative record are ranked correctly?
//
// A B+ tree over the different scores. Each score holds the weight of its negatives (n) and of its positives (p); each
// subtree holds their sums and the pairs inside it. After a change, the sums on the way back to the root are computed
// from the children again: pairs of real weights are never subtracted, so rounding errors do not add up, and a huge
// weight leaves none behind. With weights of 1 the pairs are a multiple of one half, counted exactly up to 2^26
// records: what a record adds or removes is found on the way down. Insertion and removal are O(log scores), reading is
// O(1).
//
// The file is long because insertion, removal, building, sums and the check of saved bytes all rely on the same nodes
// and invariants; the nodes themselves are in rank_node.hpp.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "prequential/bytes.hpp"
#include "prequential/rank_node.hpp"

namespace prequential {

class RankTree {
 public:
  using Totals = RankTotals;

  // paper: in a tied pair, the record that came first is ranked higher (Brzezinski and Stefanowski); otherwise the pair
  // counts one half. scored: keep what the scored AUC needs. weighted: some weights may differ from 1.
  RankTree(bool paper, bool scored, bool weighted)
      : scored_(scored), paper_(paper), weighted_(weighted) {}

  void insert(double score, bool positive, double weight) {
    if (leaves_.empty()) root_ = new_leaf();
    if (full(root_, height_)) {
      const std::uint32_t above = new_inner();
      inners_[above].child[0] = root_;
      inners_[above].size = 1;
      root_ = above;
      ++height_;
      split(above, 0, height_);
    }
    Step path[kMostLevels];
    std::uint32_t at = root_;
    double lower = 0;  // records of the other class with a lower score, if counted()
    for (int level = height_; level > 0; --level) {
      int slot = inners_[at].slot_of(score);
      if (full(inners_[at].child[slot], level - 1)) {
        split(at, slot, level);
        if (score >= inners_[at].least[slot + 1]) ++slot;
      }
      path[level] = {at, slot};
      if (counted()) lower += count(inners_[at], slot, positive, 1);
      at = inners_[at].child[slot];
    }
    Leaf& leaf = leaves_[at];
    const int k = leaf.slot_of(score);
    if (!leaf.holds(k, score)) open(at, k, score);
    ++n_records_[positive];
    if (counted()) {
      lower += count(leaf, k, positive, 1);
      gain(lower, (positive ? leaf.n : leaf.p)[k], positive, paper_ ? 1.0 - positive : 0.5, 1);
      return;
    }
    if (detailed()) {
      Detail& detail = details_[at];
      ++detail.count[positive][k];
      if (paper_ && !positive) detail.tied[k].add(weight * leaf.p[k]);  // the positives of this score came before it
      detail.sum[positive][k].add(weight);
      (positive ? leaf.p : leaf.n)[k] = detail.sum[positive][k].value();
    } else {
      (positive ? leaf.p : leaf.n)[k] += 1;
    }
    total_up(path, at);
  }

  // Remove the oldest record of this score. Returns false if so little is left that precision was lost: then the tree
  // has to be built again.
  bool remove(double score, bool positive, double weight) {
    if (leaves_.empty()) return false;
    Step path[kMostLevels];
    std::uint32_t at = root_;
    double lower = 0;
    for (int level = height_; level > 0; --level) {
      path[level] = {at, inners_[at].slot_of(score)};
      if (counted()) lower += count(inners_[at], path[level].slot, positive, -1);
      at = inners_[at].child[path[level].slot];
    }
    Leaf& leaf = leaves_[at];
    const int k = leaf.slot_of(score);
    if (!leaf.holds(k, score) || n_records_[positive] == 0) return false;
    --n_records_[positive];
    bool sound = true, empty;
    if (counted()) {
      lower += count(leaf, k, positive, -1);
      gain(lower, (positive ? leaf.n : leaf.p)[k], positive, paper_ ? positive : 0.5, -1);
      empty = leaf.n[k] + leaf.p[k] == 0;
    } else if (detailed()) {
      Detail& detail = details_[at];
      if (detail.count[positive][k] == 0) return false;
      --detail.count[positive][k];
      empty = detail.count[0][k] + detail.count[1][k] == 0;
      if (!empty) sound = take(leaf, detail, k, positive, weight);
    } else {
      (positive ? leaf.p : leaf.n)[k] -= 1;
      empty = leaf.n[k] + leaf.p[k] == 0;
    }
    if (empty) close(at, k);
    total_up(path, at);
    if (n_leaves_ > 8 + 4 * n_scores_ / kRankFan) compact();
    return sound;
  }

  // Only for an empty tree.
  void weigh(bool weighted) { weighted_ = weighted; }

  // Build from all records: clear, append in ascending order of scores (ties: the older first), finish.
  void clear() {
    leaves_.clear();
    details_.clear();
    inners_.clear();
    free_leaves_.clear();
    free_inners_.clear();
    groups_.clear();
    root_ = 0;
    height_ = 0;
    n_leaves_ = n_scores_ = n_subtracted_ = 0;
    n_records_[0] = n_records_[1] = 0;
    totals_ = {};
  }
  void append(double score, bool positive, double weight) {
    if (groups_.empty() || groups_.back().score != score) groups_.push_back({score, {}, {}, {}});
    Group& group = groups_.back();
    if (paper_ && !positive) group.tied.add(weight * group.sum[1].value());
    group.sum[positive].add(weight);
    ++group.count[positive];
    ++n_records_[positive];
  }
  void finish() {
    lay_out();
    groups_.clear();
  }

  const Totals& totals() const { return totals_; }
  std::int64_t n_records(bool positive) const { return n_records_[positive]; }
  // Removals since the tree was built from a score that other records share.
  std::size_t n_subtracted() const { return n_subtracted_; }

  // NaN with one class only, or with weights so far from 1 that their products overflow or underflow.
  double auc() const { return share(totals_.pairs); }
  double scored_auc() const { return share(totals_.scored, std::numeric_limits<double>::infinity()); }

  // In ascending order: score, weight of the negatives, weight of the positives.
  template <class F>
  void walk(F&& visit) const {
    if (!leaves_.empty()) walk(root_, height_, visit);
  }

  std::size_t nbytes() const {
    return sizeof *this + leaves_.capacity() * sizeof(Leaf) + details_.capacity() * sizeof(Detail) +
           inners_.capacity() * sizeof(Inner) + groups_.capacity() * sizeof(Group) +
           (free_leaves_.capacity() + free_inners_.capacity()) * sizeof(std::uint32_t);
  }

  void write(Writer& to) const {
    to.put(weighted_);
    to.put(root_);
    to.put(height_);
    to.put(std::uint64_t(n_leaves_));
    to.put(std::uint64_t(n_scores_));
    to.put(std::uint64_t(n_subtracted_));
    to.put(n_records_[0]);
    to.put(n_records_[1]);
    to.put(totals_.pairs);
    to.put(leaves_);
    to.put(details_);
    to.put(inners_);
    to.put(free_leaves_);
    to.put(free_inners_);
  }
  void load(Reader& from) {
    clear();
    weighted_ = from.get<bool>();
    root_ = from.get<std::uint32_t>();
    height_ = from.get<int>();
    n_leaves_ = from.get<std::uint64_t>();
    n_scores_ = from.get<std::uint64_t>();
    n_subtracted_ = from.get<std::uint64_t>();
    n_records_[0] = from.get<std::int64_t>();
    n_records_[1] = from.get<std::int64_t>();
    const auto pairs = from.get<double>();
    from.get(leaves_);
    from.get(details_, detailed() ? leaves_.size() : 0);
    from.get(inners_);
    from.get(free_leaves_);
    from.get(free_inners_);
    check();
    if (counted()) totals_.pairs = pairs;
  }

 private:
  using Leaf = RankLeaf;
  using Detail = RankDetail;
  using Inner = RankInner;
  using Group = RankGroup;

  static constexpr int kMostLevels = 16;
  // What is left must be at least this share of what was removed, or too few of its digits are right.
  static constexpr double kLeast = 0x1p-16;

  struct Step {
    std::uint32_t node;
    int slot;
  };

  bool scored_, paper_, weighted_;
  std::uint32_t root_ = 0;
  int height_ = 0;
  std::size_t n_leaves_ = 0, n_scores_ = 0, n_subtracted_ = 0;
  std::int64_t n_records_[2] = {0, 0};
  Totals totals_;
  std::vector<Leaf> leaves_;
  std::vector<Detail> details_;
  std::vector<Inner> inners_;
  std::vector<std::uint32_t> free_leaves_, free_inners_;
  std::vector<Group> groups_;  // only while the tree is being built

  // Whether records are counted only: then the pairs of the whole tree are kept as an exact number, and subtrees hold
  // the numbers of their records only.
  bool counted() const { return !weighted_ && !scored_; }
  bool detailed() const { return weighted_ || (paper_ && scored_); }

  // Count a record in or out at a slot; returns the records of the other class before that slot.
  template <class Node>
  static double count(Node& node, int slot, bool positive, double by) {
    (positive ? node.p : node.n)[slot] += by;
    return sum_before(positive ? node.n : node.p, slot);
  }

  // Add or remove the pairs of one record: `lower` records of the other class are below it, and `ties` have the same
  // score and count `share` of a pair each.
  void gain(double lower, double ties, bool positive, double share, double by) {
    const double right = positive ? lower : totals_.p - lower - ties;
    totals_.pairs += by * (right + share * ties);
    (positive ? totals_.p : totals_.n) += by;
  }

  double share(double of, double most = 1.0) const {
    const double pairs = totals_.n * totals_.p;
    const bool defined = n_records_[0] > 0 && n_records_[1] > 0 && pairs >= 1e-290 &&
                         pairs <= std::numeric_limits<double>::max();
    return defined ? std::clamp(of / pairs, 0.0, most) : std::numeric_limits<double>::quiet_NaN();
  }

  bool full(std::uint32_t node, int level) const {
    return level == 0 ? leaves_[node].size == kRankFan : inners_[node].size == kRankFan;
  }

  std::uint32_t new_leaf() {
    ++n_leaves_;
    std::uint32_t at = std::uint32_t(leaves_.size());
    if (free_leaves_.empty()) {
      leaves_.emplace_back();
      if (detailed()) details_.emplace_back();
    } else {
      at = free_leaves_.back();
      free_leaves_.pop_back();
      leaves_[at] = {};
      if (detailed()) details_[at] = {};
    }
    std::fill_n(leaves_[at].score, kRankFan, kNoScore);
    return at;
  }
  std::uint32_t new_inner() {
    std::uint32_t at = std::uint32_t(inners_.size());
    if (free_inners_.empty()) {
      inners_.emplace_back();
    } else {
      at = free_inners_.back();
      free_inners_.pop_back();
      inners_[at] = {};
    }
    std::fill_n(inners_[at].least, kRankFan, kNoScore);
    return at;
  }

  // Split a full child in two; the parent has room for the new one.
  void split(std::uint32_t parent, int slot, int level) {
    const std::uint32_t from = inners_[parent].child[slot];
    const std::uint32_t to = level == 1 ? new_leaf() : new_inner();
    double least;
    if (level == 1) {
      leaves_[from].split_to(leaves_[to]);
      if (detailed()) details_[from].split_to(details_[to]);
      least = leaves_[to].score[0];
    } else {
      least = inners_[from].split_to(inners_[to]);
    }
    Inner& above = inners_[parent];
    above.open(slot + 1);
    above.child[slot + 1] = to;
    above.least[slot + 1] = least;
    put(above, slot, total(from, level - 1));
    put(above, slot + 1, total(to, level - 1));
  }

  // A new score in a leaf that has room.
  void open(std::uint32_t at, int k, double score) {
    if (detailed()) details_[at].open(k, leaves_[at].size);
    leaves_[at].open(k, score);
    ++n_scores_;
  }
  // A score without records.
  void close(std::uint32_t at, int k) {
    if (detailed()) details_[at].close(k, leaves_[at].size);
    leaves_[at].close(k);
    --n_scores_;
  }

  // Remove a record from a score that others share.
  bool take(Leaf& leaf, Detail& detail, int k, bool positive, double weight) {
    ++n_subtracted_;
    const bool last = detail.count[positive][k] == 0;
    bool sound = true;
    if (paper_ && positive) {  // the oldest: all negatives of this score came after it
      const double gone = weight * leaf.n[k];
      detail.tied[k].add(-gone);
      sound = !weighted_ || detail.tied[k].value() >= kLeast * gone;
    }
    Sum& sum = detail.sum[positive][k];
    sum.add(-weight);
    sound = last || (sound && (!weighted_ || sum.value() >= kLeast * weight));
    if (last) {  // exactly zero: a class without records must not seem present
      sum = {};
      detail.tied[k] = {};
    }
    (positive ? leaf.p : leaf.n)[k] = sum.value();
    return sound;
  }

  Totals total(std::uint32_t node, int level) const {
    return level == 0 ? leaf_total(node) : Totals::of(inners_[node], scored_);
  }
  Totals leaf_total(std::uint32_t at) const {
    return Totals::of(leaves_[at], paper_ && detailed() ? &details_[at] : nullptr, scored_);
  }

  void put(Inner& node, int slot, const Totals& t) {
    node.n[slot] = t.n;
    node.p[slot] = t.p;
    if (!counted()) node.pairs[slot] = t.pairs;
    if (!scored_) return;
    node.n_score[slot] = t.n_score;
    node.p_score[slot] = t.p_score;
    node.scored[slot] = t.scored;
  }

  // Update everything above a leaf that has changed, and remove empty nodes.
  void total_up(const Step* path, std::uint32_t leaf) {
    const bool empty = leaves_[leaf].size == 0;
    if (!empty && counted()) return;
    if (empty && height_ == 0) return clear();
    int level = 1;
    if (empty) level = prune(path, leaf);
    if (!counted()) {
      Totals t = empty ? Totals::of(inners_[path[level].node], scored_) : leaf_total(leaf);
      for (level += empty; level <= height_; ++level) {
        Inner& node = inners_[path[level].node];
        put(node, path[level].slot, t);
        t = Totals::of(node, scored_);
      }
      totals_ = t;
    }
    while (height_ > 0 && inners_[root_].size == 1) {
      free_inners_.push_back(root_);
      root_ = inners_[root_].child[0];
      --height_;
    }
  }

  // Remove an empty leaf and the nodes above it that become empty; returns the lowest level that does not. The root has
  // at least two children, so something is left.
  int prune(const Step* path, std::uint32_t leaf) {
    free_leaves_.push_back(leaf);
    --n_leaves_;
    for (int level = 1;; ++level) {
      Inner& node = inners_[path[level].node];
      node.close(path[level].slot);
      if (node.size > 0) return level;
      free_inners_.push_back(path[level].node);
    }
  }

  template <class F>
  void walk(std::uint32_t at, int level, F& visit) const {
    if (level == 0) {
      const Leaf& leaf = leaves_[at];
      for (int k = 0; k < leaf.size; ++k) visit(leaf.score[k], leaf.n[k], leaf.p[k]);
      return;
    }
    const Inner& node = inners_[at];
    for (int k = 0; k < node.size; ++k) walk(node.child[k], level - 1, visit);
  }

  // Too many leaves are nearly empty: build the tree of the same scores again.
  void compact() {
    std::vector<Group> groups;
    groups.reserve(n_scores_);
    gather(root_, height_, groups);
    const std::int64_t n_records[2] = {n_records_[0], n_records_[1]};
    const std::size_t n_subtracted = n_subtracted_;
    const double pairs = totals_.pairs;
    clear();
    n_records_[0] = n_records[0];
    n_records_[1] = n_records[1];
    n_subtracted_ = n_subtracted;
    groups_ = std::move(groups);
    finish();
    if (counted()) totals_.pairs = pairs;
  }
  void gather(std::uint32_t at, int level, std::vector<Group>& groups) const {
    if (level > 0) {
      for (int k = 0; k < inners_[at].size; ++k) gather(inners_[at].child[k], level - 1, groups);
      return;
    }
    const Leaf& leaf = leaves_[at];
    for (int k = 0; k < leaf.size; ++k) {
      Group group{leaf.score[k], {{leaf.n[k], 0}, {leaf.p[k], 0}}, {}, {}};
      if (detailed()) {
        const Detail& detail = details_[at];
        group = {leaf.score[k], {detail.sum[0][k], detail.sum[1][k]}, detail.tied[k],
                 {detail.count[0][k], detail.count[1][k]}};
      }
      groups.push_back(group);
    }
  }

  // Fill leaves and inner nodes to three quarters from the groups, which are in order.
  void lay_out() {
    if (groups_.empty()) return;
    constexpr std::size_t fill = 3 * kRankFan / 4;
    std::vector<std::uint32_t> nodes, above;
    std::vector<double> least, least_above;
    n_scores_ = groups_.size();
    for (std::size_t g = 0; g < groups_.size(); g += fill) {
      const std::uint32_t at = new_leaf();
      Leaf& leaf = leaves_[at];
      leaf.size = int(std::min(fill, groups_.size() - g));
      for (int k = 0; k < leaf.size; ++k) {
        const Group& group = groups_[g + k];
        leaf.score[k] = group.score;
        leaf.n[k] = group.sum[0].value();
        leaf.p[k] = group.sum[1].value();
        if (!detailed()) continue;
        Detail& detail = details_[at];
        for (int c = 0; c < 2; ++c) {
          detail.sum[c][k] = group.sum[c];
          detail.count[c][k] = group.count[c];
        }
        detail.tied[k] = group.tied;
      }
      nodes.push_back(at);
      least.push_back(leaf.score[0]);
    }
    for (height_ = 0; nodes.size() > 1; ++height_) {
      above.clear();
      least_above.clear();
      for (std::size_t g = 0; g < nodes.size(); g += fill) {
        const std::uint32_t at = new_inner();
        Inner& node = inners_[at];
        node.size = int(std::min(fill, nodes.size() - g));
        for (int k = 0; k < node.size; ++k) {
          node.child[k] = nodes[g + k];
          node.least[k] = least[g + k];
          put(node, k, total(nodes[g + k], height_));
        }
        above.push_back(at);
        least_above.push_back(least[g]);
      }
      nodes.swap(above);
      least.swap(least_above);
    }
    root_ = nodes[0];
    totals_ = total(root_, height_);
    if (!counted()) return;
    totals_.pairs = 0;
    double n = 0;
    for (const Group& group : groups_) {
      const double tied = paper_ ? group.tied.value() : 0.5 * group.sum[0].high * group.sum[1].high;
      totals_.pairs += n * group.sum[1].high + tied;
      n += group.sum[0].high;
    }
  }

  // Check a loaded tree: every node is used once or free, and scores ascend. All sums are computed again.
  void check() {
    const auto damaged = [] { throw std::invalid_argument("damaged state: an order of scores"); };
    if (height_ < 0 || height_ >= kMostLevels) damaged();
    std::vector<std::uint8_t> leaf_used(leaves_.size()), inner_used(inners_.size());
    for (std::uint32_t at : free_leaves_)
      if (at >= leaves_.size() || leaf_used[at]++) damaged();
    for (std::uint32_t at : free_inners_)
      if (at >= inners_.size() || inner_used[at]++) damaged();
    std::size_t n_leaves = 0, n_scores = 0;
    double last = kNoScore;
    const auto visit = [&](const auto& self, std::uint32_t at, int level) -> void {
      if (level == 0) {
        if (at >= leaves_.size() || leaf_used[at]++) damaged();
        const Leaf& leaf = leaves_[at];
        if (leaf.size < 1 || leaf.size > kRankFan) damaged();
        for (int k = 0; k < kRankFan; ++k) {
          if (std::isnan(leaf.score[k]) != (k >= leaf.size) || leaf.score[k] <= last) damaged();
          if (k < leaf.size) last = leaf.score[k];
        }
        ++n_leaves;
        n_scores += std::size_t(leaf.size);
        return;
      }
      if (at >= inners_.size() || inner_used[at]++) damaged();
      Inner& node = inners_[at];
      if (node.size < 1 || node.size > kRankFan) damaged();
      for (int k = 0; k < kRankFan; ++k) {
        if (k > 0 && std::isnan(node.least[k]) != (k >= node.size)) damaged();
        if (k >= node.size) continue;
        if (k > 0 && node.least[k] <= last) damaged();
        self(self, node.child[k], level - 1);
        put(node, k, total(node.child[k], level - 1));
      }
    };
    if (!leaves_.empty()) {
      visit(visit, root_, height_);
      totals_ = total(root_, height_);
    }
    const auto all = [](const std::vector<std::uint8_t>& used) {
      return std::all_of(used.begin(), used.end(), [](std::uint8_t u) { return u == 1; });
    };
    if (!all(leaf_used) || !all(inner_used) || n_leaves != n_leaves_ || n_scores != n_scores_) damaged();
  }
};

}  // namespace prequential
