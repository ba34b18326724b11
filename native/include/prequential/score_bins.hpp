// The scores of one class in constant memory, with the weight of each label at each score: bins of neighbouring scores.
// The file is long because joining, retiring and saving bins share one layout.
//
// Up to `most` different scores, each has a bin of its own, and the order is exact. Then neighbouring bins are joined,
// those first whose pairs of labels are few, down to half as many. What such a bin knows is the interval of its scores.
// Two intervals that do not meet are in a known order; pairs within a bin, and between bins that overlap, are unknown.
// So a metric of the order of scores is known between two bounds (rank_estimate.hpp).
//
// A joined bin that would grow heavy is retired: it takes no more records, and the next scores in its interval get bins
// of their own. It overlaps them, but its share shrinks with every record. So scores may drift, cluster or come sorted.
//
// A score without a bin waits in `pending_` until some have come. That changes no result: bins are joined after the same
// record however often the bins are read, and the weights of a bin are added in the order of arrival.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "prequential/bytes.hpp"

namespace prequential {

class ScoreBins {
 public:
  struct Bin {
    double lo, hi;
    std::uint32_t slot;  // where its weights are
  };

  // own: the label whose scores these are, the positive one. scored: keep sums of scores. paper: of tied records, keep
  // which came first.
  ScoreBins(int n_labels, int own, std::size_t most, bool scored, bool paper)
      : n_labels_(n_labels), own_(own), most_(std::max<std::size_t>(most, kLeast)), scored_(scored), paper_(paper),
        total_(n_labels) {}

  int n_labels() const { return n_labels_; }
  int own() const { return own_; }
  bool scored() const { return scored_; }
  bool paper() const { return paper_; }
  std::size_t most() const { return most_; }
  double total(int label) const { return total_[label]; }

  // The numbers of a slot: the weight of each label; the sums of scores of the other labels and of the own one, if
  // scored; for each other label the weight of the pairs that the paper's rule counts as right, if paper.
  std::size_t stride() const { return stride(n_labels_); }
  std::size_t scores_at() const { return std::size_t(n_labels_); }
  std::size_t ties_at() const { return std::size_t(n_labels_) + (scored_ ? 2 : 0); }
  const double* at(std::uint32_t slot) const { return weights_.data() + std::size_t(slot) * stride(); }
  std::size_t n_slots() const { return weights_.size() / stride(); }

  // Count a record in the numbers of a slot.
  void count(double* of, double score, int label, double weight) const {
    if (paper_ && label != own_) of[ties_at() + std::size_t(label)] += weight * of[own_];
    of[label] += weight;
    if (scored_ && std::isfinite(score)) of[scores_at() + (label == own_)] += weight * score;
  }
  // Add the numbers of later records of the same scores.
  void append(double* of, const double* later) const {
    if (paper_)
      for (int c = 0; c < n_labels_; ++c) of[ties_at() + std::size_t(c)] += later[ties_at() + std::size_t(c)] + of[own_] * later[c];
    for (std::size_t k = 0; k < ties_at(); ++k) of[k] += later[k];
  }

  void add(const double* score, const std::int32_t* label, const double* weight, std::size_t n) {
    std::int32_t found[kAtOnce];
    const double most_of_label = heavy();
    for (std::size_t i = 0; i < n;) {
      const std::size_t m = std::min(kAtOnce, n - i);
      find(score + i, m, found);
      std::size_t j = 0;
      for (bool same = true; same && j < m; ++j) {
        const double s = score[i + j], w = weight[i + j];
        const int y = label[i + j], k = found[j];
        total_[y] += w;
        bool fits = k >= 0 && s <= hi_[k];
        if (fits && at(slot_[k])[y] + w > most_of_label * total_[y] && lo_[k] < hi_[k]) {
          retire(std::size_t(k));
          fits = false;
        }
        if (fits) {
          count(put_at(slot_[k]), s, y, w);
        } else {
          pending_.push_back({s, w, y});
          if (n_bins() + pending_.size() > most_ || pending_.size() >= kMostPending) {
            settle();
            same = false;
          }
        }
      }
      i += j;
    }
  }

