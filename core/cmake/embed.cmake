# cmake -DFROM=font.ttf -DTO=font.cpp -DNAME=font_ttf -P embed.cmake
# writes a file's bytes as one string literal: compilers read it many times faster than a list of numbers.
file(READ "${FROM}" bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${bytes}")
file(WRITE "${TO}"
  "namespace lookback {\n"
  "extern const unsigned long ${NAME}_size;\n"
  "extern const unsigned char ${NAME}[];\n"
  "const unsigned long ${NAME}_size = ${size};\n"
  "const unsigned char ${NAME}[] =\n\"${bytes}\";\n"
  "}  // namespace lookback\n")
