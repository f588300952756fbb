// Opening: the ranks agree on what is asked, one rank creates, all open, all agree on how it went.
//
// 1. Every rank tells access mode, a hash of the path and its own refusal, if any; differences end here.
// 2. Rank 0's hints - MPI_Info and environment - are what counts; the others get its texts and read them the same.
// 3. Rank 0 opens, creating and being exclusive if asked; the others open after it succeeded and create nothing.
// 4. All compare the identity of what they opened: one path may mean different files on different nodes.
// 5. Ranks that share a node share a board for later agreements.
// Whatever fails, every rank closes what it opened and returns the same Error.
#include <cstring>

#include "execute/node_memory.hpp"
#include "file/opened.hpp"
#include "hints/read.hpp"

namespace collate::file {
namespace {

// FNV-1a; only to tell different paths apart.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

std::int64_t bits_of(const AccessMode& mode) {
  const std::array<bool, 9> flags{mode.read_only, mode.write_only, mode.read_write, mode.create, mode.exclusive,
                                  mode.delete_on_close, mode.unique_open, mode.sequential, mode.append};
  std::int64_t bits = 0;
  for (const bool flag : flags) bits = bits * 2 + (flag ? 1 : 0);
  return bits;
}

std::optional<Error> check(const AccessMode& mode) {
  const int ways = int{mode.read_only} + int{mode.write_only} + int{mode.read_write};
  const bool contradiction = ways != 1 || (mode.read_only && (mode.create || mode.exclusive)) || (mode.read_write && mode.sequential);
  if (contradiction) return refusal(ErrorClass::amode, ErrorDetail::amode_contradicts_itself);
  return std::nullopt;
}

// "ufs:/scratch/x" names the file /scratch/x; only ROMIO's own prefixes count, whole.
std::string without_prefix(const std::string& path) {
  constexpr std::array<std::string_view, 12> known{"ufs", "nfs", "xfs", "pvfs2", "gpfs", "panfs", "lustre", "daos", "testfs", "ime", "quobyte", "posix"};
  const std::size_t colon = path.find(':');
  if (colon == std::string::npos) return path;
  const std::string_view prefix(path.data(), colon);
  return std::find(known.begin(), known.end(), prefix) == known.end() ? path : path.substr(colon + 1);
}

// A list of strings in one: each preceded by its length.
std::string pack(const std::vector<std::string>& texts) {
  std::string packed;
  for (const std::string& text : texts) packed += std::to_string(text.size()) + ' ' + text;
  return packed;
}

std::vector<std::string> unpack(const std::string& packed) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < packed.size();) {
    const std::size_t space = packed.find(' ', at);
    const std::size_t size = std::stoul(packed.substr(at, space - at));
    texts.push_back(packed.substr(space + 1, size));
    at = space + 1 + size;
  }
  return texts;
}

std::vector<std::string> hint_texts(const Environment& environment, const InfoEntries& info) {
  std::vector<std::string> texts{environment.collate_hints, environment.romio_hints_text, environment.mpich_mpiio_hints};
  for (const auto& [key, value] : info) {
    texts.push_back(key);
    texts.push_back(value);
  }
  return texts;
}

hints::Reading read_hints(const std::vector<std::string>& texts, const std::string& path) {
  hints::Sources sources;
  sources.collate_hints = texts[0];
  sources.romio_hints = texts[1];
  sources.mpich_mpiio_hints = texts[2];
  for (std::size_t i = 3; i + 1 < texts.size(); i += 2) sources.info.emplace_back(texts[i], texts[i + 1]);
  sources.path = path;
  return hints::read(sources);
}

port::OpenSpec spec_of(const AccessMode& mode, const std::string& path, const hints::Hints& hints, bool first) {
  port::OpenSpec spec;
  spec.path = path;
  spec.read = !mode.write_only;
  spec.write = !mode.read_only;
  spec.create = mode.create && first;
  spec.exclusive = mode.exclusive && first;
  spec.permissions = hints.file_perm;
  return spec;
}

plan::Summary opening(std::uint32_t sequence) {
  plan::Summary summary;
  summary.call = plan::Call::open;
  summary.sequence = sequence;
  return summary;
}

