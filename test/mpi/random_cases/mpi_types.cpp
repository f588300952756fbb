// Reads the generator's words, one constructor a word, by recursive descent. Leaves are the MPI's own types of that
// size where it has one; but inside a struct they are made of MPI_BYTE, because an MPI rounds the extent of a struct
// to the alignment of what is in it and the oracle does not.
#include "mpi/random_cases/mpi_types.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "layout/type.hpp"

namespace collate::sim {
namespace {

struct Refused {};  // by the MPI

void must(int code) {
  if (code != MPI_SUCCESS) throw Refused();
}

std::vector<int> ints(const std::vector<Count>& values) { return {values.begin(), values.end()}; }
std::vector<MPI_Aint> addresses(const std::vector<Count>& values) { return {values.begin(), values.end()}; }

class Reader {
 public:
  Reader(std::string_view text, std::vector<MPI_Datatype>& made)
      : text_(text), made_(made), plain_leaves_(text.find("struct(") != std::string_view::npos) {}

  MPI_Datatype whole() {
    const MPI_Datatype type = read_type();
    if (at_ != text_.size()) give_up("words are left");
    return type;
  }

 private:
  [[noreturn]] void give_up(const char* why) const {
    std::fprintf(stderr, "random_cases: %s at \"%s\" of \"%s\"\n", why, std::string(text_.substr(at_)).c_str(), std::string(text_).c_str());
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::abort();
  }

  bool accept(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void expect(std::string_view word) {
    if (!accept(word)) give_up(std::string(word).c_str());
  }

  Count number() {
    std::size_t used = 0;
    const std::string rest(text_.substr(at_, 24));
    const Count value = std::stoll(rest, &used);
    at_ += used;
    return value;
  }

  // "[1,2,3]" and what separates it from the next argument.
  std::vector<Count> list() {
    std::vector<Count> values;
    expect("[");
    while (!accept("]")) {
      values.push_back(number());
      accept(",");
    }
    accept(", ");
    return values;
  }

  int order() {
    const bool c = accept("C, ");
    if (!c) expect("F, ");
    return c ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
  }

  MPI_Datatype keep(MPI_Datatype type) {
    made_.push_back(type);
    return type;
  }

  MPI_Datatype bytes(Count size) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    must(MPI_Type_contiguous(static_cast<int>(size), MPI_BYTE, &type));
    return keep(type);
  }

  // As short_int and double_int: an int behind something of its own size or larger.
  MPI_Datatype pair(Count first, Count second, MPI_Aint extent) {
    const int blocks[] = {1, 1};
    const MPI_Aint places[] = {0, extent == 8 ? 4 : 8};
    const MPI_Datatype parts[] = {bytes(first), bytes(second)};
    MPI_Datatype both = MPI_DATATYPE_NULL;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    must(MPI_Type_create_struct(2, blocks, places, parts, &both));
    must(MPI_Type_create_resized(keep(both), 0, extent, &type));
    return keep(type);
  }

  MPI_Datatype named(Count size) {
    if (plain_leaves_) return size == 1 ? MPI_BYTE : bytes(size);
    switch (size) {
      case 1: return MPI_CHAR;
      case 2: return MPI_SHORT;
      case 4: return MPI_INT;
      case 8: return MPI_DOUBLE;
      case 16: return MPI_C_DOUBLE_COMPLEX;
      default: return bytes(size);
    }
  }

  MPI_Datatype read_vector(bool in_bytes) {
    const std::vector<Count> shape = list();
    const auto count = static_cast<int>(shape[0]);
    const auto block = static_cast<int>(shape[1]);
    const MPI_Datatype old = read_type();
    MPI_Datatype type = MPI_DATATYPE_NULL;
    if (in_bytes) must(MPI_Type_create_hvector(count, block, shape[2], old, &type));
    else must(MPI_Type_vector(count, block, static_cast<int>(shape[2]), old, &type));
    return keep(type);
  }

  MPI_Datatype read_indexed(bool in_bytes) {
    const std::vector<int> blocks = ints(list());
    const std::vector<Count> places = list();
    const auto count = static_cast<int>(blocks.size());
    const MPI_Datatype old = read_type();
    MPI_Datatype type = MPI_DATATYPE_NULL;
    if (in_bytes) must(MPI_Type_create_hindexed(count, blocks.data(), addresses(places).data(), old, &type));
    else must(MPI_Type_indexed(count, blocks.data(), ints(places).data(), old, &type));
    return keep(type);
  }

  MPI_Datatype read_indexed_block(bool in_bytes) {
    const auto block = static_cast<int>(number());
    expect(", ");
    const std::vector<Count> places = list();
    const auto count = static_cast<int>(places.size());
    const MPI_Datatype old = read_type();
    MPI_Datatype type = MPI_DATATYPE_NULL;
    if (in_bytes) must(MPI_Type_create_hindexed_block(count, block, addresses(places).data(), old, &type));
    else must(MPI_Type_create_indexed_block(count, block, ints(places).data(), old, &type));
    return keep(type);
  }

  MPI_Datatype read_struct() {
    const std::vector<int> blocks = ints(list());
    const std::vector<MPI_Aint> places = addresses(list());
    std::vector<MPI_Datatype> parts;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      parts.push_back(read_type());
      if (i + 1 < blocks.size()) expect(", ");
    }
    MPI_Datatype type = MPI_DATATYPE_NULL;
    must(MPI_Type_create_struct(static_cast<int>(blocks.size()), blocks.data(), places.data(), parts.data(), &type));
    return keep(type);
  }

