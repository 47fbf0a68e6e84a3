#include "cli/options.hpp"

#include "cli/parse.hpp"
#include "metrics/catalogue.hpp"
#include "text/escape.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <thread>
#include <utility>

namespace dibs::cli {

std::uint32_t cores() { return std::max(1U, std::thread::hardware_concurrency()); }

std::string must_be(const std::string& what, const std::string& text) {
  return fmt::format(
      "must be {} (got {})", what, text.empty() ? "nothing" : text::display_text(text));
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

const words_for<lease::protocol>& protocols() {
  static const words_for<lease::protocol> all = [] {
    words_for<lease::protocol> names;
    for (const lease::rules& each : lease::all_rules()) {
      names.emplace_back(std::string(each.name), each.which);
    }
    return names;
  }();
  return all;
}

CLI::Option* add_taken(CLI::App* to, const std::string& name, taker take, const std::string& what) {
  return to->add_option_function<std::string>(
      name,
      [name, read = std::move(take)](const std::string& text) {
        if (const std::string trouble = read(text); !trouble.empty()) {
          throw CLI::ValidationError(name.substr(0, name.find(',')), trouble);
        }
      },
      what);
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

CLI::Option* repeatable(CLI::App* to,
                        const std::string& name,
                        std::function<void(const std::vector<std::string>& texts)> read,
                        const std::string& what) {
  return to->add_option_function(name, read, what)
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

CLI::Option* add_set(CLI::App* to,
                     const std::string& name,
                     std::vector<scenario::override_value>& values,
                     const std::string& what) {
  const auto read = [&values, name](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos || equals == 0) {
        throw CLI::ValidationError(name, must_be("path=value", text));
      }
      values.push_back({text.substr(0, equals), text.substr(equals + 1)});
    }
  };
  return repeatable(to, name, read, what)->type_name("PATH=VALUE");
}

CLI::Option* add_seed(CLI::App* to, std::optional<std::uint64_t>& seed, const std::string& what) {
  const auto take = [&seed](const std::string& text) {
    seed = parse_seed(text);
    return seed ? "" : must_be("a number of 64 bits such as 42 or 0x2a", text);
  };
  return add_taken(to, "--seed", take, what)->type_name("N");
}

CLI::Option* add_counts(CLI::App* to,
                        const std::string& name,
                        std::vector<std::uint32_t>& counts,
                        std::uint32_t most,
                        const std::string& what) {
  const auto take = [&counts, one = count_up_to(most)](const std::string& text) {
    std::istringstream words(text + ",");
    for (std::string word; std::getline(words, word, ',');) {
      if (std::string trouble = one(word); !trouble.empty()) {
        return trouble;
      }
      counts.push_back(static_cast<std::uint32_t>(std::stoul(word)));
    }
    return std::string();
  };
  return add_taken(to, name, take, what)->type_name("N,...");
}

std::optional<double> share_of(const std::string& text) {
  const auto number = text::read_real(text);
  const auto share = text::read_quantity(text, text::shares());
  const double x = number ? *number : share ? *share : 0;
  return x > 0 && x < 1 ? std::optional(x) : std::nullopt;
}

CLI::Option* add_jobs(CLI::App* to, std::uint32_t& jobs, const std::string& what) {
  jobs = cores();
  return to->add_option("--jobs", jobs, what)
      ->type_name("N")
      ->transform(count_up_to(jobs_max))
      ->default_str("one for each core");
}

CLI::Option* add_show(CLI::App* to, std::vector<std::string>& metrics, const std::string& what) {
  const auto take = [&metrics](const std::string& text) {
    std::istringstream names(text);
    for (std::string name; std::getline(names, name, ',');) {
      if (dibs::metrics::find(name) == nullptr) {
        const std::string near = dibs::metrics::nearest(name);
        return must_be("metrics, as dibs metrics names them", name) +
               (near.empty() ? "" : "; did you mean " + near + "?");
      }
      metrics.push_back(name);
    }
    return std::string();
  };
  return add_taken(to, "--show", take, what)->type_name("METRIC,...");
}

}  // namespace dibs::cli
