#include "report/region_signs.hpp"

namespace dibs::report {

char region_sign_of(std::string_view verdict, bool is_long_enough) {
  return verdict == "invalid"  ? '-'
         : verdict == "breaks" ? 'X'
         : verdict == "unsure" ? '?'
         : verdict == "stuck"  ? 'S'
         : verdict == "holds"  ? (is_long_enough ? '#' : '+')
                               : (is_long_enough ? '!' : '.');
}

}  // namespace dibs::report
