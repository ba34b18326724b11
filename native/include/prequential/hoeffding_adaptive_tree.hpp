// Hoeffding adaptive tree (Bifet & Gavaldà 2009): a Hoeffding tree with an ADWIN on the error of each node. If the
// error rises, an alternate tree is grown next to the node; it replaces the node once its error is lower.
#pragma once
#include "prequential/adwin.hpp"
#include "prequential/leaf_memory.hpp"
#include "prequential/poisson.hpp"

namespace prequential {

class HoeffdingAdaptiveTree final : public Learner {
 public:
  struct Parameters {
    TreeRules tree;
    double adwin_delta = 0.002;
    double switch_delta = 0.05;      // the probability of a wrong decision for or against an alternate tree
    std::uint64_t least_width = 300;  // of both error windows, before they are compared
    bool bootstrap = true;           // leaves learn a record with a Poisson(1) weight, at least 1
    std::uint64_t max_bytes = 0;     // 0: no bound
  };

  HoeffdingAdaptiveTree(int n_classes, std::vector<std::int32_t> cardinality, const Parameters& parameters,
                        std::uint64_t seed)
      : parameters_(parameters), cardinality_(std::move(cardinality)), features_(cardinality_), seed_(seed),
        n_classes_(n_classes), poisson_(1) {
    root_ = new_leaf({});
    metric();
  }

  const char* kind() const override { return "hoeffding_adaptive_tree"; }
  int n_classes() const override { return n_classes_; }
  void grow(int n_classes) override { n_classes_ = std::max(n_classes_, n_classes); }
  void widen(const std::vector<std::int32_t>& cardinality) override {
    const Features wider(cardinality);
    std::vector<HoeffdingLeaf*> leaves;
    collect(*root_, leaves);
    for (HoeffdingLeaf* leaf : leaves) leaf->widen(features_, wider);
    features_ = wider;
    cardinality_ = cardinality;
    metric();
  }

  void scores(const double* x, double* out) const override {
    leaf_of(*root_, x).scores(parameters_.tree, features_, x, out, n_classes_);
  }
  void learn(const double* x, int y, double w) override {
    Scratch out(n_classes_);
    score_then_learn(x, y, w, out.data());
  }
  void score_then_learn(const double* x, int y, double w, double* out) override {
    scores(x, out);
    if (std::size_t(y) >= learned_.size()) {
      resize_exactly(learned_, std::size_t(y) + 1);
      metric();
    }
    learned_[std::size_t(y)] = 1;
    double weight = w;
    if (parameters_.bootstrap) weight *= std::max(1, poisson_.of(uniform(draws(seed_, kPurpose, n_learned_)[0])));
    ++n_learned_;
    ++since_fit_;
    walk(root_, Record{x, y, weight}, best_class(out, n_classes_) != y, true);
    if (parameters_.max_bytes > 0 && bytes_ > parameters_.max_bytes) fit(0);
  }

  // n_alternates: alternate trees started so far; n_switches: those that replaced their node.
  Facts facts() const override {
    std::vector<HoeffdingLeaf*> leaves;
    collect(*root_, leaves);
    const auto n_active = std::count_if(leaves.begin(), leaves.end(), [](const auto* leaf) { return leaf->active(); });
    return {{"n_leaves", leaves.size()}, {"n_active_leaves", std::uint64_t(n_active)}, {"n_alternates", n_alternates_},
            {"n_switches", n_switches_}};
  }

  std::unique_ptr<Learner> fresh(std::uint64_t seed) const override {
    return std::make_unique<HoeffdingAdaptiveTree>(n_classes_, cardinality_, parameters_, seed);
  }

  std::size_t nbytes() const override {
    return allocated(sizeof *this) + bytes_of(cardinality_) + features_.nbytes() + bytes_of(learned_) +
           poisson_.nbytes() + nbytes_of(*root_);
  }

  void write(Writer& to) const override {
    to.put(cardinality_);
    to.put(n_classes_);
    to.put(seed_);
    for (std::uint64_t n : {n_learned_, n_born_, n_alternates_, n_switches_, since_fit_}) to.put(n);
    to.put(learned_);
    write(to, *root_);
  }
  void read(Reader& from) override {
    std::vector<std::int32_t> cardinality;
    from.get(cardinality, cardinality_.size());
    check_same_kinds(cardinality, cardinality_);
    const int n_classes = from.get<int>();
    const auto seed = from.get<std::uint64_t>();
    HoeffdingAdaptiveTree other(n_classes, std::move(cardinality), parameters_, seed);
    for (auto* n :
         {&other.n_learned_, &other.n_born_, &other.n_alternates_, &other.n_switches_, &other.since_fit_})
      *n = from.get<std::uint64_t>();
    from.get(other.learned_);
    if (n_classes < 0 || n_classes > (1 << 20) || other.learned_.size() > std::size_t(n_classes))
      throw std::invalid_argument("damaged state: the classes of a tree");
    other.root_ = other.node_from(from, 0);
    other.metric();
    *this = std::move(other);
  }

