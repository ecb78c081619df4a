// CHECK(claim): reports a claim that does not hold and goes on; `check::failures` is the
// exit status of a test program.
#pragma once

#include <cstdio>

namespace check {

inline int failed = 0;

inline void claim(bool holds, const char* text, const char* file, int line) {
  if (!holds) {
    ++failed;
    std::fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, text);
  }
}

inline int failures() { return failed == 0 ? 0 : 1; }

}  // namespace check

#define CHECK(text) check::claim((text), #text, __FILE__, __LINE__)
