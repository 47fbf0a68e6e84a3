#!/usr/bin/env python3
"""The programs that a bare Debian has once what tools/packages names is installed.

  listed_programs.py FOLDER GROUP...    puts a link to each of them into FOLDER

Bare is what `debootstrap --variant=minbase` installs: what Debian calls required, and apt. All is
asked of dpkg, which knows the packages that are installed here; those of a group that are not have no
programs. Exit code 3 where there is no dpkg.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = ("/usr/bin", "/usr/sbin", "/bin", "/sbin")


def listed(groups):
    rows = (re.sub("#.*", "", line).split() for line in
            (ROOT / "tools" / "packages").read_text().splitlines())
    return {row[1] for row in rows if len(row) == 2 and row[0] in groups}


def installed():
    """(name -> the alternatives of each dependency, name -> who provides it, those that are bare)."""
    asked = subprocess.run(
        ["dpkg-query", "--show", "--showformat",
         "${db:Status-Status}\t${Package}\t${Priority}\t${Pre-Depends}, ${Depends}\t${Provides}\n"],
        check=True, capture_output=True, text=True).stdout
    needs, providers, bare = {}, {}, {"apt"}
    for line in asked.splitlines():
        status, name, priority, depends, provides = line.split("\t")
        if status != "installed":
            continue
        needs[name] = [[re.split(r"[ :(]", one.strip())[0] for one in each.split("|")]
                       for each in depends.split(",") if each.strip()]
        for other in [name, *re.findall(r"[^\s,(]+(?=\s*(?:,|\(|$))", provides)]:
            providers.setdefault(other, []).append(name)
        if priority == "required":
            bare.add(name)
    return needs, providers, bare


def with_all_they_need(names, needs, providers):
    found, left = set(), list(names)
    while left:
        name = left.pop()
        if name in found or name not in needs:
            continue
        found.add(name)
        for alternatives in needs[name]:
            real = next((one for one in alternatives if one in providers), None)
            left += providers.get(real, [])[:1]
    return found


def programs_of(packages):
    """Name -> path, of what the packages hold and of what Debian's alternatives lead to there."""
    held = subprocess.run(["dpkg", "--listfiles", *sorted(packages)], check=True,
                          capture_output=True, text=True).stdout.splitlines()
    paths = [pathlib.Path(path) for path in held if os.path.dirname(path) in FOLDERS]
    found = {path.name: path for path in paths if path.is_file()}
    real = {os.path.realpath(path.parent / path.name) for path in paths}
    for folder in FOLDERS:
        for path in pathlib.Path(folder).iterdir():
            if path.is_symlink() and str(path.readlink()).startswith("/etc/alternatives/"):
                if os.path.realpath(path) in real:
                    found[path.name] = path
    return found


def programs(groups):
    """Name -> path."""
    needs, providers, bare = installed()
    return programs_of(with_all_they_need(bare | listed(groups), needs, providers))


def main():
    if not shutil.which("dpkg-query"):
        return 3
    folder = pathlib.Path(sys.argv[1])
    for name, path in programs(sys.argv[2:]).items():
        (folder / name).symlink_to(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
