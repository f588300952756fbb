// file/access.hpp - one data access as the caller meant it: the axes of the standard's data-access table.
//
// The door builds it, nobody changes it. Thread rule: plain value.
#pragma once

#include <optional>

#include "base/error.hpp"
#include "base/units.hpp"
#include "layout/type.hpp"

namespace collate::file {

enum class Positioning : std::uint8_t { explicit_offset, individual_pointer, shared_pointer };
enum class Coordination : std::uint8_t { independent, collective };

struct Access {
  Direction direction = Direction::read;
  Positioning positioning = Positioning::explicit_offset;
  Coordination coordination = Coordination::independent;
  Offset offset = 0;            // in etypes, explicit offsets only
  std::byte* memory = nullptr;  // origin of the user's buffer
  Count count = 0;              // elements of `type`
  const layout::Type* type = nullptr;  // in memory; lives as long as the access
  // The door could not even build the access (bad datatype, negative count): a collective access still takes
  // part, so that every rank learns of it; an independent one returns it.
  std::optional<Error> refused;
};

// What really happened.
struct Outcome {
  Length bytes = 0;  // moved between memory and file
};

}  // namespace collate::file
