#include "cli/options.hpp"

#include "cli/parse.hpp"
#include "cli/run_time.hpp"
#include "lease/protocol.hpp"
#include "text/escape.hpp"
#include "text/parse_error.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <thread>

namespace dibs::cli {

std::uint32_t cores() { return std::max(1U, std::thread::hardware_concurrency()); }

std::string must_be(const std::string& what, const std::string& text) {
  return fmt::format("must be {} (got {})", what, text.empty() ? "nothing" : scenario::shown(text));
}

std::string seed_trouble(const std::string& text) {
  return parse_seed(text) ? "" : must_be("a number of 64 bits such as 42 or 0x2a", text);
}

std::string set_trouble(const std::string& text) {
  const std::size_t equals = text.find('=');
  return equals != std::string::npos && equals > 0 ? "" : must_be("path=value", text);
}

std::string out_trouble(const std::string& text) {
  return text.empty() ? must_be("a directory to make", text) : "";
}

std::string objective_trouble(const std::string& text) {
  return text.find_first_not_of(" \t\n") == std::string::npos
             ? must_be("an expression over metrics", text)
             : "";
}

std::string file_trouble(const std::string& text) {
  return text.empty() ? must_be("a file to make, or -", text) : "";
}

CLI::Validator count_between(std::uint32_t least, std::uint32_t most) {
  return {[least, most](std::string& text) {
            std::uint32_t value = 0;
            const char* end = text.data() + text.size();
            const auto read = std::from_chars(text.data(), end, value);
            const bool fits =
                read.ec == std::errc() && read.ptr == end && value >= least && value <= most;
            if (!fits) {
              return must_be(fmt::format("a whole number from {} to {}", least, most), text);
            }
            text = std::to_string(value);
            return std::string();
          },
          ""};
}

CLI::Validator count_up_to(std::uint32_t most) { return count_between(1, most); }

CLI::Validator counts_up_to(std::uint32_t most) {
  return {[one = count_up_to(most)](const std::string& text) {
            std::string trouble;
            std::istringstream words(text + ",");
            for (std::string word; trouble.empty() && std::getline(words, word, ',');) {
              trouble = one(word);
            }
            return trouble;
          },
          ""};
}

std::vector<std::uint32_t> counts_of(const std::string& text) {
  std::vector<std::uint32_t> counts;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    counts.push_back(static_cast<std::uint32_t>(std::stoul(word)));
  }
  return counts;
}

CLI::Validator number_between(double least, double most) {
  return {[least, most](const std::string& text) {
            double value = 0;
            const char* end = text.data() + text.size();
            const auto read = std::from_chars(text.data(), end, value);
            const bool fits =
                read.ec == std::errc() && read.ptr == end && value >= least && value <= most;
            return fits ? std::string()
                        : must_be(fmt::format("a number from {:.10g} to {:.10g}", least, most),
                                  text);
          },
          ""};
}

std::string duration_trouble(const std::string& text) {
  return trouble_of(scenario::read_duration(text));
}

std::optional<sim_duration> duration_of(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(scenario::read_duration(text).value());
}

std::string time_trouble(const std::string& text) { return trouble_of(read_time_of_run(text)); }

std::optional<sim_duration> time_of(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(read_time_of_run(text).value());
}

const words_for<std::string>& protocols() {
  static const words_for<std::string> all = [] {
    words_for<std::string> names;
    for (const lease::rules& each : lease::all_rules()) {
      names.emplace_back(std::string(each.name), std::string(each.name));
    }
    return names;
  }();
  return all;
}

CLI::Option* repeatable(CLI::App* to,
                        const std::string& name,
                        std::vector<std::string>& values,
                        const std::string& what) {
  return to->add_option(name, values, what)
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

CLI::Option* add_set(CLI::App* to,
                     const std::string& name,
                     std::vector<std::string>& values,
                     const std::string& what) {
  return repeatable(to, name, values, what)
      ->type_name("PATH=VALUE")
      ->check(CLI::Validator(set_trouble, ""));
}

CLI::Option* add_seed(CLI::App* to, std::string& seed, const std::string& what) {
  return to->add_option("--seed", seed, what)
      ->type_name("N")
      ->check(CLI::Validator(seed_trouble, ""));
}

CLI::Option* add_jobs(CLI::App* to, std::uint32_t& jobs, const std::string& what) {
  jobs = cores();
  return to->add_option("--jobs", jobs, what)
      ->type_name("N")
      ->transform(count_up_to(jobs_max))
      ->default_str("one for each core");
}

}  // namespace dibs::cli
