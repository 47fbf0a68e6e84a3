#!/usr/bin/env python3
"""Words that the code may not hold, each with what to write instead; names that comments quote and
no code has; and the length of functions.

  tools/check_words.py [CHECKOUT]

Comments and string literals are left out, except where a rule says otherwise.
Functions longer than FUNCTION_LINES must stand in tools/long_functions with their exact length;
there they may only shrink.
"""
import pathlib
import re
import sys
from typing import NamedTuple

FUNCTION_LINES = 70
FOLDERS = ("src", "tests", "bench")


class Rule(NamedTuple):
    pattern: str
    instead: str
    allowed: tuple = ()  # path prefixes
    headers_only: bool = False
    in_comments: bool = False


WALL_TIME = ("src/base/stopwatch.", "src/base/wall_clock.")
RULES = [
    Rule(r"\b(system|steady|high_resolution|utc|tai|file)_clock\b",
         "virtual time comes in as `now`; wall time only through the stopwatch", WALL_TIME),
    Rule(r"\b(gettimeofday|clock_gettime|localtime(_r)?|gmtime(_r)?)\b|\bstd::time\s*\(",
         "virtual time comes in as `now`; wall time only through the stopwatch", WALL_TIME),
    Rule(r"\b(sleep_for|sleep_until|usleep|nanosleep)\b", "let a timer of the runtime fire"),
    Rule(r"\brandom_device\b|\bs?rand\s*\(|\b[dlm]rand48\b|\bmt19937(_64)?\b"
         r"|\b(default_random_engine|minstd_rand0?|knuth_b)\b",
         "stream::keyed(seed, purpose, ...) of base/random.hpp"),
    Rule(r"\bstd::\w+_distribution\b|\bstd::generate_canonical\b",
         "base/distribution.hpp: the standard leaves the bits to the library"),
    Rule(r"\bdelayed_(anon_)?send\b", "a timer of the runtime: CAF's delay follows true time",
         ("src/runtime/", "tests/")),
    Rule(r"\bunordered_(multi)?(map|set)\b",
         "std::map or a sorted vector where anything iterates, tsl::hopscotch_map for lookup alone"),
    Rule(r"\bassert\s*\(|#\s*include\s*<(cassert|assert\.h)>", "ensure(), which every build checks"),
    Rule(r"\busing\s+namespace\s+(?!std::(chrono_)?literals\b|std::chrono_literals\b"
         r"|std::(string|string_view)_literals\b)", "name what you use", headers_only=True),
    Rule(r"\bthread_local\b", "pass the world in", ("src/base/last_words.cpp",)),
    Rule(r"\bstd::(exp|log|log2|log10|log1p|expm1|sin|cos|tan|asin|acos|atan|atan2|pow|erf|tgamma)f?"
         r"\s*\(", "base/real.hpp: the C library's bits depend on the CPU",
         ("tests/", "bench/", "src/text/")),
    Rule(r"\b(FIXME|TODO|XXX|HACK)\b", "finish it, or say in a sentence what is missing and why",
         in_comments=True),
    Rule(r"\bNOLINT(NEXTLINE|BEGIN)?\b(?!\([\w.,\- ]+\):\s*\S)", "NOLINT(check): reason",
         in_comments=True),
]

