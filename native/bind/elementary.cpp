// Elementary functions of arrays.
#include "prequential/elementary.hpp"

#include "arrays.hpp"

namespace {

template <class F>
void bind_function(nb::module_& m, const char* name, const F& of) {
  m.def(name, [of](const Vector& x) {
    const std::size_t n = x.shape(0);
    auto result = empty<double>({n});
    const double* in = x.data();
    double* out = result.data();
    nb::gil_scoped_release nogil;
    for (std::size_t i = 0; i < n; ++i) out[i] = of(in[i]);
    return result;
  }, "x"_a);
}

}  // namespace

void init_elementary(nb::module_& m) {
  namespace elementary = prequential::elementary;
  bind_function(m, "exp", [](double x) { return elementary::exp(x); });
  bind_function(m, "log", elementary::log);
  bind_function(m, "log2", elementary::log2);
  bind_function(m, "sin", [](double x) { return elementary::sin(x); });
  bind_function(m, "cos", elementary::cos);
  bind_function(m, "erfc", elementary::erfc);
  bind_function(m, "normal_quantile", elementary::normal_quantile);
}
