// Records that wait for their labels, and what was predicted for them meanwhile (Grzenda, Gomes and Bifet 2020). A record
// is predicted when it arrives, again as the model learns from the labels of others, and once more when its own label
// comes. Only then is it known how long it waited, so changes of its prediction are kept until then.
//
// The time it waited is cut into bins of equal length. A bin holds the prediction that was in force; where the record
// was asked once within the bin, the answer; where it was asked more often, the class that held longest within it, the
// lowest code of several.
//
// When a label comes, thousands of records may wait, and few get another answer. Only these are touched: the times of the
// questions are the same for all, so they are kept once, and looked up when a record's answer changes or its label comes.
//
// The file is long because a record's whole stay is one piece of state: who waits, who is known again, what was asked
// when, and what is irregular cannot be told apart without handing all of it around.
#pragma once
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <unordered_map>
#include <vector>

#include "prequential/learner.hpp"

namespace prequential {

// What can be wrong with an event. The names at the boundary are in this order.
enum class Irregular : std::uint8_t {
  no_record,         // a label for which no record waits, nor waited as far back as is remembered
  same_label,        // a second label, the same
  other_label,       // a second label, another one
  label_first,       // a record whose label had come before it
  record_after,      // a record that comes again after its label
  negative_latency,  // a label with a time before its record's: it counts as having come at once
  backwards,         // a time before that of the event before
  expired,           // a record that waited longer than the horizon
  late_label,        // a label for such a record
  expired_again,     // a new version of such a record
};

class Waiting {
 public:
  // `period`: a waiting record is asked again when so many labels were learned since it arrived, or a multiple.
  // `horizon`: how long a record may wait; infinite: for ever. `remember`: how many past ids to know again.
  // `first_class`: a learner that abstains is taken to say the first class.
  Waiting(std::size_t n_features, int bins, std::uint64_t period, double horizon, std::size_t remember,
          bool first_class = false)
      : n_features_(n_features), bins_(bins), period_(std::min(period, std::uint64_t(1) << 62)), horizon_(horizon),
        remember_(remember), lowest_(first_class ? 0 : -1) {}

  // Beyond it, as many bins as there may be times the difference of two times is no number.
  static constexpr double kMostTime = 1e300;

  struct Events {  // label < 0: the record arrives, or a new version of it; otherwise its label comes
    std::size_t n;
    const double* X;
    const std::int64_t* id;
    const double* time;
    const std::int64_t* label;
    const double* weight;  // or null
  };

  // What happened since it was last taken away.
  struct Results {
    std::vector<std::int64_t> event;        // number of the event that brought the label
    std::vector<std::int32_t> predictions;  // a row a label: initial, bins 1 to B, final; -1: none
    std::vector<double> latency;
    std::vector<std::uint8_t> irregular;
    std::vector<std::int64_t> irregular_id, irregular_event;
    std::vector<double> irregular_time;
  };

  // Let a learner live through some events. `ask_all`: also where the answer would be the same for sure. What is known up
  // to an exception stays; `n_events` then is the number of the event that raised it.
  Seconds step(Learner& learner, const Events& events, bool ask_all) {
    Seconds spent;
    Asking ask(learner, n_features_, lowest_, spent, ask_all);
    make_room(ask.selective() ? learner.n_terms() : 0);
    for (std::size_t i = 0; i < events.n; ++i, ++n_events_) {
      const double t = events.time[i];
      const double* x = events.X + i * n_features_;
      look_at_clock(events.id[i], t);
      if (events.label[i] < 0) {
        appear(ask, events.id[i], t, x);
        continue;
      }
      const auto at = await(events.id[i], t, events.label[i]);
      if (at == kNowhere) continue;
      own_.assign(row(at), row(at) + n_features_);
      Basis none;
      settle(at, t, ask.one(own_.data(), none));
      forget(at, events.label[i]);
      ask_again(ask);
      const double weight = weight_of(events.weight, i);
      if (weight > 0) ask.learn(own_.data(), int(events.label[i]), weight);
      ++n_labels_;
    }
    return spent;
  }

