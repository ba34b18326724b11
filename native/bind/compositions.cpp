// What streams made of streams do record by record.
#include <algorithm>

#include "prequential/next_of_class.hpp"

#include "arrays.hpp"

void init_compositions(nb::module_& m) {
  m.def("next_of_class", [](Codes wanted, Codes labels) {
    const std::size_t most = std::min(wanted.shape(0), labels.shape(0));
    auto* taken = new std::int64_t[most];
    std::size_t n = 0;
    {
      nb::gil_scoped_release nogil;
      n = prequential::next_of_class(wanted.data(), wanted.shape(0), labels.data(), labels.shape(0), taken);
    }
    return array(taken, {n});
  }, "wanted"_a, "labels"_a, "The index of the label taken for each wanted class, reading on from one to the next.");
}
