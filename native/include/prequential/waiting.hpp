// Records that wait for their labels, and their predictions meanwhile (Grzenda, Gomes and Bifet 2020). A record is
// predicted when it arrives, again as the model learns from the labels of others, and once more when its own label
// comes. Only then is it known how long it waited, so the changes of its prediction are kept until then
// (waiting_record.hpp).
//
// When a label comes, thousands of records may wait, and few get another prediction. Only these are touched
// (question_times.hpp).
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <unordered_map>
#include <vector>

#include "prequential/asking.hpp"
#include "prequential/past_ids.hpp"
#include "prequential/question_times.hpp"
#include "prequential/waiting_results.hpp"

namespace prequential {

class Waiting {
 public:
  // `period`: a waiting record is asked again after every `period` labels that were learned since it arrived.
  // `horizon`: how long a record may wait, infinity for no limit. `remember`: how many past ids to keep.
  // `first_class`: a learner that abstains counts as predicting the first class.
  Waiting(std::size_t n_features, int bins, std::uint64_t period, double horizon, std::size_t remember,
          bool first_class = false)
      : n_features_(n_features), bins_(bins), questions_(period), horizon_(horizon),
        lowest_(first_class ? 0 : -1), past_(remember) {}

  // Keep the scores of the initial and of the final prediction, one per class; before the first event.
  void keep_scores(int n_classes) { n_scores_ = std::size_t(n_classes); }
  std::size_t n_scores() const { return n_scores_; }

  // With larger times, the number of bins times the difference of two times could overflow.
  static constexpr double kMostTime = 1e300;

  struct Events {  // label < 0: the record arrives, or a new version of it; otherwise its label comes
    std::size_t n;
    const double* X;
    const std::int64_t* id;
    const double* time;
    const std::int64_t* label;
    const double* weight;  // or null
  };

  // Process some events with a learner. `ask_all`: ask even where the same prediction is certain. After an exception,
  // the events before it have been processed; `n_events` is the number of the event that raised it.
  Seconds step(Learner& learner, const Events& events, bool ask_all) {
    Seconds spent;
    Asking ask(learner, n_features_, lowest_, spent, ask_all);
    resize_terms(ask.n_terms());
    if (n_scores_) widen_scores(std::size_t(ask.n_classes()));
    for (std::size_t i = 0; i < events.n; ++i, ++n_events_) {
      const double t = events.time[i];
      const double* x = events.X + i * n_features_;
      advance_clock(events.id[i], t);
      if (events.label[i] < 0) {
        receive(ask, events.id[i], t, x);
        continue;
      }
      const auto at = find_waiting(events.id[i], t, events.label[i]);
      if (at == kNowhere) continue;
      labelled_.assign(row(at), row(at) + n_features_);
      Basis unused;
      finish(at, t, ask.one(labelled_.data(), unused));
      if (n_scores_) report_scores(at, ask.scores().data());
      remove(at, events.label[i]);
      ask_again(ask);
      const double weight = weight_of(events.weight, i);
      if (weight > 0) ask.learn(labelled_.data(), int(events.label[i]), weight);
      ++n_labels_;
    }
    return spent;
  }

  // The same for predictions from a log: `label` is the class predicted where `known` is 0, and the label where it is
  // 1. The last prediction is the final one. `scores`: of the predictions, one row per event, if they are kept.
  void replay(std::size_t n, const std::uint8_t* known, const std::int64_t* id, const double* time,
              const std::int64_t* label, const double* scores = nullptr) {
    const std::size_t n_known = std::size_t(std::count(known, known + n, std::uint8_t(1)));
    results_.predictions.reserve(results_.predictions.size() + n_known * (std::size_t(bins_.n()) + 2));
    for (std::size_t i = 0; i < n; ++i, ++n_events_) {
      advance_clock(id[i], time[i]);
      if (known[i]) {
        const auto at = find_waiting(id[i], time[i], label[i]);
        if (at == kNowhere) continue;
        finish(at, time[i], predictions_[at]);
        if (n_scores_) report_scores(at, kept_.data() + (2 * at + 1) * n_scores_);
        remove(at, label[i]);
        ++n_labels_;
      } else if (const auto found = places_.find(id[i]); found != places_.end()) {
        ++n_versions_;
        set_prediction(found->second, std::int32_t(label[i]));
        if (n_scores_) std::copy_n(scores + i * n_scores_, n_scores_, kept_.data() + (2 * found->second + 1) * n_scores_);
      } else if (admit(id[i], time[i])) {
        records_.back().first = predictions_.back() = std::int32_t(label[i]);
        if (n_scores_) keep(scores + i * n_scores_);
      }
    }
  }

