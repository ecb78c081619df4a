// Python's IR, trace and options as the engine has them. Whatever passed `serq.ir.validate` is
// read; an unknown word or a wrong type raises a Python exception.
#pragma once

#include <nanobind/nanobind.h>

#include "ir/nodes.hpp"
#include "machine.hpp"

namespace serq::binding {

ir::Expression read_expression(const nanobind::handle& expression);
// Whether any that this thread has read, since this was asked last, wants a stage's estimates.
bool estimates_wanted();
ir::Statement read_statement(const nanobind::handle& statement);
ir::Arrival read_arrival(const nanobind::handle& arrival);
ir::Values read_values(const nanobind::handle& values);
ir::Program read_program(const nanobind::handle& program);

std::string kind_of(const nanobind::handle& node);
std::uint32_t read_index(const nanobind::handle& owner, const char* name);

}  // namespace serq::binding
