"""Finds the program, starts it, and turns how it ends into exceptions."""

from __future__ import annotations

import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import termios
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

Progress = Union[bool, Callable[[str], None], None]

# What a run or a study comes to although it ran to its end: src/base/result.hpp.
PROMISE_BROKEN = 4
INCONCLUSIVE = 7
THRESHOLD_MISSED = 99


# An interrupted run writes down what it has.
_PATIENCE_S = 20

# Where nobody looks on, a long run says so every ten seconds.
_HOW_FAR = re.compile(r"(dibs: )?\d+ (%|of [\d,]+ ).*\bleft\b")


class DibsError(Exception):
    """dibs could not do what was asked, or what came of it is not as promised.

    `code` is the exit code of the program, `words` what it said, and `command` what was typed.
    """

    def __init__(self, code: int, words: str, command: Sequence[str]) -> None:
        super().__init__(words or f"dibs ended with exit code {code}")
        self.code = code
        self.words = words
        self.command = list(command)


class UsageError(DibsError):
    """Arguments that make no sense (exit code 2)."""


class InvalidInput(DibsError):
    """A scenario, a file or a directory that cannot be used (exit code 3)."""


class PromiseBroken(DibsError):
    """A promise of the protocol was broken in some run (exit code 4)."""


class Inconclusive(DibsError):
    """There is no sure answer, or some run got nowhere (exit code 7)."""


class ThresholdMissed(DibsError):
    """A threshold or an expectation of the scenario was missed (exit code 99)."""


_ERRORS: dict[int, type[DibsError]] = {2: UsageError, 3: InvalidInput, PROMISE_BROKEN: PromiseBroken,
                                       INCONCLUSIVE: Inconclusive, THRESHOLD_MISSED: ThresholdMissed}


def error_of(code: int, words: str, command: Sequence[str]) -> DibsError:
    return _ERRORS.get(code, DibsError)(code, words, command)


def program_path() -> str:
    """The program that is run: `$DIBS`, else that of this checkout, else `dibs` of the path."""
    if named := os.environ.get("DIBS"):
        return named
    beside = pathlib.Path(__file__).resolve().parents[2] / "dibs"
    if beside.is_file() and os.access(beside, os.X_OK):
        return str(beside)
    if found := shutil.which("dibs"):
        return found
    raise FileNotFoundError("there is no dibs: neither $DIBS, nor tools/dibs of a checkout, nor one in $PATH")


class Ended:
    """How a command ended: its output, its words and its exit code."""

    def __init__(self, output: str, words: str, code: int, command: Sequence[str]) -> None:
        self.output = output
        self.words = words
        self.code = code
        self.command = list(command)


def call(words: Sequence[Any], *, may_end_with: Sequence[int] = (), progress: Progress = None) -> Ended:
    """Runs the program. Raises DibsError unless it ends with 0 or one of `may_end_with`.

    `progress`: True shows how far it is on standard error, a function is called with each such line;
    None shows it where standard error is a terminal.
    """
    if progress is None:
        progress = sys.stderr is not None and sys.stderr.isatty()
    command = [program_path(), *map(str, words)]
    ended = _watched(command, progress) if progress else _silent(command)
    if ended.code != 0 and ended.code not in may_end_with:
        raise error_of(ended.code, ended.words, command)
    return ended


def _silent(command: list[str]) -> Ended:
    output, words, code = _communicated(command, subprocess.PIPE)
    told = [line for line in words.decode(errors="replace").split("\n") if not _HOW_FAR.match(line)]
    return Ended(output.decode(), "\n".join(told).strip("\n"), code, command)


