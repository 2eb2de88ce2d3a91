// What a piece of code writes to stderr.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>

namespace lookback {

template <class F>
std::string stderr_text(F f) {
  std::FILE* file = std::tmpfile();
  std::fflush(stderr);
  const int terminal = dup(2);
  dup2(fileno(file), 2);
  f();
  std::fflush(stderr);
  dup2(terminal, 2);
  close(terminal);
  std::rewind(file);
  std::string text;
  for (int c; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

}  // namespace lookback