  // The same where others made the predictions: `label` is the class predicted where `known` is 0, and the label where it
  // is 1. The last prediction is the final one.
  void replay(std::size_t n, const std::uint8_t* known, const std::int64_t* id, const double* time,
              const std::int64_t* label) {
    const std::size_t n_known = std::size_t(std::count(known, known + n, std::uint8_t(1)));
    results_.predictions.reserve(results_.predictions.size() + n_known * (std::size_t(bins_) + 2));
    for (std::size_t i = 0; i < n; ++i, ++n_events_) {
      look_at_clock(id[i], time[i]);
      if (known[i]) {
        const auto at = await(id[i], time[i], label[i]);
        if (at == kNowhere) continue;
        settle(at, time[i], said_[at]);
        forget(at, label[i]);
        ++n_labels_;
      } else if (const auto found = places_.find(id[i]); found != places_.end()) {
        ++n_versions_;
        answer(found->second, std::int32_t(label[i]));
      } else if (admit(id[i], time[i])) {
        entries_.back().first = said_.back() = std::int32_t(label[i]);
      }
    }
  }

  Results take() { return std::exchange(results_, {}); }

  std::size_t n_waiting() const { return entries_.size(); }
  std::uint64_t n_events() const { return n_events_; }
  std::uint64_t n_records() const { return n_records_; }
  std::uint64_t n_versions() const { return n_versions_; }
  std::uint64_t n_labels() const { return n_labels_; }
  std::uint64_t n_expired() const { return n_expired_; }
  std::uint64_t n_asked() const { return n_asked_; }

  // The ids that are known: of records that wait, and past ones.
  std::size_t n_known() const { return entries_.size() + past_.size(); }
  std::vector<std::int64_t> known() const {
    std::vector<std::int64_t> ids;
    for (const Entry& entry : entries_) ids.push_back(entry.id);
    for (const auto& one : past_) ids.push_back(one.first);
    return ids;
  }

  std::size_t nbytes() const {
    std::size_t n = sizeof *this + bytes_of(entries_) + bytes_of(X_) + bytes_of(said_) + bytes_of(bases_) +
                    bytes_of(terms_) + bytes_of(due_at_) + bytes_of(asked_at_) + places_.size() * 48 +
                    past_.size() * 72 + arrivals_.size() * sizeof(Arrival);
    for (const Entry& entry : entries_) n += bytes_of(entry.changes);
    return n;
  }

