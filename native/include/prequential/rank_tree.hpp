// Scores of two classes in order: how many pairs of a positive and a negative record are ranked the right way round?
//
// A B+ tree over the different scores. Each score holds the weight of its negatives (n) and of its positives (p); each
// subtree holds their sums and the pairs inside it. What a change touches is computed anew from its children, on the way
// back to the root: pairs of real weights are never subtracted, so nothing can drift, and a huge weight leaves nothing
// behind. With weights of 1 the pairs are a whole number (or a half), kept as one: what a record adds or takes is found on
// the way down, exact up to 2^26 records. Insertion and removal are O(log scores), reading is O(1).
//
// The file is long because a B+ tree is: search, split, prune, compact, lay out and check each have their turn.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "prequential/bytes.hpp"
#include "prequential/sum.hpp"

namespace prequential {

class RankTree {
 public:
  // Of records in ascending order of their scores. `scored` sums (positive score - negative score) over the right pairs.
  struct Totals {
    double n = 0, p = 0, pairs = 0, n_score = 0, p_score = 0, scored = 0;
  };

  // paper: of a tied pair, the record that came first is ranked higher (Brzezinski and Stefanowski); otherwise it counts
  // one half. scored: keep what the scored AUC needs. weighted: some weight may be other than 1.
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
    double lower = 0;  // records of the other class with a lower score, while all is counted
    for (int level = height_; level > 0; --level) {
      int slot = slot_of(inners_[at], score);
      if (full(inners_[at].child[slot], level - 1)) {
        split(at, slot, level);
        if (score >= inners_[at].least[slot + 1]) ++slot;
      }
      path[level] = {at, slot};
      if (counted()) lower += count(inners_[at], slot, positive, 1);
      at = inners_[at].child[slot];
    }
    Leaf& leaf = leaves_[at];
    const int k = place_of(leaf, score);
    if (k == leaf.size || leaf.score[k] != score) open(at, k, score);
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

  // Removes the oldest record of this score; false if it left so little that digits were lost: then the tree is to be
  // built anew.
  bool remove(double score, bool positive, double weight) {
    if (leaves_.empty()) return false;
    Step path[kMostLevels];
    std::uint32_t at = root_;
    double lower = 0;
    for (int level = height_; level > 0; --level) {
      path[level] = {at, slot_of(inners_[at], score)};
      if (counted()) lower += count(inners_[at], path[level].slot, positive, -1);
      at = inners_[at].child[path[level].slot];
    }
    Leaf& leaf = leaves_[at];
    const int k = place_of(leaf, score);
    if (k == leaf.size || leaf.score[k] != score || n_records_[positive] == 0) return false;
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
    if (n_leaves_ > 8 + 4 * n_scores_ / kLeaf) compact();
    return sound;
  }

  // Of an empty tree.
  void weigh(bool weighted) { weighted_ = weighted; }

  // All records at once, in ascending order of scores, the older before the younger where they tie.
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
  // Removals since the tree was built that left something of their score.
  std::size_t n_subtracted() const { return n_subtracted_; }

  // NaN with one class only, or with weights so far from 1 that their products are no numbers.
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
  static constexpr int kLeaf = 32, kFan = 32, kMostLevels = 16;
  static constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();  // no score is below it, or above
  // What is left must keep this share of what goes, or too few digits of it are right.
  static constexpr double kLeast = 0x1p-16;

  using Two = double __attribute__((vector_size(16)));

  struct Leaf {
    double score[kLeaf], n[kLeaf], p[kLeaf];  // ascending; kNothing after the last
    int size;
  };
  struct Detail {  // beside a leaf, where weights or the paper's rule need it
    Sum sum[2][kLeaf], tied[kLeaf];
    std::uint32_t count[2][kLeaf];
  };
  struct Inner {
    double least[kFan];  // no score of the child is lower (of the first child: not kept)
    double n[kFan], p[kFan], pairs[kFan], n_score[kFan], p_score[kFan], scored[kFan];
    std::uint32_t child[kFan];
    int size;
  };
  struct Step {
    std::uint32_t node;
    int slot;
  };
  struct Group {
    double score;
    Sum sum[2], tied;
    std::uint32_t count[2];
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