# Names of earlier days, each with the term that took its place. Refused as a name and as a part of
# one (`court_options`); those of the first list in comments and strings, too. A word comes off the
# list if the field itself says so.
OLD_WORDS = {
    "bystander": "wait_diagnosis", "court": "run_checker", "courier": "transport",
    "docket": "violation_log", "dossier": "driver_calls",
    "lodging": "actor_registration, core_registration", "meddling": "message_tampering",
    "quarry": "broken_run", "quest": "search_context", "reign": "leadership_term",
    "rivalry": "overlap_index", "strata": "supply_layers", "workshop": "experiment_runs",
}
OLD_NAMES = {
    "blow": "fault_effect", "canvas": "scenario_draft", "chapter": "instant_batch",
    "chronicle": "history", "contender": "candidate", "deed": "operation",
    "doomed": "unavoidable", "hardship": "starvation_share", "heed": "apply_fact",
    "lesson": "cause", "lettering": "text_style", "lodge": "register_actor",
    "oversight": "unserved_match", "plot": "timeline_scope", "pursuit": "ride_search",
    "standstill": "no_progress", "surroundings": "shared_world", "suspicion": "possible_violation",
    "tale": "explanation", "tamed": "display_escaped", "traps": "triggered_faults",
    "turning": "point_of_no_return", "witness": "history",
}
RULES += [Rule(rf"(?<![A-Za-z]){word}s?(?![a-z])", f"a term of the field, such as {instead}",
               in_comments=word in OLD_WORDS)
          for word, instead in {**OLD_WORDS, **OLD_NAMES}.items()]

# Comments, raw strings, strings and characters; a digit separator (1'000) is no character.
QUIET = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)'
    r'|R"(?P<tag>[^()\\\s]*)\(.*?\)(?P=tag)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.DOTALL)


def without(text, comments_only=False):
    """The text with comments and strings blanked out; every line keeps its number."""
    def blank(found):
        if found["comment"] is None:
            if comments_only:
                return found[0]
            return '""' + "\n" * found[0].count("\n")
        return " " + "\n" * found[0].count("\n")
    return QUIET.sub(blank, text)


def check_words(place, text):
    code = without(text)
    for rule in RULES:
        if place.startswith(rule.allowed or ("\0",)):
            continue
        if rule.headers_only and not place.endswith(".hpp"):
            continue
        looked_at = text if rule.in_comments else code
        for found in re.finditer(rule.pattern, looked_at):
            line = looked_at.count("\n", 0, found.start()) + 1
            yield f"{place}:{line}: `{found[0].strip()}` is banned; instead: {rule.instead}"


# --- Names that comments quote ---------------------------------------------------------------------

QUOTED = re.compile(r"`((?:\w+::)*)(~?[A-Za-z_]\w*)(?:\(\))?`")
OPENS = r"\b(?:struct|class|union|enum(?: class)?)\s+{}\b[^;{{}}()]*\{{"


def body_of(code, opened):
    """What stands between the brace that ends at `opened` and its other one."""
    depth, at = 1, opened
    while depth > 0 and at < len(code):
        depth += {"{": 1, "}": -1}.get(code[at], 0)
        at += 1
    return code[opened:at]


class Names:
    """What the code of a tree declares and uses, to tell whether a quoted name is one of them."""

    def __init__(self, files):
        self.code = "\n".join(without(text, comments_only=True) for text in files.values())
        self.words = set(re.findall(r"\w+", self.code))
        self.words |= {part for place in files for part in pathlib.Path(place).with_suffix("").parts}
        self.spaces = {part for spaces in re.findall(r"\bnamespace ([\w:]+)", self.code)
                       for part in spaces.split("::")}
        self.aliases = set(re.findall(r"\busing (\w+) =", self.code))
        self.members = {}

    def has(self, owner, name):
        if owner in ("std", "fmt") or owner in self.aliases:
            return True
        if owner == "" or owner in self.spaces:
            return name in self.words
        if owner not in self.members:
            bodies = (body_of(self.code, found.end())
                      for found in re.finditer(OPENS.format(owner), self.code))
            self.members[owner] = {word for body in bodies for word in re.findall(r"\w+", body)}
        return name.lstrip("~") in self.members[owner]


def check_quoted(place, text, names):
    for comment in re.finditer(r"(?<!:)//[^\n]*", text):
        for found in QUOTED.finditer(comment[0]):
            owner = found[1].split("::")[-2] if found[1] else ""
            if "_" in found[2].strip("_") or found[1]:
                if not names.has(owner, found[2]):
                    line = text.count("\n", 0, comment.start()) + 1
                    yield f"{place}:{line}: no code has the name {found[0]}"


# --- The length of functions ----------------------------------------------------------------------

