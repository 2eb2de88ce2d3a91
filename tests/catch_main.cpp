// Catch2 version 2 alone needs this file: version 3 brings its own main().
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