  void write(Writer& to) const {
    for (std::uint64_t n : rules()) to.put(n);
    to.put(horizon_);
    for (std::uint64_t n : {n_events_, n_records_, n_versions_, n_labels_, n_expired_, n_asked_}) to.put(n);
    to.put(now_);
    to.put(std::uint64_t(entries_.size()));
    for (std::size_t at = 0; at < entries_.size(); ++at) {
      Entry e = entries_[at];
      catch_up(e);
      to.put(e.id);
      for (double value : {e.arrived, e.asked}) to.put(value);
      to.put(e.number);
      to.put(e.born);
      to.put(e.first);
      to.put(said_[at]);
      to.put(e.changes);
    }
    to.put(X_);
    to.put(std::vector<Arrival>(arrivals_.begin(), arrivals_.end()));
    std::vector<Past> past;
    for (const std::int64_t id : order_) past.push_back({id, past_.at(id)});
    to.put(past);
  }
  void read(Reader& from) {
    bool same = true;
    for (std::uint64_t n : rules()) same = (from.get<std::uint64_t>() == n) && same;
    if (from.get<double>() != horizon_ || !same)
      throw std::invalid_argument("these bytes are of records that wait under other rules");
    Waiting other(n_features_, bins_, period_, horizon_, remember_, lowest_ == 0);
    for (auto* n : {&other.n_events_, &other.n_records_, &other.n_versions_, &other.n_labels_, &other.n_expired_,
                    &other.n_asked_})
      *n = from.get<std::uint64_t>();
    other.now_ = from.get<double>();
    const auto n = from.get<std::uint64_t>();
    for (std::uint64_t i = 0; i < n; ++i) {
      Entry e;
      e.id = from.get<std::int64_t>();
      for (double* value : {&e.arrived, &e.asked}) *value = from.get<double>();
      e.number = from.get<std::uint64_t>();
      e.born = from.get<std::uint64_t>();
      e.first = from.get<std::int32_t>();
      other.said_.push_back(from.get<std::int32_t>());
      from.get(e.changes);
      if (e.born > other.n_labels_) throw std::invalid_argument("damaged state: a record of a time to come");
      e.told = other.n_labels_;
      const std::uint64_t beyond = (other.n_labels_ - e.born) % period_;
      other.due_at_.push_back(e.born < other.n_labels_ && beyond == 0 ? other.n_labels_
                                                                      : other.n_labels_ - beyond + period_);
      if (!other.places_.emplace(e.id, i).second) throw std::invalid_argument("damaged state: a record waits twice");
      other.entries_.push_back(std::move(e));
    }
    from.get(other.X_, std::size_t(n) * n_features_);
    std::vector<Arrival> arrivals;
    from.get(arrivals);
    other.arrivals_.assign(arrivals.begin(), arrivals.end());
    std::vector<Past> past;
    from.get(past);
    for (const Past& one : past) {
      other.past_[one.id] = one.label;
      other.order_.push_back(one.id);
    }
    other.bases_.resize(other.entries_.size());
    other.first_asked_ = other.n_labels_;
    *this = std::move(other);
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  static constexpr std::size_t kNowhere = std::size_t(-1);
  static constexpr std::int64_t kExpired = -1, kEarly = -2;  // in the place of a past label; below it: the early label

  struct Change {
    double time, before, after;  // of this question, of the one before it, of the one after it
    std::int64_t prediction;
  };
  struct Entry {
    std::int64_t id = 0;
    double arrived = 0, asked = -kNever;  // when it came, and when it was last asked again
    std::uint64_t number = 0;             // of the records that came, this one
    std::uint64_t born = 0;               // labels learned by then
    std::uint64_t told = 0;               // labels whose questions it has been told of
    std::int32_t first = -1;
    std::vector<Change> changes;
  };
  struct Arrival {
    double time;  // the latest known when it came: times may run backwards
    std::int64_t id;
    std::uint64_t number;
  };
  struct Past {
    std::int64_t id, label;
  };

  std::size_t n_features_;
  int bins_;
  std::uint64_t period_;
  double horizon_;
  std::size_t remember_;
  std::int32_t lowest_;         // what a learner that abstains is taken to say
  std::vector<Entry> entries_;  // in no order
  std::vector<double> X_;       // their features, row by row
  std::vector<std::int32_t> said_;      // their predictions in force
  std::vector<Basis> bases_;            // what these rest on
  std::vector<double> terms_;           // and what the learner keeps with it, row by row
  std::size_t n_terms_ = 0;
  std::vector<std::uint64_t> due_at_;   // the label at which each is asked again
  std::vector<double> asked_at_;        // the time at each of the last labels: those that are due were asked then
  std::uint64_t first_asked_ = 0;       // the number of the first of these labels
  std::unordered_map<std::int64_t, std::size_t> places_;
  std::deque<Arrival> arrivals_;  // in order, where there is a horizon; up to half have had their label
  std::unordered_map<std::int64_t, std::int64_t> past_;
  std::deque<std::int64_t> order_;  // of `past_`
  double now_ = -kNever;
  std::uint64_t n_events_ = 0, n_records_ = 0, n_versions_ = 0, n_labels_ = 0, n_expired_ = 0, n_asked_ = 0;
  Results results_;
  std::vector<double> own_, some_;
  std::vector<std::size_t> due_, stale_;

  // A learner that is asked, and the time it takes.
  class Asking {
   public:
    Asking(Learner& learner, std::size_t n_features, std::int32_t lowest, Seconds& spent, bool all)
        : learner_(learner), n_features_(n_features), lowest_(lowest), spent_(spent), all_(all) {}

    bool blind() const { return !all_ && learner_.blind(); }
    bool selective() const { return !all_ && learner_.tells_basis(); }
    std::int32_t one(const double* x, Basis& basis) {
      const auto begun = Clock::now();
      const auto answer = answer_of(x, basis);
      spent_.predict += since(begun);
      return answer;
    }
    // Of those among some records whose answer may be another one: find these, and ask.
    const std::vector<std::int32_t>& renewed(const Asked& asked, const std::vector<std::size_t>& rows,
                                             std::vector<std::size_t>& stale) {
      const auto begun = Clock::now();  // once: reading the clock costs as much as a small leaf
      stale.clear();
      answers_.clear();
      learner_.renew(asked, rows, stale, answers_);
      for (std::int32_t& answer : answers_) answer = std::max(lowest_, answer);
      spent_.predict += since(begun);
      return answers_;
    }
    // Of some records that lie side by side.
    const std::vector<std::int32_t>& many(const double* X, std::size_t n) {
      const auto begun = Clock::now();
      const std::size_t C = std::size_t(learner_.n_classes());
      scores_.resize(n * C);
      answers_.resize(n);
      learner_.scores_of(X, n, n_features_, scores_.data());
      for (std::size_t i = 0; i < n; ++i) answers_[i] = best(scores_.data() + i * C);
      spent_.predict += since(begun);
      return answers_;
    }
    void learn(const double* x, int y, double w) {
      const auto begun = Clock::now();
      learner_.learn(x, y, w);
      spent_.learn += since(begun);
    }

   private:
    using Clock = std::chrono::steady_clock;
    static double since(Clock::time_point begun) {
      return std::chrono::duration<double>(Clock::now() - begun).count();
    }
    std::int32_t answer_of(const double* x, Basis& basis) {
      scores_.resize(std::size_t(learner_.n_classes()));
      learner_.scores_on(x, scores_.data(), basis);
      return best(scores_.data());
    }
    std::int32_t best(const double* scores) const { return std::max(lowest_, best_class(scores, learner_.n_classes())); }

    Learner& learner_;
    std::size_t n_features_;
    std::int32_t lowest_;
    Seconds& spent_;
    bool all_;
    std::vector<double> scores_;
    std::vector<std::int32_t> answers_;
  };

  // For as many terms a record; nothing rests on those of before.
  void make_room(std::size_t n_terms) {
    if (n_terms == n_terms_) return;
    n_terms_ = n_terms;
    terms_.assign(entries_.size() * n_terms, 0);
    bases_.assign(entries_.size(), {});
  }

  // All but the horizon.
  std::array<std::uint64_t, 5> rules() const {
    return {n_features_, std::uint64_t(bins_), period_, remember_, std::uint64_t(lowest_ == 0)};
  }

  double* row(std::size_t at) { return X_.data() + at * n_features_; }

  void report(Irregular what, std::int64_t id, double time) {
    results_.irregular.push_back(std::uint8_t(what));
    results_.irregular_id.push_back(id);
    results_.irregular_event.push_back(std::int64_t(n_events_));
    results_.irregular_time.push_back(time);
  }

  void look_at_clock(std::int64_t id, double t) {
    if (t < now_) report(Irregular::backwards, id, t);
    now_ = std::max(now_, t);
    while (!arrivals_.empty() && now_ - arrivals_.front().time > horizon_) {
      const Arrival oldest = arrivals_.front();
      arrivals_.pop_front();
      if (!waits(oldest)) continue;
      const std::size_t at = places_.at(oldest.id);
      report(Irregular::expired, oldest.id, entries_[at].arrived);
      ++n_expired_;
      forget(at, kExpired);
    }
  }
  bool waits(const Arrival& one) const {
    const auto found = places_.find(one.id);
    return found != places_.end() && entries_[found->second].number == one.number;
  }
  static constexpr std::size_t kMostGone = 1024;  // arrivals that may be kept, beyond twice those that wait

  void appear(Asking& ask, std::int64_t id, double t, const double* x) {
    const auto found = places_.find(id);
    if (found != places_.end()) {
      const std::size_t at = found->second;
      std::copy_n(x, n_features_, row(at));
      ++n_versions_;
      answer(at, ask.one(x, bases_[at]));
    } else if (!past_.contains(id)) {
      Basis basis;
      const auto prediction = ask.one(x, basis);  // first: it may raise an error
      admit(id, t);
      X_.insert(X_.end(), x, x + n_features_);
      entries_.back().first = said_.back() = prediction;
      bases_.back() = basis;
    } else {
      admit(id, t);
    }
  }

  // Let a record wait, unless its label has come already.
  bool admit(std::int64_t id, double t) {
    if (const auto past = past_.find(id); past != past_.end()) {
      report(past->second <= kEarly      ? Irregular::label_first
             : past->second == kExpired ? Irregular::expired_again
                                        : Irregular::record_after,
             id, t);
      return false;
    }
    places_.emplace(id, entries_.size());
    Entry entry;
    entry.id = id;
    entry.arrived = t;
    entry.number = n_records_;
    entry.born = entry.told = n_labels_;
    entries_.push_back(std::move(entry));
    said_.push_back(-1);
    bases_.emplace_back();
    terms_.resize(entries_.size() * n_terms_);
    due_at_.push_back(n_labels_ + period_);
    if (horizon_ < kNever) {
      arrivals_.push_back({now_, id, n_records_});
      if (arrivals_.size() > 2 * entries_.size() + kMostGone)
        std::erase_if(arrivals_, [this](const Arrival& one) { return !waits(one); });
    }
    ++n_records_;
    return true;
  }

  // The place of the record whose label has come, if one waits for it.
  std::size_t await(std::int64_t id, double t, std::int64_t label) {
    const auto found = places_.find(id);
    if (found != places_.end()) {
      if (t < entries_[found->second].arrived) report(Irregular::negative_latency, id, t);
      return found->second;
    }
    const auto past = past_.find(id);
    if (past == past_.end()) {
      report(Irregular::no_record, id, t);
      keep(id, kEarly - label);
    } else if (past->second == kExpired) {
      report(Irregular::late_label, id, t);
    } else {
      const std::int64_t before = past->second <= kEarly ? kEarly - past->second : past->second;
      report(before == label ? Irregular::same_label : Irregular::other_label, id, t);
    }
    return kNowhere;
  }

  // Tell a record of the questions since: its answer was the same.
  void catch_up(Entry& entry) const {
    const std::uint64_t end = first_asked_ + asked_at_.size();
    const std::uint64_t known = std::max(entry.told, entry.born + 1) - entry.born;
    const std::uint64_t first = entry.born + (known + period_ - 1) / period_ * period_;
    if (first < end) {
      const std::uint64_t last = entry.born + (end - 1 - entry.born) / period_ * period_;
      follow(entry, asked_at_[first - first_asked_]);
      entry.asked = asked_at_[last - first_asked_];
    }
    entry.told = std::max(entry.told, end);
  }
  static void follow(Entry& entry, double time) {
    if (!entry.changes.empty() && entry.changes.back().after == kNever) entry.changes.back().after = time;
  }

  // An answer to a record that waits, now. Times may run backwards; the time of a question is the latest known.
  void answer(std::size_t at, std::int32_t prediction) {
    Entry& entry = entries_[at];
    ++n_asked_;
    catch_up(entry);
    follow(entry, now_);
    if (prediction != said_[at]) entry.changes.push_back({now_, entry.asked, kNever, prediction});
    said_[at] = prediction;
    entry.asked = now_;
  }

  // Ask all that are due at this label; those whose answer is the same learn of it later.
  void ask_again(Asking& ask) {
    due_.clear();
    for (std::size_t at = 0; at < due_at_.size(); ++at)
      if (due_at_[at] == n_labels_) {
        due_.push_back(at);
        due_at_[at] += period_;
      }
    if (!due_.empty()) ask_due(ask);
    asked_at_.push_back(now_);
    if (asked_at_.size() < kMostTimes) return;
    for (Entry& entry : entries_) catch_up(entry);
    first_asked_ = n_labels_ + 1;
    asked_at_.clear();
  }
  static constexpr std::size_t kMostTimes = 4096;

  void ask_due(Asking& ask) {
    const std::uint64_t n_asked = n_asked_ + due_.size();
    const auto give = [&](std::size_t at, std::int32_t prediction) {
      if (prediction == said_[at]) return;
      answer(at, prediction);
      entries_[at].told = n_labels_ + 1;
    };
    if (ask.blind()) {
      Basis none;
      const auto prediction = ask.one(row(due_.front()), none);
      for (const std::size_t at : due_) give(at, prediction);
    } else if (ask.selective()) {
      const auto& answers = ask.renewed({X_.data(), n_features_, bases_.data(), terms_.data(), n_terms_}, due_, stale_);
      for (std::size_t k = 0; k < stale_.size(); ++k) give(stale_[k], answers[k]);
    } else {
      const bool all = due_.size() == entries_.size();
      if (!all) {
        some_.resize(due_.size() * n_features_);
        for (std::size_t k = 0; k < due_.size(); ++k)
          std::copy_n(row(due_[k]), n_features_, some_.data() + k * n_features_);
      }
      const auto& answers = ask.many(all ? X_.data() : some_.data(), due_.size());
      for (std::size_t k = 0; k < due_.size(); ++k) give(due_[k], answers[k]);
    }
    n_asked_ = n_asked;
  }

  // The label has come: say what was predicted in each bin.
  void settle(std::size_t at, double t, std::int32_t last) {
    Entry& entry = entries_[at];
    catch_up(entry);
    results_.event.push_back(std::int64_t(n_events_));
    results_.latency.push_back(t - entry.arrived);
    const std::size_t start = results_.predictions.size(), B = std::size_t(bins_);
    results_.predictions.resize(start + B + 2, entry.first);
    std::int32_t* bins = results_.predictions.data() + start;
    bins[B + 1] = last;
    const double waited = t - entry.arrived;
    if (!(waited > 0)) return;
    const auto bin_of = [&](double time) {
      return std::size_t(std::clamp(1 + std::floor(double(bins_) * (time - entry.arrived) / waited), 1.0, double(bins_)));
    };
    const auto& changes = entry.changes;
    std::int64_t in_force = entry.first;
    std::size_t filled = 1;
    for (std::size_t i = 0; i < changes.size();) {
      const std::size_t b = bin_of(changes[i].time);
      std::size_t end = i + 1;
      while (end < changes.size() && bin_of(changes[end].time) == b) ++end;
      std::fill(bins + filled, bins + b, std::int32_t(in_force));
      const bool once = end == i + 1 && !(changes[i].before > -kNever && bin_of(changes[i].before) == b) &&
                        !(changes[i].after < kNever && bin_of(changes[i].after) == b);
      bins[b] = std::int32_t(once ? changes[i].prediction : longest(entry, waited, b, in_force, i, end));
      in_force = changes[end - 1].prediction;
      filled = b + 1;
      i = end;
    }
    std::fill(bins + filled, bins + B + 1, std::int32_t(in_force));
  }

  // The prediction that held longest in bin b: the one in force when it began, and the changes i to `end`. Times are
  // counted in parts of a bin, so that they are whole where the times of the events are, and a tie is a tie.
  std::int64_t longest(const Entry& entry, double waited, std::size_t b, std::int64_t in_force, std::size_t i,
                       std::size_t end) {
    const double from = waited * double(b - 1), to = waited * double(b);
    const auto time_of = [&](const Change& change) {
      return std::clamp(double(bins_) * (change.time - entry.arrived), from, to);
    };
    held_.clear();
    const auto hold = [&](std::int64_t prediction, double time) {
      for (auto& [known, sum] : held_)
        if (known == prediction) {
          sum += time;
          return;
        }
      held_.push_back({prediction, time});
    };
    hold(in_force, time_of(entry.changes[i]) - from);
    for (; i < end; ++i)
      hold(entry.changes[i].prediction, (i + 1 < end ? time_of(entry.changes[i + 1]) : to) - time_of(entry.changes[i]));
    auto best = held_.front();
    for (const auto& one : held_)
      if (one.second > best.second || (one.second == best.second && one.first < best.first)) best = one;
    return best.first;
  }
  std::vector<std::pair<std::int64_t, double>> held_;

  // No longer let a record wait; remember what became of it.
  void forget(std::size_t at, std::int64_t label) {
    const std::int64_t id = entries_[at].id;
    places_.erase(id);
    const std::size_t last = entries_.size() - 1;
    if (at != last) {
      entries_[at] = std::move(entries_[last]);
      places_[entries_[at].id] = at;
      said_[at] = said_[last];
      bases_[at] = bases_[last];
      std::copy_n(terms_.begin() + std::ptrdiff_t(last * n_terms_), n_terms_, terms_.begin() + std::ptrdiff_t(at * n_terms_));
      due_at_[at] = due_at_[last];
      if (!X_.empty()) std::copy_n(row(last), n_features_, row(at));
    }
    entries_.pop_back();
    said_.pop_back();
    bases_.pop_back();
    terms_.resize(last * n_terms_);
    due_at_.pop_back();
    if (!X_.empty()) X_.resize(entries_.size() * n_features_);
    keep(id, label);
  }
  void keep(std::int64_t id, std::int64_t label) {
    if (remember_ == 0) return;
    if (past_.insert_or_assign(id, label).second) order_.push_back(id);
    while (order_.size() > remember_) {
      past_.erase(order_.front());
      order_.pop_front();
    }
  }
};

}  // namespace prequential
