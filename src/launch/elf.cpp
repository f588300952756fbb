#include "launch/elf.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <optional>

namespace collate::launch {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;  // no table that we read is honestly larger

// A file open for reading; every read is whole and inside the file, or nothing.
class File {
 public:
  explicit File(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat facts {};
    if (fd_ >= 0 && fstat(fd_, &facts) == 0 && S_ISREG(facts.st_mode)) size_ = static_cast<std::uint64_t>(facts.st_size);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (fd_ >= 0) close(fd_);
  }

  bool readable() const { return fd_ >= 0; }

  std::optional<std::string> bytes(std::uint64_t offset, std::uint64_t count) const {
    if (count > kMostBytes || offset > size_ || count > size_ - offset) return std::nullopt;
    std::string out(count, '\0');
    std::uint64_t have = 0;
    while (have < count) {
      const ssize_t got = pread(fd_, out.data() + have, count - have, static_cast<off_t>(offset + have));
      if (got <= 0) return std::nullopt;
      have += static_cast<std::uint64_t>(got);
    }
    return out;
  }

  template <typename T>
  std::optional<T> value(std::uint64_t offset) const {
    const auto raw = bytes(offset, sizeof(T));
    if (!raw) return std::nullopt;
    T out;
    std::memcpy(&out, raw->data(), sizeof(T));
    return out;
  }

  // The zero-terminated string at `offset`, which must end before `limit`.
  std::optional<std::string> text(std::uint64_t offset, std::uint64_t limit) const {
    const std::uint64_t end = limit < size_ ? limit : size_;
    if (offset >= end) return std::nullopt;
    const std::uint64_t room = end - offset;
    const auto raw = bytes(offset, room < 4096 ? room : 4096);
    if (!raw) return std::nullopt;
    const auto stop = raw->find('\0');
    if (stop == std::string::npos) return std::nullopt;
    return raw->substr(0, stop);
  }

 private:
  int fd_;
  std::uint64_t size_ = 0;
};

struct Elf32 {
  using Header = Elf32_Ehdr;
  using Segment = Elf32_Phdr;
  using Entry = Elf32_Dyn;
};
struct Elf64 {
  using Header = Elf64_Ehdr;
  using Segment = Elf64_Phdr;
  using Entry = Elf64_Dyn;
};

template <typename T>
std::optional<std::vector<T>> table(const File& file, std::uint64_t offset, std::uint64_t bytes) {
  const auto raw = file.bytes(offset, bytes);
  if (!raw) return std::nullopt;
  std::vector<T> out(raw->size() / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), raw->data(), out.size() * sizeof(T));
  return out;
}

// Where the byte that is loaded at `address` lies in the file.
template <typename Segment>
std::optional<std::uint64_t> file_offset(const std::vector<Segment>& segments, std::uint64_t address) {
  for (const auto& segment : segments) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const std::uint64_t inside = address - segment.p_vaddr;
    if (inside < segment.p_filesz) return std::uint64_t{segment.p_offset} + inside;
  }
  return std::nullopt;
}

template <typename Kind>
bool read_dynamic(const File& file, const std::vector<typename Kind::Segment>& segments, const typename Kind::Segment& where,
                  ElfFacts& facts) {
  const auto entries = table<typename Kind::Entry>(file, where.p_offset, where.p_filesz);
  if (!entries) return false;
  std::uint64_t strings_address = 0;
  std::uint64_t strings_size = 0;
  for (const auto& entry : *entries) {
    if (entry.d_tag == DT_STRTAB) strings_address = entry.d_un.d_ptr;
    if (entry.d_tag == DT_STRSZ) strings_size = entry.d_un.d_val;
  }
  const auto strings = file_offset(segments, strings_address);
  if (!strings) return false;
  for (const auto& entry : *entries) {
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag != DT_NEEDED && entry.d_tag != DT_SONAME && entry.d_tag != DT_RPATH && entry.d_tag != DT_RUNPATH) continue;
    if (entry.d_un.d_val >= strings_size) return false;
    const auto text = file.text(*strings + entry.d_un.d_val, *strings + strings_size);
    if (!text) return false;
    if (entry.d_tag == DT_NEEDED) facts.needed.push_back(*text);
    if (entry.d_tag == DT_SONAME) facts.soname = *text;
    if (entry.d_tag == DT_RPATH) facts.rpath = split(*text, ':');
    if (entry.d_tag == DT_RUNPATH) facts.runpath = split(*text, ':');
  }
  return true;
}

template <typename Kind>
bool read_kind(const File& file, ElfFacts& facts) {
  const auto header = file.value<typename Kind::Header>(0);
  if (!header || (header->e_phnum != 0 && header->e_phentsize != sizeof(typename Kind::Segment))) return false;
  facts.machine = header->e_machine;
  const std::uint64_t bytes = std::uint64_t{header->e_phnum} * sizeof(typename Kind::Segment);
  const auto segments = table<typename Kind::Segment>(file, header->e_phoff, bytes);
  if (!segments) return false;
  for (const auto& segment : *segments) {
    if (segment.p_type == PT_INTERP) {
      const auto text = file.text(segment.p_offset, std::uint64_t{segment.p_offset} + segment.p_filesz);
      if (!text) return false;
      facts.interpreter = *text;
    }
    if (segment.p_type == PT_DYNAMIC) {
      facts.dynamic = true;
      if (!read_dynamic<Kind>(file, *segments, segment, facts)) return false;
    }
  }
  return true;
}

}  // namespace

ElfFacts read_elf(const std::string& path) {
  ElfFacts facts;
  const File file(path);
  if (!file.readable()) return facts;
  const auto ident = file.bytes(0, EI_NIDENT);
  facts.state = ElfState::not_elf;
  if (!ident || std::memcmp(ident->data(), ELFMAG, SELFMAG) != 0) return facts;
  const unsigned char ours = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  facts.state = ElfState::foreign_order;
  if (static_cast<unsigned char>((*ident)[EI_DATA]) != ours) return facts;
  facts.is_64 = (*ident)[EI_CLASS] == ELFCLASS64;
  const bool whole = facts.is_64 ? read_kind<Elf64>(file, facts) : read_kind<Elf32>(file, facts);
  facts.state = whole ? ElfState::good : ElfState::broken;
  return facts;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> out;
  std::size_t start = 0;
  while (start <= text.size()) {
    std::size_t stop = text.find(separator, start);
    if (stop == std::string::npos) stop = text.size();
    if (stop > start) out.push_back(text.substr(start, stop - start));
    start = stop + 1;
  }
  return out;
}

}  // namespace collate::launch
