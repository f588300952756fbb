#include "base/error.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <set>

#include "base/error_tables.hpp"

namespace collate {
namespace {

TEST(Error, TheStandardNamesAClassForEveryFailure) {
  EXPECT_EQ(class_of_errno(ENOENT), ErrorClass::no_such_file);
  EXPECT_EQ(class_of_errno(EACCES), ErrorClass::access);
  EXPECT_EQ(class_of_errno(EPERM), ErrorClass::access);
  EXPECT_EQ(class_of_errno(EROFS), ErrorClass::read_only);
  EXPECT_EQ(class_of_errno(ENOSPC), ErrorClass::no_space);
  EXPECT_EQ(class_of_errno(EFBIG), ErrorClass::no_space);
  EXPECT_EQ(class_of_errno(EDQUOT), ErrorClass::quota);
  EXPECT_EQ(class_of_errno(EEXIST), ErrorClass::file_exists);
  for (const int name : {EISDIR, ENOTDIR, ELOOP, ENAMETOOLONG}) EXPECT_EQ(class_of_errno(name), ErrorClass::bad_file) << name;
  EXPECT_EQ(class_of_errno(ENOMEM), ErrorClass::no_memory);
  EXPECT_EQ(class_of_errno(ETXTBSY), ErrorClass::file_in_use);
  EXPECT_EQ(class_of_errno(ESTALE), ErrorClass::file);
  EXPECT_EQ(class_of_errno(EINVAL), ErrorClass::argument);
  EXPECT_EQ(class_of_errno(EOPNOTSUPP), ErrorClass::unsupported_operation);
  for (const int device : {EIO, EMFILE, ENFILE, ECHILD, 0, -1, 100000}) EXPECT_EQ(class_of_errno(device), ErrorClass::io) << device;
}

TEST(Error, TablesCoverTheEnums) {
  EXPECT_EQ(error_classes().size(), static_cast<std::size_t>(ErrorClass::unsupported_operation) + 1);
  EXPECT_EQ(error_details().size(), static_cast<std::size_t>(ErrorDetail::file_is_closed) + 1);
  EXPECT_EQ(error_classes()[static_cast<std::size_t>(ErrorClass::no_space)].mpi_name, "MPI_ERR_NO_SPACE");
  EXPECT_EQ(error_classes()[static_cast<std::size_t>(ErrorClass::datarep_exists)].mpi_name, "MPI_ERR_DUP_DATAREP");
  std::set<std::string_view> names;
  for (const ErrorClassRow& row : error_classes()) {
    EXPECT_TRUE(names.insert(row.mpi_name).second) << row.mpi_name;
    EXPECT_FALSE(row.line.empty()) << row.mpi_name;
  }
  for (std::size_t i = 1; i < error_details().size(); ++i) EXPECT_FALSE(error_details()[i].empty()) << i;
}

TEST(Error, SystemFailuresNameTheBytesAndTheRank) {
  Error error = system_failure(ENOSPC, 1048576);
  error.rank = 3;
  EXPECT_EQ(error.code, ErrorClass::no_space);
  EXPECT_EQ(describe(error, "writing", "out.dat"), "writing out.dat failed on rank 3 at byte 1048576: No space left on device");
}

TEST(Error, WhatIsNotKnownIsNotSaid) {
  EXPECT_EQ(describe(system_failure(ENOENT), "opening", "in.dat"), "opening in.dat failed: No such file or directory");
  EXPECT_EQ(describe(Error{}, "closing", ""), "closing failed: something else went wrong");
  EXPECT_EQ(describe(refusal(ErrorClass::no_such_file, ErrorDetail::none), "opening", "x"), "opening x failed: the file does not exist");
}

TEST(Error, RefusalsHaveTheirSentence) {
  const Error error = refusal(ErrorClass::read_only, ErrorDetail::nothing_written_in_read_only);
  EXPECT_EQ(describe(error, "writing", "a"),
            "writing a failed: the file was opened with MPI_MODE_RDONLY; open it with MPI_MODE_RDWR or MPI_MODE_WRONLY to write");
  Error page = system_failure(ENOSPC, 0);
  page.detail = ErrorDetail::page_not_backed;
  EXPECT_TRUE(describe(page, "writing", "a").ends_with("meanwhile (No space left on device)")) << describe(page, "writing", "a");
}

TEST(Error, NamesArePrintable) {
  EXPECT_EQ(describe(system_failure(EIO), "reading", "a\nb\x1b[2J\x7f"), "reading a\\x0ab\\x1b[2J\\x7f failed: Input/output error");
  EXPECT_EQ(describe(system_failure(EIO), "reading", "größe"), "reading größe failed: Input/output error");
  EXPECT_EQ(describe(system_failure(EIO), "reading", "\xc2\x9b" "2J"), "reading \xc2\\x9b2J failed: Input/output error");
  EXPECT_EQ(describe(system_failure(EIO), "reading", std::string_view("a\0b", 3)), "reading a\\x00b failed: Input/output error");
}

TEST(Error, LongNamesLeaveRoomForTheReason) {
  const std::string text = describe(system_failure(EACCES), "opening", std::string(4000, 'd') + "/out.dat");
  EXPECT_LT(text.size(), 256U);
  EXPECT_TRUE(text.ends_with("/out.dat failed: Permission denied")) << text;
  EXPECT_TRUE(text.starts_with("opening ...d")) << text;
  std::string umlauts;
  for (int i = 0; i < 100; ++i) umlauts += "ü";
  EXPECT_EQ(describe(system_failure(EIO), "", umlauts + "x").find("...\xc3\xbc"), 0U);
}

TEST(Error, CodesFromAnotherRankCannotBreakUs) {
  Error error = refusal(static_cast<ErrorClass>(250), static_cast<ErrorDetail>(250));
  EXPECT_EQ(describe(error, "reading", "a"), "reading a failed: something else went wrong");
  error.system_error = 99999;
  EXPECT_NE(describe(error, "reading", "a").find("99999"), std::string::npos);
}

}  // namespace
}  // namespace collate
