// How many bytes the allocator uses for a request.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace prequential {

// n bytes: a header of 8, multiples of 16, at least 32 (glibc's rule; other allocators are similar).
inline std::size_t allocated(std::size_t n) { return n == 0 ? 0 : std::max<std::size_t>(32, (n + 23) / 16 * 16); }

template <class T>
std::size_t bytes_of(const std::vector<T>& v) {
  return allocated(v.capacity() * sizeof(T));
}

// Without spare capacity, so that a loaded model takes as many bytes as the saved one.
template <class T>
void resize_exactly(std::vector<T>& v, std::size_t n) {
  v.reserve(n);
  v.resize(n);
}

}  // namespace prequential
