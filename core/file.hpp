// Files that are whole or not there: written under another name, then renamed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lookback {

// Writes the bytes to a temporary file in the same folder, .lookback-0123abcd.part, flushes it to the disk and renames it
// over the target. When anything fails it is removed, an old file keeps its bytes, and std::system_error says "cannot
// write out/08/x.png: No space left on device". A new file has the permissions of the old one, which must be writable.
// A link is followed; a device such as /dev/stdout is written in place.
void write_file(const std::string& path, std::string_view bytes);

// All bytes of a file, or those it begins with, `most` of them. Throws std::system_error: "cannot read
// m.safetensors: No such file or directory".
std::string read_file(const std::string& path, std::size_t most = std::string::npos);

// The checksum of zip and PNG; of bytes that follow others, given theirs. One changed bit always changes it.
std::uint32_t crc32(std::string_view bytes, std::uint32_t crc = 0);

// Makes the folder and those above it, and proves by a small file that it can be written to: call it before
// an hour of training. Throws std::system_error: "cannot make folder out/08: Not a directory".
void make_folder(const std::string& path);
// The same for the folder a file will lie in; refuses what write_file would refuse later: a folder or a device in the
// file's place, a file that may not be written to, a name that no file can have.
void make_folder_of(const std::string& file);

}  // namespace lookback
