// Random end-to-end cases (support/random_case.hpp) as an MPI program: real ranks, real datatypes, real files.
//
//   mpiexec -n 4 collate-exec random_cases_mpich FOLDER...     COLLATE_TEST_RANDOM_CASES=300 COLLATE_SIM_SEED=4000000000
//
// Every rank makes the same case from its seed and does its own part of each call; buffers with their guard bytes,
// status counts, file pointers and at the end the whole file must be what the byte-by-byte oracle foresaw. Cases for
// another number of ranks are passed over. The folders take turns. What the simulated world can do and a real one
// cannot - other file system traits, other nodes, missing memory - is left out; ranks per node are pretended by hint.
// A case whose types the MPI itself sees with other bytes or bounds than the standard's text gives is passed over and counted.
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "mpi/random_cases/mpi_types.hpp"
#include "support/random_case.hpp"

namespace collate::sim {
namespace {

constexpr unsigned seconds_for_a_case = 40;
constexpr std::uint64_t seed_step = 1'000'003;  // neighbouring seeds give streams of choices that overlap
char hang_message[200];  // for the handler, which may not format

void tell_hang(int) {
  const ssize_t ignored = write(2, hang_message, sizeof(hang_message) - 1);
  (void)ignored;
  _exit(3);
}

std::string words_of(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  return text;
}

std::string difference(const std::vector<std::byte>& found, const std::vector<std::byte>& expected) {
  const auto [a, b] = std::mismatch(found.begin(), found.end(), expected.begin(), expected.end());
  if (a == found.end() || b == expected.end()) return std::to_string(found.size()) + " bytes instead of " + std::to_string(expected.size());
  return "byte " + std::to_string(a - found.begin()) + " is " + std::to_string(static_cast<int>(*a)) + " and should be " + std::to_string(static_cast<int>(*b));
}

// More ranks than cores: who waits must not spin, as MPIs like to.
void wait_quietly(MPI_Request request) {
  int done = 0;
  MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  while (done == 0) {
    usleep(20);
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  }
}

void quiet_barrier() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  wait_quietly(request);
}

bool on_any_rank(bool here) {
  int mine = here ? 1 : 0;
  int any = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
  wait_quietly(request);
  return any != 0;
}

// The types of a rank's part in one step.
struct StepTypes {
  std::optional<MpiType> memory;
  std::optional<MpiType> etype;
  std::optional<MpiType> filetype;
};

// "8+vector(...) of etype named(4)"; "bytes" is the view of a file just opened.
void read_view(const RankView& view, StepTypes& types) {
  const std::size_t plus = view.text.find('+');
  const std::size_t of = view.text.find(" of etype ");
  types.filetype.emplace(std::string_view(view.text).substr(plus + 1, of - plus - 1));
  types.etype.emplace(std::string_view(view.text).substr(of + 10));
}

std::vector<Offset> map_of(const RankView& view) {
  std::vector<Offset> map = view.naive.empty() ? std::vector<Offset>() : view.naive.bytes(0, view.made.filetype.size());
  for (Offset& at : map) at -= view.naive.displacement();
  return map;
}

bool sees_the_same(const StepTypes& types, const RankView& view) {
  const layout::Type& etype = view.made.etype;
  const layout::Type& filetype = view.made.filetype;
  std::vector<Offset> unit(static_cast<std::size_t>(etype.size()));  // etypes are without gaps
  std::iota(unit.begin(), unit.end(), 0);
  return types.etype->agrees(unit, {etype.lower, etype.extent}) && types.filetype->agrees(map_of(view), {filetype.lower, filetype.extent});
}

class Player {
 public:
  Player(const Case& made, int rank, std::string path) : case_(made), rank_(rank), path_(std::move(path)), types_(made.steps.size()) {}

  // False: the MPI sees a type with other bytes or bounds.
  bool make_types() {
    bool agree = true;
    for (std::size_t i = 0; i < case_.steps.size(); ++i) {
      const Step& step = case_.steps[i];
      if (step.parts.empty()) continue;
      const Part& part = step.parts[static_cast<std::size_t>(rank_)];
      if (step.kind == Kind::set_view) {
        read_view(part.view, types_[i]);
        agree = agree && sees_the_same(types_[i], part.view);
      } else if (step.kind != Kind::seek) {
        types_[i].memory.emplace(part.type.text);
        agree = agree && types_[i].memory->agrees(part.type.naive.map, {part.type.naive.lower, part.type.naive.extent});
      }
    }
    return agree;
  }

