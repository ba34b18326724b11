// ADWIN as a detector: an alarm when its window shrinks.
#pragma once
#include "prequential/adwin.hpp"
#include "prequential/detector.hpp"

namespace prequential {

class AdwinDetector {
 public:
  static constexpr const char* kAccepted = "finite numbers; with the bound of theorem 3, numbers from 0 to 1";

  // `restart`: drop the whole window after an alarm, as River does.
  AdwinDetector(const AdwinRules& rules, Direction direction, bool restart)
      : window_(rules), direction_(direction), restart_(restart) {}

  bool accepts(double x) const { return window_.rules().theorem3 ? x >= 0 && x <= 1 : std::isfinite(x); }

  bool update(double x) {
    if (!window_.update(x)) return false;
    if (direction_ != Direction::both && window_.increased() != (direction_ == Direction::up)) return false;
    if (restart_) window_.clear();
    return true;
  }

  void reset() { window_.clear(); }

  // The width and the mean of the window, after it has shrunk; there is no limit.
  static constexpr std::size_t kShown = 3;
  void show(double* out) const {
    out[0] = double(window_.width());
    out[1] = window_.mean();
    out[2] = std::nan("");
  }
  const Adwin& window() const { return window_; }
  std::size_t nbytes() const { return window_.nbytes(); }  // beyond the object itself

  void write(Writer& to) const {
    to.put(direction_);
    to.put(restart_);
    window_.write(to);
  }
  void load(Reader& from) {
    if (from.get<Direction>() != direction_ || from.get<bool>() != restart_)
      throw std::invalid_argument("these bytes are the state of an ADWIN with other rules");
    window_.load(from);
  }

 private:
  Adwin window_;
  Direction direction_;
  bool restart_;
};

}  // namespace prequential
