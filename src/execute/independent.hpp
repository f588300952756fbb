// execute/independent.hpp - runs an IndependentPlan: one rank moves its own bytes.
//
// Guarantees: touches no file byte outside the access (but rmw, which rewrites holes under its lock with what it
// read there); staging memory stays within plan.buffer. Returns the bytes moved in stream order: all, or fewer
// when a read met the end of the file. Thread rule: one call at a time per Staging.
#pragma once

#include "base/staging.hpp"
#include "plan/plan.hpp"
#include "port/file_driver.hpp"

namespace collate::execute {

struct Bench {  // what a rank works with
  port::OpenFile& file;
  Staging& staging;
};

// One transfer; under a lock of its own range where `locked`.
[[nodiscard]] Result<Length> transfer_window(port::OpenFile& file, Direction direction, Offset offset, const port::Segment& segment, bool locked);

// Bytes [from, to) of an access.
struct Part {
  const view::Transfer& transfer;
  Length from = 0;
  Length to = 0;
};

[[nodiscard]] Result<Length> run_independent(const plan::IndependentPlan& plan, Direction direction, const view::Transfer& transfer, Bench bench);

// A part of the access, all of it within `range`, under the lock that the plan demands.
[[nodiscard]] Result<Length> run_part(const plan::IndependentPlan& plan, Direction direction, const Part& part, ByteRange range, Bench bench);

// The strategies, each on a part of an access.
[[nodiscard]] Result<Length> move_windows(const plan::IndependentPlan& plan, Direction direction, const Part& part, Bench bench);
[[nodiscard]] Result<Length> move_mapped(const plan::IndependentPlan& plan, Direction direction, const Part& part, Bench bench);

}  // namespace collate::execute
