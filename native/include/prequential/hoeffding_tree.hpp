// Hoeffding tree (VFDT, Domingos & Hulten 2000): a leaf is split as soon as Hoeffding's bound says that, with high
// probability, the best split so far is the best one. If memory is bounded, the least promising leaves stop looking for
// splits.
#pragma once
#include "prequential/leaf_memory.hpp"

namespace prequential {

class HoeffdingTree final : public Renewable {
 public:
  // max_bytes 0: no bound.
  HoeffdingTree(int n_classes, std::vector<std::int32_t> cardinality, const TreeRules& rules, std::uint64_t max_bytes,
                std::uint64_t seed)
      : rules_(rules), cardinality_(std::move(cardinality)), features_(cardinality_), max_bytes_(max_bytes),
        seed_(seed), n_classes_(n_classes) {
    nodes_.push_back({{}, add_leaf({})});
    metric();
  }

  const char* kind() const override { return "hoeffding_tree"; }
  int n_classes() const override { return n_classes_; }
  void grow(int n_classes) override { n_classes_ = std::max(n_classes_, n_classes); }
  void widen(const std::vector<std::int32_t>& cardinality) override {
    const Features wider(cardinality);
    for (const auto& leaf : leaves_) leaf->widen(features_, wider);
    features_ = wider;
    cardinality_ = cardinality;
    metric();
  }

  void scores(const double* x, double* out) const override {
    leaves_[leaf_to_ask(x)]->scores(rules_, features_, x, out, n_classes_);
  }
  // A prediction depends on its leaf, as long as the path to it is the same.
  void scores_on(const double* x, double* out, Basis& basis) const override {
    const std::size_t leaf = leaf_to_ask(x);
    basis.place = leaf;
    basis.stamp = leaves_[leaf]->stamp();
    basis.version = shape_;
    basis.kept = Basis::kNever;
    leaves_[leaf]->scores(rules_, features_, x, out, n_classes_);
  }
  bool holds(const double*, const Basis& basis) const override {
    return basis.version == shape_ && basis.stamp == leaves_[basis.place]->stamp();
  }
  std::size_t n_terms() const override {
    return rules_.prediction == TreeRules::Prediction::majority ? 0 : std::size_t(n_classes_);
  }
  void renew(const Asked& asked, const std::vector<std::size_t>& rows, std::vector<std::size_t>& stale,
             std::vector<std::int32_t>& answers) const override {
    bool several_leaves = false;
    for (const std::size_t i : rows) {
      Basis& basis = asked.bases[i];
      if (HoeffdingTree::holds(nullptr, basis)) continue;
      if (basis.version != shape_) {
        basis.place = leaf_to_ask(asked.record(i));
        basis.version = shape_;
        basis.kept = Basis::kNever;
      }
      several_leaves = several_leaves || (!stale.empty() && basis.place != asked.bases[stale.back()].place);
      stale.push_back(i);
    }
    const auto place = [&](std::size_t i) { return asked.bases[i].place; };
    if (several_leaves) std::ranges::sort(stale, {}, place);
    for (std::span<const std::size_t> rest(stale); !rest.empty();) {
      const auto end = std::ranges::find_if(rest, [&](std::size_t i) { return place(i) != place(rest.front()); });
      const auto of_one = rest.first(std::size_t(end - rest.begin()));
      leaves_[place(rest.front())]->renew(rules_, features_, asked, of_one, n_classes_, answers);
      rest = rest.subspan(of_one.size());
    }
  }

  void learn(const double* x, int y, double w) override {
    const Place place = place_of(x);
    HoeffdingLeaf& leaf = *leaves_[place.leaf];
    shape_ += !(leaf.weight() > 0);
    const std::size_t before = leaf.nbytes(), table_before = leaf.table_nbytes();
    leaf.learn(rules_, features_, x, y, w);
    note(leaf, before, table_before);
    after_learning(place, y);
  }
  void score_then_learn(const double* x, int y, double w, double* out) override {
    const Place place = place_of(x);
    HoeffdingLeaf& leaf = *leaves_[place.leaf];
    const std::size_t before = leaf.nbytes(), table_before = leaf.table_nbytes();
    if (leaf.weight() > 0) {
      leaf.score_then_learn(rules_, features_, x, y, w, out, n_classes_);
    } else {
      scores(x, out);
      leaf.learn(rules_, features_, x, y, w);
      ++shape_;
    }
    note(leaf, before, table_before);
    after_learning(place, y);
  }

  Facts facts() const override {
    std::uint64_t n_active = 0;
    for (const auto& leaf : leaves_) n_active += leaf->active();
    return {{"n_leaves", leaves_.size()}, {"n_active_leaves", n_active}, {"depth", depth_below(0)}};
  }

  std::unique_ptr<Learner> fresh(std::uint64_t seed) const override {
    return std::make_unique<HoeffdingTree>(n_classes_, cardinality_, rules_, max_bytes_, seed);
  }

