#!/usr/bin/env python3
"""No script and no test calls a program that tools/packages does not bring and a bare Debian has not,
unless the one that calls it does without.

Looked for are the programs that this machine has besides, and some that people take for granted:
where a command begins in bash, as the first word of what Python runs, or after COMMAND in CMake. What
is called otherwise shows where tests run with no other programs (tests/tools/common.sh).
"""
import os
import pathlib
import re
import shutil
import sys

from listed_programs import FOLDERS, ROOT, programs

GROUPS = ("build", "test", "check", "package", "store")
TAKEN_FOR_GRANTED = set(
    "bc curl docker file gawk gdb git jq less make man node npm patch perf pip pip3 python rsync "
    "shellcheck ssh strace sudo time tree unzip valgrind vim wget xxd zip".split())
# Who does without, or is told what to install.
DONE_WITHOUT = {
    ("tools/assets", "npm"),            # checks what is there; only an update fetches
    ("tools/checkout.py", "git"),       # then the commit is unknown
    ("tools/scale", "gnuplot"),         # says what to install, before it draws
    ("tools/setup.sh", "sudo"),         # says what root would have to run
    ("tests/tools/scale_test.sh", "gnuplot"),
}
BEGIN = r"(?:^|[;&|(){{}}`!]|\b(?:then|do|else|exec|xargs|command -v|if|while|until)\b)\s*(?:\w+=\S*\s+)*{}(?=\s|$|[;|&)])"


def quiet(text):
    """Bash without here-documents, comments and what stands between single quotes."""
    text = re.sub(r"<<-?\s*(['\"]?)(\w+)\1(.*)\n(?:.*\n)*?\s*\2\n", r"\3\n", text)
    text = re.sub(r"(^|[\s;(])#.*", r"\1", text, flags=re.M)
    return re.sub(r"'[^'\n]*'", "''", text)


def calls(path, text, name):
    word = re.escape(name)
    start = text[:64]
    if path.name == "CMakeLists.txt" or path.suffix == ".cmake":
        return re.search(rf"\bCOMMAND\s+{word}(?=[\s)]|$)", text)
    if "python3" in start or path.suffix == ".py":
        return re.search(rf'\b(?:run|call|output_of|Popen|check_output|which)\(\s*\[?\s*"{word}"', text)
    if "bash" in start:
        return (not re.search(rf"^\s*{word}\(\)", text, re.M)
                and re.search(BEGIN.format(word), quiet(text), re.M))
    return None


def sources():
    for folder in ("tools", "tests", "cmake", "src", "bench", ".ci"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix not in (".cpp", ".hpp", ".yaml", ".svg", ".js"):
                yield path, path.read_text(encoding="utf-8", errors="replace")


def programs_here():
    places = set(FOLDERS) | set(os.environ.get("PATH", "").split(":"))
    return {path.name for place in places if os.path.isdir(place)
            for path in pathlib.Path(place).iterdir() if re.fullmatch(r"[a-z][\w.+-]+", path.name)}


def main():
    if not shutil.which("dpkg-query"):
        print("skipped: nobody knows here what Debian's packages hold")
        return 0
    ours = set(re.findall(r"^(\w+)\(\)", "".join(
        (ROOT / place).read_text() for place in
        ("tools/setup.sh", "tests/tools/common.sh", "tests/cli/common.sh")), re.M))
    foreign = (programs_here() | TAKEN_FOR_GRANTED) - programs(GROUPS).keys() - ours
    met = {(str(path.relative_to(ROOT)), name) for path, text in sources() for name in foreign
           if name in text and calls(path, text, name)}
    wrong = [f"{place}: calls {name}, which tools/packages does not bring"
             for place, name in sorted(met - DONE_WITHOUT)]
    # What is listed above is called: where it is not seen, the rest may not be either.
    wrong += [f"{place}: is not seen to call {name}" for place, name in sorted(DONE_WITHOUT - met)
              if name in TAKEN_FOR_GRANTED]
    print("\n".join(wrong) if wrong else f"none of {len(foreign)} foreign programs is called")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
