#!/usr/bin/env bash
# Goal: what cmake --install puts somewhere works there, knows its scenarios, and explains itself.
# Method: an installation into a scratch folder; man pages are read by mandoc, which tools/packages names.
#
#   install_test.sh BUILD
# shellcheck source=tests/tools/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
build=$(readlink -f -- "$1")
prefix=$scratch/usr
share=$prefix/share

run cmake --install "$build" --prefix "$prefix"
passes 'an installation'
run cmake --install "$build" --prefix "$prefix"
passes 'an installation over itself'

mkdir -- "$scratch/elsewhere" && cd -- "$scratch/elsewhere" || exit 1
unset DIBS_SCENARIOS
run "$prefix/bin/dibs" list
passes 'a list'
for scenario in first-run evening-peak incidents/01-naive-race; do
  [[ $output == *"$share/dibs/scenarios/$scenario.yaml"* ]] || fail "the list has $scenario"
done
run "$prefix/bin/dibs" validate "$share"/dibs/scenarios/*.yaml "$share"/dibs/scenarios/incidents/*.yaml
passes 'all scenarios are valid where they are'
run "$prefix/bin/dibs" run "$share/dibs/scenarios/first-run.yaml" --quiet
passes 'a run'
run "$prefix/bin/dibs" survive naive-race --runs 2 --quiet
[[ $output == *naive-race* ]] || fail 'incidents are known by name'
run "$prefix/bin/dibs" bench lease --drivers 100 --seconds 0.05 --repeats 1 --quiet
passes 'the benchmarks are beside dibs'
run cmp "$share/dibs/scenarios/scenario.schema.json" "$checkout/scenarios/scenario.schema.json"
passes 'the schema'

for place in bash:bash-completion/completions/dibs zsh:zsh/vendor-completions/_dibs \
  fish:fish/vendor_completions.d/dibs.fish; do
  "$prefix/bin/dibs" completion "${place%%:*}" >complete
  run cmp complete "$share/${place#*:}"
  passes "the completion of ${place%%:*}"
done

# A page each, and each without a complaint. None has a date, by which equal sources would differ.
mapfile -t commands < <(
  sed -n 's/^complete -c dibs -n __fish_use_subcommand -f -a \([a-z]*\) .*/-\1/p' complete)
((${#commands[@]} > 15)) || fail "the completion has ${#commands[@]} commands"
for command in "" "${commands[@]}"; do
  page=$share/man/man1/dibs$command.1.gz
  [[ -f $page ]] || fail "there is no page $page"
done
pages=("$share"/man/man1/*.1.gz "$share/man/man5/dibs-scenario.5.gz")
((${#pages[@]} == ${#commands[@]} + 2)) || fail "there are ${#pages[@]} pages"
for page in "${pages[@]}"; do
  run gzip -dc "$page"
  passes "$page"
  if command -v mandoc >/dev/null; then
    output=$(printf '%s\n' "$output" | mandoc -T lint -W warning | grep -v 'missing date')
    [[ -z $output ]] || fail "${page##*/} is no man page"
  fi
done

finish