  // What happened since the last call.
  WaitingResults take() { return std::exchange(results_, {}); }

  std::size_t n_waiting() const { return records_.size(); }
  std::uint64_t n_events() const { return n_events_; }
  std::uint64_t n_records() const { return n_records_; }
  std::uint64_t n_versions() const { return n_versions_; }
  std::uint64_t n_labels() const { return n_labels_; }
  std::uint64_t n_expired() const { return n_expired_; }
  std::uint64_t n_asked() const { return n_asked_; }

  // The ids of records that wait, and past ids.
  std::size_t n_known() const { return records_.size() + past_.size(); }
  std::vector<std::int64_t> known() const {
    std::vector<std::int64_t> ids;
    for (const WaitingRecord& record : records_) ids.push_back(record.id);
    past_.copy_to(ids);
    return ids;
  }

  std::size_t nbytes() const {
    std::size_t n = sizeof *this + bytes_of(records_) + bytes_of(X_) + bytes_of(predictions_) + bytes_of(bases_) +
                    bytes_of(terms_) + bytes_of(kept_) + bytes_of(due_at_) + questions_.nbytes() + places_.size() * 48 + past_.nbytes() +
                    arrivals_.size() * sizeof(Arrival);
    for (const WaitingRecord& record : records_) n += bytes_of(record.changes);
    return n;
  }

  void write(Writer& to) const {
    for (std::uint64_t n : rules()) to.put(n);
    to.put(horizon_);
    for (std::uint64_t n : {n_events_, n_records_, n_versions_, n_labels_, n_expired_, n_asked_}) to.put(n);
    to.put(now_);
    to.put(std::uint64_t(records_.size()));
    for (std::size_t at = 0; at < records_.size(); ++at) {
      WaitingRecord record = records_[at];
      questions_.catch_up(record);
      record.write(to, predictions_[at]);
    }
    to.put(X_);
    to.put(std::vector<Arrival>(arrivals_.begin(), arrivals_.end()));
    past_.write(to);
    if (!n_scores_) return;
    to.put(std::uint64_t(n_scores_));
    to.put(kept_);
  }
  void read(Reader& from) {
    bool same = true;
    for (std::uint64_t n : rules()) same = (from.get<std::uint64_t>() == n) && same;
    if (from.get<double>() != horizon_ || !same)
      throw std::invalid_argument("these bytes are of records that wait under other rules");
    Waiting other(n_features_, bins_.n(), questions_.period(), horizon_, past_.most(), lowest_ == 0);
    for (auto* n : {&other.n_events_, &other.n_records_, &other.n_versions_, &other.n_labels_, &other.n_expired_,
                    &other.n_asked_})
      *n = from.get<std::uint64_t>();
    other.now_ = from.get<double>();
    const auto n = from.get<std::uint64_t>();
    for (std::uint64_t i = 0; i < n; ++i) {
      WaitingRecord record;
      other.predictions_.push_back(record.read(from));
      if (record.born > other.n_labels_) throw std::invalid_argument("damaged state: the arrival of a record");
      record.followed = other.n_labels_;
      other.due_at_.push_back(questions_.next_due(record.born, other.n_labels_));
      if (!other.places_.emplace(record.id, i).second)
        throw std::invalid_argument("damaged state: a record waits twice");
      other.records_.push_back(std::move(record));
    }
    from.get(other.X_, std::size_t(n) * n_features_);
    std::vector<Arrival> arrivals;
    from.get(arrivals);
    other.arrivals_.assign(arrivals.begin(), arrivals.end());
    other.past_.read(from);
    if (n_scores_) {
      other.n_scores_ = std::size_t(from.get<std::uint64_t>());
      if (other.n_scores_ < 1 || other.n_scores_ > kMostScores)
        throw std::invalid_argument("damaged state: the number of scores");
      from.get(other.kept_, 2 * std::size_t(n) * other.n_scores_);
    }
    other.bases_.resize(other.records_.size());
    other.questions_.restart(other.n_labels_);
    *this = std::move(other);
  }

