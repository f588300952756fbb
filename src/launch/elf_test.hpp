// Small ELF files made to measure, for the tests of this room.
#pragma once

#include <elf.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace collate::launch::test {

struct Spec {
  std::string interpreter = "/lib64/ld-linux-x86-64.so.2";
  bool dynamic = true;
  std::vector<std::pair<std::int64_t, std::string>> strings = {};  // DT_NEEDED and the like
  std::uint16_t machine = EM_X86_64;
};

// Header, three segments, interpreter, dynamic section, strings: one PT_LOAD maps the whole file at address 0x1000.
inline std::string elf_bytes(const Spec& spec) {
  constexpr std::uint64_t base = 0x1000;
  std::string strings(1, '\0');
  std::vector<Elf64_Dyn> entries;
  for (const auto& [tag, text] : spec.strings) {
    entries.push_back({tag, {strings.size()}});
    strings += text + '\0';
  }
  const std::uint64_t interpreter_at = sizeof(Elf64_Ehdr) + 3 * sizeof(Elf64_Phdr);
  const std::uint64_t dynamic_at = interpreter_at + spec.interpreter.size() + 1;
  const std::uint64_t strings_at = dynamic_at + (entries.size() + 3) * sizeof(Elf64_Dyn);
  entries.push_back({DT_STRTAB, {base + strings_at}});
  entries.push_back({DT_STRSZ, {strings.size()}});
  entries.push_back({DT_NULL, {0}});
  const std::uint64_t end = strings_at + strings.size();

  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_type = ET_DYN;
  header.e_machine = spec.machine;
  header.e_phoff = sizeof(Elf64_Ehdr);
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 3;
  Elf64_Phdr segments[3] = {};
  segments[0] = {PT_LOAD, 0, 0, base, base, end, end, 0x1000};
  segments[1] = {PT_INTERP, 0, interpreter_at, 0, 0, spec.interpreter.size() + 1, 0, 1};
  segments[2] = {PT_DYNAMIC, 0, dynamic_at, 0, 0, entries.size() * sizeof(Elf64_Dyn), 0, 8};
  if (spec.interpreter.empty()) segments[1].p_type = PT_NULL;
  if (!spec.dynamic) segments[2].p_type = PT_NULL;

  std::string out(reinterpret_cast<const char*>(&header), sizeof header);
  out.append(reinterpret_cast<const char*>(segments), sizeof segments);
  out += spec.interpreter + '\0';
  out.append(reinterpret_cast<const char*>(entries.data()), entries.size() * sizeof(Elf64_Dyn));
  return out + strings;
}

// A folder that goes away with the test.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "collate-launch-XXXXXX").string();
    root_ = mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(root_); }

  std::string path(const std::string& name) const { return (root_ / name).string(); }
  std::string write(const std::string& name, const std::string& bytes, unsigned mode = 0755) const {
    const std::string where = path(name);
    std::filesystem::create_directories(std::filesystem::path(where).parent_path());
    std::ofstream(where, std::ios::binary) << bytes;
    chmod(where.c_str(), mode);
    return where;
  }
  std::string write(const std::string& name, const Spec& spec) const { return write(name, elf_bytes(spec)); }

 private:
  std::filesystem::path root_;
};

inline Spec needing(std::vector<std::string> names) {
  Spec spec;
  for (auto& name : names) spec.strings.emplace_back(DT_NEEDED, std::move(name));
  return spec;
}

}  // namespace collate::launch::test
