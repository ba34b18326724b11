// What the allocator takes for what is asked of it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace prequential {

// For n bytes: a header of 8, steps of 16, at least 32 (glibc's rule; others come close).
inline std::size_t allocated(std::size_t n) { return n == 0 ? 0 : std::max<std::size_t>(32, (n + 23) / 16 * 16); }

template <class T>
std::size_t bytes_of(const std::vector<T>& v) {
  return allocated(v.capacity() * sizeof(T));
}

// Without room to spare: then a model that was read from bytes takes as many as the one that was written.
template <class T>
void resize_exactly(std::vector<T>& v, std::size_t n) {
  v.reserve(n);
  v.resize(n);
}

}  // namespace prequential
