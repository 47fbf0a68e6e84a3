# shellcheck shell=bash
# Sourced by tools/dibs, tools/test and tools/check: installs missing packages and builds presets.
#
# Everything is said on stderr, never on stdout. Long output goes to a log, whose last lines and
# place are shown when something fails. Only one process at a time sets a checkout up.
#
# DIBS_JOBS           compile jobs at once; default: one a core, as far as memory allows
# DIBS_SKIP_PACKAGES  set to 1 to leave packages alone, for systems other than Debian

dibs_root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

say() { printf 'dibs: %s\n' "$*" >&2; }

die() {
  say "$*"
  exit 1
}

# --- What runs in the background of a wait -------------------------------------------------------

# logged TITLE LOG COMMAND...: runs COMMAND with its output in LOG; shows how far it is.
# On failure: the last lines of the log and its place; returns COMMAND's status.
logged() {
  local title=$1 log=$2 status=0 began=$SECONDS said=0 line
  shift 2
  mkdir -p -- "$(dirname -- "$log")"
  "$@" >"$log" 2>&1 </dev/null &
  local child=$!
  # A background process ignores Ctrl-C, so hand it on.
  trap 'kill -TERM "$child" 2>/dev/null; wait "$child" 2>/dev/null; exit 130' INT
  trap 'kill -TERM "$child" 2>/dev/null; wait "$child" 2>/dev/null; exit 143' TERM
  while kill -0 "$child" 2>/dev/null; do
    sleep 0.3
    line=$(tail -n 1 -- "$log" 2>/dev/null | cut -c 1-60)
    if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then  # ninja
      line="step ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
    fi
    if [[ -t 2 ]]; then
      printf '\r\033[Kdibs: %s, %d s: %s' "$title" $((SECONDS - began)) "$line" >&2
    elif ((SECONDS - began >= said + 30)); then
      said=$((SECONDS - began))
      say "$title, $said s: $line"
    fi
  done
  wait "$child" || status=$?
  trap - INT TERM
  if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
  if ((status != 0)); then
    say "$title failed (status $status). The last lines of $log:"
    tail -n 20 -- "$log" >&2
  else
    say "$title: done in $((SECONDS - began)) s"
  fi
  return "$status"
}

jobs_at_once() {
  local jobs=${DIBS_JOBS:-}
  if [[ -n $jobs ]]; then
    [[ $jobs =~ ^[1-9][0-9]*$ ]] || die "DIBS_JOBS is '$jobs'; it must be a number from 1"
  else
    jobs=$(nproc)
    local free_kib by_memory
    free_kib=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo 2>/dev/null) || true
    by_memory=$((${free_kib:-99999999} / 1500000))  # a file that includes CAF takes about 1 GB
    if ((by_memory < jobs)); then jobs=$((by_memory > 0 ? by_memory : 1)); fi
  fi
  echo "$jobs"
}

# One process at a time from here until `unlock`.
lock() {
  if ! mkdir -p -- "$dibs_root/build" 2>/dev/null || [[ ! -w $dibs_root/build ]]; then
    die "cannot write to $dibs_root/build; dibs is built inside its checkout"
  fi
  exec {dibs_lock}>"$dibs_root/build/.lock"
  if ! flock --nonblock "$dibs_lock"; then
    say "waiting for another process that is setting up $dibs_root"
    flock "$dibs_lock"
  fi
}

unlock() { exec {dibs_lock}>&-; }

# --- Packages ------------------------------------------------------------------------------------

packages_of() {  # GROUP...
  awk -v groups=" $* " '{ sub(/#.*/, "") } NF == 2 && index(groups, " " $1 " ") { print $2 }' \
    "$dibs_root/tools/packages"
}

missing_packages() {  # GROUP...
  local wanted
  read -r -d '' -a wanted <<<"$(packages_of "$@")" || true
  {
    dpkg-query --show --showformat '${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null || true
  } | awk -v wanted="${wanted[*]}" '
    $2 == "installed" { have[$1] = 1 }
    END {
      n = split(wanted, names, " ")
      for (i = 1; i <= n; ++i) if (!(names[i] in have)) print names[i]
    }'
}

as_root() {
  if ((EUID == 0)); then
    "$@"
  elif [[ -t 0 ]]; then
    sudo -- "$@"
  else
    sudo --non-interactive -- "$@"
  fi
}

quietly_as_root() {
  as_root env PATH="$PATH:/usr/sbin:/sbin" LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"
}

