// Noun phrases and clauses, in both languages at once: the rules of the generated corpus.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <set>
#include <vector>

#include "core/random.hpp"
#include "examples/kit/grammar/inflect.hpp"
#include "examples/kit/grammar/phrase.hpp"

namespace lookback::grammar {

struct NounPhrase {
  Phrase phrase;          // a pronoun has no Spanish, unless another is meant than before: the verb says it
  std::vector<int> head;  // the English noun, of two people both names
  Person person = he;
  Gender gender = masculine;
  bool plural = false;
  int pronoun = -1;  // its place in pronouns[]
  Kinds kinds = 0;
  bool gendered = true;  // not I, you, we, they
  bool definite = true;  // not "a", "some", "two"

  std::vector<int> dropped() const { return pronoun < 0 || !phrase.es.empty() ? std::vector<int>{} : head; }
};

enum class Aspect { present, past, future, progressive, going_to, have_to, want, can };
enum class Articles { definite, any, indefinite, many, general };  // general: apples, las manzanas
enum class Mood { statement, negation, question };

// A verb with what belongs to it. In a question the English helper stands before the subject, and the subject
// before the rest: va | al museo, juega | al fútbol.
struct Group {
  Line helper, en, es, rest;
};

// Two draws never stand in one expression unless its order is fixed: compilers choose it differently.
class Clauses {
 public:
  explicit Clauses(std::uint64_t seed) : random_(seed) {}

  // One sentence, with its full stop or question mark.
  SentencePair sentence();

 private:
  bool chance(double p) { return random_.uniform() < p; }
  template <class Array>
  const auto& pick(const Array& array) {
    return std::begin(array)[random_.below(std::ssize(array))];
  }
  // One that was not said yet in the sentence, if there is such.
  template <class T>
  const T& fresh(const std::vector<const T*>& fitting) {
    std::vector<const T*> unsaid;
    for (const T* one : fitting)
      if (!said_.contains(one)) unsaid.push_back(one);
    const T& one = *pick(unsaid.empty() ? fitting : unsaid);
    said_.insert(&one);
    return one;
  }
  int weighted(std::initializer_list<int> weights);

  // noun_phrases.cpp: depth 0 is a determiner and a noun, 1 has adjectives and owners, 2 relative clauses
  const Noun& any_noun(Kinds kinds, Kinds without = 0);
  bool many(const Noun& noun, double share);  // in the plural
  NounPhrase pronoun(int which);
  NounPhrase name();
  NounPhrase two_people(bool ours);  // ours: I can be one of them
  NounPhrase noun(const Noun& noun, bool plural, int depth, Articles articles);
  NounPhrase somebody(int depth);                                           // a name or a noun
  NounPhrase subject(Kinds kinds, int depth, Mood mood = Mood::statement);  // that, a pronoun or two people
  NounPhrase another_subject();                                             // of a second clause
  NounPhrase object(Kinds kinds, int depth, Mood mood);
  NounPhrase definite(Kinds kinds, int depth);
  NounPhrase one_thing(Kinds kinds, int depth);  // definite, singular
  NounPhrase again(const NounPhrase& who);       // the pronoun for it
  int other_than(const NounPhrase& who);         // a pronoun for somebody else
  Phrase determiner(const Noun& noun, bool plural, Articles articles, NounPhrase& np);
  Phrase owner(Kinds without);  // maria's, de María
  Phrase adjective(const Adjective& adjective, const NounPhrase& noun);
  Phrase adjectives(const NounPhrase& noun, Line& before);
  Phrase relative_clause(const NounPhrase& noun);
  Phrase somewhere(Kinds kinds, int depth);
  Phrase near_something(int depth);

  // verbs.cpp
  template <class Fits>
  const Verb& any_verb(Kinds subjects, const Fits& fits) {
    std::vector<const Verb*> fitting;
    for (const Verb& verb : verbs)
      if (verb.subjects & subjects && fits(verb)) fitting.push_back(&verb);
    return *pick(fitting);
  }
  Group group(const Verb& verb, Aspect aspect, Mood mood, const NounPhrase& subject, const Line& clitics = {},
              const Phrase& adverb = {});
  Group be(const Verb& copula, bool past, Mood mood, const NounPhrase& subject);
  Phrase arrange(const NounPhrase& subject, const Group& group, Mood mood, const Phrase& after,
                 bool predicate = false);
  Phrase with_object(const Verb& verb, int depth, Mood mood = Mood::statement);
  Phrase time(Aspect aspect, bool& first);
  Phrase timed(const Phrase& clause, Aspect aspect, Mood mood, double chance_of);

  // clauses.cpp
  Aspect any_aspect(const Verb& verb);
  Mood any_mood();
  Phrase action(const NounPhrase& subject, const Verb& verb, Aspect aspect, Mood mood, int depth);
  Phrase action(Mood mood, int depth);
  Phrase giving_to(Mood mood);
  Phrase seeing_them(Mood mood);
  Phrase it_again();
  Phrase quality_of_thing(bool past, Mood mood, int depth);
  Phrase is_so(const NounPhrase& who, const Adjective& adjective, bool past, Mood mood);
  Phrase quality(const NounPhrase& subject, Copula copula, bool past, Mood mood);
  Phrase feeling(const NounPhrase& subject, bool past, Mood mood);
  Phrase age(const NounPhrase& subject, bool past, Mood mood);
  Phrase located(const NounPhrase& subject, bool past, Mood mood);
  Phrase liking(Mood mood);
  Phrase hurting();
  Phrase there_is(Mood mood);
  Phrase comparison(Mood mood);
  Phrase weather(bool past);

  // sentences.cpp
  Phrase simple(Mood mood, int depth);  // any one clause
  Phrase because(const NounPhrase& who);
  Phrase when(const NounPhrase& who);
  Phrase two_clauses();
  Phrase but();
  Phrase saying_that(const Phrase& what);
  Phrase asking();

  Random random_;
  Words words_;
  std::set<const void*> said_;  // names, nouns and adjectives, which come once in a sentence
  bool plain_ = false;          // no adjectives: nobody says that cold tea is hot
  bool related_ = false;        // a relative clause was said: a time after it could be taken for its own
  int topic_ = -1;              // the pronoun for the last subject
};

}  // namespace lookback::grammar
