// The confusion matrices of all bins in which a record waited for its label, under several forgettings.
//
// A label has one weight and one time for all bins, so everything except the matrices is the same in every bin and is
// kept in one grid. The predictions of a record over the bins are a few runs of one class each. So the cells of all
// bins are stored next to each other, and a run is added to all its bins at once. Each cell is the sum of the same
// numbers in the same order as in a separate grid: it is the same to the last bit. This works only for weights of 1,
// and only under forgettings that neither depend on the predictions nor estimate.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <stdexcept>
#include <vector>

#include "prequential/bytes.hpp"
#include "prequential/outcome.hpp"

namespace prequential {

class BinnedMatrices {
 public:
  BinnedMatrices(int n_classes, std::size_t n_bins) : n_classes_(n_classes), n_bins_(n_bins) {}

  void add_cumulative() { parts_.push_back(Part(n_cells())); }
  void add_sliding(double records, double seconds) {
    if (!(records >= 1) || !(seconds > 0) || std::isinf(records) == std::isinf(seconds))
      throw std::invalid_argument("one of records (at least 1) and seconds (above 0) must be finite, and not both");
    parts_.push_back(Part(n_cells()));
    parts_.back().slides = true;
    parts_.back().records = records;
    parts_.back().seconds = seconds;
  }
  void add_fading(double alpha) {
    if (!(alpha > 0 && alpha <= 1)) throw std::invalid_argument("alpha must be in (0, 1]");
    parts_.push_back(Part(n_cells()));
    parts_.back().growth = 1 / alpha;
  }

  int n_classes() const { return n_classes_; }
  std::size_t n_bins() const { return n_bins_; }
  std::size_t n_parts() const { return parts_.size(); }
  std::uint64_t n_seen() const { return n_seen_; }

  void grow(int n_classes) {
    if (n_classes <= n_classes_) return;
    const std::size_t from = std::size_t(n_classes_), to = std::size_t(n_classes);
    for (Part& part : parts_) {
      std::vector<double> larger(to * (to + 1) * n_bins_);
      for (std::size_t y = 0; y < from; ++y)
        for (std::size_t p = 0; p <= from; ++p)
          std::copy_n(&part.cells[(y * (from + 1) + p) * n_bins_], n_bins_,
                      &larger[(y * (to + 1) + (p == from ? to : p)) * n_bins_]);
      part.cells = std::move(larger);
    }
    n_classes_ = n_classes;
  }

  // predictions: one row per label, one column per bin, -1 for none. every: labels between two copies of all matrices,
  // which go to `snapshots` in the order forgetting, label, prediction, bin; 0 for none.
  void update(const std::int32_t* predictions, const std::int64_t* label, const double* time, std::size_t n,
              std::uint64_t every, std::vector<double>& snapshots) {
    for (std::size_t i = 0; i < n; ++i) {
      find_runs(predictions + i * n_bins_);
      for (Part& part : parts_) count(part, std::int32_t(label[i]), time ? time[i] : 0.0);
      if (every > 0 && ++n_seen_ % every == 0) snapshot(snapshots);
      if (every == 0) ++n_seen_;
    }
  }

  void snapshot(std::vector<double>& to) const {
    for (const Part& part : parts_)
      for (const double cell : part.cells) to.push_back(part.fades() ? cell / part.scale : cell);
  }

  std::size_t nbytes() const {
    std::size_t n = sizeof *this + runs_.capacity() * sizeof(Run);
    for (const Part& part : parts_)
      n += sizeof part + part.cells.capacity() * sizeof(double) + part.held.size() * sizeof(Held) +
           part.runs.size() * sizeof(Run);
    return n;
  }