install_packages() {
  local apt_get=(apt-get --quiet --yes -o DPkg::Lock::Timeout=600)
  quietly_as_root "${apt_get[@]}" update || true  # one unreachable source need not matter
  quietly_as_root dpkg --configure -a || true     # an earlier installation may have been cut short
  quietly_as_root "${apt_get[@]}" install --no-install-recommends "$@"
}

# Installs what is missing of the groups. Requires: the lock is held.
ensure_packages() {  # GROUP...
  local missing log=$dibs_root/build/packages.log
  read -r -d '' -a missing <<<"$(missing_packages "$@")" || true
  ((${#missing[@]} > 0)) || return 0

  local by_hand="apt-get install --no-install-recommends ${missing[*]}"
  if ((EUID != 0)) && ! command -v sudo >/dev/null; then
    die "packages are missing, and installing them takes root or sudo. As root, run:
  $by_hand"
  fi
  if ((EUID != 0)) && [[ ! -t 0 ]] && ! sudo --non-interactive true 2>/dev/null; then
    die "packages are missing, and sudo asks for a password, which needs a terminal. Run:
  sudo $by_hand"
  fi
  if ((EUID != 0)); then
    sudo --validate >&2 || die "sudo was refused. Run as root: $by_hand"
  fi
  say "installing Debian packages (1 to 2 minutes): ${missing[*]}"
  if logged "installing packages" "$log" install_packages "${missing[@]}"; then
    return 0
  fi
  if grep -qE 'Could not resolve|Unable to connect|Failed to fetch|Connection (refused|timed out)|Could not connect' "$log"; then
    die "the Debian mirror could not be reached; check the network and the sources of apt"
  fi
  if grep -q 'Unable to locate package' "$log"; then
    die "apt does not know some packages; dibs needs the main archive of Debian 12 or 13"
  fi
  die "packages could not be installed; by hand: $by_hand"
}

# True when nothing is missing. Says why and ends when this is no Debian.
packages_are_there() {  # GROUP...
  [[ ${DIBS_SKIP_PACKAGES:-} == 1 ]] && return 0
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    die "set-up knows Debian 12 and 13 only. Elsewhere, install what tools/packages names and set
  DIBS_SKIP_PACKAGES=1"
  fi
  local seen
  seen=$dibs_root/build/.packages-$(IFS=- && printf '%s' "$*")
  { what_packages_depend_on | cmp -s - "$seen"; } 2>/dev/null && return 0
  local now=$seen.$$
  { mkdir -p -- "$dibs_root/build" && what_packages_depend_on >"$now"; } 2>/dev/null || now=
  local missing
  missing=$(missing_packages "$@")
  if [[ -n $missing ]]; then
    rm -f -- "$now"
    return 1
  fi
  [[ -z $now ]] || mv -- "$now" "$seen"
}

# The list, and what dpkg writes anew whenever it installs or removes anything: while both are as they
# were, nobody need ask dpkg, which takes longer than all else of a start.
what_packages_depend_on() { cat -- "$dibs_root/tools/packages" "${DPKG_ADMINDIR:-/var/lib/dpkg}/status"; }

# --- Builds --------------------------------------------------------------------------------------

build_dir() { printf '%s/build/%s' "$dibs_root" "$1"; }  # PRESET

# True when the preset is configured as CMakePresets.json says, for a checkout at this very place.
is_configured() {  # PRESET
  local dir place=
  dir=$(build_dir "$1")
  [[ -f $dir/build.ninja && $dir/.configured -nt $dibs_root/CMakePresets.json ]] || return 1
  read -r place <"$dir/.configured"
  [[ $place == "$dibs_root" ]]
}

is_built() {  # PRESET TARGET...
  local preset=$1
  shift
  is_configured "$preset" || return 1
  [[ $(ninja -C "$(build_dir "$preset")" -n "$@" 2>&1) == *"no work to do"* ]]
}

# Requires: the lock is held and packages are there.
ensure_built() {  # PRESET TARGET...
  local preset=$1 dir
  shift
  dir=$(build_dir "$preset")
  if ! is_configured "$preset"; then
    if [[ -f $dir/CMakeCache.txt ]] &&
      ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$dibs_root" "$dir/CMakeCache.txt"; then
      rm -rf -- "$dir"  # the checkout was moved or copied
    fi
    logged "configuring $preset" "$dibs_root/build/configure-$preset.log" \
      env -C "$dibs_root" cmake --preset "$preset" || exit 1
    printf '%s\n' "$dibs_root" >"$dir/.configured"
  fi
  if ! is_built "$preset" "$@"; then
    logged "building $preset" "$dibs_root/build/build-$preset.log" \
      ninja -C "$dir" -j "$(jobs_at_once)" "$@" ||
      die "repeat with: ninja -C '$dir' $*"
  fi
}
