// What drift detectors share. A detector D has
//   bool update(double x)                 whether it gives an alarm after x; it has then restarted, if it ever does
//   void reset()
//   bool accepts(double x) const          which numbers it can be fed with
//   static constexpr const char* kAccepted   the same in words
//   std::size_t nbytes() const            what the allocator has given to it, beyond the object itself
//   write(Writer&) const, load(Reader&)   where the bytes do not fit, nothing is changed
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "prequential/bytes.hpp"

namespace prequential {

enum class Direction : std::uint8_t { up, down, both };

// NaN says that there was nothing to see: it is passed over. Anything else that a detector cannot use is refused before
// the first value is taken.
template <class D>
void check_values(const D& detector, const double* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isnan(x[i]) && !detector.accepts(x[i]))
      throw std::invalid_argument("the value " + std::to_string(x[i]) + " at position " + std::to_string(i) +
                                  " cannot be used. Accepted: " + D::kAccepted);
}

// Take values up to and including the first that gives an alarm; its position, or n where none does.
template <class D>
std::size_t until_alarm(D& detector, const double* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isnan(x[i]) && detector.update(x[i])) return i;
  return n;
}

// Take all values; the positions of those that gave an alarm.
template <class D>
std::vector<std::int64_t> alarms(D& detector, const double* x, std::size_t n) {
  std::vector<std::int64_t> found;
  for (std::size_t i = until_alarm(detector, x, n); i < n; i += 1 + until_alarm(detector, x + i + 1, n - i - 1))
    found.push_back(std::int64_t(i));
  return found;
}

}  // namespace prequential
