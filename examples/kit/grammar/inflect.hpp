// The forms of a word, by the rules of each language and the exceptions of the lexicon.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "examples/kit/grammar/lexicon.hpp"

namespace lookback::grammar {

std::vector<std::string> split(std::string_view text, char separator);  // without empty pieces

enum Person { I, you, he, we, they };  // and she; you is one person, who is called tú
enum class Tense { present, past, future, imperfect };

std::string conjugated(const Verb& verb, Tense tense,
                       Person person);     // leo, leyó, leeré; the first word alone
std::string infinitive(const Verb& verb);  // leer
std::string gerund(const Verb& verb);      // leyendo
bool reflexive(const Verb& verb);          // levantarse
std::string rest(const char* words);       // "jugar al fútbol": al fútbol

enum class Form { base, third, past, ing };
std::string english(const Verb& verb, Form form);  // reads, went to
std::string english_be(Person person, bool past);

std::string english_plural(const std::string& noun);  // as in the lexicon: "knife/knives"
std::string spanish_plural(const std::string& noun);  // jardín: jardines; of "zumo de naranja" the first word
std::string agreeing(const Adjective& adjective, Gender gender, bool plural);
std::string more(const std::string& adjective);  // taller; "" when it is "more famous"

}  // namespace lookback::grammar
