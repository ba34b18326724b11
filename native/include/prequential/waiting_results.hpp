// What happens to records that wait for their labels: labels that come, and events that are irregular.
#pragma once
#include <cstdint>
#include <vector>

namespace prequential {

// What can be wrong with an event. The names in Python are in this order.
enum class Irregular : std::uint8_t {
  no_record,         // a label of an unknown id
  same_label,        // a second label, equal to the first
  other_label,       // a second label, different from the first
  label_first,       // a record whose label came before it
  record_after,      // a record that comes again after its label
  negative_latency,  // a label with a time before its record's: it counts as having come at once
  backwards,         // a time before that of the previous event
  expired,           // a record that waited longer than the horizon
  late_label,        // a label for an expired record
  expired_again,     // a new version of an expired record
};

struct WaitingResults {
  std::vector<std::int64_t> event;        // number of the event that brought the label
  std::vector<std::int32_t> predictions;  // one row per label: initial, bins 1 to B, final; -1: none
  std::vector<double> scores;             // if scores are kept, two rows per label: of the initial and final prediction
  std::vector<double> latency;
  std::vector<std::uint8_t> irregular;
  std::vector<std::int64_t> irregular_id, irregular_event;
  std::vector<double> irregular_time;

  void report(Irregular what, std::int64_t id, std::uint64_t number, double time) {
    irregular.push_back(std::uint8_t(what));
    irregular_id.push_back(id);
    irregular_event.push_back(std::int64_t(number));
    irregular_time.push_back(time);
  }
};

}  // namespace prequential