def _watched(command: list[str], progress: bool | Callable[[str], None]) -> Ended:
    """The program draws its line on a terminal only, so it gets one of its own."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 100))
    told = bytearray()
    failed: list[BaseException] = []

    def show(some: bytes) -> None:
        text = some.decode(errors="replace")
        if callable(progress):
            for line in _lines_of(text):
                progress(line)
        else:
            sys.stderr.write(text)
            sys.stderr.flush()

    def read_on() -> None:
        # To the end whatever happens: a terminal that nobody reads holds the program up.
        while some := _read(ours):
            told.extend(some)
            try:
                if not failed:
                    show(some)
            except BaseException as error:
                failed.append(error)

    def begin() -> None:
        os.close(theirs)
        reader.start()

    reader = threading.Thread(target=read_on, daemon=True)
    try:
        output, _, code = _communicated(command, theirs, begin)
        reader.join()
    finally:
        os.close(ours)
    if failed:
        raise failed[0]
    # What is drawn over again is progress; the last of a line is what was left to read.
    last = [_lines_of(line)[-1:] for line in told.decode(errors="replace").split("\n")]
    words = "\n".join(line for some in last for line in some if not _HOW_FAR.match(line))
    return Ended(output.decode(), words, code, command)


def _read(terminal: int) -> bytes:
    """What was written to its other end; empty once that is closed."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


def _lines_of(text: str) -> list[str]:
    """Without what moves the cursor."""
    plain = re.sub(r"\x1b\[[\d;]*[A-Za-z]", "", text)
    return [line.rstrip() for line in re.split(r"[\r\n]", plain) if line.strip()]


class _Interrupts:
    """Holds Ctrl-C back while the program is started, or it could be left alone, at work."""

    def __init__(self) -> None:
        self._came = False
        self._is_held = threading.current_thread() is threading.main_thread()
        if self._is_held:
            self._before = signal.signal(signal.SIGINT, self._note) or signal.default_int_handler

    def _note(self, *_: Any) -> None:
        self._came = True

    def allow(self) -> None:
        if self._is_held:
            self._is_held = False
            signal.signal(signal.SIGINT, self._before)
        if self._came:
            self._came = False
            raise KeyboardInterrupt


def _communicated(command: list[str], stderr: int, begin: Callable[[], None] | None = None) -> tuple[bytes, bytes, int]:
    """What the program wrote to both outputs, and its exit code. Whatever is raised here ends it first."""
    interrupts = _Interrupts()
    try:
        # In a session of its own, so that Ctrl-C reaches it once, from here.
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr,
                                 start_new_session=True)
        try:
            if begin is not None:
                begin()
            interrupts.allow()
            output, words = child.communicate()
        except BaseException:
            _end(child)
            raise
    finally:
        interrupts.allow()
    return output, words or b"", child.returncode


def _end(child: subprocess.Popen[bytes]) -> None:
    """As Ctrl-C ends it, so that it keeps what is done; by force if it takes too long over that."""
    child.send_signal(signal.SIGINT)
    try:
        child.communicate(timeout=_PATIENCE_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()


# The units that names of columns end with, and how a scenario writes them.
_SUFFIXES = {"_m_per_s": "m/s", "_per_h": "/h", "_ppm": "ppm", "_s": "s", "_m": "m"}


def setting(path: str, value: Any) -> tuple[str, str]:
    """A field and its value as `--set` takes them.

    A column's name will do as well: `lease.ttl_s` and 15 are `lease.ttl` and `15s`.
    """
    if isinstance(value, bool):
        return path, "true" if value else "false"
    if isinstance(value, str):
        return path, value
    number = f"{float(value):.15g}" if not isinstance(value, int) else str(value)
    for suffix, unit in _SUFFIXES.items():
        if path.endswith(suffix):
            return path.removesuffix(suffix), number + unit
    return path, number


def settings(option: str, values: Mapping[str, Any] | None) -> list[str]:
    """`--set PATH=VALUE` for each."""
    words: list[str] = []
    for path, value in (values or {}).items():
        words += [option, "=".join(setting(path, value))]
    return words


def axis(path: str, values: Any) -> str:
    """`lease.ttl=5s,15s`, of a list, or of a text as `--grid` takes it, such as a range."""
    if isinstance(values, str):
        return f"{path}={values}"
    taken = [setting(path, value) for value in values]
    if not taken:
        raise ValueError(f"{path}: there are no values")
    return f"{taken[0][0]}={','.join(value for _, value in taken)}"
