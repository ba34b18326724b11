// Record-by-record steps of streams that are composed of others.
#include <algorithm>

#include "prequential/next_of_class.hpp"

#include "arrays.hpp"

void init_compositions(nb::module_& m) {
  m.def("next_of_class", [](Codes wanted, Codes labels) {
    const std::size_t most = std::min(wanted.shape(0), labels.shape(0));
    auto taken = std::make_unique_for_overwrite<std::int64_t[]>(most);
    std::int64_t* data = taken.get();
    std::size_t n = 0;
    {
      nb::gil_scoped_release nogil;
      n = prequential::next_of_class(wanted.data(), wanted.shape(0), labels.data(), labels.shape(0), data);
    }
    return array_of(data, {n}, std::move(taken));
  }, "wanted"_a, "labels"_a, "For each wanted class, the index of its next label after the previous one found.");
}
