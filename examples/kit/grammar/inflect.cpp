#include "examples/kit/grammar/inflect.hpp"

#include <array>
#include <utility>

namespace lookback::grammar {
namespace {

using std::string;
using std::string_view;

bool is_in(char c, string_view set) { return set.find(c) != set.npos; }
bool vowel(char c) { return is_in(c, "aeiou"); }

string without(const string& text, std::size_t bytes) { return text.substr(0, text.size() - bytes); }

// run, but neither read nor open: one vowel before the last consonant, and no other.
bool doubles(const string& word) {
  int vowels = 0;
  for (const char c : word) vowels += vowel(c);
  const std::size_t n = word.size();
  return vowels == 1 && n > 2 && vowel(word[n - 2]) && !vowel(word[n - 1]) && !is_in(word[n - 1], "wxy");
}

// With an ending that begins with a vowel: closed, closing, bigger.
string with(const string& word, const string& ending) {
  if (word.ends_with('e') && !word.ends_with("ee")) return without(word, 1) + ending;
  if (word.ends_with('y') && !vowel(word[word.size() - 2]) && ending[0] == 'e')
    return without(word, 1) + "i" + ending;
  return word + (doubles(word) ? string(1, word.back()) : "") + ending;
}

string with_s(const string& word) {
  if (word == "have") return "has";
  const bool sibilant = word.ends_with("s") || word.ends_with("sh") || word.ends_with("ch") ||
                        word.ends_with('x') || word.ends_with("go") || word.ends_with("tomato");
  if (word.ends_with('y') && !vowel(word[word.size() - 2])) return without(word, 1) + "ies";
  return word + (sibilant ? "es" : "s");
}

string english_word(const string& entry, Form form) {
  const std::vector<string> words = split(entry, '/');
  switch (form) {
    case Form::base:
      return words[0];
    case Form::third:
      return with_s(words[0]);
    case Form::past:
      return words.size() > 1 ? words[1] : with(words[0], "ed");
    case Form::ing:
      return with(words[0], "ing");
  }
  return "";
}

// Spanish words of which only the last letters matter: an accent there falls, and s follows a vowel, es the rest.
string plural(const string& word) {
  static constexpr std::pair<string_view, string_view> endings[] = {
      {"ín", "ines"}, {"ón", "ones"}, {"án", "anes"}, {"és", "eses"}, {"z", "ces"}};
  for (const auto& [one, many] : endings)
    if (word.ends_with(one)) return without(word, one.size()) + string(many);
  const bool open = vowel(word.back()) || word.ends_with("é") || word.ends_with("á");
  return word + (open ? "s" : "es");
}

}  // namespace

std::vector<string> split(string_view text, char separator) {
  std::vector<string> pieces;
  while (!text.empty()) {
    const string_view piece = text.substr(0, text.find(separator));
    if (!piece.empty()) pieces.emplace_back(piece);
    text.remove_prefix(std::min(piece.size() + 1, text.size()));
  }
  return pieces;
}

string infinitive(const Verb& verb) {
  const string word = split(verb.es, ' ')[0];
  return reflexive(verb) ? without(word, 2) : word;
}

bool reflexive(const Verb& verb) { return split(verb.es, ' ')[0].ends_with("se"); }

string rest(const char* words) {
  const string_view text = words;
  const std::size_t space = text.find(' ');
  return space == text.npos ? "" : string(text.substr(space + 1));
}

string conjugated(const Verb& verb, Tense tense, Person person) {
  using Endings = std::array<const char*, 5>;
  static constexpr Endings present_ar{"o", "as", "a", "amos", "an"}, present_er{"o", "es", "e", "emos", "en"},
      present_ir{"o", "es", "e", "imos", "en"}, past_ar{"é", "aste", "ó", "amos", "aron"},
      past_er{"í", "iste", "ió", "imos", "ieron"}, future{"é", "ás", "á", "emos", "án"},
      imperfect_ar{"aba", "abas", "aba", "ábamos", "aban"}, imperfect_er{"ía", "ías", "ía", "íamos", "ían"};
  const string word = infinitive(verb), stem = without(word, 2);
  const bool ar = word.ends_with("ar"), ir = word.ends_with("ir");
  const auto form = [&](const char* irregular, const string& start, const Endings& endings) {
    return *irregular ? split(irregular, ' ')[person] : start + endings[person];
  };
  switch (tense) {
    case Tense::present:
      return form(verb.present, stem, ar ? present_ar : ir ? present_ir : present_er);
    case Tense::imperfect:
      return form(verb.imperfect, stem, ar ? imperfect_ar : imperfect_er);
    case Tense::future:
      return (*verb.future ? verb.future : word) + string(future[person]);
    case Tense::past:
      if (!*verb.past && person == I && word.ends_with("car")) return without(word, 3) + "qué";
      if (!*verb.past && person == I && word.ends_with("gar")) return without(word, 3) + "gué";
      return form(verb.past, stem, ar ? past_ar : past_er);
  }
  return "";
}

string gerund(const Verb& verb) {
  const string word = infinitive(verb);
  return *verb.gerund ? verb.gerund : without(word, 2) + (word.ends_with("ar") ? "ando" : "iendo");
}

string english(const Verb& verb, Form form) {
  const string after = rest(verb.en);
  return english_word(split(verb.en, ' ')[0], form) + (after.empty() ? "" : " ") + after;
}

string english_be(Person person, bool past) {
  if (past) return person == I || person == he ? "was" : "were";
  return person == I ? "am" : person == he ? "is" : "are";
}

string english_plural(const string& noun) {
  const std::vector<string> words = split(noun, '/');
  return words.size() > 1 ? words[1] : with_s(noun);
}

string spanish_plural(const string& noun) {
  const string first = split(noun, ' ')[0], after = rest(noun.c_str());
  return plural(first) + (after.empty() ? "" : " ") + after;
}

string agreeing(const Adjective& adjective, Gender gender, bool many) {
  const std::vector<string> forms = split(adjective.es, '/');
  const string& masculine_form = forms[0];
  if (forms.size() == 4) return forms[(many ? 2 : 0) + (gender == feminine ? 1 : 0)];
  string word = masculine_form;
  if (gender == feminine && forms.size() > 1)
    word = forms[1];
  else if (gender == feminine && word.ends_with('o'))
    word.back() = 'a';
  return many ? plural(word) : word;
}

string more(const string& adjective) { return adjective.size() <= 5 ? with(adjective, "er") : ""; }

}  // namespace lookback::grammar
