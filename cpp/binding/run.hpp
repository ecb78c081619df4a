// The engine's `run` for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace serq::binding {

void bind_run(nanobind::module_& m);

}  // namespace serq::binding
