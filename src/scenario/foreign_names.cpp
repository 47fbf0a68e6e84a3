#include "scenario/foreign_names.hpp"

#include "text/utf8.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <utility>

namespace dibs::scenario {
namespace {

using foreign_word = std::pair<std::string_view, std::string_view>;

/// Without accents, in small letters.
constexpr auto foreign_words = std::to_array<foreign_word>({
    // German
    {"zeit", "time"},
    {"uhrzeit", "time"},
    {"zeitpunkt", "time"},
    {"zeitstempel", "timestamp"},
    {"datum", "date"},
    {"breite", "latitude"},
    {"breitengrad", "latitude"},
    {"lange", "longitude"},
    {"laenge", "longitude"},
    {"langengrad", "longitude"},
    {"laengengrad", "longitude"},
    {"ziel", "destination"},
    {"ende", "end"},
    {"beginn", "begin"},
    {"abfahrt", "departure"},
    {"ankunft", "arrival"},
    {"abholung", "pickup"},
    {"abhol", "pickup"},
    {"bestell", "ordered"},
    {"buchungs", "booking"},
    {"fahrt", "trip"},
    {"fahrten", "trips"},
    {"fahrzeit", "trip duration"},
    {"dauer", "duration"},
    {"entfernung", "distance"},
    {"stunde", "hour"},
    {"ort", "place"},
    {"abfahrts", "departure"},
    {"ankunfts", "arrival"},
    {"von", "from"},
    {"nach", "to"},
    {"quelle", "origin"},
    {"bezirk", "district"},
    {"anzahl", "count"},
    {"fahrgaste", "passengers"},
    {"fahrgaeste", "passengers"},
    {"nachfrage", "demand"},
    {"wochentag", "weekday"},
    // Dutch
    {"tijd", "time"},
    {"tijdstip", "time"},
    {"vertrek", "departure"},
    {"aankomst", "arrival"},
    {"herkomst", "origin"},
    {"bestemming", "destination"},
    {"begintijd", "start time"},
    {"eindtijd", "end time"},
    {"rit", "trip"},
    {"ritten", "trips"},
    {"duur", "duration"},
    {"breedtegraad", "latitude"},
    {"lengtegraad", "longitude"},
    {"van", "from"},
    {"naar", "to"},
    {"uur", "hour"},
    // Spanish
    {"fecha", "date"},
    {"hora", "time"},
    {"tiempo", "time"},
    {"periodo", "period"},
    {"origen", "origin"},
    {"destino", "destination"},
    {"inicio", "start"},
    {"salida", "departure"},
    {"llegada", "arrival"},
    {"recogida", "pickup"},
    {"latitud", "latitude"},
    {"longitud", "longitude"},
    {"duracion", "duration"},
    {"distancia", "distance"},
    {"viaje", "trip"},
    {"viajes", "trips"},
    {"zona", "zone"},
    {"estacion", "station"},
    {"desde", "from"},
    {"hasta", "to"},
    {"demanda", "demand"},
    {"pasajeros", "passengers"},
    // French
    {"heure", "time"},
    {"horodatage", "timestamp"},
    {"origine", "origin"},
    {"depart", "departure"},
    {"debut", "start"},
    {"arrivee", "arrival"},
    {"fin", "end"},
    {"duree", "duration"},
    {"trajet", "trip"},
    {"trajets", "trips"},
    {"lieu", "place"},
    {"deplacements", "trips"},
    {"voyages", "trips"},
    {"flux", "flow"},
    {"jour", "day"},
    {"emplacement", "place"},
    // Cut short, or miswritten in a file that many use
    {"stime", "start time"},
    {"slat", "start lat"},
    {"slon", "start lon"},
    {"etime", "end time"},
    {"elat", "end lat"},
    {"elon", "end lon"},
    {"orderd", "ordered"},
    // What German glues them to
    {"start", "start"},
    {"end", "end"},
    {"punkt", "point"},
    {"zone", "zone"},
});

std::string_view known(std::string_view word) {
  const auto found = std::ranges::find(foreign_words, word, &foreign_word::first);
  return found == foreign_words.end() ? std::string_view() : found->second;
}

/// Of a letter of Latin-1 the one without its accent; other characters stay as they are.
void append_plain(std::string& to, std::uint32_t code, std::string_view as_it_is) {
  // From 0xc0 on.
  constexpr std::string_view letters =
      "AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty";
  if (code >= 0xc0 && code <= 0xff) {
    to += letters[code - 0xc0];
  } else {
    to += as_it_is;
  }
}

std::string word_in_english(const std::string& word) {
  std::string small = word;
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
  if (const auto whole = known(small); !whole.empty()) {
    return std::string(whole);
  }
  for (std::size_t i = 1; i < small.size(); ++i) {
    const auto front = known(std::string_view(small).substr(0, i));
    const auto back = known(std::string_view(small).substr(i));
    if (!front.empty() && !back.empty()) {
      return std::string(front) + ' ' + std::string(back);
    }
  }
  return word;
}

}  // namespace

std::string in_english(std::string_view name) {
  std::string plain;
  for (std::size_t i = 0; i < name.size();) {
    const text::utf8_character c = text::character_at(name, i);
    append_plain(plain, c.valid ? c.code : 0, name.substr(i, c.bytes));
    i += c.bytes;
  }
  const auto is = [&](auto what, std::size_t i) {
    return i < plain.size() && what(static_cast<unsigned char>(plain[i])) != 0;
  };
  const auto letter = [](int c) { return std::isalpha(c); };
  const auto capital = [](int c) { return std::isupper(c); };
  std::string all;
  for (std::size_t i = 0; i < plain.size();) {
    std::size_t end = i + 1;
    // `horaInicio` is two words.
    while (is(letter, i) && is(letter, end) && (!is(capital, end) || is(capital, end - 1))) {
      ++end;
    }
    const std::string word = plain.substr(i, end - i);
    const std::string english = is(letter, i) ? word_in_english(word) : word;
    // What was translated from within a name in capitals and small letters stays a word.
    all += english != word && i > 0 && is(letter, i - 1) ? ' ' + english : english;
    i = end;
  }
  return all;
}

}  // namespace dibs::scenario
