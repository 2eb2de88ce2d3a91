// The files of tests/hostile: what a chapter says to each stands in answers.txt there. LOOKBACK_ANSWERS=FILE writes it anew.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "core/file.hpp"
#include "examples/kit/text/lines.hpp"
#include "examples/kit/text/options.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/readers.hpp"
#include "tests/stderr_text.hpp"

using namespace lookback;

namespace {

const std::map<std::string, std::string (*)(std::string_view)> readers = {
    {"folder", fuzz::read_folder}, {"links", fuzz::read_links},     {"gz", fuzz::read_gz},
    {"words", fuzz::read_words},   {"tensors", fuzz::read_tensors}, {"resume", fuzz::read_resume},
    {"model", fuzz::read_model},   {"options", fuzz::read_options}};

// What is printed when a chapter reads such bytes, with "here" for the folder they lie in.
std::string answer(const std::string& reader, const std::string& bytes) {
  Chapter chapter("chapter", "");
  std::string program = "chapter", taken;
  char* argv[] = {program.data()};
  int code = 0;
  std::string said =
      stderr_text([&] { code = chapter.run(1, argv, [&] { taken = readers.at(reader)(bytes); }); });
  if (code == 0) return "taken: " + taken + said;
  for (const std::string& path = fuzz::folder().path.string(); said.find(path) != said.npos;)
    said.replace(said.find(path), path.size(), "here");
  CHECK(said.ends_with('\n'));
  said.pop_back();
  return said.substr(said.starts_with("chapter: ") ? 9 : 0);
}

}  // namespace

TEST_CASE("hostile: every small file is answered in one line, the one that is known") {
  const std::filesystem::path top = LOOKBACK_HOSTILE;
  std::map<std::string, std::string> known, found;
  for (const std::string& line : read_lines((top / "answers.txt").string())) {
    const auto [name, said] = fuzz::split(line, "  ");
    known[std::string(name)] = said.substr(std::min(said.find_first_not_of(' '), said.size()));
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(top))
    if (entry.path().parent_path() != top && entry.is_regular_file()) {
      const std::string folder = entry.path().parent_path().filename().string();
      found[folder + "/" + entry.path().filename().string()] =
          answer(folder, read_file(entry.path().string()));
    }
  if (const char* to = std::getenv("LOOKBACK_ANSWERS")) {
    std::string text;
    for (const auto& [name, said] : found) text += fmt::format("{:<58}  {}\n", name, said);
    write_file(to, text);
  }
  for (const auto& [name, said] : found) {
    INFO(name);
    CHECK(said == known[name]);
  }
  CHECK(known.size() == found.size());
}
