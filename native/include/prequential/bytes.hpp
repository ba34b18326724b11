// State to bytes and back: versioned, bounds-checked, no pickle. A checksum at the end detects damage.
#pragma once
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace prequential {

// FNV-1a.
inline std::uint64_t checksum(const std::uint8_t* data, std::size_t n) {
  std::uint64_t hash = 0xCBF29CE484222325ull;
  for (std::size_t i = 0; i < n; ++i) hash = (hash ^ data[i]) * 0x100000001B3ull;
  return hash;
}

class Writer {
 public:
  std::vector<std::uint8_t> data;

  Writer(const std::string& kind, std::uint32_t version) {
    text("prequential");
    text(kind);
    put(version);
  }

  template <class T>
  void put(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    raw(&value, sizeof value);
  }

  template <class T>
  void put(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(std::uint64_t(values.size()));
    raw(values.data(), values.size() * sizeof(T));
  }

  void text(const std::string& value) {
    put(std::uint64_t(value.size()));
    raw(value.data(), value.size());
  }

  // Call once, at the end.
  void seal() { put(checksum(data.data(), data.size())); }

 private:
  void raw(const void* from, std::size_t n) {
    if (n == 0) return;
    const auto* bytes = static_cast<const std::uint8_t*>(from);
    data.insert(data.end(), bytes, bytes + n);
  }
};

class Reader {
 public:
  Reader(const void* data, std::size_t size, const std::string& kind, std::uint32_t version)
      : at_(static_cast<const std::uint8_t*>(data)), left_(size) {
    if (text() != "prequential") throw std::invalid_argument("these bytes are not a state of prequential");
    std::uint64_t seal;
    if (left_ < sizeof seal) throw std::invalid_argument("damaged state: it ends too early");
    const auto* start = static_cast<const std::uint8_t*>(data);
    std::memcpy(&seal, start + size - sizeof seal, sizeof seal);
    if (seal != checksum(start, size - sizeof seal))
      throw std::invalid_argument("damaged state: its bytes do not match their checksum");
    left_ -= sizeof seal;
    const std::string found = text();
    if (found != kind) throw std::invalid_argument("these bytes are the state of a " + found + ", not of a " + kind);
    const auto its = get<std::uint32_t>();
    if (its != version) {
      throw std::invalid_argument("these bytes are version " + std::to_string(its) + " of a " + kind +
                                  "; this build reads version " + std::to_string(version));
    }
  }

  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    if constexpr (std::is_same_v<T, bool>) {
      const auto value = get<std::uint8_t>();
      if (value > 1) throw std::invalid_argument("damaged state: a flag is neither 0 nor 1");
      return value == 1;
    } else {
      T value;
      raw(&value, sizeof value);
      return value;
    }
  }

  template <class T>
  void get(std::vector<T>& values) {
    values.resize(count(sizeof(T)));
    raw(values.data(), values.size() * sizeof(T));
  }

  // A vector whose length the caller knows: with any other length, the state is damaged.
  template <class T>
  void get(std::vector<T>& values, std::size_t expected) {
    get(values);
    if (values.size() != expected) throw std::invalid_argument("damaged state: an array has a wrong length");
  }

  std::string text() {
    std::string value(count(1), '\0');
    raw(value.data(), value.size());
    return value;
  }

  void done() const {
    if (left_ != 0) throw std::invalid_argument("damaged state: bytes left over");
  }

 private:
  const std::uint8_t* at_;
  std::size_t left_;

  std::size_t count(std::size_t unit) {
    const auto n = get<std::uint64_t>();
    if (n > left_ / unit) throw std::invalid_argument("damaged state: an array is longer than the bytes that are left");
    return std::size_t(n);
  }

  void raw(void* to, std::size_t n) {
    if (n > left_) throw std::invalid_argument("damaged state: it ends too early");
    if (n == 0) return;
    std::memcpy(to, at_, n);
    at_ += n;
    left_ -= n;
  }
};

}  // namespace prequential
