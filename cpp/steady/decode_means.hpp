// The running means of a stage's iterations, the same to the bit as `Composition::begin` has them.
// Each is `mean + (x - mean) / n`, and has to wait for the one before: most of that time is the
// division. Where two iterations are alike, the quotient is taken for `(x - mean) * (1 / n)`, with
// reciprocals that wait for nothing, and the next mean begins with what comes of that. Whether the
// divisions give the same sums is seen beside it: the quotient is so much less than the mean that
// its last bit hardly ever matters.
#pragma once

#include <cstddef>

#include "numbers.hpp"
#include "stages/composition.hpp"

namespace serq {

// Two numbers, in one instruction where there are such.
#if defined(__GNUC__)
using Two [[gnu::vector_size(16)]] = double;
#else
struct Two {
  double first;
  double second;

  double operator[](std::size_t at) const { return at == 0 ? first : second; }
  Two operator+(const Two& b) const { return {first + b.first, second + b.second}; }
  Two operator-(const Two& b) const { return {first - b.first, second - b.second}; }
  Two operator*(const Two& b) const { return {first * b.first, second * b.second}; }
  Two operator/(const Two& b) const { return {first / b.first, second / b.second}; }
};
#endif

class DecodeMeans {
 public:
  // A mean of nothing is taken for 0: the first value is then the mean.
  DecodeMeans(Composition& of, std::uint64_t decoding)
      : of_(of),
        batch_(real(decoding)),
        counted_(real(of.counted)),
        means_(of.counted != 0 ? Two{of.mean_decode_batch, of.mean_decode_step} : Two{}) {}

  // An iteration begins that costs so much.
  void add(double cost) {
    counted_ += 1.0;
    means_ = means_ + (Two{batch_, cost} - means_) / Two{counted_, counted_};
  }

  // Two of them.
  [[gnu::always_inline]] void add_two(double cost) {
    const Two counts = Two{counted_, counted_} + Two{1.0, 2.0};
    const Two reciprocals = Two{1.0, 1.0} / counts;
    const Two values{batch_, cost};
    const Two first_off = values - means_;
    const Two first = means_ + first_off * Two{reciprocals[0], reciprocals[0]};
    const Two second_off = values - first;
    const Two second = first + second_off * Two{reciprocals[1], reciprocals[1]};
    const Two first_exact = means_ + first_off / Two{counts[0], counts[0]};
    const Two second_exact = first + second_off / Two{counts[1], counts[1]};
    if (differ(first, first_exact, second, second_exact)) [[unlikely]] {
      add(cost);
      return add(cost);
    }
    means_ = second;
    counted_ = counts[1];
  }

  void tell() {
    of_.counted = static_cast<std::uint64_t>(counted_);
    if (of_.counted != 0) {
      of_.mean_decode_batch = means_[0];
      of_.mean_decode_step = means_[1];
    }
  }

 private:
  // Whether a is not b, or c not d.
  static bool differ(const Two& a, const Two& b, const Two& c, const Two& d) {
#if defined(__GNUC__)
    const auto some = (a != b) | (c != d);
    return (some[0] | some[1]) != 0;
#else
    return a[0] != b[0] || a[1] != b[1] || c[0] != d[0] || c[1] != d[1];
#endif
  }

  Composition& of_;
  double batch_;
  double counted_;
  Two means_;
};

}  // namespace serq
