// The options of `dibs conform`.

#include "cli/grammar.hpp"

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
         "STORE", read, "Where the store is: postgres:// or redis://")
      ->type_name("ADDRESS")
      ->required();
  sub->add_option("--sequences", conform.sequences, "How many, of 5 to 44 commands each")
      ->type_name("N")
      ->transform(count_up_to(sequences_max))
      ->default_str("3000");
  sub->add_option("--only", conform.only, "That sequence alone, counted from 1")
      ->type_name("K")
      ->transform(count_between(1, sequences_max));
  add_choice(sub, "--variant", conform.variant, variants(), "PostgreSQL: leases kept another way")
      ->type_name("NAME")
      ->default_str("functions");
  add_seed(sub, conform.seed, "The root seed of what is drawn")->default_str("1");
  add_format(sub, conform.format, formats(), "text or json");
  sub->add_flag("-q,--quiet", conform.quiet, "No progress");
}

result<commands::request> grammar::conform_asked() const {
  if (conform.variant != store::variant::functions && conform.where.kind != store::kind::postgres) {
    return usage("conform", "--variant is about PostgreSQL");
  }
  return conform;
}

}  // namespace dibs::cli
