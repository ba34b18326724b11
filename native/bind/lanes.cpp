// The loops of lanes.hpp in each set of instructions.
#include "prequential/lanes.hpp"

#include <algorithm>
#include <atomic>

#include "arrays.hpp"
#include "prequential/elementary.hpp"
#include "prequential/pooled_feature.hpp"

namespace prequential {

namespace plain {
#define LANES_NAME "plain"
#include "lane_loops.hpp"
#undef LANES_NAME
}  // namespace plain

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("avx2")
namespace avx2 {
#define LANES_NAME "avx2"
#define LANES_AVX2
#include "lane_loops.hpp"
#undef LANES_AVX2
#undef LANES_NAME
}  // namespace avx2
#pragma GCC pop_options
#define PREQUENTIAL_HAS_AVX2
#endif

const std::vector<const LaneKernel*>& lane_kernels() {
  static const std::vector<const LaneKernel*> found = [] {
    std::vector<const LaneKernel*> kernels{&plain::kKernel};
#ifdef PREQUENTIAL_HAS_AVX2
    if (__builtin_cpu_supports("avx2")) kernels.push_back(&avx2::kKernel);
#endif
    return kernels;
  }();
  return found;
}

namespace {
std::atomic<const LaneKernel*> chosen{lane_kernels().back()};
}
const LaneKernel& lane_kernel() { return *chosen.load(std::memory_order_relaxed); }
void choose_lane_kernel(const LaneKernel& kernel) { chosen = &kernel; }

}  // namespace prequential

void init_lanes(nb::module_& m) {
  m.def("instruction_sets", [] {
    nb::typed<nb::list, nb::str> names;
    for (const auto* kernel : prequential::lane_kernels()) names.append(kernel->name);
    return names;
  }, "The sets of instructions that this processor can run the hot loops in.");
  m.def("use_instructions", [](const std::string& name) {
    const std::string before = prequential::lane_kernel().name;
    for (const auto* kernel : prequential::lane_kernels())
      if (name == kernel->name) return prequential::choose_lane_kernel(*kernel), before;
    throw nb::value_error(("there are no loops in the instructions " + name).c_str());
  }, "name"_a, "Run the hot loops in another set of instructions, to test and measure it; returns the one before.");
}