SCOPE = re.compile(r"^\s*(inline\s+)?(namespace|class|struct|union|enum|extern)\b")
TEMPLATE = re.compile(r"^\s*(export\s+)?template\s*<")
BEFORE_BODY = re.compile(r"(\)|\}|\b(const|noexcept|override|final|mutable|try|requires)|&)\s*$")


def strip_template(statement):
    """`template <class T> struct x` -> `struct x`."""
    while TEMPLATE.match(statement):
        depth = 0
        for at, letter in enumerate(statement):
            depth += (letter == "<") - (letter == ">")
            if letter == ">" and depth == 0:
                statement = statement[at + 1:]
                break
        else:
            return statement
    return statement


def kind_of_brace(statement):
    """What `{` after this statement opens: a scope, a function's body, or an initialiser."""
    statement = re.sub(r"\[\[[^\]]*\]\]|\balignas\s*\([^)]*\)", " ", statement)
    head = strip_template(statement).strip()
    if SCOPE.match(head) and "(" not in head.split(":")[0]:
        return "scope"
    if "(" in head and (BEFORE_BODY.search(head) or re.search(r"\)[^()]*->[^;{]*$", head)):
        return "function"
    return "other"


def name_of(statement):
    head = re.sub(r"\s+", " ", strip_template(statement)).strip()
    head = head.split("(")[0].strip()
    return head.split(" ")[-1].lstrip("*&") if head else "?"


def functions_of(text):
    """(name, first line, number of lines) of each function with a body."""
    code = re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", "", without(text), flags=re.MULTILINE)
    stack, statement, begins, line, parens = [], "", 1, 1, 0
    for letter in code:
        if letter == "\n":
            line += 1
        in_function = any(kind == "function" for kind, *_ in stack)
        if letter == "{":
            kind = "other" if in_function or parens else kind_of_brace(statement)
            stack.append((kind, name_of(statement), begins, statement, parens))
            statement, parens = ("", 0) if kind != "other" else (statement, parens)
        elif letter == "}" and stack:
            kind, name, first, before, parens = stack.pop()
            if kind == "function":
                yield name, first, line - first + 1
            # After an initialiser its statement goes on.
            statement = before + "{}" if kind == "other" else ""
        elif letter == ";" and parens == 0:
            statement = ""
        elif not in_function:
            parens += (letter == "(") - (letter == ")")
            if not statement.strip():
                if letter.isspace():
                    continue
                statement, begins = "", line
            statement += letter
            if statement.strip() in ("public:", "private:", "protected:"):
                statement = ""


def check_functions(place, text, listed, seen):
    for name, first, lines in functions_of(text):
        key = (place, name)
        limit = listed.get(key, FUNCTION_LINES)
        if key in listed:
            seen.add(key)
        if lines > limit:
            yield f"{place}:{first}: {name} has {lines} lines, over {limit}; split it by noun"
        elif key in listed and lines < limit:
            now = f"write {lines}" if lines > FUNCTION_LINES else "remove it"
            yield f"tools/long_functions: {place} {name} has shrunk from {limit} to {lines}; {now}"


def read_listed(path):
    listed = {}
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            words = line.split("#")[0].split()
            if words:
                place, name, lines = words
                listed[(place, name)] = int(lines)
    return listed


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    listed = read_listed(root / "tools" / "long_functions")
    complaints, seen = [], set()
    files = {str(path.relative_to(root)): path.read_text(encoding="utf-8")
             for folder in FOLDERS for path in sorted((root / folder).glob("**/*.[ch]pp"))}
    names = Names(files)
    for place, text in files.items():
        complaints += check_words(place, text)
        complaints += check_quoted(place, text, names)
        complaints += check_functions(place, text, listed, seen)
    for place, name in sorted(listed.keys() - seen):
        complaints.append(f"tools/long_functions: {place} {name} is gone; remove it")
    if not files:
        complaints.append(f"no source files under {root}")
    print("\n".join(complaints) if complaints else f"{len(files)} files hold no banned word")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
