"""Builds variants of dibs that are broken on purpose, from the objects of a build that is there."""
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = ROOT / "tests" / "mutants"
JOINED = re.compile(r'^#include "(.*)"$', re.M)  # what cmake writes for sources compiled at once


class Problem(Exception):
    """What stops the whole hunt."""


def run(command, **how):
    return subprocess.run(command, capture_output=True, text=True, **how)


class Build:
    """A build directory: how it compiles a file and links a program."""

    def __init__(self, folder):
        self.folder = folder
        commands = folder / "compile_commands.json"
        if not commands.exists():
            raise Problem(f"{folder} holds no build: cmake --preset release && "
                          "cmake --build --preset release")
        self.commands = {}  # by the object that they write
        self.units = {}  # by source: the file that is compiled for it, and how
        for c in json.loads(commands.read_text()):
            unit = pathlib.Path(c["file"]).resolve()
            self.commands[re.search(r" -o (\S+) ", c["command"])[1]] = c["command"]
            joined = JOINED.findall(unit.read_text()) if unit.suffix == ".cxx" else [unit]
            for source in joined:
                self.units[str(pathlib.Path(source).resolve())] = unit, c["command"]
        self.links = {}

    def program(self, name):
        return self.folder / "bin" / name

    def compile(self, source, mutated, name):
        """The objects beside `mutated`, by those that they stand in for in the program `name`."""
        room = mutated.parent
        if source.suffix != ".hpp":
            return {self.compile_one(source, mutated, room / "mutant.o"): room / "mutant.o"}
        shadow = room / "include" / source.relative_to(ROOT / "src")
        shadow.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(mutated, shadow)
        objects = {}
        for usual in self.including(source):
            if usual.startswith("src/") or f" {usual} " in self.link_of(name):
                objects[usual] = room / f"including-{len(objects)}.o"
                self.call(self.commands[usual], ["-iquote", str(room / "include")],
                          objects[usual], shadow)
        return objects

    def including(self, header):
        """The objects that were compiled with it."""
        objects, each = [], ""
        for line in run(["ninja", "-t", "deps"], cwd=self.folder).stdout.splitlines():
            if line.startswith(" "):
                if (self.folder / line.strip()).resolve() == header.resolve():
                    objects.append(each)
            elif ":" in line:
                each = line.split(":")[0]
        return objects

    def call(self, command, more, target, mutated, source=None):
        """Compiles as `command` does, into `target`; the object that it would have written."""
        words = shlex.split(command)
        usual = words[words.index("-o") + 1]
        words[words.index("-o") + 1] = str(target)
        words[-1] = str(source or words[-1])
        done = run(words + more + ["-w", "-g0", "-O1"], cwd=self.folder)
        if done.returncode != 0:
            raise Problem(f"{mutated} does not compile:\n{done.stderr[:2000]}")
        return usual

    def compile_one(self, source, mutated, target):
        unit, command = self.units.get(str(source.resolve()), (None, None))
        if unit is None:
            raise Problem(f"{source} is no part of the build")
        if unit != source.resolve():  # compiled with others: so are they with the mutant
            with_mutant = mutated.with_suffix(".cxx")
            with_mutant.write_text(unit.read_text().replace(f'"{source.resolve()}"',
                                                            f'"{mutated.resolve()}"'))
            mutated = with_mutant
        return self.call(command, ["-I", str(source.parent)], target, mutated, mutated)

    def link_of(self, name):
        if name not in self.links:
            done = run(["ninja", "-t", "commands", f"bin/{name}"], cwd=self.folder)
            lines = [line for line in done.stdout.splitlines() if f" -o bin/{name} " in line]
            if not lines:
                raise Problem(f"bin/{name} is not part of the build in {self.folder}")
            self.links[name] = lines[-1]
        return self.links[name]

    def link(self, name, objects, target):
        # The mutant goes where its object would; from an archive the first definition counts, and
        # the archive's own is never asked for. Nobody debugs a mutant, and to join line numbers takes
        # ten times as long as the rest.
        command = self.link_of(name)
        for usual in objects:
            command = command.replace(f" {usual} ", " ")
        mutants = " ".join(str(each) for each in objects.values())
        command = command.replace(f" -o bin/{name} ",
                                  f" {mutants} -Wl,--strip-debug -o {target} ", 1)
        done = run(command, cwd=self.folder, shell=True)
        if done.returncode != 0:
            raise Problem(f"{target} does not link:\n{done.stderr[:2000]}")


def mutate(entry):
    source = ROOT / entry["file"]
    text = source.read_text()
    for change in entry["change"]:
        before, after = change["before"], change["after"]
        count = text.count(before)
        if count == 0 or (count > 1 and not change.get("all", False)):
            raise Problem(f"{entry['id']}: {entry['file']} holds {count} times, not once:\n{before}")
        text = text.replace(before, after)
    return text


def all_mutants():
    """Those of mutants.toml, then those of planted.toml."""
    return [entry for name in ("mutants.toml", "planted.toml")
            for entry in tomllib.loads((TABLES / name).read_text())["mutant"]]


def room_of(build, entry):
    """An empty directory for what is built of it."""
    room = build.folder / "mutants" / entry["id"]
    shutil.rmtree(room, ignore_errors=True)
    room.mkdir(parents=True)
    return room