  void scale(double by) {
    const std::size_t width = stride();
    for (std::size_t k = 0; k < weights_.size(); ++k) weights_[k] *= k % width < ties_at() ? by : by * by;
    for (double& total : total_) total *= by;
    for (Pending& one : pending_) one.weight *= by;
  }

  // More labels; and another bound on the number of bins.
  void grow(int n_labels, std::size_t most) {
    settle();
    const std::size_t from = stride(), to = stride(n_labels);
    std::vector<double> wider(n_slots() * to);
    for (std::size_t slot = 0; slot < n_slots(); ++slot) {
      const double* old = weights_.data() + slot * from;
      double* now = wider.data() + slot * to;
      std::copy_n(old, n_labels_, now);
      if (scored_) std::copy_n(old + n_labels_, 2, now + n_labels);
      if (paper_) std::copy_n(old + ties_at(), n_labels_, now + n_labels + (scored_ ? 2 : 0));
    }
    weights_ = std::move(wider);
    n_labels_ = n_labels;
    total_.resize(n_labels);
    most_ = std::max(most, kLeast);
    if (n_bins() > most_) join();
  }

  // Records of which only the interval of their scores is known.
  void add_unknown(double lo, double hi, const double* weights) {
    const std::uint32_t slot = new_slot();
    std::copy_n(weights, n_labels_, put_at(slot));
    for (int c = 0; c < n_labels_; ++c) total_[c] += weights[c];
    if (scored_) put_at(slot)[scores_at()] = put_at(slot)[scores_at() + 1] = 0;
    put_aside({lo, hi, slot});
  }

  // Add the records of a later stream, in which these ones weigh `by` times as much.
  void merge(ScoreBins& later, double by) {
    settle();
    later.settle();
    scale(by);
    double mine = 0, its = 0;
    for (int c = 0; c < n_labels_; ++c) {
      mine += total_[c];
      its += later.total_[c];
    }
    const bool swapped = its > mine;  // the bins of the heavier stream stay
    if (swapped) std::swap(*this, later);
    for (int c = 0; c < n_labels_; ++c) total_[c] += later.total_[c];
    const std::size_t before = lo_.size();
    std::vector<Bin> fresh;
    for (std::size_t k = 0; k < later.lo_.size(); ++k) {
      const Bin bin{later.lo_[k], later.hi_[k], later.slot_[k]};
      const std::size_t next = std::size_t(std::lower_bound(hi_.begin(), hi_.end(), bin.lo) - hi_.begin());
      const bool meets = next < before && lo_[next] <= bin.hi;
      if (meets && lo_[next] <= bin.lo && bin.hi <= hi_[next]) {
        join_into(put_at(slot_[next]), later.at(bin.slot), swapped);
        continue;
      }
      const std::uint32_t slot = new_slot();
      std::copy_n(later.at(bin.slot), stride(), put_at(slot));
      if (meets) {
        put_aside({bin.lo, bin.hi, slot});
      } else {
        fresh.push_back({bin.lo, bin.hi, slot});
      }
    }
    for (const Bin& bin : later.retired_) {
      const std::uint32_t slot = new_slot();
      std::copy_n(later.at(bin.slot), stride(), put_at(slot));
      put_aside({bin.lo, bin.hi, slot});
    }
    insert(fresh);
    if (n_bins() > most_) join();
  }

  // No score waits, and no bin is gone; nothing else changes.
  void settle() {
    if (pending_.empty() && n_gone_ == 0) return;
    std::stable_sort(pending_.begin(), pending_.end(), [](const Pending& a, const Pending& b) { return a.score < b.score; });
    std::vector<Bin> fresh;
    for (const Pending& one : pending_) {
      if (fresh.empty() || fresh.back().lo != one.score) fresh.push_back({one.score, one.score, new_slot()});
      count(put_at(fresh.back().slot), one.score, one.label, one.weight);
    }
    pending_.clear();
    insert(fresh);
    if (n_bins() > most_) join();
  }