 private:
  struct Node {
    Adwin error;                            // of the predictions of the subtree below
    Split split;                            // feature -1: a leaf
    std::unique_ptr<HoeffdingLeaf> leaf;    // null at an inner node
    std::vector<std::unique_ptr<Node>> children;
    std::unique_ptr<Node> alternate;
  };
  struct Record {
    const double* x;
    int y;
    double weight;
  };
  static constexpr std::uint64_t kPurpose = 0x484154;  // "HAT"

  Parameters parameters_;
  std::vector<std::int32_t> cardinality_;
  Features features_;
  std::uint64_t seed_;
  int n_classes_;
  Poisson poisson_;
  std::uint64_t n_learned_ = 0, n_born_ = 0, n_alternates_ = 0, n_switches_ = 0;
  std::vector<char> learned_;  // [class]: was it ever seen?
  std::unique_ptr<Node> root_;
  std::size_t bytes_ = 0, table_bytes_ = 0;  // of the tree, with `window_bytes` per window; of the leaves' tables
  std::size_t n_nodes_ = 0;
  std::uint64_t since_fit_ = 0;              // records learned since `fit`

  std::unique_ptr<Node> new_leaf(std::vector<double> counts) {
    auto node = std::make_unique<Node>(Node{Adwin({.delta = parameters_.adwin_delta}), {}, nullptr, {}, nullptr});
    node->leaf = std::make_unique<HoeffdingLeaf>(std::move(counts), features_,
                                                 drawn_features(features_, parameters_.tree, seed_, n_born_++));
    return node;
  }

  // The leaf that predicts. If the leaf of a record has seen nothing, it is the leaf of the branch with most records.
  static const HoeffdingLeaf& leaf_of(const Node& root, const double* x) {
    const Node* at = &root;
    while (!at->leaf) {
      const Node& next = *at->children[std::size_t(at->split.branch(x))];
      const bool is_empty = next.leaf && !(next.leaf->weight() > 0);
      at = is_empty ? at->children[std::size_t(at->split.fallback)].get() : &next;
    }
    return *at->leaf;
  }

  // Whether the tree below a node predicts the wrong class.
  bool wrong(const Node& node, const Record& record) const {
    Scratch out(n_classes_);
    leaf_of(node, record.x).scores(parameters_.tree, features_, record.x, out.data(), n_classes_);
    return best_class(out.data(), n_classes_) != record.y;
  }

  // All nodes on the path of a record share the prediction of its leaf: `is_wrong`. A leaf can have an alternate too: a
  // tree that is one leaf would never adapt otherwise. Alternate trees have no alternates.
  void walk(std::unique_ptr<Node>& root, const Record& record, bool is_wrong, bool may_have_alternates) {
    std::unique_ptr<Node>* slot = &root;
    int depth = 0;
    for (;; ++depth) {
      Node& node = **slot;
      const std::size_t before = window_bytes(node.error);
      const bool risen = node.error.update(is_wrong ? 1.0 : 0.0) && node.error.increased();
      bytes_ += window_bytes(node.error) - before;
      if (may_have_alternates) {
        if (risen && !node.alternate && may_begin_alternate()) {
          node.alternate = new_leaf({});
          ++n_alternates_;
          metric();
        } else if (node.alternate && settle(*slot)) {
          continue_in(*slot, record);
          return;
        }
        if (node.alternate) walk(node.alternate, record, wrong(*node.alternate, record), false);
      }
      if (node.leaf) break;
      slot = &node.children[std::size_t(node.split.branch(record.x))];
    }
    HoeffdingLeaf& leaf = *(*slot)->leaf;
    const std::size_t before = leaf.nbytes(), table_before = leaf.table_nbytes();
    leaf.learn(parameters_.tree, features_, record.x, record.y, record.weight);
    bytes_ += leaf.nbytes() - before;
    table_bytes_ += leaf.table_nbytes() - table_before;
    if (depth >= kMostDepth || !leaf.due(parameters_.tree)) return;
    const int n_learned = int(std::count(learned_.begin(), learned_.end(), 1));
    if (auto division = leaf.split(parameters_.tree, features_, n_learned))
      split(**slot, *division, !may_have_alternates);
  }

  // After a switch, the record is learned by the new tree.
  void continue_in(std::unique_ptr<Node>& slot, const Record& record) {
    walk(slot, record, wrong(*slot, record), true);
  }

  // Replace a node by its alternate tree if that has a significantly lower error; drop the alternate if its error is
  // higher. Returns whether the node was replaced.
  bool settle(std::unique_ptr<Node>& slot) {
    const Adwin &old = slot->error, &alternate = slot->alternate->error;
    if (old.width() <= parameters_.least_width || alternate.width() <= parameters_.least_width) return false;
    const double p = old.mean(), q = alternate.mean();
    const double n = 1 / double(old.width()) + 1 / double(alternate.width());
    const double bound = std::sqrt(2 * p * (1 - p) * elementary::log(2 / parameters_.switch_delta) * n);
    if (p - q > bound) {
      slot = std::unique_ptr<Node>(std::move(slot->alternate));
      ++n_switches_;
      metric();
      return true;
    }
    if (q - p > bound) {
      slot->alternate.reset();
      metric();
    }
    return false;
  }

