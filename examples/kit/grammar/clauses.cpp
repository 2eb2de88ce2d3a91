#include <algorithm>
#include <string_view>

#include "examples/kit/grammar/clauses.hpp"

namespace lookback::grammar {
namespace {

const Verb& find_verb(const char* en) {
  return *std::find_if(std::begin(verbs), std::end(verbs),
                       [&](const Verb& v) { return std::string_view(v.en) == en; });
}

bool invariable(const Adjective& adjective) {
  return agreeing(adjective, masculine, false) == agreeing(adjective, feminine, false);
}

}  // namespace

Mood Clauses::any_mood() { return static_cast<Mood>(weighted({66, 16, 18})); }

Aspect Clauses::any_aspect(const Verb& verb) {
  if (verb.sort == Sort::state) return Aspect::present;
  if (verb.sort == Sort::befall) return static_cast<Aspect>(weighted({20, 60}));
  return static_cast<Aspect>(weighted({30, 32, verb.will ? 12 : 0, 12, 8, 6, 5, 4}));
}

// maria often reads the newspaper in the kitchen
Phrase Clauses::action(const NounPhrase& who, const Verb& verb, Aspect aspect, Mood mood, int depth) {
  const bool asks = who.head.empty();  // who: no time stands before it
  const bool habit = aspect == Aspect::present && mood == Mood::statement && verb.sort != Sort::state &&
                     !asks && chance(0.25);
  const Fixed& often = habit ? pick(how_often) : how_often[0];
  const Phrase adverb = habit ? words_.fixed(often) : Phrase{};
  const Phrase at_verb{adverb.en, often.first ? Line{} : adverb.es};
  Phrase after = with_object(verb, depth, mood);
  if (verb.places && (verb.objects ? chance(0.2) : verb.sort == Sort::state || chance(0.45)))
    after = after + somewhere(verb.places, depth);
  if (!verb.objects && verb.places & open && chance(0.12))
    after = after + words_.fixed({"with", "con"}) + somebody(depth).phrase;
  Phrase clause = arrange(who, group(verb, aspect, mood, who, {}, at_verb), mood, after);
  if (often.first && habit) clause.es = adverb.es + clause.es;
  return timed(clause, aspect, asks ? Mood::question : mood, habit || verb.sort == Sort::state ? 0 : 0.45);
}

Phrase Clauses::action(Mood mood, int depth) {
  const NounPhrase who = subject(chance(0.08) ? animal : anyone, depth, mood);
  const Verb& verb =
      any_verb(who.kinds & animal ? animal : grammar::person, [](const Verb&) { return true; });
  return action(who, verb, any_aspect(verb), mood, depth);
}

// i give the book to my sister -> le doy el libro a mi hermana;  i give her the book -> le doy el libro
Phrase Clauses::giving_to(Mood mood) {
  const NounPhrase who = subject(anyone, 0, mood);
  const Verb& verb = pick(giving);
  const Aspect aspect = any_aspect(verb);
  const Phrase what = object(verb.objects, 1, mood).phrase;
  if (chance(0.4)) {
    const Pronoun& whom = pronouns[other_than(who)];
    const Line en = words_.en(whom.object);
    return timed(
        arrange(who, group(verb, aspect, mood, who, es(whom.dative, ids(en))), mood, Phrase{en, {}} + what),
        aspect, mood, 0.3);
  }
  const NounPhrase whom = somebody(0);
  const Line to = words_.en("to");
  const Line clitic = es(whom.plural ? "les" : "le", together(whom.head, ids(to)));
  const Phrase after = what + Phrase{to, es("a", ids(to))} + whom.phrase;
  return timed(arrange(who, group(verb, aspect, mood, who, clitic), mood, after), aspect, mood, 0.3);
}

// she sees them -> los ve;  i want to help him -> lo quiero ayudar
Phrase Clauses::seeing_them(Mood mood) {
  const NounPhrase who = subject(anyone, 0, mood);
  const Verb& verb =
      any_verb(grammar::person, [](const Verb& v) { return v.objects & anyone && rest(v.es).empty(); });
  const Aspect aspect = any_aspect(verb);
  const Pronoun& whom =
      pronouns[verb.objects & grammar::person ? other_than(who) : 2 + static_cast<int>(random_.below(2))];
  const Line en = words_.en(whom.object);
  Phrase after{en, {}};
  if (verb.places && chance(0.3)) after = after + somewhere(verb.places, 1);
  return timed(arrange(who, group(verb, aspect, mood, who, es(whom.accusative, ids(en))), mood, after),
               aspect, mood, verb.sort == Sort::state ? 0 : 0.3);
}

// maria buys the apples and eats them -> María compra las manzanas y las come
Phrase Clauses::it_again() {
  const NounPhrase who = subject(anyone, 1);
  const Aspect aspect = chance(0.35) ? Aspect::present : Aspect::past;
  const Verb& first = chance(0.6) ? find_verb("buy/bought") : find_verb("find/found");
  const NounPhrase what = definite(goods, 1);
  const Phrase begins =
      arrange(who, group(first, aspect, Mood::statement, who), Mood::statement, what.phrase);
  NounPhrase same = who;
  same.phrase = {}, same.pronoun = -1;
  const Line it = words_.en(what.plural ? "them" : "it");
  static constexpr const char* clitics[] = {"lo", "la", "los", "las"};
  const Line clitic = es(clitics[2 * what.plural + what.gender], ids(it));
  const Phrase joint = words_.fixed({"and", "y"});
  if (chance(0.4)) {
    const Verb& verb = what.kinds & giving[1].objects ? giving[chance(0.5)] : giving[0];
    const NounPhrase whom = somebody(0);
    const Line to = words_.en("to");
    const Line both = es("se", together(whom.head, ids(to))) + clitic;
    return timed(begins + joint +
                     arrange(same, group(verb, aspect, Mood::statement, same, both), Mood::statement,
                             Phrase{it, {}} + Phrase{to, es("a", ids(to))} + whom.phrase),
                 aspect, Mood::statement, 0.2);
  }
  const Verb& verb = any_verb(grammar::person, [&](const Verb& v) {
    return v.objects & what.kinds && rest(v.es).empty() && v.sort == Sort::act && &v != &first &&
           !(v.objects & anyone);
  });
  return begins + joint +
         arrange(same, group(verb, aspect, Mood::statement, same, clitic), Mood::statement, {it, {}});
}

// she is very tired -> está muy cansada; of a pronoun that does not say who it is, only what is the same for all
Phrase Clauses::quality(const NounPhrase& who, Copula copula, bool past, Mood mood) {
  std::vector<const Adjective*> fitting;
  for (const Adjective& one : grammar::adjectives)
    if (one.kinds & who.kinds && one.copula == copula && one.side == Side::after &&
        (who.gendered || invariable(one)))
      fitting.push_back(&one);
  return is_so(who, fresh(fitting), past, mood);
}

// the old house is very quiet -> la casa vieja es muy tranquila
Phrase Clauses::quality_of_thing(bool past, Mood mood, int depth) {
  std::vector<const Adjective*> fitting;
  for (const Adjective& one : grammar::adjectives)
    if (!(one.kinds & grammar::person) && one.side == Side::after) fitting.push_back(&one);
  const Adjective& one = *pick(fitting);
  plain_ = true;
  const NounPhrase what = definite(one.kinds, depth);
  plain_ = false;
  return is_so(what, one, past, mood);
}

Phrase Clauses::is_so(const NounPhrase& who, const Adjective& one, bool past, Mood mood) {
  const Phrase how = one.rank == 2 && chance(0.3) ? words_.fixed({"very", "muy"}) : Phrase{};
  return arrange(who, be(one.copula == Copula::ser ? ser : estar, past, mood, who), mood,
                 how + adjective(one, who), true);
}

// she is hungry -> tiene hambre
Phrase Clauses::feeling(const NounPhrase& who, bool past, Mood mood) {
  return arrange(who, be(tener, past, mood, who), mood, words_.fixed(pick(feelings)), true);
}

// she is ten years old -> tiene diez años
Phrase Clauses::age(const NounPhrase& who, bool past, Mood mood) {
  const Number& n = pick(ages);
  const Line years = words_.en("years old");
  return arrange(who, be(tener, past, mood, who), mood,
                 words_.fixed({n.en, n.es}) + Phrase{years, es("años", ids(years))});
}

// the keys are on the table; the teacher was in the garden
Phrase Clauses::located(const NounPhrase& who, bool past, Mood mood) {
  const bool lies = who.kinds & small;
  const Phrase where = lies ? near_something(1) : somewhere(room | open | shop | house, 1);
  return arrange(who, be(estar, past, mood, who), mood, where);
}

// maria likes the apples -> a María le gustan las manzanas
Phrase Clauses::liking(Mood mood) {
  const NounPhrase who = subject(anyone, 0, mood);
  const int dative = who.pronoun >= 0 ? who.pronoun : who.person == we ? 4 : who.plural ? 5 : 2;
  const Line helper = mood == Mood::statement ? Line{} : words_.en(who.person == he ? "does" : "do");
  const Line no = mood == Mood::negation ? words_.en("not") : Line{};
  const Line like =
      words_.en(english(gustar, mood == Mood::statement && who.person == he ? Form::third : Form::base));
  Phrase what;
  bool many = false;
  if (chance(0.25)) {
    const Verb& verb = any_verb(grammar::person, [](const Verb& v) {
      return !v.objects && v.sort != Sort::state && !reflexive(v) && split(v.es, ' ').size() != 3;
    });
    const Line to = words_.en("to");
    NounPhrase nobody;
    const Group g = group(verb, Aspect::can, Mood::statement, nobody);
    what = {to + g.en, Line(g.es.begin() + 1, g.es.end()) + g.rest};
    what.es[0].ids.push_back(to[0].ids[0]);
  } else {
    const Noun& noun_ = any_noun(food | drink | text | garment | animal);
    many = this->many(noun_, 0.5);
    const NounPhrase np = noun(
        noun_, many, 1, (many || noun_.kinds & mass) && chance(0.4) ? Articles::general : Articles::definite);
    what = np.phrase;
  }
  const Line clitic = es(pronouns[dative].dative, together(who.head, ids(like)));
  Line a = who.pronoun < 0 ? es("a", together(who.head, ids(like))) + who.phrase.es : Line{};
  if (!a.empty() && a.back().text == "yo")  // ana and i like -> a Ana y a mí nos gusta
    a.back().text = "mí", a.insert(a.end() - 1, {"a", together(a.back().ids, ids(like))});
  const Line verb = (no.empty() ? Line{} : es("no", ids(no))) + clitic +
                    es(conjugated(gustar, Tense::present, many ? they : he), ids(helper + like));
  if (mood == Mood::question) return {helper + who.phrase.en + like + what.en, verb + what.es + a};
  return {who.phrase.en + helper + no + like + what.en, a + verb + what.es};
}

// my feet hurt -> me duelen los pies;  maria's head hurts -> a María le duele la cabeza
Phrase Clauses::hurting() {
  const Noun& noun_ = any_noun(body);
  const bool many = !(noun_.kinds & one) && chance(0.6);
  const Line part = words_.en(many ? english_plural(noun_.en) : split(noun_.en, '/')[0]);
  const Line hurts = words_.en(many ? "hurt" : "hurts");
  const Line pain = es(conjugated(doler, Tense::present, many ? they : he), ids(hurts));
  const std::string word = many ? spanish_plural(noun_.es) : noun_.es;
  const std::string the_part = split(the.es, ' ')[2 * many + noun_.gender];
  const auto rest_of = [&](const char* clitic, const std::vector<int>& owner) {
    return es(clitic, together(owner, ids(hurts))) + pain + es(the_part, together(owner, ids(part))) +
           es(word, ids(part));
  };
  if (chance(0.7)) {
    const int whose = static_cast<int>(random_.below(many ? std::ssize(owning) : 4));
    const Line my = words_.en(owning[whose].one);
    return {my + part + hurts, rest_of(pronouns[whose].dative, ids(my))};
  }
  Phrase who = (chance(0.5) ? name() : one_thing(anyone, 0)).phrase;
  who.en.back().text += "'s";
  const std::vector<int> owner = who.en.back().ids;
  return {who.en + part + hurts, es("a", together(owner, ids(hurts))) + who.es + rest_of("le", owner)};
}

// there are three books on the table -> hay tres libros en la mesa
Phrase Clauses::there_is(Mood mood) {
  const bool lies = chance(0.5), inside = chance(0.4);
  const Noun& noun_ = any_noun(lies ? small : inside ? furniture : grammar::person | animal);
  const bool many = mood == Mood::negation || this->many(noun_, 0.55);
  const NounPhrase what =
      noun(noun_, many, 0, mood == Mood::negation ? Articles::many : Articles::indefinite);
  const Phrase where = lies ? near_something(0) : somewhere(inside ? room : open, 1);
  const Line there = words_.en("there"), is = words_.en(many ? "are" : "is");
  const Line no = mood == Mood::negation ? words_.en("not") : Line{};
  const Line hay = (no.empty() ? Line{} : es("no", ids(no))) + es("hay", ids(there + is));
  const Line begin = mood == Mood::question ? is + there : there + is + no;
  return Phrase{begin, hay} + what.phrase + where;
}

// maria is taller than pedro -> María es más alta que Pedro
Phrase Clauses::comparison(Mood mood) {
  static constexpr Kinds compared[] = {grammar::person, text, garment, vehicle, house};
  const Kinds kinds = pick(compared);
  const auto one_of = [&] { return kinds == grammar::person && chance(0.5) ? name() : one_thing(kinds, 0); };
  const NounPhrase who = kinds == grammar::person && chance(0.3) ? pronoun(2 + chance(0.5)) : one_of();
  NounPhrase other = one_of();
  const auto called = [](const Line& line) { return line.empty() ? "" : line[line.size() > 1].text; };
  while (called(other.phrase.es) == called(who.phrase.es)) other = one_of();  // nor history book and book
  std::vector<const Adjective*> fitting;
  for (const Adjective& adjective : grammar::adjectives)
    if (adjective.kinds & kinds && adjective.rank == 2 && adjective.copula == Copula::ser &&
        adjective.side == Side::after)
      fitting.push_back(&adjective);
  const Adjective& how = *pick(fitting);
  const std::string er = grammar::more(how.en);
  const Line en = words_.en(er.empty() ? "more" : er);
  const Line word = er.empty() ? words_.en(how.en) : Line{};
  const Phrase more{
      en + word, es("más", ids(en)) + es(agreeing(how, who.gender, who.plural), ids(er.empty() ? word : en))};
  return arrange(who, be(ser, false, mood, who), mood, more + words_.fixed({"than", "que"}) + other.phrase);
}

Phrase Clauses::weather(bool past) {
  return past ? words_.fixed(pick(weather_then)) : words_.fixed(pick(weather_now));
}

}  // namespace lookback::grammar
