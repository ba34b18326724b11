// Metrics of the order of scores that are known in bins: a value, and how far the true one can be from it.
//
// Let l and h be the ends of the interval of a bin. A pair of records is in a known order if the interval of one ends
// below the other, and tied if both are in the same bin of a single score. Any other pair may have any order: it counts
// one half, and the error is half its weight. The other metrics are known between two bounds in the same way.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "prequential/score_bins.hpp"

namespace prequential {

struct RankEstimate {
  double value = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::quiet_NaN();  // the true value is at most this far away

  static RankEstimate between(double low, double high, double most) {
    low = std::clamp(low, 0.0, most);
    high = std::clamp(high, low, most);
    return {(low + high) / 2, (high - low) / 2};
  }
};

// The AUC alone, as RankReading::auc, which is what most runs read: two labels, and bins that do not meet.
inline RankEstimate auc_of_two(const ScoreBins& bins, double unit) {
  double n = 0, p = 0, right = 0, unknown = 0;
  const double tie_share = bins.paper() ? 0.0 : 0.5;
  for (std::size_t k = 0; k < bins.n_bins(); ++k) {
    const ScoreBins::Bin bin = bins.bin(k);
    const double* of = bins.at(bin.slot);
    const double both = of[0] * of[1], single = double(bin.lo == bin.hi);
    right += of[1] * n + single * tie_share * both;
    unknown += (1 - single) * both;
    if (bins.paper()) right += single * of[bins.ties_at()];
    n += of[0];
    p += of[1];
  }
  const double pairs = n * p, real = n / unit * (p / unit);
  if (!(n > 0 && p > 0 && real >= 1e-290 && real <= std::numeric_limits<double>::max())) return {};
  return RankEstimate::between(right / pairs, (right + unknown) / pairs, 1.0);
}

class RankReading {
 public:
  // The records of the own label against those of another, or of all others (-1). `unit`: what a weight of 1 is now.
  RankReading(const ScoreBins& bins, int against, double unit) {
    const std::size_t n = bins.n_bins();
    cells_.reserve(n + bins.retired().size());
    for (std::size_t k = 0; k < n; ++k) add(bins, bins.bin(k), against, unit);
    n_plain_ = cells_.size();
    for (const ScoreBins::Bin& bin : bins.retired()) add(bins, bin, against, unit);
    for (const Cell& cell : cells_) {
      n_ += cell.n;
      p_ += cell.p;
    }
    place();
  }

  RankEstimate auc() const {
    if (!defined()) return {};
    double right = 0, unknown = 0;
    for (const Cell& cell : cells_) {
      const bool single = cell.lo == cell.hi;
      right += cell.p * cell.below.n + (single ? cell.tied : 0.0);
      unknown += cell.p * (cell.meets.n + (single ? 0.0 : cell.n));
    }
    const double pairs = n_ * p_;
    return RankEstimate::between(right / pairs, (right + unknown) / pairs, 1.0);
  }

  // Σ over pairs of how far the positive scores above the negative. Within a bin, the mean is at least that of the
  // difference (Jensen), and at most the length of the interval.
  RankEstimate scored_auc() const {
    if (!defined()) return {};
    double longest = 0;
    for (const Cell& cell : cells_)  // of two bins that meet, either may be the longer one
      if (cell.lo < cell.hi) longest = std::max(longest, cell.hi - cell.lo);
    double low = 0, high = 0;
    for (const Cell& cell : cells_) {
      if (!std::isfinite(cell.lo)) continue;  // an abstention is right in no pair
      low += cell.p_score * cell.below.n_finite - cell.p * cell.below.n_score;
      high += cell.p * cell.meets.n * (cell.hi - cell.lo + longest);
      if (cell.lo < cell.hi && cell.p > 0) {
        const double least = std::max(0.0, cell.n * cell.p_score - cell.p * cell.n_score);
        low += least;
        high += cell.n * cell.p * (cell.hi - cell.lo) - least;
      }
    }
    const double pairs = n_ * p_;
    return RankEstimate::between(low / pairs, (low + high) / pairs, std::numeric_limits<double>::infinity());
  }

  // The positives of a bin may be last in it, one below the other, or first and together.
  RankEstimate average_precision() const {
    if (!(p_ > 0)) return {};
    double low = 0, high = 0;
    for (const Cell& cell : cells_) {
      if (!(cell.p > 0)) continue;
      const double share = cell.p / p_, n = cell.above.n, p = cell.above.p;
      if (cell.lo == cell.hi) {
        const double most = p + cell.meets.p + cell.p, least = p + cell.p;
        high += share * (most / (most + n + cell.n));
        low += share * (least / (least + n + cell.n + cell.meets.n));
      } else {
        const double most = p + cell.meets.p + cell.p, others = n + cell.meets.n + cell.n;
        high += share * (most / (most + n));
        // The precision grows with each positive, ever more slowly: its mean is at least that of the two ends.
        low += share * 0.5 * ((p > 0 ? p / (p + others) : 0.0) + (p + cell.p) / (p + cell.p + others));
      }
    }
    return RankEstimate::between(low, high, 1.0);
  }

