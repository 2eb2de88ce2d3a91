#include "examples/kit/grammar/clauses.hpp"

namespace lookback::grammar {
namespace {

const char* reflexive_of(Person person) {
  static constexpr const char* words[] = {"me", "te", "se", "nos", "se"};
  return words[person];
}

Form finite(Aspect aspect, Mood mood, Person person) {
  if (mood != Mood::statement) return Form::base;
  return aspect == Aspect::past ? Form::past : person == he ? Form::third : Form::base;
}

}  // namespace

// does not | read -> no lee;  is | going to read -> va a leer;  has to get up -> se tiene que levantar
Group Clauses::group(const Verb& verb, Aspect aspect, Mood mood, const NounPhrase& who, const Line& clitics,
                     const Phrase& adverb) {
  const bool past = aspect == Aspect::past, third = who.person == he;
  Line helper, no, more;  // more: "going to", "have to", "want to"
  switch (aspect) {
    case Aspect::future:
      helper = words_.en("will");
      break;
    case Aspect::can:
      helper = words_.en(mood == Mood::negation ? "cannot" : "can");
      break;
    case Aspect::progressive:
    case Aspect::going_to:
      helper = words_.en(english_be(who.person, false));
      break;
    default:
      if (mood != Mood::statement) helper = words_.en(past ? "did" : third ? "does" : "do");
  }
  if (mood == Mood::negation && aspect != Aspect::can) no = words_.en("not");
  if (aspect == Aspect::going_to) more = words_.en("going to");
  if (aspect == Aspect::have_to) more = words_.en(english(tener, finite(aspect, mood, who.person)) + " to");
  if (aspect == Aspect::want) more = words_.en(english(querer, finite(aspect, mood, who.person)) + " to");
  const bool simple = aspect == Aspect::present || past;
  const Form form = aspect == Aspect::progressive ? Form::ing
                    : simple                      ? finite(aspect, mood, who.person)
                                                  : Form::base;
  const Line main = words_.en(english(verb, form));

  // Words after the English verb go with those after the Spanish one, or with the verb itself.
  const std::vector<std::string> after = split(rest(verb.es), ' ');
  const std::vector<int> all = ids(main), particles(all.begin() + 1, all.end());
  const std::vector<int> verb_ids = after.empty() ? all : main[0].ids;
  Line complement;
  for (std::size_t i = 0; i < after.size(); ++i)
    complement =
        complement + es(after[i], after.size() == particles.size() ? std::vector{particles[i]} : particles);

  // The verb that carries the person says the dropped pronoun and the helper too.
  const auto carries = [&](const std::string& word, const std::vector<int>& own) {
    return es(word, together(together(who.dropped(), ids(helper)), own));
  };
  Line spanish;
  switch (aspect) {
    case Aspect::present:
      spanish = carries(conjugated(verb, Tense::present, who.person), verb_ids);
      break;
    case Aspect::past:
      spanish = carries(conjugated(verb, Tense::past, who.person), verb_ids);
      break;
    case Aspect::future:
      spanish = carries(conjugated(verb, Tense::future, who.person), verb_ids);
      break;
    case Aspect::progressive:
      spanish = infinitive(verb) == "ir"  // nobody says "está yendo"
                    ? carries(conjugated(verb, Tense::present, who.person), verb_ids)
                    : carries(conjugated(estar, Tense::present, who.person), {}) + es(gerund(verb), verb_ids);
      break;
    case Aspect::going_to:
      spanish = carries(conjugated(ir, Tense::present, who.person), more[0].ids) + es("a", more[1].ids) +
                es(infinitive(verb), verb_ids);
      break;
    case Aspect::have_to:
      spanish = carries(conjugated(tener, Tense::present, who.person), more[0].ids) + es("que", more[1].ids) +
                es(infinitive(verb), verb_ids);
      break;
    case Aspect::want:
      spanish = carries(conjugated(querer, Tense::present, who.person), more[0].ids) +
                es(infinitive(verb), together(more[1].ids, verb_ids));
      break;
    case Aspect::can:
      spanish = carries(conjugated(poder, Tense::present, who.person), {}) + es(infinitive(verb), verb_ids);
      break;
  }
  Line before = mood == Mood::negation ? es("no", no.empty() ? ids(helper) : ids(no)) : Line{};
  before = before + adverb.es + clitics + (reflexive(verb) ? es(reflexive_of(who.person), all) : Line{});
  return {helper, no + adverb.en + more + main, before + spanish, complement};
}

Group Clauses::be(const Verb& copula, bool past, Mood mood, const NounPhrase& who) {
  const Line helper = words_.en(english_be(who.person, past));
  const Line no = mood == Mood::negation ? words_.en("not") : Line{};
  const Line not_es = no.empty() ? Line{} : es("no", ids(no));
  return {helper,
          no,
          not_es + es(conjugated(copula, past ? Tense::imperfect : Tense::present, who.person),
                      together(who.dropped(), ids(helper))),
          {}};
}

// maria reads the book -> María lee el libro;  does maria read the book -> lee María el libro
Phrase Clauses::arrange(const NounPhrase& who, const Group& g, Mood mood, const Phrase& after,
                        bool predicate) {
  const Phrase& s = who.phrase;
  if (mood == Mood::question && predicate) return {g.helper + s.en + g.en + after.en, g.es + after.es + s.es};
  if (mood == Mood::question) return {g.helper + s.en + g.en + after.en, g.es + s.es + g.rest + after.es};
  return {s.en + g.helper + g.en + after.en, s.es + g.es + g.rest + after.es};
}

Phrase Clauses::with_object(const Verb& verb, int depth, Mood mood) {
  if (!verb.objects) return {};
  const NounPhrase what = object(verb.objects, depth, mood);
  const bool whom = what.kinds & anyone || (what.kinds & animal && what.definite && verb.objects & anyone);
  const bool a_person = whom && rest(verb.es).empty();
  return {what.phrase.en, (a_person ? es("a", what.head) : Line{}) + what.phrase.es};
}

Phrase Clauses::time(Aspect aspect, bool& first) {
  const auto said = [&](const Fixed& entry) {
    first = entry.first;
    return words_.fixed(entry);
  };
  const bool on_a_day = chance(0.4);
  const Number& day = pick(days);
  const std::string name = day.en;
  switch (aspect) {
    case Aspect::present: {
      if (!on_a_day) return said(pick(any_day));
      const bool weekend = name[0] == 's';
      return words_.fixed({"on", "los"}) +
             words_.fixed({(name + "s").c_str(), (std::string(day.es) + (weekend ? "s" : "")).c_str()});
    }
    case Aspect::progressive:
    case Aspect::can:
      return said(pick(now));
    case Aspect::past:
      if (!on_a_day) return said(pick(before_now));
      break;
    default:
      if (!on_a_day) return said(pick(after_now));
  }
  const Phrase on = words_.fixed({"on", "el"}) + words_.fixed({day.en, day.es});
  return chance(0.4) ? on + words_.fixed({"morning", "por la mañana"}) : on;
}

Phrase Clauses::timed(const Phrase& clause, Aspect aspect, Mood mood, double share) {
  if (related_ || !chance(share)) return clause;
  bool first = false;
  const Phrase when = time(aspect, first);
  if (mood == Mood::question || !first) return clause + when;
  return {clause.en + when.en, when.es + clause.es};
}

}  // namespace lookback::grammar