  MPI_Datatype read_subarray() {
    const std::vector<int> sizes = ints(list());
    const std::vector<int> subsizes = ints(list());
    const std::vector<int> starts = ints(list());
    const int way = order();
    const MPI_Datatype old = read_type();
    MPI_Datatype type = MPI_DATATYPE_NULL;
    must(MPI_Type_create_subarray(static_cast<int>(sizes.size()), sizes.data(), subsizes.data(), starts.data(), way, old, &type));
    return keep(type);
  }

  MPI_Datatype read_darray() {
    const std::vector<int> group = ints(list());
    const std::vector<int> sizes = ints(list());
    expect("kinds ");
    std::vector<int> kinds;
    for (const Count kind : list()) {
      const auto which = static_cast<layout::Distribution>(kind);
      kinds.push_back(which == layout::Distribution::none    ? MPI_DISTRIBUTE_NONE
                      : which == layout::Distribution::block ? MPI_DISTRIBUTE_BLOCK
                                                             : MPI_DISTRIBUTE_CYCLIC);
    }
    std::vector<int> arguments;
    for (const Count argument : list()) {
      arguments.push_back(argument == layout::default_distribution_argument ? MPI_DISTRIBUTE_DFLT_DARG : static_cast<int>(argument));
    }
    const std::vector<int> processes = ints(list());
    const int way = order();
    const MPI_Datatype old = read_type();
    MPI_Datatype type = MPI_DATATYPE_NULL;
    must(MPI_Type_create_darray(group[0], group[1], static_cast<int>(sizes.size()), sizes.data(), kinds.data(), arguments.data(),
                                processes.data(), way, old, &type));
    return keep(type);
  }

  MPI_Datatype read_resized() {
    const std::vector<Count> bounds = list();
    const MPI_Datatype old = read_type();
    MPI_Datatype type = MPI_DATATYPE_NULL;
    must(MPI_Type_create_resized(old, bounds[0], bounds[1], &type));
    return keep(type);
  }

  MPI_Datatype read_counted() {
    const auto count = static_cast<int>(number());
    expect(", ");
    const MPI_Datatype old = read_type();
    MPI_Datatype type = MPI_DATATYPE_NULL;
    must(MPI_Type_contiguous(count, old, &type));
    return keep(type);
  }

  MPI_Datatype read_dup() {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    must(MPI_Type_dup(read_type(), &type));
    return keep(type);
  }

  MPI_Datatype constructor() {
    if (accept("named(")) return named(number());
    if (accept("contiguous(")) return read_counted();
    if (accept("vector(")) return read_vector(false);
    if (accept("hvector(")) return read_vector(true);
    if (accept("indexed(")) return read_indexed(false);
    if (accept("hindexed(")) return read_indexed(true);
    if (accept("indexed_block(")) return read_indexed_block(false);
    if (accept("hindexed_block(")) return read_indexed_block(true);
    if (accept("struct(")) return read_struct();
    if (accept("subarray(")) return read_subarray();
    if (accept("darray(")) return read_darray();
    if (accept("resized(")) return read_resized();
    if (accept("dup(")) return read_dup();
    give_up("unknown constructor");
  }

  MPI_Datatype read_type() {
    if (accept("short_int")) return plain_leaves_ ? pair(2, 4, 8) : MPI_SHORT_INT;
    if (accept("double_int")) return plain_leaves_ ? pair(8, 4, 16) : MPI_DOUBLE_INT;
    const MPI_Datatype type = constructor();
    expect(")");
    return type;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<MPI_Datatype>& made_;
  bool plain_leaves_;
};

// The displacements of an element's bytes in the order in which MPI_Pack takes them; every byte of memory in reach
// of `expected` holds its own displacement, eight bits at a time.
std::vector<Offset> packed_order(MPI_Datatype type, const std::vector<Offset>& expected) {
  constexpr Offset margin = 8192;
  const auto [least, most] = std::minmax_element(expected.begin(), expected.end());
  const Offset first = *least - margin;
  std::vector<unsigned char> memory(static_cast<std::size_t>(*most + margin - first));
  std::vector<unsigned char> packed(expected.size() + 1024);
  std::vector<Offset> order(expected.size(), first);
  for (int shift = 0; shift < 24; shift += 8) {
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<unsigned char>(i >> shift);
    int position = 0;
    must(MPI_Pack(memory.data() - first, 1, type, packed.data(), static_cast<int>(packed.size()), &position, MPI_COMM_SELF));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] += static_cast<Offset>(packed[i]) << shift;
  }
  return order;
}

}  // namespace

MpiType::MpiType(std::string_view text) {
  try {
    must(MPI_Type_dup(Reader(text, made_).whole(), &type_));
    made_.push_back(type_);
    must(MPI_Type_commit(&type_));
  } catch (const Refused&) {
    type_ = MPI_DATATYPE_NULL;
  }
}

MpiType::MpiType(MpiType&& other) noexcept : type_(other.type_), made_(std::exchange(other.made_, {})) {}

MpiType::~MpiType() {
  for (MPI_Datatype& type : made_) MPI_Type_free(&type);
}

bool MpiType::agrees(const std::vector<Offset>& map, Bounds bounds) const {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  int size = 0;
  if (type_ == MPI_DATATYPE_NULL) return false;
  MPI_Type_get_extent(type_, &lower, &extent);
  MPI_Type_size(type_, &size);
  if (size != static_cast<int>(map.size())) return false;
  if (size == 0) return true;
  return lower == bounds.lower && extent == bounds.extent && packed_order(type_, map) == map;
}

}  // namespace collate::sim
