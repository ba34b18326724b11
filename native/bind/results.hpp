// What the calls that test, train and count return to Python: named fields instead of tuples.
#pragma once
#include "arrays.hpp"
#include "prequential/grid.hpp"
#include "prequential/learner.hpp"

// Checkpoints. `head` has one row per checkpoint: records, time, unlabelled, abstained, not finite. `counts` has the
// axes (checkpoint, forgetting, matrix and tallies).
struct SnapshotArrays {
  Array<double> head, counts;

  SnapshotArrays(const prequential::Grid& grid, prequential::Snapshots&& s)
      : SnapshotArrays(s.head.size() / prequential::Grid::kHead, grid, std::move(s)) {}

 private:
  SnapshotArrays(std::size_t n, const prequential::Grid& grid, prequential::Snapshots&& s)
      : head(array(std::move(s.head), {n, prequential::Grid::kHead})),
        counts(array(std::move(s.counts), {n, grid.n_parts(), grid.width()})) {}
};

// The same, and the message about the score that was rejected; empty if none was.
struct Updated : SnapshotArrays {
  std::string fault;
};

// The same, and the time spent.
struct Counted : SnapshotArrays {
  prequential::Seconds seconds;
};

struct Tested {
  Array<double> scores;
  prequential::Seconds seconds;
};

// A read-only attribute that is an array: it shares the memory of the result, without a copy.
template <class Result, class T, class Holder>
void add_array(nb::class_<Result>& bound, const char* name, Array<T> Holder::*field) {
  bound.def_prop_ro(name, [field](const Result& result) { return result.*field; }, nb::rv_policy::reference);
}