 private:
  static constexpr double kNever = WaitingRecord::kNever;
  static constexpr std::size_t kNowhere = std::size_t(-1);
  static constexpr std::size_t kMostScores = 1 << 20;

  struct Arrival {
    double time;  // the latest time known when it came: times may run backwards
    std::int64_t id;
    std::uint64_t number;
  };

  std::size_t n_features_;
  WaitingBins bins_;
  QuestionTimes questions_;
  double horizon_;
  std::int32_t lowest_;                    // the prediction of a learner that abstains
  std::vector<WaitingRecord> records_;     // in no order
  std::vector<double> X_;                  // their features, row by row
  std::vector<std::int32_t> predictions_;  // their current predictions
  std::vector<Basis> bases_;               // what these depend on
  std::vector<double> terms_;              // what the learner keeps with each basis, row by row
  std::size_t n_terms_ = 0;
  std::vector<double> kept_;               // the scores of their first and last predictions, row by row, if kept
  std::size_t n_scores_ = 0;
  std::vector<std::uint64_t> due_at_;      // the label at which each is asked again
  std::unordered_map<std::int64_t, std::size_t> places_;
  std::deque<Arrival> arrivals_;           // in order, if there is a horizon; up to half of them wait no longer
  PastIds past_;
  double now_ = -kNever;
  std::uint64_t n_events_ = 0, n_records_ = 0, n_versions_ = 0, n_labels_ = 0, n_expired_ = 0, n_asked_ = 0;
  WaitingResults results_;
  std::vector<double> labelled_, batch_;     // features: of the record whose label has come, of records asked together
  std::vector<std::size_t> due_, stale_;

  // Make room for `n_terms` terms per record, and drop the old ones.
  void resize_terms(std::size_t n_terms) {
    if (n_terms == n_terms_) return;
    n_terms_ = n_terms;
    terms_.assign(records_.size() * n_terms, 0);
    bases_.assign(records_.size(), {});
  }

  // Make room for the scores of classes that appeared during the stream; they were 0 before.
  void widen_scores(std::size_t n_classes) {
    if (n_classes <= n_scores_) return;
    std::vector<double> wider(2 * records_.size() * n_classes);
    for (std::size_t row = 0; row < 2 * records_.size(); ++row)
      std::copy_n(kept_.data() + row * n_scores_, n_scores_, wider.data() + row * n_classes);
    kept_ = std::move(wider);
    n_scores_ = n_classes;
  }
  // The scores of the first prediction for the record that was admitted last.
  void keep(const double* scores) {
    double* first = kept_.data() + kept_.size() - 2 * n_scores_;
    std::copy_n(scores, n_scores_, first);
    std::copy_n(scores, n_scores_, first + n_scores_);
  }
  void report_scores(std::size_t at, const double* last) {
    const double* first = kept_.data() + 2 * at * n_scores_;
    results_.scores.insert(results_.scores.end(), first, first + n_scores_);
    results_.scores.insert(results_.scores.end(), last, last + n_scores_);
  }

  // All parameters except the horizon.
  std::array<std::uint64_t, 5> rules() const {
    return {n_features_, std::uint64_t(bins_.n()), questions_.period(), past_.most(), std::uint64_t(lowest_ == 0)};
  }

  double* row(std::size_t at) { return X_.data() + at * n_features_; }