  // Records alone are to be counted: then the pairs of the whole are kept as a whole number, and of subtrees nothing but
  // their records.
  bool counted() const { return !weighted_ && !scored_; }
  bool detailed() const { return weighted_ || (paper_ && scored_); }

  // Counts a record in or out at a slot; returns the records of the other class before that slot.
  template <class Node>
  static double count(Node& node, int slot, bool positive, double by) {
    (positive ? node.p : node.n)[slot] += by;
    return before(positive ? node.n : node.p, slot);
  }
  template <int K>
  static double before(const double (&values)[K], int slot) {  // without a branch
    static constexpr auto ones = [] {
      std::array<double, 2 * K> made{};
      for (int k = 0; k < K; ++k) made[k] = 1;
      return made;
    }();
    const double* on = ones.data() + K - slot;
    double sums[4] = {};
    for (int k = 0; k < K; k += 4)
      for (int j = 0; j < 4; ++j) sums[j] += values[k + j] * on[k + j];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  // The pairs of one record, with `lower` of the other class below it and `ties` beside it, each for `share` of a pair.
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

  // The child that holds this score, if any does.
  static int slot_of(const Inner& node, double score) {
    return n_true(node.least, [score](Two values) { return values <= score; }) - (node.least[0] <= score);
  }
  static int place_of(const Leaf& leaf, double score) {
    return n_true(leaf.score, [score](Two values) { return values < score; });
  }

  // Of how many values something is true, two at a time: a search by halves would guess wrong at every step.
  template <int K, class F>
  static int n_true(const double (&values)[K], F&& test) {
    decltype(test(Two{})) odd{}, even{};
    for (int k = 0; k < K; k += 4) {
      Two first, second;
      std::memcpy(&first, values + k, sizeof first);
      std::memcpy(&second, values + k + 2, sizeof second);
      odd -= test(first);  // true is -1
      even -= test(second);
    }
    odd += even;
    return int(odd[0] + odd[1]);
  }

  bool full(std::uint32_t node, int level) const {
    return level == 0 ? leaves_[node].size == kLeaf : inners_[node].size == kFan;
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
    std::fill_n(leaves_[at].score, kLeaf, kNothing);
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
    std::fill_n(inners_[at].least, kFan, kNothing);
    return at;
  }

  // Cuts a full child in two; there is room for the new one.
  void split(std::uint32_t parent, int slot, int level) {
    const std::uint32_t from = inners_[parent].child[slot];
    const std::uint32_t to = level == 1 ? new_leaf() : new_inner();
    double least;
    if (level == 1) {
      constexpr int half = kLeaf / 2;
      Leaf &low = leaves_[from], &high = leaves_[to];
      for (auto member : {&Leaf::score, &Leaf::n, &Leaf::p}) std::copy_n(low.*member + half, half, high.*member);
      if (detailed()) {
        Detail &old = details_[from], &fresh = details_[to];
        for (int c = 0; c < 2; ++c) {
          std::copy_n(old.sum[c] + half, half, fresh.sum[c]);
          std::copy_n(old.count[c] + half, half, fresh.count[c]);
        }
        std::copy_n(old.tied + half, half, fresh.tied);
      }
      std::fill_n(low.score + half, half, kNothing);
      low.size = high.size = half;
      least = high.score[0];
    } else {
      constexpr int half = kFan / 2;
      Inner &low = inners_[from], &high = inners_[to];
      for (auto member : {&Inner::least, &Inner::n, &Inner::p, &Inner::pairs, &Inner::n_score, &Inner::p_score,
                          &Inner::scored})
        std::copy_n(low.*member + half, half, high.*member);
      std::copy_n(low.child + half, half, high.child);
      least = low.least[half];
      std::fill_n(low.least + half, half, kNothing);
      low.size = high.size = half;
    }
    Inner& above = inners_[parent];
    shift(above, slot + 1, 1);
    above.child[slot + 1] = to;
    above.least[slot + 1] = least;
    put(above, slot, total(from, level - 1));
    put(above, slot + 1, total(to, level - 1));
  }

  // Makes room at a slot (by = 1), or closes it (by = -1).
  static void shift(Inner& node, int slot, int by) {
    const auto move = [&](auto* values) {
      if (by > 0) {
        std::copy_backward(values + slot, values + node.size, values + node.size + 1);
      } else {
        std::copy(values + slot + 1, values + node.size, values + slot);
      }
    };
    for (auto member : {&Inner::least, &Inner::n, &Inner::p, &Inner::pairs, &Inner::n_score, &Inner::p_score,
                        &Inner::scored})
      move(node.*member);
    move(node.child);
    node.size += by;
    if (by < 0) node.least[node.size] = kNothing;
  }

  // A new score in a leaf that has room.
  void open(std::uint32_t at, int k, double score) {
    Leaf& leaf = leaves_[at];
    for (auto member : {&Leaf::score, &Leaf::n, &Leaf::p}) {
      double* values = leaf.*member;
      std::copy_backward(values + k, values + leaf.size, values + leaf.size + 1);
    }
    leaf.score[k] = score;
    leaf.n[k] = leaf.p[k] = 0;
    if (detailed()) {
      Detail& detail = details_[at];
      for (int c = 0; c < 2; ++c) {
        std::copy_backward(detail.sum[c] + k, detail.sum[c] + leaf.size, detail.sum[c] + leaf.size + 1);
        std::copy_backward(detail.count[c] + k, detail.count[c] + leaf.size, detail.count[c] + leaf.size + 1);
        detail.sum[c][k] = {};
        detail.count[c][k] = 0;
      }
      std::copy_backward(detail.tied + k, detail.tied + leaf.size, detail.tied + leaf.size + 1);
      detail.tied[k] = {};
    }
    ++leaf.size;
    ++n_scores_;
  }

  // A score that nothing is left of.
  void close(std::uint32_t at, int k) {
    Leaf& leaf = leaves_[at];
    for (auto member : {&Leaf::score, &Leaf::n, &Leaf::p}) {
      double* values = leaf.*member;
      std::copy(values + k + 1, values + leaf.size, values + k);
    }
    if (detailed()) {
      Detail& detail = details_[at];
      for (int c = 0; c < 2; ++c) {
        std::copy(detail.sum[c] + k + 1, detail.sum[c] + leaf.size, detail.sum[c] + k);
        std::copy(detail.count[c] + k + 1, detail.count[c] + leaf.size, detail.count[c] + k);
      }
      std::copy(detail.tied + k + 1, detail.tied + leaf.size, detail.tied + k);
    }
    leaf.score[--leaf.size] = kNothing;
    --n_scores_;
  }

  // Takes a record from a score that others share.
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
    if (last) {  // exactly nothing: a class that has gone must not seem present
      sum = {};
      detail.tied[k] = {};
    }
    (positive ? leaf.p : leaf.n)[k] = sum.value();
    return sound;
  }