  // After `settle`: bins in ascending order, which do not meet; and retired ones.
  std::size_t n_bins() const { return lo_.size() - n_gone_; }
  Bin bin(std::size_t k) const { return {lo_[k], hi_[k], slot_[k]}; }
  const std::vector<Bin>& retired() const { return retired_; }

  std::size_t nbytes() const {
    return sizeof *this + (lo_.capacity() + hi_.capacity() + weights_.capacity() + total_.capacity()) * sizeof(double) +
           (slot_.capacity() + free_.capacity()) * sizeof(std::uint32_t) + retired_.capacity() * sizeof(Bin) +
           pending_.capacity() * sizeof(Pending);
  }

  void write(Writer& to) const {
    to.put(n_labels_);
    to.put(own_);
    to.put(std::uint64_t(most_));
    to.put(scored_);
    to.put(paper_);
    to.put(std::uint64_t(n_gone_));
    to.put(lo_);
    to.put(hi_);
    to.put(slot_);
    to.put(free_);
    to.put(std::uint64_t(retired_.size()));
    for (const Bin& bin : retired_) {
      to.put(bin.lo);
      to.put(bin.hi);
      to.put(bin.slot);
    }
    to.put(std::uint64_t(pending_.size()));
    for (const Pending& one : pending_) {
      to.put(one.score);
      to.put(one.weight);
      to.put(one.label);
    }
    to.put(weights_);
    to.put(total_);
  }
  void load(Reader& from) {
    const bool same = from.get<int>() == n_labels_ && from.get<int>() == own_ &&
                      from.get<std::uint64_t>() == most_ && from.get<bool>() == scored_ && from.get<bool>() == paper_;
    if (!same) throw std::invalid_argument("these bytes are the state of other bins of scores");
    n_gone_ = std::size_t(from.get<std::uint64_t>());
    from.get(lo_);
    from.get(hi_, lo_.size());
    from.get(slot_, lo_.size());
    from.get(free_);
    bool sound = n_gone_ <= lo_.size();
    const auto n_retired = from.get<std::uint64_t>();
    if (n_retired > 2 * most_retired()) throw std::invalid_argument("damaged state: bins of scores");
    retired_.assign(std::size_t(n_retired), Bin{});
    for (Bin& bin : retired_) {
      bin.lo = from.get<double>();
      bin.hi = from.get<double>();
      bin.slot = from.get<std::uint32_t>();
      sound = sound && bin.lo <= bin.hi;
    }
    const auto n_pending = from.get<std::uint64_t>();
    if (n_pending > kMostPending) throw std::invalid_argument("damaged state: bins of scores");
    pending_.assign(std::size_t(n_pending), Pending{});
    for (Pending& one : pending_) {
      one.score = from.get<double>();
      one.weight = from.get<double>();
      one.label = from.get<std::int32_t>();
      sound = sound && !std::isnan(one.score) && one.label >= 0 && one.label < n_labels_;
    }
    from.get(weights_);
    from.get(total_, std::size_t(n_labels_));
    sound = sound && weights_.size() % stride() == 0;
    std::vector<std::uint8_t> used(n_slots());
    const auto use = [&](std::uint32_t slot) { sound = sound && slot < used.size() && !used[slot]++; };
    std::size_t n_gone = 0;
    for (std::size_t k = 0; k < slot_.size(); ++k) {
      if (gone(k)) {
        ++n_gone;
      } else {
        use(slot_[k]);
      }
    }
    for (std::uint32_t slot : free_) use(slot);
    for (const Bin& bin : retired_) use(bin.slot);
    for (std::size_t k = 0; k < lo_.size(); ++k)
      sound = sound && (gone(k) || lo_[k] <= hi_[k]) && (k == 0 || (lo_[k - 1] < lo_[k] && hi_[k - 1] < lo_[k]));
    if (!sound || n_gone != n_gone_ || used.size() != n_bins() + free_.size() + retired_.size())
      throw std::invalid_argument("damaged state: bins of scores");
  }

