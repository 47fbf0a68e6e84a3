// The options of `dibs report`.

#include "cli/grammar.hpp"

namespace dibs::cli {
namespace {

const words_for<commands::report_format>& report_formats() {
  static const words_for<commands::report_format> all{{"html", commands::report_format::html},
                                                      {"trace", commands::report_format::trace},
                                                      {"md", commands::report_format::md},
                                                      {"csv", commands::report_format::csv},
                                                      {"json", commands::report_format::json},
                                                      {"svg", commands::report_format::svg}};
  return all;
}

}  // namespace

void grammar::add_report() {
  CLI::App* sub = command("report");
  sub->add_option("SOURCE",
                  report.sources,
                  "Run directories, a sweep's, or what `dibs tune`, `region` or `survive` printed "
                  "with --format json")
      ->required();
  add_seed(sub, report.seed, "Of several replications, the one with this seed")
      ->default_str("the first");
  add_format(sub, report.format, report_formats(), "html, trace, md, csv, json or svg", "html");
  sub->add_option("--out", report.out, "Where it goes; - is standard output")
      ->type_name("FILE")
      ->check(CLI::Validator(file_trouble, ""))
      ->default_str("SOURCE/report.html, SOURCE/trace.json; others: -");
  add_show(
      sub, report.shown.metrics, "Curves or rows of these figures, as dibs metrics names them");
  add_jobs(sub, report.jobs, "Replications at a time, where runs are compared");
  sub->add_flag("-q,--quiet", report.quiet, "No progress");
}

result<commands::request> grammar::report_asked() const {
  const commands::report_request& p = report;
  const bool is_one =
      p.format != commands::report_format::trace && p.format != commands::report_format::svg;
  if (p.out && *p.out != "-" && p.sources.size() > 1 && !is_one) {
    return usage("report", "--out is one place, and there are several reports; leave it away");
  }
  const bool is_for_people = p.format == commands::report_format::html ||
                             p.format == commands::report_format::svg ||
                             p.format == commands::report_format::md;
  if (!p.shown.metrics.empty() && !is_for_people) {
    return usage("report", "--show is for html, svg and md; the others have every figure");
  }
  return p;
}

}  // namespace dibs::cli
