// file/opened.hpp - the File that open() returns: the engine's state for one open file on one rank.
//
// Private to the room. What it adds to file.hpp: how the parts hang together. The communicator, the driver's file,
// the agreement board and the exchange live as long as the file; view, pointer, hints and atomicity change.
// Thread rule: as file.hpp.
#pragma once

#include <array>
#include <atomic>

#include "base/staging.hpp"
#include "execute/collective.hpp"
#include "file/file.hpp"
#include "hints/hint_set.hpp"
#include "view/file_view.hpp"

namespace collate::file {

// What open() found out.
struct Parts {
  std::unique_ptr<port::Comm> comm;
  std::unique_ptr<port::SharedSegment> board;  // null where the ranks do not share memory
  std::unique_ptr<port::OpenFile> driver_file;
  std::string path;         // as given
  std::string system_path;  // without a prefix
  AccessMode mode;
  hints::HintSet hints;
  Offset start = 0;  // first position of the individual pointer, in bytes
};

class Opened final : public File {
 public:
  Opened(Session& session, Parts parts);

  Task<Result<void>> close() override;
  [[nodiscard]] const std::string& path() const override { return parts_.path; }
  [[nodiscard]] const AccessMode& mode() const override { return parts_.mode; }
  [[nodiscard]] Result<Length> size() override { return parts_.driver_file->size(); }
  Task<Result<void>> set_size(Length size) override;
  Task<Result<void>> preallocate(Length size) override;
  Task<Result<void>> sync() override;
  Task<Result<void>> set_info(InfoEntries info) override;
  [[nodiscard]] InfoEntries info() const override { return parts_.hints.entries(); }
  [[nodiscard]] Result<void> set_view(ViewArguments view) override;
  [[nodiscard]] Offset displacement() const override { return view_.displacement(); }
  [[nodiscard]] const std::string& datarep() const override { return datarep_; }
  [[nodiscard]] Result<Length> type_extent(const layout::Type& type) const override { return type.extent; }
  [[nodiscard]] Result<void> seek(Offset offset, Whence whence) override;
  [[nodiscard]] Offset position() const override { return position_; }
  [[nodiscard]] Result<Offset> byte_offset(Offset offset) const override { return view_.byte_offset(offset); }
  Task<Result<void>> set_atomicity(bool atomic) override;
  [[nodiscard]] bool atomicity() const override { return atomic_; }
  [[nodiscard]] Result<Outcome> access(const Access& access) override;
  Task<Result<Outcome>> access_all(const Access& access) override;

 private:
  static constexpr std::size_t strategies = static_cast<std::size_t>(plan::Strategy::messages) + 1;
  struct Tally {
    std::array<std::atomic<Count>, strategies> accesses{};  // by plan::Strategy
    std::array<std::atomic<Length>, 2> bytes{};             // by Direction
    std::string last_plan;                                  // of the last collective access, in words (verbose only)
  };

  [[nodiscard]] std::optional<Error> refuse(const Access& access) const;
  [[nodiscard]] Result<view::Transfer> transfer_of(const Access& access) const;
  [[nodiscard]] Offset position_of(const Access& access) const;
  void advance(const Access& access);
  [[nodiscard]] std::optional<Result<Outcome>> access_plainly(const Access& access);
  [[nodiscard]] plan::IndependentAccess describe_own(Direction direction, const view::Transfer& transfer) const;
  [[nodiscard]] plan::IndependentPlan plan_own(Direction direction, const view::Transfer& transfer) const;
  Task<Result<Length>> move_together(Direction direction, const view::Transfer& transfer, std::optional<Error> refused);
  void count(plan::Strategy strategy, Direction direction, Length bytes);

  [[nodiscard]] plan::Summary stamp(plan::Call call, std::int64_t argument = 0);
  // Collective: one rank does `work` (null on the others); all learn how it went.
  Task<Result<void>> agree(plan::Summary stamp, Result<void> outcome);
  // Collective: an Error when the ranks are not in the same call with the same argument.
  Task<Result<void>> same_call(plan::Summary stamp);
  // Collective: rank 0 changes the file's size by `work`.
  Task<Result<void>> change_size(plan::Call call, Length size, Result<void> (port::OpenFile::*work)(Length));
  void report_hints();
  [[nodiscard]] plan::Topology topology() const;
  [[nodiscard]] bool leads_node() const;
  void say_farewell();

  Session& session_;
  Parts parts_;
  execute::Agreement agreement_;
  // Independent and collective accesses may run at once, each with its own staging.
  Staging staging_;
  Staging collective_staging_;
  execute::Bench bench_;
  execute::Collective collective_;
  view::FileView view_;
  std::string datarep_ = "native";
  std::atomic<Offset> position_ = 0;  // of the individual pointer, in etypes
  bool atomic_ = false;
  bool plain_ = true;    // a contiguous access needs neither lock nor thought
  std::uint32_t calls_ = 0;
  Tally tally_;
};

// Collective: rank 0's bytes on every rank.
Task<std::string> share_text(port::Comm& comm, std::string text);

}  // namespace collate::file
