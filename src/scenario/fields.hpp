/// The table: every field of a scenario, declared once.
///
/// Reading, validation, `--set`, the JSON schema, the reference page, the starter and the effective
/// dump all walk what `scenario_kind` returns. A field has its key, its place in the struct, its
/// kind (type and range), and its sentence; its default is what the struct says.
#pragma once

#include "scenario/field_type.hpp"
#include "scenario/scenario.hpp"

namespace dibs::scenario {

[[nodiscard]] const field_type<scenario>& scenario_kind();

// The sections, for `scenario_kind`.
[[nodiscard]] field_type<clock_options> clock_kind();
[[nodiscard]] field_type<world_options> world_kind();
[[nodiscard]] field_type<demand_source> demand_kind();
[[nodiscard]] field_type<rider_options> riders_kind();
[[nodiscard]] field_type<driver_options> drivers_kind();
[[nodiscard]] field_type<matcher_options> matchers_kind();
[[nodiscard]] field_type<lease_options> lease_kind();
[[nodiscard]] field_type<renewal_options> renewal_kind();
[[nodiscard]] field_type<restart_options> restart_kind();
[[nodiscard]] field_type<standby_options> standby_kind();
[[nodiscard]] field_type<store_options> store_kind();
[[nodiscard]] field_type<zone_options> zones_kind();
[[nodiscard]] field_type<claim_options> claims_kind();
[[nodiscard]] field_type<link_options> link_kind();
[[nodiscard]] field_type<clock_error> clock_error_kind();
[[nodiscard]] field_type<fault> fault_kind();

}  // namespace dibs::scenario
