// Search a stream for the next record of a wanted class, again and again.
#pragma once
#include <cstddef>
#include <cstdint>

namespace prequential {

// Write to `taken` the index of the label found for each wanted class, in order, until either list ends. Returns how
// many were found.
inline std::size_t next_of_class(const std::int64_t* wanted, std::size_t n_wanted, const std::int64_t* labels,
                                 std::size_t n_labels, std::int64_t* taken) {
  std::size_t k = 0;
  for (std::size_t i = 0; i < n_labels && k < n_wanted; ++i) {
    if (labels[i] == wanted[k]) taken[k++] = std::int64_t(i);
  }
  return k;
}

}  // namespace prequential