  void report(Irregular what, std::int64_t id, double time) { results_.report(what, id, n_events_, time); }

  // The clock never runs backwards. Records that have waited longer than the horizon expire.
  void advance_clock(std::int64_t id, double t) {
    if (t < now_) report(Irregular::backwards, id, t);
    now_ = std::max(now_, t);
    while (!arrivals_.empty() && now_ - arrivals_.front().time > horizon_) {
      const Arrival oldest = arrivals_.front();
      arrivals_.pop_front();
      if (!waits(oldest)) continue;
      const std::size_t at = places_.at(oldest.id);
      report(Irregular::expired, oldest.id, records_[at].arrived);
      ++n_expired_;
      remove(at, PastIds::kExpired);
    }
  }
  bool waits(const Arrival& one) const {
    const auto found = places_.find(one.id);
    return found != places_.end() && records_[found->second].number == one.number;
  }
  static constexpr std::size_t kMostGone = 1024;  // arrivals to keep beyond twice the number of waiting records

  // A record arrives, or a new version of one that waits.
  void receive(Asking& ask, std::int64_t id, double t, const double* x) {
    const auto found = places_.find(id);
    if (found != places_.end()) {
      const std::size_t at = found->second;
      std::copy_n(x, n_features_, row(at));
      ++n_versions_;
      set_prediction(at, ask.one(x, bases_[at]));
      ask.learn_unlabelled(x);
    } else if (!past_.contains(id)) {
      Basis basis;
      const auto prediction = ask.one(x, basis);  // first: it may raise an error
      admit(id, t);
      X_.insert(X_.end(), x, x + n_features_);
      records_.back().first = predictions_.back() = prediction;
      bases_.back() = basis;
      if (n_scores_) keep(ask.scores().data());
      ask.learn_unlabelled(x);
    } else {
      admit(id, t);
    }
  }

  // Let a record wait, unless its id is past.
  bool admit(std::int64_t id, double t) {
    if (const std::int64_t* outcome = past_.find(id)) {
      report(*outcome <= PastIds::kEarly      ? Irregular::label_first
             : *outcome == PastIds::kExpired ? Irregular::expired_again
                                             : Irregular::record_after,
             id, t);
      return false;
    }
    places_.emplace(id, records_.size());
    WaitingRecord record;
    record.id = id;
    record.arrived = t;
    record.number = n_records_;
    record.born = record.followed = n_labels_;
    records_.push_back(std::move(record));
    predictions_.push_back(-1);
    bases_.emplace_back();
    terms_.resize(records_.size() * n_terms_);
    due_at_.push_back(n_labels_ + questions_.period());
    kept_.resize(2 * records_.size() * n_scores_);
    if (horizon_ < kNever) {
      arrivals_.push_back({now_, id, n_records_});
      if (arrivals_.size() > 2 * records_.size() + kMostGone)
        std::erase_if(arrivals_, [this](const Arrival& one) { return !waits(one); });
    }
    ++n_records_;
    return true;
  }

  // The place of the record whose label has come, or kNowhere if it does not wait.
  std::size_t find_waiting(std::int64_t id, double t, std::int64_t label) {
    const auto found = places_.find(id);
    if (found != places_.end()) {
      if (t < records_[found->second].arrived) report(Irregular::negative_latency, id, t);
      return found->second;
    }
    const std::int64_t* outcome = past_.find(id);
    if (!outcome) {
      report(Irregular::no_record, id, t);
      past_.add(id, PastIds::early(label));
    } else if (*outcome == PastIds::kExpired) {
      report(Irregular::late_label, id, t);
    } else {
      report(PastIds::label_of(*outcome) == label ? Irregular::same_label : Irregular::other_label, id, t);
    }
    return kNowhere;
  }

  // A new prediction for a record that waits. Its time is the latest known, as times may run backwards.
  void set_prediction(std::size_t at, std::int32_t prediction) {
    WaitingRecord& record = records_[at];
    ++n_asked_;
    questions_.catch_up(record);
    record.follow(now_);
    if (prediction != predictions_[at]) record.changes.push_back({now_, record.asked, kNever, prediction});
    predictions_[at] = prediction;
    record.asked = now_;
  }

