// The most frequent class among all labels so far, or among the last `window` labels.
#pragma once
#include <algorithm>

#include "prequential/renewable.hpp"
#include "prequential/sum.hpp"

namespace prequential {

class MajorityClass final : public Renewable {
 public:
  // window 0: all labels.
  MajorityClass(int n_classes, std::size_t window) : window_(window), weight_(n_classes) {}

  const char* kind() const override { return "majority_class"; }
  int n_classes() const override { return int(weight_.size()); }
  void grow(int n_classes) override { weight_.resize(std::max(weight_.size(), std::size_t(n_classes))); }

  void scores(const double*, double* out) const override {
    double total = 0;
    for (std::size_t c = 0; c < weight_.size(); ++c) total += out[c] = std::max(0.0, weight_[c].value());
    if (total > 0)
      for (std::size_t c = 0; c < weight_.size(); ++c) out[c] /= total;
  }

  void learn(const double*, int y, double w) override {
    if (window_ > 0) {
      if (ring_.size() < window_) {
        ring_.push_back({y, w});
      } else {
        weight_[ring_[at_].label].add(-ring_[at_].weight);
        ring_[at_] = {y, w};
        at_ = (at_ + 1) % window_;
      }
    }
    weight_[y].add(w);
  }

  bool blind() const override { return true; }

  std::unique_ptr<Learner> fresh(std::uint64_t) const override {
    return std::make_unique<MajorityClass>(n_classes(), window_);
  }

  std::size_t nbytes() const override { return allocated(sizeof *this) + bytes_of(weight_) + bytes_of(ring_); }

  void write(Writer& to) const override {
    to.put(std::uint64_t(window_));
    to.put(std::uint64_t(at_));
    to.put(weight_);
    to.put(ring_);
  }
  void read(Reader& from) override {
    if (from.get<std::uint64_t>() != window_)
      throw std::invalid_argument("these bytes are the state of a majority class over another window");
    at_ = from.get<std::uint64_t>();
    from.get(weight_);
    from.get(ring_);
    bool sound = ring_.size() <= window_ && (at_ == 0 || at_ < window_);
    for (const Item& item : ring_) sound = sound && item.label >= 0 && item.label < n_classes();
    if (!sound) throw std::invalid_argument("damaged state: the window of a majority class");
  }

 private:
  struct Item {
    std::int64_t label;  // as wide as the weight: no padding in the saved bytes
    double weight;
  };
  std::size_t window_;
  std::size_t at_ = 0;
  std::vector<Sum> weight_;
  std::vector<Item> ring_;
};

}  // namespace prequential