 private:
  struct Weights {
    double n = 0, p = 0, n_score = 0, n_finite = 0;
  };
  struct Cell {
    double lo, hi, n, p, n_score, p_score, tied;
    Weights below, above, meets;  // what is known to be lower or higher, and the rest outside the cell
  };

  std::vector<Cell> cells_;
  std::size_t n_plain_ = 0;  // cells that do not meet each other, ascending; the others come after them
  double n_ = 0, p_ = 0;

  // NaN with one class only, or with weights so far from 1 that their products overflow or underflow.
  bool defined() const {
    const double pairs = n_ * p_;
    return n_ > 0 && p_ > 0 && pairs >= 1e-290 && pairs <= std::numeric_limits<double>::max();
  }

  void add(const ScoreBins& bins, const ScoreBins::Bin& bin, int against, double unit) {
    const double* of = bins.at(bin.slot);
    Cell cell{};
    cell.lo = bin.lo;
    cell.hi = bin.hi;
    cell.p = of[bins.own()] / unit;
    const auto rest = [&](const double* values) {
      if (against >= 0) return values[against];
      double sum = 0;
      for (int c = 0; c < bins.n_labels(); ++c)
        if (c != bins.own()) sum += values[c];
      return sum;
    };
    cell.n = rest(of) / unit;
    if (cell.n == 0 && cell.p == 0) return;
    if (bins.scored()) {
      cell.n_score = of[bins.scores_at()] / unit;
      cell.p_score = of[bins.scores_at() + 1] / unit;
    }
    cell.tied = bins.paper() ? rest(of + bins.ties_at()) / unit / unit : 0.5 * cell.n * cell.p;
    cells_.push_back(cell);
  }

  static void add(Weights& to, const Cell& cell) {
    to.n += cell.n;
    to.p += cell.p;
    to.n_score += cell.n_score;
    if (std::isfinite(cell.lo)) to.n_finite += cell.n;
  }

  void place() {
    if (n_plain_ == cells_.size()) {
      Weights sum;
      for (Cell& cell : cells_) {
        cell.below = sum;
        add(sum, cell);
      }
      sum = {};
      for (std::size_t k = cells_.size(); k-- > 0;) {
        cells_[k].above = sum;
        add(sum, cells_[k]);
      }
      return;
    }
    std::vector<std::uint32_t> by_lo(cells_.size());
    for (std::size_t k = 0; k < by_lo.size(); ++k) by_lo[k] = std::uint32_t(k);
    std::vector<std::uint32_t> by_hi = by_lo;
    const auto less = [this](double Cell::* end) {
      return [this, end](std::uint32_t a, std::uint32_t b) { return cells_[a].*end < cells_[b].*end; };
    };
    const auto middle = std::ptrdiff_t(n_plain_);
    std::sort(by_lo.begin() + middle, by_lo.end(), less(&Cell::lo));
    std::sort(by_hi.begin() + middle, by_hi.end(), less(&Cell::hi));
    std::inplace_merge(by_lo.begin(), by_lo.begin() + middle, by_lo.end(), less(&Cell::lo));
    std::inplace_merge(by_hi.begin(), by_hi.begin() + middle, by_hi.end(), less(&Cell::hi));
    Weights sum;
    std::size_t other = 0;
    for (const std::uint32_t k : by_lo) {
      for (; other < by_hi.size() && cells_[by_hi[other]].hi < cells_[k].lo; ++other) add(sum, cells_[by_hi[other]]);
      cells_[k].below = sum;
    }
    sum = {};
    other = by_lo.size();
    for (std::size_t j = by_hi.size(); j-- > 0;) {
      Cell& cell = cells_[by_hi[j]];
      for (; other > 0 && cells_[by_lo[other - 1]].lo > cell.hi; --other) add(sum, cells_[by_lo[other - 1]]);
      cell.above = sum;
      cell.meets.n = std::max(0.0, n_ - cell.below.n - cell.above.n - cell.n);
      cell.meets.p = std::max(0.0, p_ - cell.below.p - cell.above.p - cell.p);
    }
    // A difference of sums is not exactly zero where nothing meets: find where nothing does.
    double furthest = -std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < by_lo.size(); ++j) {
      Cell& cell = cells_[by_lo[j]];
      const bool alone = furthest < cell.lo && (j + 1 == by_lo.size() || cells_[by_lo[j + 1]].lo > cell.hi);
      if (alone) cell.meets = {};
      furthest = std::max(furthest, cell.hi);
    }
  }
};

}  // namespace prequential
