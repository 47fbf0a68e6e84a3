// `dibs economics`: how long a lease should be, by what it costs, beside what the document says.

#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "economics/calculator_errors.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"
#include "text/quantity.hpp"
#include "text/table.hpp"
#include "text/terminal.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace dibs::commands {
namespace {

/// What was asked for: the document's answer, if it has one, and the corrected one.
struct answers {
  economics::parameters p;
  std::optional<result<economics::compat_answer>> said;
  std::optional<economics::corrected_answer> right;
};

/// One figure of both answers. What was worked out about the document's answer, and does not stand
/// in it, is for comparing only.
struct row {
  std::string name;
  std::string said = "-";
  std::string right = "-";
  bool is_in_document = false;
  bool is_in_corrected = true;
};

std::string seconds(double s) { return text::significant(s) + " s"; }

std::string dollars(double d) { return (d < 0 ? "-$" : "$") + text::significant(std::fabs(d)); }

std::vector<row> rows_of(const answers& a) {
  enum figure : std::size_t { lease, interval, threshold, positives, left, said, cost, renewed };
  std::vector<row> rows{{"lease", "-", "-", true},
                        {"renew every", "-", "-", true},
                        {"  as a share of the lease", "-", "-", true},
                        {"false positives an hour"},
                        {"left when an owner fails"},
                        {"cost an hour, as said", "-", "-", true, false},
                        {"cost an hour, in one unit"},
                        {"cost an hour, with renewals"}};
  if (a.said && *a.said) {
    const economics::compat_answer& s = **a.said;
    const auto d = static_cast<double>(s.lease_s);
    rows[lease].said = seconds(d);
    rows[interval].said = seconds(s.renewal_interval_s);
    rows[threshold].said = text::significant(s.renewal_threshold);
    rows[positives].said = text::significant(economics::false_positives_per_hour(d));
    rows[left].said = seconds(d / 2);
    rows[said].said = dollars(s.expected_cost_per_hour);
    rows[cost].said = dollars(economics::cost_per_hour(a.p, d));
    rows[renewed].said = dollars(economics::cost_per_hour_renewed(a.p, d, s.renewal_threshold));
  }
  if (a.right) {
    const economics::corrected_answer& r = *a.right;
    rows[lease].right = seconds(r.lease_s);
    rows[interval].right = seconds(r.renewal_interval_s);
    rows[threshold].right = text::significant(r.renewal_threshold);
    rows[positives].right = text::significant(r.false_positives_per_hour);
    rows[left].right = seconds(r.residual_s);
    rows[said].right = dollars(r.expected_cost_per_hour);
    rows[cost].right = dollars(r.expected_cost_per_hour);
    rows[renewed].right = dollars(r.renewed_cost_per_hour);
  }
  return rows;
}

std::string table_of(const answers& a) {
  text::table t{{{.title = ""}}, {}};
  for (const auto& [title, is_shown] :
       {std::pair("document", a.said.has_value()), {"corrected", a.right.has_value()}}) {
    if (is_shown) {
      t.columns.push_back(text::figures(title));
    }
  }
  for (const row& r : rows_of(a)) {
    if (a.said && a.right) {
      t.rows.push_back({r.name, r.said, r.right});
    } else if (a.said ? r.is_in_document : r.is_in_corrected) {
      t.rows.push_back({r.name, a.said ? r.said : r.right});
    }
  }
  return text::as_text(t, {}, {});
}

std::string text_of(const answers& a) {
  std::string text = fmt::format(
      "operation {} s, round trip {} s, {} failures an hour, ${} a false positive, ${} a second "
      "unavailable\n\n",
      text::print_real(a.p.operation_s),
      text::print_real(a.p.rtt_s),
      text::print_real(a.p.failures_per_hour),
      text::print_real(a.p.false_positive_cost),
      text::print_real(a.p.unavailability_cost));
  text += table_of(a);
  text +=
      "\nThis is the lease of an owner that may fail under it, by arithmetic alone. What a lease "
      "does to\ndrivers and riders is another question: dibs tune.\n";
  if (!a.said || !a.right) {
    return text;
  }
  text += "\nWhat the document's calculator gets wrong\n";
  constexpr int width = 100;
  for (const std::string& fault : economics::faults(a.p, *a.said, *a.right)) {
    text += text::paragraph("  - " + fault, width, "    ");
  }
  return text;
}

nlohmann::ordered_json json_of(const result<economics::compat_answer>& said) {
  if (!said) {
    return {{"error", said.error().text}};
  }
  return {{"lease_duration", said->lease_s},
          {"renewal_threshold", said->renewal_threshold},
          {"renewal_interval", said->renewal_interval_s},
          {"expected_cost_per_hour", said->expected_cost_per_hour}};
}

nlohmann::ordered_json json_of(const economics::corrected_answer& right) {
  return {{"minimum_lease_s", right.minimum_lease_s},
          {"best_lease_s", right.best_lease_s},
          {"lease_s", right.lease_s},
          {"renewal_threshold", right.renewal_threshold},
          {"renewal_interval_s", right.renewal_interval_s},
          {"false_positives_per_hour", right.false_positives_per_hour},
          {"false_positive_probability", right.false_positive_probability},
          {"residual_s", right.residual_s},
          {"expected_cost_per_hour", right.expected_cost_per_hour},
          {"renewed_cost_per_hour", right.renewed_cost_per_hour}};
}

std::string json_of(const answers& a) {
  nlohmann::ordered_json all;
  all["arguments"] = {{"operation_s", a.p.operation_s},
                      {"rtt_s", a.p.rtt_s},
                      {"failures_per_hour", a.p.failures_per_hour},
                      {"false_positive_cost", a.p.false_positive_cost},
                      {"unavailability_cost_per_s", a.p.unavailability_cost}};
  if (a.said) {
    all["compat"] = json_of(*a.said);
  }
  if (a.right) {
    all["corrected"] = json_of(*a.right);
  }
  if (a.said && a.right) {
    all["wrong"] = economics::faults(a.p, *a.said, *a.right);
  }
  return text::json_as_text(all, 2) + "\n";
}

}  // namespace

int lease_economics(const economics_request& r) {
  answers a{r.parameters, {}, {}};
  if (r.mode != calculation::corrected) {
    a.said = economics::compat(a.p);
    if (r.mode == calculation::compat && !*a.said) {
      return fail({a.said->error().code,
                   "dibs economics: the document's calculator ends with " + a.said->error().text});
    }
  }
  if (r.mode != calculation::compat) {
    const auto right = economics::corrected(a.p);
    if (!right && a.said && *a.said) {
      print_diagnostics("dibs economics: there is no corrected answer: " + right.error().text +
                        "\n");
      return finish(r.format == format::json ? json_of(a) : text_of(a), right.error().code);
    }
    if (!right) {
      return fail({right.error().code, "dibs economics: " + right.error().text});
    }
    a.right = *right;
  }
  return finish(r.format == format::json ? json_of(a) : text_of(a));
}

}  // namespace dibs::commands
