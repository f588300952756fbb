// The drivers that take the conformance suite: each alone, traced, faulty without faults, faulty with transfers
// cut at random places.
#include <filesystem>
#include <utility>

#include "conformance.hpp"
#include "driver/faulty/faulty_driver.hpp"
#include "driver/memory/memory_driver.hpp"
#include "driver/posix/posix_driver.hpp"
#include "driver/registry.hpp"
#include "driver/traced/traced_driver.hpp"
#include "support.hpp"
#include "trace/counters.hpp"
#include "trace/steady_clock.hpp"

namespace collate::test {
namespace {

enum class Dress { none, traced, faultless, cut };

// Owns what a decorator refers to.
class Dressed : public Subject {
 public:
  port::FileDriver& driver() override { return *driver_; }
  bool slow() const override { return dress_ == Dress::cut; }

 protected:
  Dressed(std::unique_ptr<port::FileDriver> driver, Dress dress) : dress_(dress) {
    switch (dress) {
      case Dress::none: driver_ = std::move(driver); break;
      case Dress::traced: driver_ = driver::make_traced_driver(std::move(driver), counters_, clock_); break;
      case Dress::faultless: driver_ = driver::make_faulty_driver(std::move(driver), {}); break;
      case Dress::cut:
        driver_ = driver::make_faulty_driver(std::move(driver), {.faults = {}, .largest_piece = 700, .seed = 42});
        break;
    }
  }

 private:
  Dress dress_;
  trace::Counters counters_;
  trace::SteadyClock clock_;
  std::unique_ptr<port::FileDriver> driver_;
};

class MemorySubject final : public Dressed {
 public:
  explicit MemorySubject(Dress dress) : MemorySubject(dress, std::make_shared<driver::MemoryStore>(options())) {}
  std::string path(const std::string& name) override { return name; }
  void make_folder(const std::string& name) override { store_->make_directory(name); }
  bool locks_wait() const override { return false; }

 private:
  MemorySubject(Dress dress, const std::shared_ptr<driver::MemoryStore>& store)
      : Dressed(driver::make_memory_driver(store), dress), store_(store) {}
  static driver::MemoryOptions options() {
    driver::MemoryOptions options;
    options.strict_directories = true;
    return options;
  }
  std::shared_ptr<driver::MemoryStore> store_;
};

class PosixSubject final : public Dressed {
 public:
  PosixSubject(Dress dress, const std::string& parent) : Dressed(driver::make_default_driver(), dress), folder_(parent) {}
  std::string path(const std::string& name) override { return folder_ / name; }
  void make_folder(const std::string& name) override { std::filesystem::create_directory(folder_ / name); }
  bool locks_wait() const override { return true; }

 private:
  Folder folder_;
};

std::vector<SubjectFactory> subjects() {
  const std::vector<std::pair<std::string, Dress>> dresses = {
      {"", Dress::none}, {"_traced", Dress::traced}, {"_faultless", Dress::faultless}, {"_cut", Dress::cut}};
  std::vector<SubjectFactory> all;
  for (const auto& [suffix, dress] : dresses) {
    all.push_back({"memory" + suffix, [dress = dress] { return std::make_unique<MemorySubject>(dress); }});
    all.push_back({"posix" + suffix, [dress = dress] { return std::make_unique<PosixSubject>(dress, std::string()); }});
  }
  if (std::filesystem::is_directory("/dev/shm")) {
    all.push_back({"posix_tmpfs", [] { return std::make_unique<PosixSubject>(Dress::none, "/dev/shm"); }});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Drivers, Conformance, ::testing::ValuesIn(subjects()),
                         [](const ::testing::TestParamInfo<SubjectFactory>& chosen) { return chosen.param.name; });

}  // namespace
}  // namespace collate::test