  std::size_t nbytes() const override {
    std::size_t n = allocated(sizeof *this) + bytes_of(cardinality_) + features_.nbytes() + bytes_of(nodes_) +
                    bytes_of(leaves_) + bytes_of(learned_);
    for (const auto& leaf : leaves_) n += leaf->nbytes();
    return n;
  }

  void write(Writer& to) const override {
    to.put(cardinality_);
    to.put(n_classes_);
    to.put(seed_);
    to.put(n_born_);
    to.put(since_fit_);
    to.put(learned_);
    to.put(nodes_);
    to.put(std::uint64_t(leaves_.size()));
    for (std::size_t capacity : {nodes_.capacity(), leaves_.capacity()}) to.put(std::uint64_t(capacity));
    for (const auto& leaf : leaves_) leaf->write(to);
  }
  void read(Reader& from) override {
    std::vector<std::int32_t> cardinality;
    from.get(cardinality, cardinality_.size());
    check_same_kinds(cardinality, cardinality_);
    const int n_classes = from.get<int>();
    const auto seed = from.get<std::uint64_t>();
    HoeffdingTree other(n_classes, std::move(cardinality), rules_, max_bytes_, seed);
    other.shape_ = shape_ + 1;  // old predictions do not depend on this tree
    for (auto* n : {&other.n_born_, &other.since_fit_}) *n = from.get<std::uint64_t>();
    from.get(other.learned_);
    from.get(other.nodes_);
    const auto n_leaves = from.get<std::uint64_t>();
    const auto node_capacity = from.get<std::uint64_t>(), leaf_capacity = from.get<std::uint64_t>();
    if (n_leaves > other.nodes_.size() || node_capacity > 2 * other.nodes_.size() || leaf_capacity > 2 * n_leaves)
      throw std::invalid_argument("damaged state: the leaves of a tree");
    other.nodes_.reserve(node_capacity);
    other.leaves_.clear();
    other.leaves_.reserve(leaf_capacity);
    for (std::uint64_t i = 0; i < n_leaves; ++i)
      other.leaves_.push_back(std::make_unique<HoeffdingLeaf>(HoeffdingLeaf::from(from, features_)));
    other.check();
    other.metric();
    *this = std::move(other);
  }

 private:
  struct Node {
    Split split;            // feature -1: a leaf
    std::int64_t next = 0;  // the first of its children, which are next to each other, or the leaf
  };
  struct Place {
    std::size_t node, leaf;
    int depth;
  };

  TreeRules rules_;
  std::vector<std::int32_t> cardinality_;
  Features features_;
  std::uint64_t max_bytes_, seed_;
  int n_classes_;
  std::uint64_t n_born_ = 0;                           // leaves so far
  std::vector<char> learned_;                          // [class]: was it ever seen?
  std::vector<Node> nodes_;                            // the root first
  std::vector<std::unique_ptr<HoeffdingLeaf>> leaves_;
  std::size_t bytes_ = 0, table_bytes_ = 0;            // of the tree, and of the tables of its leaves
  std::uint64_t since_fit_ = 0;                        // records learned since `fit`
  std::uint64_t shape_ = 0;                            // changes if records may be in other leaves, or leaves may
                                                       // predict differently without learning

  std::int64_t add_leaf(std::vector<double> counts) {
    leaves_.push_back(std::make_unique<HoeffdingLeaf>(std::move(counts), features_,
                                                      drawn_features(features_, rules_, seed_, n_born_++)));
    return std::int64_t(leaves_.size()) - 1;
  }

  Place place_of(const double* x) const {
    std::size_t at = 0;
    int depth = 0;
    for (; nodes_[at].split.feature >= 0; ++depth) at = std::size_t(nodes_[at].next + nodes_[at].split.branch(x));
    return {at, std::size_t(nodes_[at].next), depth};
  }
  // The leaf that predicts. If the leaf of a record has seen nothing, it is the leaf of the branch with most records.
  std::size_t leaf_to_ask(const double* x) const {
    std::size_t at = 0;
    while (nodes_[at].split.feature >= 0) {
      const std::size_t first = std::size_t(nodes_[at].next), next = first + std::size_t(nodes_[at].split.branch(x));
      at = is_empty(nodes_[next]) ? first + std::size_t(nodes_[at].split.fallback) : next;
    }
    return std::size_t(nodes_[at].next);
  }
  bool is_empty(const Node& node) const {
    return node.split.feature < 0 && !(leaves_[std::size_t(node.next)]->weight() > 0);
  }

  void metric() {
    bytes_ = nbytes();
    table_bytes_ = 0;
    for (const auto& leaf : leaves_) table_bytes_ += leaf->table_nbytes();
  }
  void note(const HoeffdingLeaf& leaf, std::size_t before, std::size_t table_before) {
    bytes_ += leaf.nbytes() - before;
    table_bytes_ += leaf.table_nbytes() - table_before;
    ++since_fit_;
    if (max_bytes_ > 0 && bytes_ > max_bytes_) fit(0);
  }
  void fit(std::size_t room) {
    std::vector<HoeffdingLeaf*> leaves;
    for (const auto& leaf : leaves_) leaves.push_back(leaf.get());
    fit_memory(leaves, features_, bytes_, room, max_bytes_);
    ++shape_;
    metric();
    since_fit_ = 0;
  }

