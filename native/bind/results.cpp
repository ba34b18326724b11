#include "results.hpp"

void init_results(nb::module_& m) {
  nb::class_<prequential::Seconds>(m, "Seconds", "Time spent predicting, learning and counting.")
      .def_ro("predict", &prequential::Seconds::predict)
      .def_ro("learn", &prequential::Seconds::learn)
      .def_ro("count", &prequential::Seconds::count);
  nb::class_<SnapshotArrays> snapshots(
      m, "Snapshots",
      "Checkpoints: head (checkpoint, [records, time, unlabelled, abstained, not finite]) and counts (checkpoint, "
      "forgetting, matrix and tallies).");
  add_array(snapshots, "head", &SnapshotArrays::head);
  add_array(snapshots, "counts", &SnapshotArrays::counts);
  nb::class_<Updated, SnapshotArrays>(m, "Updated", "The checkpoints passed, and the message about a rejected score.")
      .def_ro("fault", &Updated::fault);
  nb::class_<Counted, SnapshotArrays>(m, "Counted", "The checkpoints passed, and the time spent.")
      .def_ro("seconds", &Counted::seconds);
  nb::class_<Tested> tested(m, "Tested", "The scores of each record before it was learned, and the time spent.");
  add_array(tested, "scores", &Tested::scores);
  tested.def_ro("seconds", &Tested::seconds);
}