  void split(Node& node, const Division& division, bool of_alternate) {
    const int n = division.split.n_branches;
    const std::size_t C = division.counts.size() / std::size_t(n);
    if (parameters_.max_bytes > 0 && !fits(*node.leaf, std::size_t(n), of_alternate)) return;
    node.children.reserve(std::size_t(n));
    for (int b = 0; b < n; ++b) {
      const auto from = division.counts.begin() + std::ptrdiff_t(std::size_t(b) * C);
      node.children.push_back(new_leaf(std::vector<double>(from, from + std::ptrdiff_t(C))));
    }
    node.split = division.split;
    node.leaf.reset();
    metric();
  }

  // The bytes counted for a window of errors: at least those it takes. A window grows while nothing changes, to twice
  // this minimum after millions of records, so a tree that takes half of its bound stays within it.
  static constexpr std::size_t kAdwinBytes = 6144;
  static std::size_t window_bytes(const Adwin& window) {
    return std::max<std::size_t>(kAdwinBytes, 2304 + 520 * window.n_rows());
  }

  // Count all bytes again, whenever the tree has changed, which is rare.
  void metric() {
    bytes_ = nbytes();
    table_bytes_ = n_nodes_ = 0;
    visit_nodes(*root_, [&](const Node& node) {
      ++n_nodes_;
      bytes_ += window_bytes(node.error) - node.error.nbytes();
      if (node.leaf) table_bytes_ += node.leaf->table_nbytes();
    });
  }
  void fit(std::size_t room) {
    std::vector<HoeffdingLeaf*> leaves;
    collect(*root_, leaves);
    fit_memory(leaves, features_, bytes_, room, parameters_.max_bytes);
    metric();
    since_fit_ = 0;
  }

  // Whether there is room for n leaves in place of one. The tree itself takes at most half, so that there is room for
  // alternates. If there is none, the tables are given to the most promising leaves again now and then.
  bool fits(const HoeffdingLeaf& leaf, std::size_t n, bool of_alternate) {
    const std::uint64_t bound = parameters_.max_bytes;
    const std::size_t more = n * (leaf.newborn_nbytes(features_) + kNodeBytes);
    const std::size_t bare = bytes_ - table_bytes_ + more;
    if (!leaves_room(bare, leaf.table_nbytes(), bound) || (!of_alternate && bare > bound / 2)) {
      if (since_fit_ > n_nodes_) fit(0);
      return false;
    }
    if (bytes_ + more > bound) fit(more);
    return leaf.active();
  }
  bool may_begin_alternate() const {
    return parameters_.max_bytes == 0 || leaves_room(bytes_ - table_bytes_ + kNodeBytes, 0, parameters_.max_bytes);
  }
  static constexpr std::size_t kNodeBytes = sizeof(Node) + 48 + kAdwinBytes;  // including its share of the list of children

  template <class F>
  static void visit_nodes(Node& node, const F& show) {
    show(node);
    for (const auto& child : node.children) visit_nodes(*child, show);
    if (node.alternate) visit_nodes(*node.alternate, show);
  }
  static void collect(Node& root, std::vector<HoeffdingLeaf*>& leaves) {
    visit_nodes(root, [&](Node& node) {
      if (node.leaf) leaves.push_back(node.leaf.get());
    });
  }

  static std::size_t nbytes_of(const Node& node) {
    std::size_t n = allocated(sizeof node) + node.error.nbytes() + bytes_of(node.children);
    if (node.leaf) n += node.leaf->nbytes();
    for (const auto& child : node.children) n += nbytes_of(*child);
    if (node.alternate) n += nbytes_of(*node.alternate);
    return n;
  }

  static void write(Writer& to, const Node& node) {
    node.error.write(to);
    to.put(node.split);
    to.put(node.leaf != nullptr);
    if (node.leaf) node.leaf->write(to);
    for (const auto& child : node.children) write(to, *child);
    to.put(node.alternate != nullptr);
    if (node.alternate) write(to, *node.alternate);
  }
  std::unique_ptr<Node> node_from(Reader& from, int depth) {
    if (depth > 3 * kMostDepth) throw std::invalid_argument("damaged state: a tree too deep");
    auto node = std::make_unique<Node>(Node{Adwin({.delta = parameters_.adwin_delta}), {}, nullptr, {}, nullptr});
    node->error.load(from);
    node->split = from.get<Split>();
    if (from.get<bool>()) {
      node->leaf = std::make_unique<HoeffdingLeaf>(HoeffdingLeaf::from(from, features_));
      if (node->leaf->counts().size() > std::size_t(n_classes_))
        throw std::invalid_argument("damaged state: the classes of a leaf");
    } else {
      if (!sound(node->split, cardinality_.size())) throw std::invalid_argument("damaged state: a split of a tree");
      for (int b = 0; b < node->split.n_branches; ++b) node->children.push_back(node_from(from, depth + 1));
      node->children.shrink_to_fit();
    }
    if (from.get<bool>()) node->alternate = node_from(from, depth + 1);
    return node;
  }
};

}  // namespace prequential
