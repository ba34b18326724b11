// Rows of plain text, separated by commas or the like, straight into columns. It reads what needs no judgement; where a
// row has quotes, spaces, comments or anything else, it declines, and a careful parser reads the rows instead.
#pragma once
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace prequential {

// The value of eight digits; `bytes` holds them in the order of memory, the first one lowest.
inline bool eight_digits(std::uint64_t bytes) {
  constexpr std::uint64_t kHigh = 0xF0F0F0F0F0F0F0F0, kSix = 0x0606060606060606, kThrees = 0x3333333333333333;
  return ((bytes & kHigh) | (((bytes + kSix) & kHigh) >> 4)) == kThrees;
}
inline std::uint64_t of_eight_digits(std::uint64_t bytes) {
  bytes = (bytes & 0x0F0F0F0F0F0F0F0F) * 2561 >> 8;
  bytes = (bytes & 0x00FF00FF00FF00FF) * 6553601 >> 16;
  return (bytes & 0x0000FFFF0000FFFF) * 42949672960001 >> 32;
}

__extension__ typedef unsigned __int128 Wide;

// value / 10^k, rounded to the nearest double, for 0 < value and k <= 19. The quotient has at least 62 bits, and its last
// one tells of a rest, so that the conversion to a double rounds the exact value.
inline double decimal(std::uint64_t value, int k) {
  static constexpr std::uint64_t kPowers[] = {1ull, 10ull, 100ull, 1000ull, 10000ull, 100000ull, 1000000ull, 10000000ull,
                                              100000000ull, 1000000000ull, 10000000000ull, 100000000000ull,
                                              1000000000000ull, 10000000000000ull, 100000000000000ull,
                                              1000000000000000ull, 10000000000000000ull, 100000000000000000ull,
                                              1000000000000000000ull, 10000000000000000000ull};
  const std::uint64_t power = kPowers[k];
  const int up = std::countl_zero(value), of_power = std::countl_zero(power);
  const Wide numerator = Wide(value << up) << 63;
  const std::uint64_t by = power << of_power;
  const auto quotient = static_cast<std::uint64_t>(numerator / by);
  const std::uint64_t rest = static_cast<std::uint64_t>(numerator) - quotient * by;  // modulo 2^64, which is enough
  return double(quotient | (rest != 0)) * std::bit_cast<double>(std::uint64_t(1023 - up - 63 + of_power) << 52);
}

// A number ends before `end`; returns where it stopped, or null if it is none that all readers agree on: digits, perhaps
// with a minus, a fraction and an exponent, within the range of a double. Its value is rounded correctly.
inline const char* read_number(const char* p, const char* end, double& out) {
  static constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const auto is_digit = [](char c) { return static_cast<unsigned char>(c - '0') < 10; };
  std::uint64_t value = 0;
  const auto read_digits = [&] {
    if constexpr (std::endian::native == std::endian::little) {
      for (std::uint64_t bytes; end - p >= 8; p += 8) {
        std::memcpy(&bytes, p, 8);
        if (!eight_digits(bytes)) break;
        value = value * 100000000 + of_eight_digits(bytes);
      }
    }
    while (p < end && is_digit(*p)) value = value * 10 + std::uint64_t(*p++ - '0');
  };
  const char* const start = p;
  const bool negative = p < end && *p == '-';
  p += negative;
  const char* const digits = p;
  while (p < end && is_digit(*p)) value = value * 10 + std::uint64_t(*p++ - '0');
  std::ptrdiff_t n = p - digits;
  if (n == 0) return nullptr;
  if (n == 1 && *digits == '0') n = 0;  // not significant
  std::ptrdiff_t n_fraction = 0;
  if (p < end && *p == '.') {
    const char* const point = ++p;
    read_digits();
    n_fraction = p - point;
    n += n_fraction;
    if (n_fraction == 0) return nullptr;
  }
  const bool scientific = p < end && (*p == 'e' || *p == 'E');
  if (!scientific && n <= 19 && n_fraction <= 19) {
    const bool few = value <= (std::uint64_t(1) << 53);
    const double size = few ? double(value) / kPowers[n_fraction] : decimal(value, int(n_fraction));
    out = negative ? -size : size;
    return p;
  }
  if (scientific) {
    ++p;
    p += p < end && (*p == '-' || *p == '+');
    const char* const exponent = p;
    while (p < end && is_digit(*p)) ++p;
    if (p == exponent) return nullptr;
  }
  const auto [stop, error] = std::from_chars(start, p, out);
  return error == std::errc() && stop == p ? p : nullptr;
}

enum class CellKind : std::uint8_t { skip, number, category };

// The cells of one column: numbers, NaN where one is missing, or codes, -1 where one is missing, of texts in the order
// in which they occur.
struct Column {
  explicit Column(CellKind its) : kind(its) {}

  CellKind kind;
  bool missing = false;
  std::unique_ptr<double[]> numbers;
  std::unique_ptr<std::int32_t[]> codes;
  std::vector<std::string_view> texts;  // they point into the rows
  std::unordered_map<std::string_view, std::int32_t> known;

  std::int32_t code_of(std::string_view text) {
    if (texts.size() <= kFew) {
      for (std::size_t k = 0; k < texts.size(); ++k)
        if (texts[k] == text) return std::int32_t(k);
    } else if (const auto found = known.find(text); found != known.end()) {
      return found->second;
    }
    const auto code = std::int32_t(texts.size());
    texts.push_back(text);
    if (texts.size() == kFew + 1)
      for (std::size_t k = 0; k < texts.size(); ++k) known.emplace(texts[k], std::int32_t(k));
    else if (texts.size() > kFew)
      known.emplace(text, code);
    return code;
  }

 private:
  static constexpr std::size_t kFew = 16;
};

class RowParser {
 public:
  // `missing`: the texts of a missing value. `last_comma`: whether rows may end with a separator, as MOA writes them.
  RowParser(std::vector<CellKind> kinds, std::vector<std::string> missing, char separator, bool last_comma)
      : kinds_(std::move(kinds)), missing_(std::move(missing)), separator_(separator), last_comma_(last_comma) {}

  struct Rows {
    std::vector<Column> columns;
    std::size_t n = 0, n_lines = 0;
    bool declined = false;
  };

  // `text`: whole lines; the last one may lack its end.
  Rows parse(std::string_view text) const {
    Rows rows;
    const char *p = text.data(), *const end = p + text.size();
    std::size_t room = 1;
    for (const char* at = p; at < end && (at = static_cast<const char*>(std::memchr(at, '\n', std::size_t(end - at))));
         ++at)
      ++room;
    for (const CellKind kind : kinds_) {
      Column column(kind);
      if (kind == CellKind::number) column.numbers = std::make_unique_for_overwrite<double[]>(room);
      if (kind == CellKind::category) column.codes = std::make_unique_for_overwrite<std::int32_t[]>(room);
      rows.columns.push_back(std::move(column));
    }
    bool last_comma = false;
    while (p < end) {
      ++rows.n_lines;
      if (*p == '\n' || (*p == '\r' && p + 1 < end && p[1] == '\n')) {  // an empty line
        if (kinds_.size() == 1) return declined(rows);  // or a missing value
        p += *p == '\r' ? 2 : 1;
        continue;
      }
      for (std::size_t j = 0; j < kinds_.size(); ++j) {
        p = cell(p, end, rows.columns[j], rows.n);
        if (!p) return declined(rows);
        if (j + 1 < kinds_.size()) {
          if (p == end || *p != separator_) return declined(rows);
          ++p;
        }
      }
      if (p < end && *p == separator_) {
        last_comma = rows.n == 0 || last_comma;
        if (!last_comma_ || !last_comma) return declined(rows);
        ++p;
      }
      ++rows.n;
      if (p < end && *p == '\r') ++p;
      if (p == end) break;
      if (*p != '\n') return declined(rows);
      ++p;
    }
    return rows;
  }

 private:
  std::vector<CellKind> kinds_;
  std::vector<std::string> missing_;
  char separator_;
  bool last_comma_;

  static Rows declined(Rows& rows) {
    rows.declined = true;
    return std::move(rows);
  }
  bool is_missing(std::string_view text) const {
    for (const std::string& one : missing_)
      if (text == one) return true;
    return false;
  }
  // Characters that are only themselves: printable ASCII without spaces, quotes, braces, comments and escapes.
  static bool plain(char c) {
    return c > ' ' && c < 0x7f && c != '"' && c != '\'' && c != '{' && c != '}' && c != '%' && c != '\\';
  }

  // Returns the end of the cell, null to decline.
  const char* cell(const char* p, const char* end, Column& column, std::size_t at) const {
    if (column.kind == CellKind::number) {
      const char* const stop = read_number(p, end, column.numbers[at]);
      if (stop && (stop == end || *stop == separator_ || *stop == '\n' || *stop == '\r')) return stop;
    }
    const char* stop = p;
    while (stop < end && *stop != separator_ && plain(*stop)) ++stop;
    if (stop < end && *stop != separator_ && *stop != '\n' && *stop != '\r') return nullptr;
    const std::string_view text(p, std::size_t(stop - p));
    switch (column.kind) {
      case CellKind::skip: return stop;
      case CellKind::number:
        if (!is_missing(text)) return nullptr;
        column.numbers[at] = std::numeric_limits<double>::quiet_NaN();
        column.missing = true;
        return stop;
      default:
        if (is_missing(text)) {
          column.codes[at] = -1;
          column.missing = true;
          return stop;
        }
        if (text.empty()) return nullptr;
        column.codes[at] = column.code_of(text);
        return stop;
    }
  }
};

}  // namespace prequential