  std::string play() {
    prepare();
    open();
    if (file_ == MPI_FILE_NULL) return failure_;
    for (std::size_t i = 0; i < case_.steps.size(); ++i) {
      if (case_.steps[i].barrier) quiet_barrier();
      step_ = "step " + std::to_string(i) + " on rank " + std::to_string(rank_) + ": ";
      perform(case_.steps[i], types_[i]);
    }
    step_ = "close: ";
    check(MPI_File_close(&file_));
    quiet_barrier();
    if (rank_ == 0) compare_file();
    quiet_barrier();
    return failure_;
  }

 private:
  void find(const std::string& what) {
    if (failure_.empty()) failure_ = step_ + what;
  }
  void check(int code) {
    if (code != MPI_SUCCESS) find(words_of(code));
  }

  void prepare() {
    if (rank_ == 0) {
      std::remove(path_.c_str());
      std::ofstream out(path_, std::ios::binary);
      out.write(reinterpret_cast<const char*>(case_.before.data()), static_cast<std::streamsize>(case_.before.size()));
    }
    quiet_barrier();
  }

  void open() {
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    for (const auto& [key, value] : case_.hints) MPI_Info_set(info, key.c_str(), value.c_str());
    step_ = "open: ";
    check(MPI_File_open(MPI_COMM_WORLD, path_.c_str(), MPI_MODE_RDWR | MPI_MODE_CREATE, info, &file_));
    MPI_Info_free(&info);
    if (file_ == MPI_FILE_NULL) return;
    char value[MPI_MAX_INFO_VAL + 1];
    int there = 0;
    MPI_File_get_info(file_, &info);
    MPI_Info_get(info, "collate_strategy", MPI_MAX_INFO_VAL, value, &there);
    MPI_Info_free(&info);
    if (there == 0) find("not Collate but the MPI's own MPI-IO serves this file");
  }

  void perform(const Step& step, StepTypes& types) {
    switch (step.kind) {
      case Kind::set_size: return check(MPI_File_set_size(file_, step.size));
      case Kind::preallocate: return check(MPI_File_preallocate(file_, step.size));
      case Kind::sync: return check(MPI_File_sync(file_));
      case Kind::set_atomicity: return check(MPI_File_set_atomicity(file_, step.atomic ? 1 : 0));
      default: break;
    }
    const Part& part = step.parts[static_cast<std::size_t>(rank_)];
    if (step.kind == Kind::seek) return seek(part);
    if (step.kind == Kind::set_view) {
      return check(MPI_File_set_view(file_, part.view.made.displacement, types.etype->get(), types.filetype->get(), "native", MPI_INFO_NULL));
    }
    if (part.takes_part) access(part, step.kind == Kind::access_all, types.memory->get());
  }

  void seek(const Part& part) {
    const int whence = part.whence == file::Whence::set ? MPI_SEEK_SET : part.whence == file::Whence::current ? MPI_SEEK_CUR : MPI_SEEK_END;
    check(MPI_File_seek(file_, part.offset, whence));
    compare_position(part);
  }

  void compare_position(const Part& part) {
    MPI_Offset position = -1;
    check(MPI_File_get_position(file_, &position));
    if (position != part.expected_position) find("the pointer is at " + std::to_string(position) + " instead of " + std::to_string(part.expected_position));
  }

  int move(const Part& part, bool all, MPI_Datatype type, std::byte* origin, MPI_Status* status) {
    const auto count = static_cast<int>(part.access.count);
    const MPI_Offset at = part.access.offset;
    if (part.access.direction == Direction::read) {
      if (part.access.positioning == file::Positioning::explicit_offset) {
        return (all ? MPI_File_read_at_all : MPI_File_read_at)(file_, at, origin, count, type, status);
      }
      return (all ? MPI_File_read_all : MPI_File_read)(file_, origin, count, type, status);
    }
    if (part.access.positioning == file::Positioning::explicit_offset) {
      return (all ? MPI_File_write_at_all : MPI_File_write_at)(file_, at, origin, count, type, status);
    }
    return (all ? MPI_File_write_all : MPI_File_write)(file_, origin, count, type, status);
  }

