// Reads and makes MPI_Info objects with the functions every MPI has.
#include "door/common/info.hpp"

#include <string>

#include "door/common/native.hpp"
#include "handles.hpp"

namespace collate::door {

namespace {

std::string value_of(const Native& mpi, MPI_Info info, const char* key) {
  int length = 0;
  int found = 0;
  if (mpi.Info_get_valuelen(info, key, &length, &found) != MPI_SUCCESS || found == 0) return {};
  std::string value(static_cast<std::size_t>(length) + 1, '\0');
  if (mpi.Info_get(info, key, length, value.data(), &found) != MPI_SUCCESS || found == 0) return {};
  value.resize(static_cast<std::size_t>(length));
  return value;
}

}  // namespace

file::InfoEntries entries_of(MPI_Info info) {
  file::InfoEntries entries;
  if (info == abi::info_null()) return entries;
  const Native& mpi = *native();
  int keys = 0;
  if (mpi.Info_get_nkeys(info, &keys) != MPI_SUCCESS) return entries;
  for (int i = 0; i < keys; ++i) {
    char key[MPI_MAX_INFO_KEY + 1] = {};
    if (mpi.Info_get_nthkey(info, i, key) == MPI_SUCCESS) entries.emplace_back(key, value_of(mpi, info, key));
  }
  return entries;
}

MPI_Info info_of(const file::InfoEntries& entries) {
  const Native& mpi = *native();
  MPI_Info info = abi::info_null();
  if (mpi.Info_create(&info) != MPI_SUCCESS) return abi::info_null();
  for (const auto& [key, value] : entries) {
    // One less than the limits: they count the final zero in some MPIs. An empty value is refused by some.
    if (key.size() >= MPI_MAX_INFO_KEY || value.size() >= MPI_MAX_INFO_VAL || key.empty() || value.empty()) continue;
    mpi.Info_set(info, key.c_str(), value.c_str());
  }
  return info;
}

}  // namespace collate::door