  void write(Writer& to) const {
    to.put(n_classes_);
    to.put(std::uint64_t(n_bins_));
    to.put(n_seen_);
    to.put(std::uint64_t(parts_.size()));
    for (const Part& part : parts_) {
      for (const double number : {part.growth, part.records, part.seconds, part.scale}) to.put(number);
      to.put(part.cells);
      to.put(std::vector<Held>(part.held.begin(), part.held.end()));
      to.put(std::vector<Run>(part.runs.begin(), part.runs.end()));
    }
  }
  void read(Reader& from) {
    const int n_classes = from.get<int>();
    const auto n_bins = from.get<std::uint64_t>();
    BinnedMatrices other(n_classes, std::size_t(n_bins));
    if (other.n_bins_ != n_bins_ || other.n_classes_ < 0 || other.n_classes_ > kMostClasses)
      throw std::invalid_argument("these bytes are the state of matrices with other bins");
    other.n_seen_ = from.get<std::uint64_t>();
    if (from.get<std::uint64_t>() != parts_.size())
      throw std::invalid_argument("these bytes are the state of matrices with other forgettings");
    for (const Part& mine : parts_) {
      Part part(0);
      part.slides = mine.slides;
      for (double* number : {&part.growth, &part.records, &part.seconds, &part.scale}) *number = from.get<double>();
      if (part.growth != mine.growth || part.records != mine.records || part.seconds != mine.seconds)
        throw std::invalid_argument("these bytes are the state of matrices with other forgettings");
      from.get(part.cells, other.n_cells());
      std::vector<Held> held;
      std::vector<Run> runs;
      from.get(held);
      from.get(runs);
      std::uint64_t n_runs = 0;
      bool sound = true;
      for (const Held& one : held) {
        n_runs += one.n_runs;
        sound = sound && one.label >= 0 && one.label < other.n_classes_;
      }
      for (const Run& run : runs)
        sound = sound && run.from < run.to && run.to <= n_bins_ && run.prediction >= -1 && run.prediction < other.n_classes_;
      if (!sound || n_runs != runs.size()) throw std::invalid_argument("damaged state: a window");
      part.held.assign(held.begin(), held.end());
      part.runs.assign(runs.begin(), runs.end());
      other.parts_.push_back(std::move(part));
    }
    *this = std::move(other);
  }

 private:
  static constexpr double kInfinite = std::numeric_limits<double>::infinity();
  static constexpr double kMost = 1e100;  // as in fading.hpp: beyond it, the scale restarts

  struct Run {  // of bins with the same prediction
    std::uint32_t from, to;
    std::int32_t prediction;
  };
  struct Held {  // a record in a window
    double time;
    std::int32_t label;
    std::uint32_t n_runs;
  };
  struct Part {
    explicit Part(std::size_t n) : cells(n) {}
    bool slides = false;
    double growth = 1, records = kInfinite, seconds = kInfinite, scale = 1;
    std::vector<double> cells;  // by label, prediction (the last is none) and bin
    std::deque<Held> held;
    std::deque<Run> runs;  // of the records held, in order
    bool fades() const { return growth != 1; }
  };

  int n_classes_;
  std::size_t n_bins_;
  std::uint64_t n_seen_ = 0;
  std::vector<Part> parts_;
  std::vector<Run> runs_;  // of the record that is being counted

  std::size_t n_cells() const { return std::size_t(n_classes_) * std::size_t(n_classes_ + 1) * n_bins_; }

  void find_runs(const std::int32_t* row) {
    runs_.clear();
    for (std::size_t from = 0, to = 0; from < n_bins_; from = to) {
      while (to < n_bins_ && row[to] == row[from]) ++to;
      runs_.push_back({std::uint32_t(from), std::uint32_t(to), row[from]});
    }
  }

  void add(Part& part, std::int32_t label, const Run& run, double by) const {
    const std::size_t width = std::size_t(n_classes_) + 1;
    const std::size_t prediction = run.prediction < 0 ? width - 1 : std::size_t(run.prediction);
    double* cells = part.cells.data() + (std::size_t(label) * width + prediction) * n_bins_;
    for (std::size_t b = run.from; b < run.to; ++b) cells[b] += by;
  }

  void count(Part& part, std::int32_t label, double time) {
    if (part.slides) {
      if (!part.held.empty()) time = std::max(time, part.held.back().time);  // as in a grid, the clock never runs backwards
      while (!part.held.empty() && !(part.held.front().time > time - part.seconds)) evict(part);
      if (double(part.held.size()) == part.records) evict(part);
      part.held.push_back({time, label, std::uint32_t(runs_.size())});
      part.runs.insert(part.runs.end(), runs_.begin(), runs_.end());
    } else if (part.fades()) {
      part.scale *= part.growth;
      if (part.scale > kMost) {
        for (double& cell : part.cells) cell *= part.growth / part.scale;
        part.scale = part.growth;
      }
    }
    for (const Run& run : runs_) add(part, label, run, part.scale);
  }

  void evict(Part& part) {
    const Held oldest = part.held.front();
    part.held.pop_front();
    for (std::uint32_t k = 0; k < oldest.n_runs; ++k) {
      add(part, oldest.label, part.runs.front(), -1);
      part.runs.pop_front();
    }
  }
};

}  // namespace prequential
