/// The table: every field of a scenario, declared once.
///
/// Reading, validation, `--set`, the JSON schema, the reference page, the starter and the effective
/// dump all walk what `scenario_kind` returns. A field has its key, its place in the struct, its
/// kind (type and range), and its sentence; its default is what the struct says.
#pragma once

#include "scenario/field_type.hpp"
#include "scenario/scenario.hpp"

namespace dibs::scenario {

[[nodiscard]] const kind<scenario>& scenario_kind();

// The sections, for `scenario_kind`.
[[nodiscard]] kind<clock_options> clock_kind();
[[nodiscard]] kind<world_options> world_kind();
[[nodiscard]] kind<demand_source> demand_kind();
[[nodiscard]] kind<rider_options> riders_kind();
[[nodiscard]] kind<driver_options> drivers_kind();
[[nodiscard]] kind<matcher_options> matchers_kind();
[[nodiscard]] kind<lease_options> lease_kind();
[[nodiscard]] kind<renewal_options> renewal_kind();
[[nodiscard]] kind<restart_options> restart_kind();
[[nodiscard]] kind<standby_options> standby_kind();
[[nodiscard]] kind<zone_options> zones_kind();
[[nodiscard]] kind<claim_options> claims_kind();
[[nodiscard]] kind<link_options> link_kind();
[[nodiscard]] kind<clock_error> clock_error_kind();
[[nodiscard]] kind<fault> fault_kind();

}  // namespace dibs::scenario
