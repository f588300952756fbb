// test/driver/conformance.hpp - what every driver must do, as one suite over a list of subjects.
//
// A subject is a driver with a place to put files. Adding a driver: one entry in subjects.cpp.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include "port/file_driver.hpp"

namespace collate::test {

class Subject {
 public:
  virtual ~Subject() = default;
  [[nodiscard]] virtual port::FileDriver& driver() = 0;
  // A path for a file of that name; the name may lead through a folder or a file.
  [[nodiscard]] virtual std::string path(const std::string& name) = 0;
  virtual void make_folder(const std::string& name) = 0;
  // Whether a lock that cannot be had now waits for it (else it is refused).
  [[nodiscard]] virtual bool locks_wait() const = 0;
  // Whether transfers are cut so small that megabytes take long.
  [[nodiscard]] virtual bool slow() const { return false; }
};

struct SubjectFactory {
  std::string name;
  std::function<std::unique_ptr<Subject>()> make;
};
inline void PrintTo(const SubjectFactory& factory, std::ostream* out) { *out << factory.name; }

class Conformance : public ::testing::TestWithParam<SubjectFactory> {
 protected:
  void SetUp() override { subject_ = GetParam().make(); }
  [[nodiscard]] port::FileDriver& driver() { return subject_->driver(); }
  [[nodiscard]] std::string path(const std::string& name) { return subject_->path(name); }

  std::unique_ptr<Subject> subject_;
};

}  // namespace collate::test
