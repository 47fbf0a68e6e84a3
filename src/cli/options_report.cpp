// The options of `dibs report`.

#include "cli/grammar.hpp"

namespace dibs::cli {
namespace {

const words_for<report_format>& report_formats() {
  static const words_for<report_format> all{{"html", report_format::html},
                                            {"trace", report_format::trace},
                                            {"md", report_format::md},
                                            {"csv", report_format::csv},
                                            {"json", report_format::json},
                                            {"svg", report_format::svg}};
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
  add_jobs(sub, report.jobs, "Replications at a time, where runs are compared");
  sub->add_flag("-q,--quiet", report.quiet, "No progress");
}

result<request> grammar::report_asked() const {
  const report_request& p = report;
  const bool is_one = p.format != report_format::trace && p.format != report_format::svg;
  if (p.out && *p.out != "-" && p.sources.size() > 1 && !is_one) {
    return usage("report", "--out is one place, and there are several reports; leave it away");
  }
  return p;
}

}  // namespace dibs::cli
