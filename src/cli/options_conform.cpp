// The options of `dibs conform`.

#include "cli/grammar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace dibs::cli {
namespace {

const words_for<store::variant>& variants() {
  static const words_for<store::variant> all = [] {
    words_for<store::variant> words;
    for (const store::variant_entry& v : store::variants()) {
      words.emplace_back(std::string(v.name), v.which);
    }
    return words;
  }();
  return all;
}

}  // namespace

void grammar::add_conform() {
  CLI::App* sub = command("conform");
  constexpr std::uint32_t sequences_max = 10'000'000;
  const auto read = [this](const std::string& text) {
    conform.where = or_refuse(store::read_address(text));
  };
  sub->add_option_function<std::string>(
         "STORE", read, "Where the store is: postgres://, redis:// or etcd://")
      ->type_name("ADDRESS")
      ->required();
  sub->add_option("--sequences", conform.sequences, "How many, of 5 to 44 commands each")
      ->type_name("N")
      ->transform(count_up_to(sequences_max))
      ->default_str("3000");
  sub->add_option("--only", conform.only, "That sequence alone, counted from 1")
      ->type_name("K")
      ->transform(count_between(1, sequences_max));
  add_choice(sub, "--variant", conform.variant, variants(), "Leases kept another way")
      ->type_name("NAME")
      ->default_str("functions");
  const auto take_durations = [this](const std::string& texts) -> std::string {
    constexpr sim_duration ttl_max = 20s;
    conform.durations.clear();
    for (std::size_t at = 0; at <= texts.size();) {
      const std::size_t comma = std::min(texts.find(',', at), texts.size());
      const auto ttl = text::read_duration(texts.substr(at, comma - at));
      if (!ttl) {
        return trouble_of(ttl);
      }
      if (*ttl < 10ms || *ttl > ttl_max) {
        return must_be("TTLs from 10ms to 20s with commas between", texts);
      }
      conform.durations.push_back(*ttl);
      at = comma + 1;
    }
    return {};
  };
  add_taken(sub,
            "--durations",
            take_durations,
            "How long leases of these TTLs stand, in real time, in place of sequences")
      ->type_name("TTL,...");
  add_seed(sub, conform.seed, "The root seed of what is drawn")->default_str("1");
  add_format(sub, conform.format, formats(), "text or json");
  sub->add_flag("-q,--quiet", conform.quiet, "No progress");
}

result<commands::request> grammar::conform_asked() const {
  const store::variant_entry& chosen = store::variants()[static_cast<std::size_t>(conform.variant)];
  if (conform.variant != store::variant::functions && conform.where.kind != chosen.of) {
    return usage("conform",
                 fmt::format("--variant {} is about {}", chosen.name, store::name_of(chosen.of)));
  }
  if (!conform.durations.empty() && conform.variant != store::variant::functions) {
    return usage("conform", "--durations is about a store as dibs asks it, without --variant");
  }
  return conform;
}

}  // namespace dibs::cli
