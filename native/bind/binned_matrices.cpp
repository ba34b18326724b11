#include "prequential/binned_matrices.hpp"

#include "arrays.hpp"

using prequential::BinnedMatrices;

namespace {

using Rows = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Array<double> shaped(const BinnedMatrices& matrices, std::vector<double>&& values) {
  const std::size_t C = std::size_t(matrices.n_classes()), parts = matrices.n_parts(), bins = matrices.n_bins();
  const std::size_t width = parts * C * (C + 1) * bins, n = width ? values.size() / width : 0;
  return array(std::move(values), {n, parts, C, C + 1, bins});
}

Array<double> update(BinnedMatrices& matrices, Rows predictions, Codes y, std::optional<Vector> t,
                     std::uint64_t every) {
  const std::size_t n = predictions.shape(0);
  if (predictions.shape(1) != matrices.n_bins()) throw nb::value_error("predictions must have one column per bin");
  matrices.grow(check_codes("y", y, n, matrices.n_classes()));
  for (std::size_t i = 0; i < n; ++i)
    if (y.data()[i] < 0) throw nb::value_error("y lacks a label");
  std::int32_t least = 0, most = -1;
  for (std::size_t i = 0; i < n * matrices.n_bins(); ++i) {
    least = std::min(least, predictions.data()[i]);
    most = std::max(most, predictions.data()[i]);
  }
  if (least < -1 || most >= prequential::kMostClasses)
    throw nb::value_error("predictions holds an invalid code; codes run from 0 to 4095, -1 for none");
  matrices.grow(most + 1);
  if (t) check_length("t", t->shape(0), n);
  std::vector<double> snapshots;
  {
    nb::gil_scoped_release nogil;
    matrices.update(predictions.data(), y.data(), t ? t->data() : nullptr, n, every, snapshots);
  }
  return shaped(matrices, std::move(snapshots));
}

}  // namespace

void init_binned_matrices(nb::module_& m) {
  nb::class_<BinnedMatrices>(m, "BinnedMatrices", "The confusion matrices of all bins, under several forgettings.")
      .def("__init__",
           [](BinnedMatrices* self, int n_classes, std::size_t n_bins) {
             if (n_classes < 0 || n_classes > prequential::kMostClasses || n_bins < 1 || n_bins > 100002)
               throw nb::value_error("n_classes must be 0 to 4096, n_bins 1 to 100002");
             new (self) BinnedMatrices(n_classes, n_bins);
           },
           "n_classes"_a, "n_bins"_a)
      .def("add_cumulative", &BinnedMatrices::add_cumulative)
      .def("add_sliding", &BinnedMatrices::add_sliding, "records"_a, "seconds"_a)
      .def("add_fading", &BinnedMatrices::add_fading, "alpha"_a)
      .def("update", &update, "predictions"_a.noconvert(), "y"_a.noconvert(), "t"_a.none(), "every"_a,
           "Count some labels; return the matrices at the checkpoints passed, with the axes (checkpoint, forgetting, "
           "label, prediction, bin).")
      .def("snapshot",
           [](const BinnedMatrices& matrices) {
             std::vector<double> snapshots;
             matrices.snapshot(snapshots);
             return shaped(matrices, std::move(snapshots));
           },
           "The current matrices, as one checkpoint.")
      .def("grow",
           [](BinnedMatrices& matrices, int n) {
             if (n < 0 || n > prequential::kMostClasses) throw nb::value_error("n_classes must be from 0 to 4096");
             matrices.grow(n);
           },
           "n_classes"_a)
      .def_prop_ro("n_classes", &BinnedMatrices::n_classes)
      .def_prop_ro("n_seen", &BinnedMatrices::n_seen)
      .def_prop_ro("nbytes", &BinnedMatrices::nbytes)
      .def("to_bytes",
           [](const BinnedMatrices& matrices) {
             prequential::Writer to("binned_matrices", 1);
             matrices.write(to);
             to.seal();
             return nb::bytes(to.data.data(), to.data.size());
           })
      .def("load_bytes", [](BinnedMatrices& matrices, nb::bytes state) {
        prequential::Reader from(state.data(), state.size(), "binned_matrices", 1);
        matrices.read(from);
        from.done();
      }, "state"_a);
}