// Step 1.
Task<std::optional<Error>> agree_on_request(execute::Agreement& agreement, const OpenArguments& arguments) {
  plan::Summary mine = opening(0);
  std::optional<Error> refused = arguments.refused;
  if (!refused) refused = check(arguments.mode);
  mine.refused = refused.has_value();
  if (refused) mine.error = *refused;
  mine.argument = bits_of(arguments.mode);
  mine.pieces = static_cast<Count>(hash_of(arguments.path));
  const std::span<const plan::Summary> all = co_await agreement.gather(mine);
  std::optional<Error> error = plan::first_refusal(all);
  for (std::size_t rank = 0; rank < all.size() && !error; ++rank) {
    if (all[rank].argument != all[0].argument) error = refusal(ErrorClass::not_same, ErrorDetail::amode_differs);
    else if (all[rank].pieces != all[0].pieces) error = refusal(ErrorClass::not_same, ErrorDetail::path_differs);
    if (error) error->rank = static_cast<int>(rank);
  }
  co_return error;
}

struct Opening {
  Session& session;
  port::Comm& comm;
  execute::Agreement& agreement;
  AccessMode mode;
  std::string path;
};

// Steps 3 and 4.
Task<Result<std::unique_ptr<port::OpenFile>>> open_everywhere(Opening& opening_of, const hints::Hints& hints) {
  std::unique_ptr<port::OpenFile> file;
  Result<void> outcome;
  for (const bool first : {true, false}) {
    if ((opening_of.comm.rank() == 0) == first) {
      Result<std::unique_ptr<port::OpenFile>> opened = opening_of.session.driver->open(spec_of(opening_of.mode, opening_of.path, hints, first));
      if (opened) file = std::move(*opened);
      else outcome = opened.error();
    }
    plan::Summary mine = opening(first ? 1 : 2);
    mine.argument = file ? static_cast<std::int64_t>(file->identity()) : 0;
    mine.refused = !outcome.ok();
    if (!outcome) mine.error = outcome.error();
    const std::span<const plan::Summary> all = co_await opening_of.agreement.gather(mine);
    std::optional<Error> error = plan::first_refusal(all);
    for (std::size_t rank = 1; rank < all.size() && !error && !first; ++rank) {
      if (all[rank].argument == all[0].argument) continue;
      error = refusal(ErrorClass::not_same, ErrorDetail::different_files);
      error->rank = static_cast<int>(rank);
    }
    if (error) {
      if (file) (void)file->close();
      co_return *error;
    }
    if (opening_of.comm.size() == 1) break;
  }
  co_return file;
}

bool on_one_node(const port::Comm& comm) {
  const std::span<const int> nodes = comm.node_of_rank();
  return std::all_of(nodes.begin(), nodes.end(), [](int node) { return node == 0; });
}

}  // namespace

Task<std::string> share_text(port::Comm& comm, std::string text) {
  if (comm.size() == 1) co_return text;
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(comm.size()));
  const std::uint64_t mine = text.size();
  const auto told = comm.allgather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(sizes)));
  co_await *told;
  if (sizes[0] == 0) co_return std::string();
  text.resize(sizes[0]);
  std::string all(sizes[0] * static_cast<std::size_t>(comm.size()), '\0');
  const auto gathered = comm.allgather(std::as_bytes(std::span(text)), std::as_writable_bytes(std::span(all)));
  co_await *gathered;
  co_return all.substr(0, sizes[0]);
}

Task<Result<std::unique_ptr<File>>> File::open(Session& session, OpenArguments arguments) {
  Parts parts;
  parts.comm = std::move(arguments.comm);
  execute::Agreement agreement(*parts.comm, nullptr);
  const std::optional<Error> refused = co_await agree_on_request(agreement, arguments);
  if (refused) co_return *refused;
  parts.path = arguments.path;
  parts.system_path = without_prefix(arguments.path);
  parts.mode = arguments.mode;
  std::string texts = pack(hint_texts(session.environment, arguments.info));
  std::string packed = co_await share_text(*parts.comm, std::move(texts));
  hints::Reading reading = read_hints(unpack(packed), parts.system_path);
  parts.hints = reading.hints;
  Opening opening_of{session, *parts.comm, agreement, parts.mode, parts.system_path};
  Result<std::unique_ptr<port::OpenFile>> opened = co_await open_everywhere(opening_of, parts.hints.values());
  if (!opened) co_return opened.error();
  parts.driver_file = std::move(*opened);
  if (parts.comm->size() > 1 && on_one_node(*parts.comm)) {
    parts.board = co_await execute::share_memory(*parts.comm, execute::Agreement::board_bytes(parts.comm->size()));
  }
  if (parts.mode.append) {
    const Result<Length> size = parts.driver_file->size();
    if (size) parts.start = *size;
  }
  if (parts.comm->rank() == 0 && session.notice) {
    for (const std::string& warning : reading.warnings) session.notice(parts.path + ": " + warning);
  }
  co_return std::unique_ptr<File>(std::make_unique<Opened>(session, std::move(parts)));
}

Result<void> remove(Session& session, const std::string& path) { return session.driver->remove(without_prefix(path)); }

}  // namespace collate::file
