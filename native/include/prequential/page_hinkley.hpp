// The Page–Hinkley test: m = m + x − mean − delta, with the mean of all values up to x. There is an alarm when m has
// risen by the threshold above its minimum so far; downward, the mirror image. After an alarm the detector restarts.
#pragma once
#include <algorithm>
#include <limits>

#include "prequential/detector.hpp"

namespace prequential {

// What m is compared with: its running minimum (the paper), nothing (MOA, as in CapyMOA 0.15), or zero, below which it
// cannot fall (scikit-multiflow).
enum class Floor : std::uint8_t { minimum, none, zero };

struct PageHinkleyRules {
  double delta = 0.005;
  double threshold = 50;
  double alpha = 1;               // m is multiplied by it before each value
  std::uint64_t min_records = 1;  // no alarm before this many values
  Direction direction = Direction::up;
  Floor floor = Floor::minimum;
  bool strict = false;  // alarm above the threshold, not at it

  bool operator==(const PageHinkleyRules&) const = default;
};

class PageHinkley {
 public:
  static constexpr const char* kAccepted = "finite numbers";

  explicit PageHinkley(const PageHinkleyRules& rules) : rules_(rules) {
    if (std::isnan(rules.delta) || std::isnan(rules.threshold) || !(rules.alpha > 0 && rules.alpha <= 1))
      throw std::invalid_argument("delta and threshold must be numbers, alpha in (0, 1]");
    reset();
  }

  bool accepts(double x) const { return std::isfinite(x); }

  bool update(double x) {
    ++n_;
    total_ += x;
    const double away = x - total_ / double(n_);
    double rise = -std::numeric_limits<double>::infinity();
    if (rules_.direction != Direction::down) {
      up_ = rules_.alpha * up_ + (away - rules_.delta);
      rise = above(up_);
    }
    if (rules_.direction != Direction::up) {
      down_ = rules_.alpha * down_ + (away + rules_.delta);
      rise = std::max(rise, below(down_));
    }
    rise_ = rise;
    const bool alarm = passes(rise);
    if (!alarm || n_ < rules_.min_records) return false;
    reset();
    return true;
  }

  void reset() {
    n_ = 0;
    total_ = up_ = down_ = 0;
    lowest_ = std::numeric_limits<double>::infinity();
    highest_ = -lowest_;
  }

  // The rise of m, and the threshold.
  static constexpr std::size_t kShown = 2;
  void show(double* out) const {
    out[0] = rise_;
    out[1] = rules_.threshold;
  }

  std::size_t nbytes() const { return 0; }

  void write(Writer& to) const {
    to.put(rules_.delta);
    to.put(rules_.threshold);
    to.put(rules_.alpha);
    to.put(rules_.min_records);
    to.put(rules_.direction);
    to.put(rules_.floor);
    to.put(rules_.strict);
    to.put(n_);
    for (double value : {total_, up_, down_, lowest_, highest_}) to.put(value);
  }

  void load(Reader& from) {
    PageHinkleyRules rules;
    rules.delta = from.get<double>();
    rules.threshold = from.get<double>();
    rules.alpha = from.get<double>();
    rules.min_records = from.get<std::uint64_t>();
    rules.direction = from.get<Direction>();
    rules.floor = from.get<Floor>();
    rules.strict = from.get<bool>();
    if (rules != rules_) throw std::invalid_argument("these bytes are the state of a Page-Hinkley test with other rules");
    PageHinkley loaded(rules_);
    loaded.n_ = from.get<std::uint64_t>();
    for (auto* value : {&loaded.total_, &loaded.up_, &loaded.down_, &loaded.lowest_, &loaded.highest_})
      *value = from.get<double>();
    *this = loaded;
  }

 private:
  PageHinkleyRules rules_;
  std::uint64_t n_;
  double total_, up_, down_, lowest_, highest_;
  double rise_ = std::numeric_limits<double>::quiet_NaN();  // not saved: it is that of the last value

  bool passes(double rise) const { return rules_.strict ? rise > rules_.threshold : rise >= rules_.threshold; }

  double above(double& m) {
    if (rules_.floor == Floor::none) return m;
    if (rules_.floor == Floor::zero) return m = std::max(0.0, m);
    lowest_ = std::min(lowest_, m);
    return m - lowest_;
  }
  double below(double& m) {
    if (rules_.floor == Floor::none) return -m;
    if (rules_.floor == Floor::zero) return -(m = std::min(0.0, m));
    highest_ = std::max(highest_, m);
    return highest_ - m;
  }
};

}  // namespace prequential
