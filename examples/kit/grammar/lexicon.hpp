// The words of the generated corpus: a line a word. Inflection (inflect.hpp) makes the other forms, so an entry
// names those only that follow no rule.
#pragma once

namespace lookback::grammar {

enum Gender { masculine, feminine };

// What a noun is, so that people read books and nobody eats a bridge.
using Kinds = unsigned;
enum Kind : Kinds {
  person = 1 << 0,    // the baker
  relative = 1 << 1,  // my brother: somebody's
  animal = 1 << 2,
  food = 1 << 3,
  dish = 1 << 4,  // food that is cooked
  drink = 1 << 5,
  text = 1 << 6,    // is read
  letter = 1 << 7,  // is written
  garment = 1 << 8,
  vehicle = 1 << 9,
  door = 1 << 10,   // is opened and closed
  glass = 1 << 11,  // breaks
  small = 1 << 12,  // lies on a table, is lost and found
  furniture = 1 << 13,
  room = 1 << 14,   // a place inside
  open = 1 << 15,   // a place outside
  shop = 1 << 16,   // a place where things are bought: "at the market"
  house = 1 << 17,  // a building
  top = 1 << 18,    // things lie on it
  body = 1 << 19,
  one = 1 << 20,    // has no plural here
  mass = 1 << 21,   // has no plural and takes no "a"
  part = 1 << 22,   // of a house: "the door of the school"
  home = 1 << 23,   // somebody's place
  child = 1 << 24,  // whose age is told
  pair = 1 << 25,   // mostly more than one
  anyone = person | relative,
  place = room | open | shop | house,
  goods = food | text | garment | vehicle | small | furniture | glass,
  thing = text | garment | vehicle | door | glass | small | furniture,
};

struct Noun {
  const char *en,
      *es;  // "knife/knives": an irregular plural follows. "orange juice": see compounds in phrase.hpp
  Gender gender;
  Kinds kinds;
};

inline constexpr Noun nouns[] = {
    {"man/men", "hombre", masculine, person},
    {"woman/women", "mujer", feminine, person},
    {"boy", "niño", masculine, person | child},
    {"girl", "niña", feminine, person | child},
    {"teacher", "profesor", masculine, person},
    {"doctor", "médico", masculine, person},
    {"nurse", "enfermera", feminine, person},
    {"baker", "panadero", masculine, person},
    {"waiter", "camarero", masculine, person},
    {"brother", "hermano", masculine, relative | child},
    {"sister", "hermana", feminine, relative | child},
    {"mother", "madre", feminine, relative | one},
    {"father", "padre", masculine, relative | one},
    {"son", "hijo", masculine, relative | child},
    {"daughter", "hija", feminine, relative | child},
    {"grandmother", "abuela", feminine, relative | one},
    {"neighbour", "vecino", masculine, relative},
    {"dog", "perro", masculine, animal | child},
    {"cat", "gato", masculine, animal | child},
    {"horse", "caballo", masculine, animal | child},
    {"apple", "manzana", feminine, food},
    {"orange", "naranja", feminine, food},
    {"tomato", "tomate", masculine, food},
    {"cake", "pastel", masculine, food},
    {"chocolate cake", "pastel de chocolate", masculine, food},
    {"bread", "pan", masculine, food | mass},
    {"cheese", "queso", masculine, food | mass},
    {"rice", "arroz", masculine, food | dish | mass},
    {"fish", "pescado", masculine, food | dish | mass},
    {"meat", "carne", feminine, food | dish | mass},
    {"soup", "sopa", feminine, food | dish | mass},
    {"tomato soup", "sopa de tomate", feminine, food | dish | mass},
    {"water", "agua", feminine, drink | mass},
    {"milk", "leche", feminine, drink | mass},
    {"coffee", "café", masculine, drink | mass},
    {"wine", "vino", masculine, drink | mass},
    {"orange juice", "zumo de naranja", masculine, drink | mass},
    {"book", "libro", masculine, text | small},
    {"history book", "libro de historia", masculine, text | small},
    {"letter", "carta", feminine, text | letter | small},
    {"poem", "poema", masculine, text | letter},
    {"newspaper", "periódico", masculine, text | small},
    {"shirt", "camisa", feminine, garment},
    {"dress", "vestido", masculine, garment},
    {"hat", "sombrero", masculine, garment},
    {"coat", "abrigo", masculine, garment},
    {"shoe", "zapato", masculine, garment | pair},
    {"car", "coche", masculine, vehicle},
    {"bicycle", "bicicleta", feminine, vehicle},
    {"door", "puerta", feminine, door | part},
    {"window", "ventana", feminine, door | glass | part},
    {"box", "caja", feminine, door | small},
    {"table", "mesa", feminine, furniture | top},
    {"chair", "silla", feminine, furniture | top},
    {"bed", "cama", feminine, furniture | top},
    {"cup", "taza", feminine, glass | small},
    {"bottle", "botella", feminine, glass | small},
    {"clock", "reloj", masculine, small},
    {"key", "llave", feminine, small | part},
    {"flower", "flor", feminine, small},
    {"photo", "foto", feminine, small},
    {"map", "mapa", masculine, small},
    {"knife/knives", "cuchillo", masculine, small},
    {"kitchen", "cocina", feminine, room | home},
    {"bedroom", "dormitorio", masculine, room | home},
    {"office", "oficina", feminine, room | home},
    {"library", "biblioteca", feminine, room},
    {"garden", "jardín", masculine, open | home},
    {"park", "parque", masculine, open},
    {"forest", "bosque", masculine, open},
    {"square", "plaza", feminine, open},
    {"village", "pueblo", masculine, open},
    {"market", "mercado", masculine, shop},
    {"shop", "tienda", feminine, shop},
    {"train station", "estación de tren", feminine, shop},
    {"house", "casa", feminine, house | home},
    {"school", "escuela", feminine, house},
    {"church", "iglesia", feminine, house},
    {"museum", "museo", masculine, house},
    {"head", "cabeza", feminine, body | one},
    {"back", "espalda", feminine, body | one},
    {"hand", "mano", feminine, body},
    {"leg", "pierna", feminine, body},
    {"foot/feet", "pie", masculine, body},
    {"eye", "ojo", masculine, body},
};

enum class Copula { ser, estar };  // what it is, and what state it is in
enum class Side { after, before };

struct Adjective {
  const char *en, *es;  // "young", "joven/joven/jóvenes/jóvenes": masculine, feminine, and their plurals
  Kinds kinds;          // of nouns that can be so
  Copula copula;
  int rank;             // in English 2 stands before 1: a cheap italian hat; in Spanish 1 stands at the noun
  bool praise = false;  // can follow "and": long and interesting
  Side side = Side::after;
};

inline constexpr Adjective adjectives[] = {
    {"red", "rojo", garment | vehicle | door | furniture, Copula::ser, 1},
    {"black", "negro", garment | vehicle | animal | furniture, Copula::ser, 1},
    {"white", "blanco", garment | vehicle | door | house | animal, Copula::ser, 1},
    {"green", "verde", garment | vehicle | door | glass, Copula::ser, 1},
    {"blue", "azul", garment | vehicle | door | glass, Copula::ser, 1},
    {"spanish", "español/española", text | person, Copula::ser, 1},
    {"french", "francés/francesa", text | garment | person, Copula::ser, 1},
    {"italian", "italiano", vehicle | garment | furniture | person, Copula::ser, 1},
    {"big", "grande", animal | vehicle | furniture | house | open | room, Copula::ser, 2},
    {"small", "pequeño", animal | vehicle | furniture | house | open | room, Copula::ser, 2},
    {"cheap", "barato", garment | vehicle | furniture | glass, Copula::ser, 2},
    {"expensive", "caro", garment | vehicle | furniture, Copula::ser, 2},
    {"old", "viejo", small | vehicle | garment | furniture | house | animal, Copula::ser, 2},
    {"beautiful", "bonito", small | garment | house | open | glass, Copula::ser, 2, true},
    {"long", "largo", text, Copula::ser, 2},
    {"interesting", "interesante", text, Copula::ser, 2, true},
    {"difficult", "difícil", text, Copula::ser, 2},
    {"quiet", "tranquilo", open | house | room, Copula::ser, 2, true},
    {"hot", "caliente", dish | drink, Copula::estar, 2},
    {"cold", "frío", dish | drink, Copula::estar, 2},
    {"tall", "alto", anyone, Copula::ser, 2},
    {"young", "joven/joven/jóvenes/jóvenes", anyone, Copula::ser, 2},
    {"famous", "famoso", person | text, Copula::ser, 2, true},
    {"kind", "amable", anyone, Copula::ser, 2, true},
    {"intelligent", "inteligente", anyone, Copula::ser, 2, true},
    {"tired", "cansado", anyone | animal, Copula::estar, 2},
    {"sick", "enfermo", anyone | animal, Copula::estar, 2},
    {"sad", "triste", anyone, Copula::estar, 2},
    {"dirty", "sucio", garment | vehicle | door | glass, Copula::estar, 2},
    {"clean", "limpio", garment | vehicle | glass | room, Copula::estar, 2},
    {"broken", "roto", glass | furniture, Copula::estar, 2},
    {"new", "nuevo", garment | vehicle | furniture | text | house | small, Copula::ser, 2, false,
     Side::before},
    {"good", "buen/buena/buenos/buenas", text | person | food, Copula::ser, 2, false, Side::before},
};

// [verb]
// A verb is conjugated by the rules of -ar, -er and -ir; forms that break them stand here, those of a tense in
// the order I, you, he, we, they. Words after the verb stay as they are: "play/played football", "jugar al fútbol".
enum class Sort { act, befall, state };  // nobody wants to lose a key, nobody is knowing a man

struct Verb {
  const char *en, *es;  // "buy/bought", "comprar": the past when it is not -ed; -se: reflexive
  Kinds subjects, objects, places;
  const char *present = "", *past = "", *gerund = "", *future = "", *imperfect = "";
  Sort sort = Sort::act;
  bool will = false;  // is said in the future too: a form that is rare is not learned
};
// [/verb]

inline constexpr Verb verbs[] = {
    // what somebody does to something
    {"read/read", "leer", person, text, room | open, "", "leí leíste leyó leímos leyeron", "leyendo", "", "",
     Sort::act, true},
    {"write/wrote", "escribir", person, letter, room | open},
    {"buy/bought", "comprar", person, goods, shop, "", "", "", "", "", Sort::act, true},
    {"sell/sold", "vender", person, goods, shop, "", "", "", "", "", Sort::act, true},
    {"eat/ate", "comer", person | animal, food, room | open, "", "", "", "", "", Sort::act, true},
    {"drink/drank", "beber", person, drink, room | open},
    {"cook", "cocinar", person, dish, 0},
    {"wash", "lavar", person, garment | vehicle | glass, 0},
    {"wear/wore", "llevar", person, garment, 0, "", "", "", "", "", Sort::state},
    {"open", "abrir", person, door, 0},
    {"close", "cerrar", person, door, 0, "cierro cierras cierra cerramos cierran"},
    {"break/broke", "romper", person, glass, 0, "", "", "", "", "", Sort::befall},
    {"clean", "limpiar", person, room | glass, 0},
    {"find/found", "encontrar", person, anyone | small | animal, place,
     "encuentro encuentras encuentra encontramos encuentran", "", "", "", "", Sort::befall},
    {"lose/lost", "perder", person, small, place, "pierdo pierdes pierde perdemos pierden", "", "", "", "",
     Sort::befall},
    {"look for", "buscar", person, anyone | small | animal, place},
    {"see/saw", "ver", person, anyone | animal | vehicle | house, place, "veo ves ve vemos ven",
     "vi viste vio vimos vieron", "", "", "", Sort::befall},
    {"paint", "pintar", person, house | door | room, 0},
    {"visit", "visitar", person, anyone | house | open, 0, "", "", "", "", "", Sort::act, true},
    {"help", "ayudar", person, anyone, place, "", "", "", "", "", Sort::act, true},
    {"call", "llamar", person, anyone, 0, "", "", "", "", "", Sort::act, true},
    {"wait for", "esperar", person, anyone, place},
    {"go/went to", "ir a", person, place, 0, "voy vas va vamos van", "fui fuiste fue fuimos fueron", "", "",
     "", Sort::act, true},
    {"return to", "volver a", person, place, 0, "vuelvo vuelves vuelve volvemos vuelven"},
    // what somebody just does
    {"sleep/slept", "dormir", person | animal, 0, room | house, "duermo duermes duerme dormimos duermen",
     "dormí dormiste durmió dormimos durmieron", "durmiendo"},
    {"work", "trabajar", person, 0, room | shop | house, "", "", "", "", "", Sort::act, true},
    {"rest", "descansar", person | animal, 0, room | open},
    {"run/ran", "correr", person | animal, 0, open},
    {"sing/sang", "cantar", person, 0, open, "", "", "", "", "", Sort::act, true},
    {"swim/swam", "nadar", person, 0, 0},
    {"play/played football", "jugar al fútbol", person, 0, open, "juego juegas juega jugamos juegan"},
    {"play/played the guitar", "tocar la guitarra", person, 0, room | open},
    {"have/had breakfast", "desayunar", person, 0, room | house},
    {"have/had dinner", "cenar", person, 0, room | house},
    {"get/got up", "levantarse", person, 0, 0},
    {"go/went to bed", "acostarse", person, 0, 0, "acuesto acuestas acuesta acostamos acuestan"},
    {"go/went home", "ir a casa", person, 0, 0, "voy vas va vamos van", "fui fuiste fue fuimos fueron"},
    // what lasts
    {"know", "conocer", person, anyone | open, 0, "conozco conoces conoce conocemos conocen", "", "", "", "",
     Sort::state},
    {"love", "querer", person, relative, 0, "quiero quieres quiere queremos quieren", "", "", "", "",
     Sort::state},
    {"have/had", "tener", person, goods | animal, 0, "tengo tienes tiene tenemos tienen", "", "", "", "",
     Sort::state},
    {"need", "necesitar", person, goods, 0, "", "", "", "", "", Sort::state},
    {"live", "vivir", person, 0, house | open, "", "", "", "", "", Sort::state},
};

// to somebody
inline constexpr Verb giving[] = {
    {"give/gave", "dar", person, goods, 0, "doy das da damos dan", "di diste dio dimos dieron"},
    {"send/sent", "enviar", person, text | small | garment, 0, "envío envías envía enviamos envían"},
    {"show", "enseñar", person, thing, 0},
    {"lend/lent", "prestar", person, text | garment | vehicle | small, 0},
};

// that a clause follows
inline constexpr Verb saying[] = {
    {"think", "creer", person, 0, 0, "", "", "", "", "", Sort::state},
    {"know", "saber", person, 0, 0, "sé sabes sabe sabemos saben", "", "", "", "", Sort::state},
    {"say/said", "decir", person, 0, 0, "digo dices dice decimos dicen", "", "", "", "", Sort::state},
};

// Helping verbs. English "be" is in inflect.cpp.
inline constexpr Verb ser{
    "", "ser", 0, 0, 0, "soy eres es somos son", "", "", "", "era eras era éramos eran"};
inline constexpr Verb estar{"", "estar",
                            0,  0,
                            0,  "estoy estás está estamos están",
                            "", "",
                            "", "estaba estabas estaba estábamos estaban"};
inline constexpr Verb tener{"have/had", "tener",
                            0,          0,
                            0,          "tengo tienes tiene tenemos tienen",
                            "",         "",
                            "",         "tenía tenías tenía teníamos tenían"};
inline constexpr Verb ir{"", "ir", 0, 0, 0, "voy vas va vamos van"};
inline constexpr Verb querer{"want", "querer", 0, 0, 0, "quiero quieres quiere queremos quieren"};
inline constexpr Verb poder{"can", "poder", 0, 0, 0, "puedo puedes puede podemos pueden"};
inline constexpr Verb gustar{"like", "gustar", 0, 0, 0};
inline constexpr Verb doler{"hurt", "doler", 0, 0, 0, "duelo dueles duele dolemos duelen"};

struct Name {
  const char *en, *es;
  Gender gender;
};
inline constexpr Name names[] = {
    {"maria", "maría", feminine},    {"ana", "ana", feminine},      {"lucia", "lucía", feminine},
    {"elena", "elena", feminine},    {"pedro", "pedro", masculine}, {"juan", "juan", masculine},
    {"carlos", "carlos", masculine}, {"pablo", "pablo", masculine},
};

struct Determiner {
  const char *one, *many;  // English; "": there is none
  const char* es;          // masculine, feminine, and their plurals
};
inline constexpr Determiner the{"the", "the", "el la los las"}, a{"a", "", "un una - -"};
inline constexpr Determiner pointing[] = {{"this", "these", "este esta estos estas"},
                                          {"that", "those", "ese esa esos esas"}};
inline constexpr Determiner counting[] = {
    {"", "some", "- - algunos algunas"}, {"", "many", "- - muchos muchas"}, {"another", "", "otro otra - -"}};
inline constexpr Determiner owning[] = {
    {"my", "my", "mi mi mis mis"},
    {"your", "your", "tu tu tus tus"},
    {"his", "his", "su su sus sus"},
    {"her", "her", "su su sus sus"},
    {"our", "our", "nuestro nuestra nuestros nuestras"},
    {"their", "their", "su su sus sus"},
};

struct Number {
  const char *en, *es;
};
inline constexpr Number numbers[] = {
    {"two", "dos"},     {"three", "tres"}, {"four", "cuatro"}, {"five", "cinco"}, {"six", "seis"},
    {"seven", "siete"}, {"eight", "ocho"}, {"nine", "nueve"},  {"ten", "diez"},
};
inline constexpr Number ages[] = {
    {"eleven", "once"}, {"twelve", "doce"}, {"fifteen", "quince"}, {"twenty", "veinte"}};
inline constexpr Number days[] = {
    {"monday", "lunes"},   {"tuesday", "martes"},  {"wednesday", "miércoles"}, {"thursday", "jueves"},
    {"friday", "viernes"}, {"saturday", "sábado"}, {"sunday", "domingo"},
};

// Of a person I, you, he, she, we, they: as subject, as object, what stands at the Spanish verb, and the Spanish
// subject when it is said.
struct Pronoun {
  const char *subject, *object, *accusative, *dative, *said;
};
inline constexpr Pronoun pronouns[] = {
    {"i", "me", "me", "me", "yo"},          {"you", "you", "te", "te", "tú"},
    {"he", "him", "lo", "le", "él"},        {"she", "her", "la", "le", "ella"},
    {"we", "us", "nos", "nos", "nosotros"}, {"they", "them", "los", "les", "ellos"}};

// Words that go together. Links count from 0, source first; none: one to one, or all to the only English word.
struct Fixed {
  const char *en, *es, *links = "";
  bool first = false;  // Spanish begins the clause with it
};
inline constexpr Fixed near_a_place[] = {
    {"near", "cerca de"},
    {"behind", "detrás de"},
    {"in front of", "delante de", "0-0 1-0 2-1"},
    {"next to", "al lado de", "0-0 0-1 1-2"},
};
inline constexpr Fixed near_a_thing[] = {
    {"on", "en"}, {"under", "debajo de"}, {"next to", "al lado de", "0-0 0-1 1-2"}};
inline constexpr Fixed any_day[] = {
    // with the present
    {"every day", "todos los días", "0-0 0-1 1-2"},
    {"at night", "por la noche", "0-0 1-1 1-2"},
    {"in the morning", "por la mañana"},
    {"every week", "todas las semanas", "0-0 0-1 1-2"},
};
inline constexpr Fixed now[] = {{"now", "ahora", "", true}, {"at the moment", "en este momento"}};
inline constexpr Fixed before_now[] = {
    {"yesterday", "ayer", "", true},
    {"last week", "la semana pasada", "0-2 1-0 1-1"},
    {"yesterday afternoon", "ayer por la tarde", "0-0 1-1 1-2 1-3"},
    {"last night", "anoche", "0-0 1-0", true},
};
inline constexpr Fixed after_now[] = {
    {"tomorrow", "mañana", "", true},
    {"tonight", "esta noche", "", true},
    {"tomorrow morning", "mañana por la mañana", "0-0 1-1 1-2 1-3"},
    {"next week", "la semana que viene", "0-2 0-3 1-0 1-1"},
};
inline constexpr Fixed how_often[] = {  // English: at the verb
    {"always", "siempre"},
    {"never", "nunca"},
    {"often", "a menudo", "", true},
    {"sometimes", "a veces", "", true}};
inline constexpr Fixed weather_now[] = {{"it is hot", "hace calor", "0-0 1-0 2-1"},
                                        {"it is cold", "hace frío", "0-0 1-0 2-1"},
                                        {"it is windy", "hace viento", "0-0 1-0 2-1"},
                                        {"it is raining", "está lloviendo", "0-0 1-0 2-1"}};
inline constexpr Fixed weather_then[] = {{"it was hot", "hacía calor", "0-0 1-0 2-1"},
                                         {"it was cold", "hacía frío", "0-0 1-0 2-1"},
                                         {"it was raining", "estaba lloviendo", "0-0 1-0 2-1"}};
inline constexpr Fixed feelings[] = {  // be -> tener
    {"hungry", "hambre"},
    {"thirsty", "sed"},
    {"sleepy", "sueño"},
    {"afraid", "miedo"},
    {"in a hurry", "prisa", "0-0 1-0 2-0"}};

}  // namespace lookback::grammar
