#!/usr/bin/env bash
# Goal: a change that was to change no result changed none.
# Method: every scenario that ships has the history that stands in histories.txt, event for event,
# with cores called directly and by their mailboxes.
#
# Where what happens was meant to change, the commit says what and why, and `--renew` as the last
# argument writes the list anew.
source "$(dirname -- "$0")/common.sh" "$@"
list=$checkout/tests/cli/histories.txt

# One line for each scenario that ships: the hash of its history, and its name.
histories() {  # DELIVERY
  local file
  for file in "$checkout"/scenarios/*.yaml "$checkout"/scenarios/incidents/*.yaml \
      "$checkout"/scenarios/designs/*.yaml; do
    "$dibs" run "$file" --no-out --format json --delivery "$1" 2>err </dev/null |
      sed -n '0,/^  "history"/ s/^  "history": "\(.*\)",$/\1/p' | tr '\n' ' '
    cat err
    echo "${file#"$checkout/scenarios/"}"
  done
}

if [[ ${3:-} == --renew ]]; then
  histories direct >"$list"
  exit
fi
for delivery in direct mailbox; do
  histories "$delivery" >found 2>&1
  status=
  diff "$list" found >out 2>err || fail "histories of scenarios that ship (delivery $delivery; see $0)"
done
finish