  void after_learning(const Place& place, int y) {
    if (std::size_t(y) >= learned_.size()) {
      resize_exactly(learned_, std::size_t(y) + 1);
      metric();
    }
    learned_[std::size_t(y)] = 1;
    if (place.depth >= kMostDepth || !leaves_[place.leaf]->due(rules_)) return;
    const int n_learned = int(std::count(learned_.begin(), learned_.end(), 1));
    if (auto division = leaves_[place.leaf]->split(rules_, features_, n_learned)) grow_at(place, *division);
  }

  void grow_at(const Place& place, const Division& division) {
    const int n = division.split.n_branches;
    const std::size_t C = division.counts.size() / std::size_t(n);
    if (max_bytes_ > 0 && !fits(place, std::size_t(n))) return;
    bytes_ -= leaves_[place.leaf]->nbytes() + bytes_of(nodes_) + bytes_of(leaves_);
    table_bytes_ -= leaves_[place.leaf]->table_nbytes();
    ++shape_;
    nodes_[place.node].split = division.split;
    nodes_[place.node].next = std::int64_t(nodes_.size());
    for (int b = 0; b < n; ++b) {
      const auto from = division.counts.begin() + std::ptrdiff_t(std::size_t(b) * C);
      std::vector<double> counts(from, from + std::ptrdiff_t(C));
      if (b == 0) {  // replaces the leaf that is split
        leaves_[place.leaf] = std::make_unique<HoeffdingLeaf>(std::move(counts), features_,
                                                              drawn_features(features_, rules_, seed_, n_born_++));
        nodes_.push_back({{}, std::int64_t(place.leaf)});
      } else {
        nodes_.push_back({{}, add_leaf(std::move(counts))});
      }
      const HoeffdingLeaf& child = *leaves_[std::size_t(nodes_.back().next)];
      bytes_ += child.nbytes();
      table_bytes_ += child.table_nbytes();
    }
    bytes_ += bytes_of(nodes_) + bytes_of(leaves_);
    if (max_bytes_ > 0 && bytes_ > max_bytes_) fit(0);
  }

  // Whether there is room for n leaves in place of one. If not, the tables go to the most promising leaves again now
  // and then.
  bool fits(const Place& place, std::size_t n) {
    const std::size_t more = n * leaves_[place.leaf]->newborn_nbytes(features_) + bytes_with(nodes_, n) -
                             bytes_of(nodes_) + bytes_with(leaves_, n) - bytes_of(leaves_);
    if (!leaves_room(bytes_ - table_bytes_ + more, leaves_[place.leaf]->table_nbytes(), max_bytes_)) {
      if (since_fit_ > leaves_.size()) fit(0);
      return false;
    }
    if (bytes_ + more > max_bytes_) fit(more);
    return leaves_[place.leaf]->active();
  }

  std::size_t depth_below(std::size_t at) const {
    const Node& node = nodes_[at];
    if (node.split.feature < 0) return 0;
    std::size_t most = 0;
    for (int b = 0; b < node.split.n_branches; ++b) most = std::max(most, depth_below(std::size_t(node.next) + b));
    return 1 + most;
  }

  // Check a loaded tree: children come after their parent, and each leaf is used once.
  void check() const {
    bool sound = n_classes_ >= 0 && n_classes_ <= (1 << 20) && !nodes_.empty() && learned_.size() <= std::size_t(n_classes_);
    std::vector<char> known(nodes_.size()), used(leaves_.size());
    if (sound) known[0] = 1;
    for (std::size_t i = 0; sound && i < nodes_.size(); ++i) {
      const auto& [split, next] = nodes_[i];
      if (split.feature < 0) {
        sound = next >= 0 && std::size_t(next) < leaves_.size() && !used[std::size_t(next)];
        if (sound) used[std::size_t(next)] = 1;
        continue;
      }
      sound = prequential::sound(split, cardinality_.size()) && next > std::int64_t(i) && std::size_t(next) <= nodes_.size() &&
              std::size_t(split.n_branches) <= nodes_.size() - std::size_t(next);
      for (int b = 0; sound && b < split.n_branches; ++b) {
        sound = !known[std::size_t(next) + std::size_t(b)];
        known[std::size_t(next) + std::size_t(b)] = 1;
      }
    }
    for (char k : known) sound = sound && k;
    for (char u : used) sound = sound && u;
    for (const auto& leaf : leaves_) sound = sound && leaf->counts().size() <= std::size_t(n_classes_);
    if (!sound) throw std::invalid_argument("damaged state: the nodes of a tree");
  }
};

}  // namespace prequential