  void access(const Part& part, bool all, MPI_Datatype type) {
    std::vector<std::byte> buffer = part.buffer;
    MPI_Status status;
    check(move(part, all, type, buffer.data() + part.origin, &status));
    MPI_Count bytes = -1;
    MPI_Get_elements_x(&status, MPI_BYTE, &bytes);
    if (bytes != part.expected_bytes) find(std::to_string(bytes) + " bytes moved instead of " + std::to_string(part.expected_bytes));
    if (buffer != part.expected) find("buffer: " + difference(buffer, part.expected));
    compare_position(part);
  }

  void compare_file() {
    std::ifstream in(path_, std::ios::binary);
    const std::string found((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    std::vector<std::byte> bytes(found.size());
    std::transform(found.begin(), found.end(), bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
    step_ = "file: ";
    if (bytes != case_.after) find(difference(bytes, case_.after));
    std::remove(path_.c_str());
  }

  const Case& case_;
  int rank_;
  std::string path_;
  std::vector<StepTypes> types_;
  MPI_File file_ = MPI_FILE_NULL;
  std::string step_;
  std::string failure_;
};

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct Setting {
  int rank = 0;
  int ranks = 1;
  std::vector<std::string> folders;
};

enum class Verdict { agreed, failed, passed_over };

Verdict try_case(const Setting& world, const Case& made) {
  const std::string path = world.folders[made.seed % world.folders.size()] + "/collate-random-case-" + std::to_string(world.ranks) + ".dat";
  std::snprintf(hang_message, sizeof(hang_message), "random_cases: rank %d waits for longer than %u s in the case of seed %llu\n", world.rank,
                seconds_for_a_case, static_cast<unsigned long long>(made.seed));
  alarm(seconds_for_a_case);
  Player player(made, world.rank, path);
  if (on_any_rank(!player.make_types())) return Verdict::passed_over;
  const std::string failure = player.play();
  if (!failure.empty()) std::fprintf(stderr, "random_cases: seed %llu: %s\n", static_cast<unsigned long long>(made.seed), failure.c_str());
  if (!on_any_rank(!failure.empty())) return Verdict::agreed;
  if (world.rank == 0) {
    std::fprintf(stderr, "repeat with COLLATE_TEST_RANDOM_CASES=1 COLLATE_SIM_SEED=%llu on %s\n%s\n", static_cast<unsigned long long>(made.seed),
                 path.c_str(), describe(made).c_str());
  }
  return Verdict::failed;
}

int run(const Setting& world) {
  const std::uint64_t wanted = number_from("COLLATE_TEST_RANDOM_CASES", 400);
  const std::uint64_t first = number_from("COLLATE_SIM_SEED", 1'000'000'000ULL * static_cast<std::uint64_t>(world.ranks));
  std::uint64_t agreed = 0;
  std::uint64_t passed_over = 0;
  std::uint64_t failed = 0;
  std::uint64_t seed = first;
  for (; agreed + failed < wanted && failed < 3; seed += seed_step) {
    const Case made = make_case(seed);
    if (made.world.ranks != world.ranks) continue;
    const Verdict verdict = try_case(world, made);
    ++(verdict == Verdict::agreed ? agreed : verdict == Verdict::failed ? failed : passed_over);
  }
  char library[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(library, &length);
  const std::string name(library, std::min<std::size_t>(std::string(library).find_first_of(",\n"), 40));
  if (world.rank == 0) {
    std::printf("random_cases: %llu of %llu cases agree at %d ranks under %s, seeds %llu to %llu; %llu passed over for the MPI's own types\n",
                static_cast<unsigned long long>(agreed), static_cast<unsigned long long>(agreed + failed), world.ranks, name.c_str(),
                static_cast<unsigned long long>(first), static_cast<unsigned long long>(seed - seed_step), static_cast<unsigned long long>(passed_over));
  }
  return failed == 0 && agreed == wanted && passed_over <= wanted ? 0 : 1;
}

}  // namespace
}  // namespace collate::sim

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  collate::sim::Setting world;
  MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
  for (int i = 1; i < argc; ++i) {
    if (access(argv[i], W_OK) == 0) world.folders.emplace_back(argv[i]);
  }
  signal(SIGALRM, collate::sim::tell_hang);
  const int status = world.folders.empty() ? 1 : collate::sim::run(world);
  alarm(0);
  MPI_Finalize();
  return status;
}