 private:
  static constexpr std::size_t kAtOnce = 16, kMostPending = 512, kLeast = 64;

  struct Pending {
    double score, weight;
    std::int32_t label;
  };

  int n_labels_, own_;
  std::size_t most_;
  bool scored_, paper_;
  std::vector<double> lo_, hi_;  // the bins, ascending
  std::vector<std::uint32_t> slot_, free_;
  std::size_t n_gone_ = 0;  // of the bins, those that were retired: their intervals are empty
  std::vector<Bin> retired_;
  std::vector<Pending> pending_;
  std::vector<double> weights_, total_;

  std::size_t stride(int n_labels) const {
    return std::size_t(n_labels) * (paper_ ? 2 : 1) + (scored_ ? 2 : 0);
  }
  double* put_at(std::uint32_t slot) { return weights_.data() + std::size_t(slot) * stride(); }
  // The largest share of a label in a joined bin; joining leaves less than half of it in a bin, on average.
  double heavy() const { return 6.0 / double(most_); }
  std::size_t most_retired() const { return most_ / 4; }
  bool gone(std::size_t k) const { return hi_[k] < lo_[k]; }

  // The last bin that begins at or below each score, or -1.
  void find(const double* score, std::size_t n, std::int32_t* found) const {
    if (lo_.empty()) {
      std::fill_n(found, n, -1);
      return;
    }
    std::size_t base[kAtOnce] = {};
    for (std::size_t length = lo_.size(); length > 1;) {
      const std::size_t half = length / 2;
      for (std::size_t j = 0; j < n; ++j) base[j] += lo_[base[j] + half] <= score[j] ? half : 0;
      length -= half;
    }
    for (std::size_t j = 0; j < n; ++j) found[j] = lo_[base[j]] <= score[j] ? std::int32_t(base[j]) : -1;
  }