  Totals total(std::uint32_t node, int level) const {
    return level == 0 ? total(leaves_[node], node) : total(inners_[node]);
  }

  Totals total(const Leaf& leaf, std::uint32_t at) const {
    Totals t;
    if (paper_ && detailed()) {
      for (int k = 0; k < leaf.size; ++k) {
        t.pairs += leaf.p[k] * t.n + details_[at].tied[k].value();
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
    if (scored_) {
      double n = 0;
      for (int k = 0; k < leaf.size; ++k) {
        if (!std::isfinite(leaf.score[k])) {  // right in no pair
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

  Totals total(const Inner& node) const {
    Totals t;
    if (scored_) {
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

  void put(Inner& node, int slot, const Totals& t) {
    node.n[slot] = t.n;
    node.p[slot] = t.p;
    if (!counted()) node.pairs[slot] = t.pairs;
    if (!scored_) return;
    node.n_score[slot] = t.n_score;
    node.p_score[slot] = t.p_score;
    node.scored[slot] = t.scored;
  }

  // Everything above a leaf that has changed; what has become empty goes.
  void total_up(const Step* path, std::uint32_t leaf) {
    const bool empty = leaves_[leaf].size == 0;
    if (!empty && counted()) return;
    if (empty && height_ == 0) return clear();
    int level = 1;
    if (empty) level = prune(path, leaf);
    if (!counted()) {
      Totals t = empty ? total(inners_[path[level].node]) : total(leaves_[leaf], leaf);
      for (level += empty; level <= height_; ++level) {
        Inner& node = inners_[path[level].node];
        put(node, path[level].slot, t);
        t = total(node);
      }
      totals_ = t;
    }
    while (height_ > 0 && inners_[root_].size == 1) {
      free_inners_.push_back(root_);
      root_ = inners_[root_].child[0];
      --height_;
    }
  }

  // Takes away an empty leaf, and what is empty above it; returns the lowest level that is not. The root has two children
  // at least, so something is left.
  int prune(const Step* path, std::uint32_t leaf) {
    free_leaves_.push_back(leaf);
    --n_leaves_;
    for (int level = 1;; ++level) {
      Inner& node = inners_[path[level].node];
      shift(node, path[level].slot, -1);
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

  // Too many leaves are nearly empty: lay the same scores out anew.
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

  // Leaves and inner nodes three quarters full, from the groups in order.
  void lay_out() {
    if (groups_.empty()) return;
    constexpr std::size_t leaf_fill = 3 * kLeaf / 4, fill = 3 * kFan / 4;
    std::vector<std::uint32_t> nodes, above;
    std::vector<double> least, least_above;
    n_scores_ = groups_.size();
    for (std::size_t g = 0; g < groups_.size(); g += leaf_fill) {
      const std::uint32_t at = new_leaf();
      Leaf& leaf = leaves_[at];
      leaf.size = int(std::min(leaf_fill, groups_.size() - g));
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

  // Of bytes: every node is used once, or free; scores ascend; sums are those of the records.
  void check() {
    const auto damaged = [] { throw std::invalid_argument("damaged state: an order of scores"); };
    if (height_ < 0 || height_ >= kMostLevels) damaged();
    std::vector<std::uint8_t> leaf_used(leaves_.size()), inner_used(inners_.size());
    for (std::uint32_t at : free_leaves_)
      if (at >= leaves_.size() || leaf_used[at]++) damaged();
    for (std::uint32_t at : free_inners_)
      if (at >= inners_.size() || inner_used[at]++) damaged();
    std::size_t n_leaves = 0, n_scores = 0;
    double last = kNothing;
    const auto visit = [&](const auto& self, std::uint32_t at, int level) -> void {
      if (level == 0) {
        if (at >= leaves_.size() || leaf_used[at]++) damaged();
        const Leaf& leaf = leaves_[at];
        if (leaf.size < 1 || leaf.size > kLeaf) damaged();
        for (int k = 0; k < kLeaf; ++k) {
          if (std::isnan(leaf.score[k]) != (k >= leaf.size) || leaf.score[k] <= last) damaged();
          if (k < leaf.size) last = leaf.score[k];
        }
        ++n_leaves;
        n_scores += std::size_t(leaf.size);
        return;
      }
      if (at >= inners_.size() || inner_used[at]++) damaged();
      Inner& node = inners_[at];
      if (node.size < 1 || node.size > kFan) damaged();
      for (int k = 0; k < kFan; ++k) {
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