  // Ask for all records that are due at this label; those whose prediction stays the same catch up later.
  void ask_again(Asking& ask) {
    due_.clear();
    for (std::size_t at = 0; at < due_at_.size(); ++at)
      if (due_at_[at] == n_labels_) {
        due_.push_back(at);
        due_at_[at] += questions_.period();
      }
    if (!due_.empty()) ask_due(ask);
    questions_.add(now_);
    if (!questions_.full()) return;
    for (WaitingRecord& record : records_) questions_.catch_up(record);
    questions_.restart(n_labels_ + 1);
  }

  void ask_due(Asking& ask) {
    const std::uint64_t n_asked = n_asked_ + due_.size();
    const auto update = [&](std::size_t at, std::int32_t prediction) {
      if (prediction == predictions_[at]) return;
      set_prediction(at, prediction);
      records_[at].followed = n_labels_ + 1;
    };
    if (ask.blind()) {
      Basis unused;
      const auto prediction = ask.one(row(due_.front()), unused);
      for (const std::size_t at : due_) update(at, prediction);
    } else if (ask.selective()) {
      const auto& answers = ask.renewed({X_.data(), n_features_, bases_.data(), terms_.data(), n_terms_}, due_, stale_);
      for (std::size_t k = 0; k < stale_.size(); ++k) update(stale_[k], answers[k]);
    } else {
      const bool all = due_.size() == records_.size();
      if (!all) {
        batch_.resize(due_.size() * n_features_);
        for (std::size_t k = 0; k < due_.size(); ++k)
          std::copy_n(row(due_[k]), n_features_, batch_.data() + k * n_features_);
      }
      const auto& answers = ask.many(all ? X_.data() : batch_.data(), due_.size());
      for (std::size_t k = 0; k < due_.size(); ++k) update(due_[k], answers[k]);
    }
    n_asked_ = n_asked;
  }

  // The label has come: add the predictions in all bins to the results.
  void finish(std::size_t at, double t, std::int32_t last) {
    WaitingRecord& record = records_[at];
    questions_.catch_up(record);
    const double waited = t - record.arrived;
    results_.event.push_back(std::int64_t(n_events_));
    results_.latency.push_back(waited);
    const std::size_t start = results_.predictions.size(), B = std::size_t(bins_.n());
    results_.predictions.resize(start + B + 2, record.first);
    std::int32_t* bins = results_.predictions.data() + start;
    bins[B + 1] = last;
    if (waited > 0) bins_.fill(record, waited, bins);
  }

  // A record no longer waits; remember its outcome.
  void remove(std::size_t at, std::int64_t outcome) {
    const std::int64_t id = records_[at].id;
    places_.erase(id);
    const std::size_t last = records_.size() - 1;
    if (at != last) {
      records_[at] = std::move(records_[last]);
      places_[records_[at].id] = at;
      predictions_[at] = predictions_[last];
      bases_[at] = bases_[last];
      std::copy_n(terms_.begin() + std::ptrdiff_t(last * n_terms_), n_terms_,
                  terms_.begin() + std::ptrdiff_t(at * n_terms_));
      due_at_[at] = due_at_[last];
      if (!X_.empty()) std::copy_n(row(last), n_features_, row(at));
      std::copy_n(kept_.begin() + std::ptrdiff_t(2 * last * n_scores_), 2 * n_scores_,
                  kept_.begin() + std::ptrdiff_t(2 * at * n_scores_));
    }
    records_.pop_back();
    predictions_.pop_back();
    bases_.pop_back();
    terms_.resize(last * n_terms_);
    due_at_.pop_back();
    kept_.resize(2 * last * n_scores_);
    if (!X_.empty()) X_.resize(records_.size() * n_features_);
    past_.add(id, outcome);
  }
};

}  // namespace prequential