  std::uint32_t new_slot() {
    if (free_.empty()) {
      weights_.resize(weights_.size() + stride());
      return std::uint32_t(n_slots() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    std::fill_n(put_at(slot), stride(), 0.0);
    return slot;
  }

  void join_into(double* of, const double* other, bool other_is_earlier) {
    if (!other_is_earlier || !paper_) return append(of, other);
    std::vector<double> sum(other, other + stride());
    append(sum.data(), of);
    std::copy(sum.begin(), sum.end(), of);
  }

  void move(std::uint32_t from, std::uint32_t to) {
    double *gone = put_at(from), *kept = put_at(to);
    for (std::size_t k = 0; k < stride(); ++k) kept[k] += gone[k];
    free_.push_back(from);
  }

  // New bins, ascending, that meet no other.
  void insert(const std::vector<Bin>& fresh) {
    std::size_t k = 0;
    if (n_gone_ > 0) {
      for (std::size_t from = 0; from < lo_.size(); ++from) {
        if (gone(from)) continue;
        lo_[k] = lo_[from];
        hi_[k] = hi_[from];
        slot_[k++] = slot_[from];
      }
      n_gone_ = 0;
    } else {
      k = lo_.size();
    }
    std::size_t to = k + fresh.size();
    lo_.resize(to);
    hi_.resize(to);
    slot_.resize(to);
    for (std::size_t f = fresh.size(); f > 0;) {
      --to;
      if (k > 0 && lo_[k - 1] > fresh[f - 1].lo) {
        --k;
        lo_[to] = lo_[k];
        hi_[to] = hi_[k];
        slot_[to] = slot_[k];
      } else {
        --f;
        lo_[to] = fresh[f].lo;
        hi_[to] = fresh[f].hi;
        slot_[to] = fresh[f].slot;
      }
    }
  }

  void retire(std::size_t k) {
    put_aside({lo_[k], hi_[k], slot_[k]});
    hi_[k] = -std::numeric_limits<double>::infinity();
    ++n_gone_;
  }

  // If there are too many, neighbours are joined that weigh little.
  void put_aside(const Bin& bin) {
    retired_.push_back(bin);
    if (retired_.size() <= 2 * most_retired()) return;
    std::erase_if(retired_, [&](const Bin& one) { return dropped(one.slot); });
    std::sort(retired_.begin(), retired_.end(), [](const Bin& a, const Bin& b) { return a.lo != b.lo ? a.lo < b.lo : a.hi < b.hi; });
    std::vector<double> masses;
    for (const Bin& one : retired_) masses.push_back(mass(one.slot));
    const auto sweep = [&](double limit, auto&& visit) {
      std::size_t runs = 0;
      for (std::size_t k = 0; k < masses.size(); ++runs) {
        double sum = masses[k];
        std::size_t end = k + 1;
        for (; end < masses.size() && sum + masses[end] <= limit; ++end) sum += masses[end];
        visit(k, end);
        k = end;
      }
      return runs;
    };
    double all = 0;
    for (const double one : masses) all += one;
    double limit = std::max(all / double(most_retired()), std::numeric_limits<double>::min());
    while (sweep(limit, [](std::size_t, std::size_t) {}) > most_retired()) limit *= 1.25;
    std::size_t to = 0;
    sweep(limit, [&](std::size_t first, std::size_t end) {
      Bin joined = retired_[first];
      for (std::size_t k = first + 1; k < end; ++k) {
        joined.hi = std::max(joined.hi, retired_[k].hi);
        move(retired_[k].slot, joined.slot);
      }
      retired_[to++] = joined;
    });
    retired_.resize(to);
  }

  double share(std::uint32_t slot, int label) const { return total_[label] > 0 ? at(slot)[label] / total_[label] : 0; }
  double others(std::uint32_t slot) const {
    double sum = 0;
    for (int c = 0; c < n_labels_; ++c)
      if (c != own_) sum += share(slot, c);
    return sum / std::max(1, n_labels_ - 1);
  }
  double mass(std::uint32_t slot) const { return share(slot, own_) + others(slot); }

  // Join neighbours until at most half of `most` are left. What a bin costs is the share of the pairs in it, and the
  // square of its own share: without the latter, scores of one label that come first would end in one bin.
  void join() {
    const std::size_t n = lo_.size();
    std::vector<double> own(n), other(n);
    for (std::size_t k = 0; k < n; ++k) {
      own[k] = share(slot_[k], own_);
      other[k] = others(slot_[k]);
    }
    const auto infinite = [&](std::size_t k) { return std::isinf(lo_[k]); };
    const auto sweep = [&](double limit, auto&& visit) {
      std::size_t runs = 0;
      for (std::size_t k = 0; k < n; ++runs) {
        double x = own[k], y = other[k];
        std::size_t end = k + 1;
        for (; end < n && !infinite(k) && !infinite(end); ++end) {
          const double p = x + own[end], q = y + other[end], half = (p + q) / 2;
          if (p * q + half * half > limit) break;
          x = p;
          y = q;
        }
        visit(k, end);
        k = end;
      }
      return runs;
    };
    const double keep = double(most_ / 2);
    double limit = 0.25 / (keep * keep);
    while (double(sweep(limit, [](std::size_t, std::size_t) {})) > keep) limit *= 1.25;
    std::size_t to = 0;
    sweep(limit, [&](std::size_t first, std::size_t end) {
      for (std::size_t k = first + 1; k < end; ++k) move(slot_[k], slot_[first]);
      lo_[to] = lo_[first];
      hi_[to] = hi_[end - 1];
      slot_[to++] = slot_[first];
    });
    lo_.resize(to);
    hi_.resize(to);
    slot_.resize(to);
  }

  // Free a slot without weight; returns whether it was one.
  bool dropped(std::uint32_t slot) {
    const double* of = at(slot);
    if (!std::all_of(of, of + n_labels_, [](double w) { return w == 0; })) return false;
    free_.push_back(slot);
    return true;
  }
};

}  // namespace prequential
