#!/usr/bin/env python3
"""The house rules as a test: who may include whom, how long things may get, and what must not be there.

Prints a line `file:line: rule: what to do` for each violation and exits with 1 if there is any. The rules are the
functions named rule_*; each looks at one source file, or at the whole tree. Sources are all C, C++ and Python files
below src, bench, test, python and tools; generated ones are left alone except for being up to date.

C++ is read by a light parser (`Outline`): comments, literals and preprocessor lines are blanked, then every opening
brace at namespace or class level that follows a parameter list opens a function. Python is read by its own parser.
"""

from __future__ import annotations

import argparse
import ast
import dataclasses
import pathlib
import re
import subprocess
import sys

FOLDERS = ("src", "bench", "test", "python", "tools")
CPP, PYTHON = (".cpp", ".hpp", ".c", ".h"), (".py",)
SKIPPED = {"__pycache__", "generated", "node_modules"}
LONGEST_FUNCTION, LONGEST_FILE, MOST_PARAMETERS = 70, 500, 6

# The rooms that each room may include; `driver` is refined in rule_rooms.
ROOMS = {
    "base": {"base"},
    "layout": {"base", "layout"},
    "view": {"base", "layout", "view"},
    "hints": {"base", "hints"},
    "port": {"base", "port"},
    "plan": {"base", "layout", "view", "hints", "plan"},
    "execute": {"base", "layout", "view", "plan", "port", "execute"},
    "trace": {"base", "port", "trace"},
    "driver": {"base", "port", "driver"},
    "file": {"base", "layout", "view", "hints", "port", "plan", "execute", "trace", "driver", "file"},
    "door": {"base", "layout", "port", "file", "door"},
    "launch": {"base", "launch"},
}
EXTRA_HEADERS = {"plan": {"port/driver_traits.hpp"}}
PURE_ROOMS = ("layout", "view", "hints", "plan")
IMPURE = re.compile(r"chrono|ctime|time\.h|fstream|filesystem|iostream|cstdio|stdio\.h|thread|mutex|unistd\.h|fcntl\.h|sys/.*")
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
CONDITION = re.compile(r"\s*#\s*(if|ifdef|ifndef|elif)\b")
MACRO = re.compile(r"\s*#\s*define\s+\w+\(")


@dataclasses.dataclass
class Source:
    root: pathlib.Path
    path: pathlib.Path
    text: str

    @property
    def name(self) -> str:
        return self.path.relative_to(self.root).as_posix()

    @property
    def parts(self) -> tuple[str, ...]:
        return self.path.relative_to(self.root).parts

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @property
    def is_test(self) -> bool:
        return self.parts[0] == "test" or bool(re.search(r"_test\.[ch]pp$", self.path.name))

    @property
    def room(self) -> str:
        return self.parts[1] if self.parts[0] == "src" and len(self.parts) > 2 else ""

    def says(self, line: int, rule: str, remedy: str) -> str:
        return f"{self.name}:{line}: {rule}: {remedy}"


# --- reading C++ ---------------------------------------------------------------------------------------------

LITERALS = re.compile(
    r'//(?:\\\n|[^\n])*|/\*.*?\*/'                        # comments
    r'|(?:u8|[uUL])?R"([^()\\\s]{0,16})\(.*?\)\1"'        # raw strings
    r'|"(?:\\.|[^"\\\n])*"'                               # strings
    r"|(?<![0-9A-Za-z_])(?:u8|[uUL])?'(?:\\.|[^'\\\n])+'"  # characters, but not digit separators
    r"|^[ \t]*#(?:\\\n|[^\n])*",                          # preprocessor lines
    re.DOTALL | re.MULTILINE)


def blanked(text: str) -> str:
    """The text without comments, literals and preprocessor lines; every line keeps its number."""
    return LITERALS.sub(lambda match: "0" + "\n" * match.group().count("\n") if match.group()[0] in "\"'" else
                        " " + "\n" * match.group().count("\n"), text)


@dataclasses.dataclass
class Function:
    name: str
    first: int
    last: int
    parameters: int


SCOPE = re.compile(r"\b(namespace|class|struct|union|enum)\b|\bextern\s+0\s*$")
NOT_NAMES = {"alignas", "decltype", "noexcept", "requires", "__attribute__", "explicit", "sizeof", "static_assert", "if", "while", "for"}


def opens_scope(before: str, declared: bool) -> bool:
    """Whether a header, up to its parameter list, is one of a namespace or class and not of a function returning one."""
    plain = re.sub(r"<[^<>]*>", "", before)
    if not SCOPE.search(plain):
        return False
    returned = re.sub(r"\b(class|struct|enum|union)\s+\w+", "T", plain)
    return not (declared and re.search(r"[\w>&*]\s+[*&]*[\w:~]+\s*$", returned))


def parameter_list(header: str) -> tuple[str, int, int] | None:
    """Name of the function that a header declares and where its parameter list opens and closes."""
    for match in re.finditer(r"(operator\s*\(\s*\)|operator\s*[^\s\w(]+|~?\w+)\s*\(", header):
        if match.group(1) in NOT_NAMES:
            continue
        depth = 0
        for i in range(match.end() - 1, len(header)):
            depth += {"(": 1, ")": -1}.get(header[i], 0)
            if depth == 0:
                return match.group(1), match.end() - 1, i
        return None
    return None


def count_parameters(inside: str) -> int:
    if inside.strip() in ("", "void"):
        return 0
    depth, count = 0, 1
    for i, letter in enumerate(inside):
        if letter in "([{<":
            depth += 1
        elif letter in ")]}" or (letter == ">" and inside[i - 1] != "-"):
            depth -= 1
        elif letter == "," and depth == 0:
            count += 1
    return count


class Outline:
    """The functions of a C or C++ text."""

    def __init__(self, text: str):
        self.functions: list[Function] = []
        self.text = blanked(text)
        self.start = 0                   # where the current declaration begins
        self.stack: list[str] = []       # kinds of the open braces
        self.current: Function | None = None
        for match in re.finditer(r"[{};]", self.text):
            {"{": self.open, "}": self.close, ";": self.end}[match.group()](match.start())

    def line(self, position: int) -> int:
        return self.text.count("\n", 0, position) + 1

    def kind_of(self, header: str) -> str:
        if any(kind != "scope" for kind in self.stack):
            return "block"
        if header.count("(") > header.count(")"):
            return "initialiser"  # a default argument
        declared = parameter_list(header)
        before = header[:declared[1]] if declared else header
        if opens_scope(before, declared is not None):
            return "scope"
        if declared is None or re.search(r"(?<![=!<>])=(?!=)", re.sub(r"operator\s*[^\w\s(]+", "", before)):
            return "block"
        after = header[declared[2] + 1:]
        if re.match(r"[^:]*(?<!:):(?!:)", after) and not after.rstrip().endswith((")", "}")):
            return "initialiser"  # a member in a constructor's list
        return "function"

    def open(self, position: int) -> None:
        header = self.text[self.start:position]
        kind = self.kind_of(header)
        self.stack.append(kind)
        if kind == "function":
            name, opening, closing = parameter_list(header)
            first = self.line(self.start + len(header) - len(header.lstrip()))
            self.current = Function(name, first, 0, count_parameters(header[opening + 1:closing]))
        if kind != "initialiser":
            self.start = position + 1

    def close(self, position: int) -> None:
        kind = self.stack.pop() if self.stack else "block"
        if kind == "function":
            self.current.last = self.line(position)
            self.functions.append(self.current)
        if kind != "initialiser":
            self.start = position + 1

    def end(self, position: int) -> None:
        header = self.text[self.start:position]
        if all(kind == "scope" for kind in self.stack):
            declared = parameter_list(header)
            if declared and "=" not in header[:declared[1]] and not re.match(r"\s*(using|static_assert|typedef|friend)\b", header):
                here = self.line(position)
                self.functions.append(Function(declared[0], here, here, count_parameters(header[declared[1] + 1:declared[2]])))
        self.start = position + 1


def python_functions(text: str) -> list[Function]:
    result = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            arguments = node.args
            names = [a.arg for a in arguments.posonlyargs + arguments.args + arguments.kwonlyargs if a.arg not in ("self", "cls")]
            result.append(Function(node.name, node.lineno, node.end_lineno, len(names)))
    return result


# --- rules for one file --------------------------------------------------------------------------------------

def rule_rooms(source: Source):
    """Who may include whom."""
    if source.path.suffix not in CPP or source.parts[0] != "src":
        return
    allowed = ROOMS.get(source.room)
    if source.room and allowed is None:
        yield source.says(1, "rooms", f"{source.room} is no room of tools/tidy.py; add it there with what it may include")
        return
    for number, line in enumerate(source.lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, header = match.groups()
        if re.fullmatch(r"p?mpio?(_abi)?\.h", header):
            if source.room != "door":
                yield source.says(number, "mpi.h", "only src/door may see it; pass what is needed through a port")
        elif quote == '"':
            yield from check_own_include(source, number, header)
        elif source.room in PURE_ROOMS and not source.is_test and IMPURE.fullmatch(header):
            yield source.says(number, "pure", f"{source.room} is pure; take what <{header}> gives as a value instead")


def check_own_include(source: Source, number: int, header: str):
    room = header.split("/")[0]
    if source.room == "door" and any((source.root / "src" / "door").glob(f"*/*/{header}")):
        return  # one per ABI, chosen by the include path of that ABI's library
    if "/" not in header or header.startswith(".") or not room.isidentifier():
        yield source.says(number, "rooms", f'include "{header}" by its path from src')
    elif room not in ROOMS[source.room] and header not in EXTRA_HEADERS.get(source.room, ()):
        yield source.says(number, "rooms", f"{source.room} must not include {header}; it may include {', '.join(sorted(ROOMS[source.room]))}")
    elif room == "driver" and source.room == "driver" and not source.is_test:
        parts = header.split("/")
        own = source.parts[2] if len(source.parts) > 3 else ""
        if own and len(parts) > 2 and parts[1] not in (own, "common"):  # src/driver itself wires them
            yield source.says(number, "rooms", f"a driver knows no other driver; move what is shared to src/driver, not {header}")


def rule_sizes(source: Source):
    """Nothing grows beyond a screen, or a file beyond an idea."""
    if len(source.lines) > LONGEST_FILE:
        yield source.says(LONGEST_FILE + 1, "file length", f"{len(source.lines)} lines, at most {LONGEST_FILE}; split it by idea")
    functions = python_functions(source.text) if source.path.suffix in PYTHON else Outline(source.text).functions
    for function in functions:
        lines = function.last - function.first + 1
        if lines > LONGEST_FUNCTION:
            yield source.says(function.first, "function length", f"{function.name} has {lines} lines, at most {LONGEST_FUNCTION}; give its parts names")
        prescribed = re.match(r"p?mpi_", function.name, re.IGNORECASE)  # the standard's own parameter lists
        if function.parameters > MOST_PARAMETERS and not prescribed:
            yield source.says(function.first, "parameters", f"{function.name} has {function.parameters}, at most {MOST_PARAMETERS}; group them in a struct")


def rule_preprocessor(source: Source):
    """Conditions stay in the door's ABI folders and in driver configuration; macros in tests."""
    if source.path.suffix not in CPP:
        return
    free = source.parts[:3] == ("src", "door", "abi") or (source.room == "driver" and source.path.name.startswith("config"))
    for number, line in enumerate(source.lines, 1):
        if CONDITION.match(line) and not free:
            yield source.says(number, "conditions", "#if and #ifdef stand in src/door/abi and driver configuration only; decide in code or in CMake")
        if MACRO.match(line) and not source.is_test:
            yield source.says(number, "macros", "write a function or a template instead of a function-like macro")


def rule_headers(source: Source):
    """Headers are guarded by #pragma once; those of src open with prose."""
    if source.path.suffix not in (".hpp", ".h"):
        return
    if not re.search(r"^#pragma once$", source.text, re.MULTILINE):
        yield source.says(1, "pragma once", "put `#pragma once` behind the opening comment, without an include guard")
    opening = re.match(r"(?://[^\n]*\n)+", source.text)
    words = len(re.findall(r"\w{2,}", opening.group())) if opening else 0
    if source.parts[0] == "src" and words < 8:
        yield source.says(1, "prose", "open with a comment that says what it is, what it guarantees, its cost and its thread rule")


FILE_RULES = (rule_rooms, rule_sizes, rule_preprocessor, rule_headers)


# --- rules for the tree --------------------------------------------------------------------------------------

def rule_twins(root: pathlib.Path, sources: list[Source]):
    """Direction is a value: no file for reading beside one for writing."""
    names = {source.name for source in sources}
    for source in sources:
        stem = source.path.name
        other = re.sub(r"(^|_)read(?=[_.])", r"\1write", stem)
        if other != stem and source.path.with_name(other).relative_to(root).as_posix() in names:
            yield source.says(1, "twins", f"and {other} do one thing in two directions; make the direction a parameter")


def rule_generated(root: pathlib.Path, _sources: list[Source]):
    """Generated files agree with their tables."""
    generator = root / "tools" / "generate.py"
    if not generator.exists():
        return
    result = subprocess.run([sys.executable, str(generator), "--check", "--root", str(root)], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        last = (result.stdout + result.stderr).strip().splitlines()[-1:] or ["failed"]
        yield f"tools/generate.py:1: generated: {last[0]}"


TREE_RULES = (rule_twins, rule_generated)


def collect(root: pathlib.Path) -> list[Source]:
    """The sources people write, in the order of their names."""
    result = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            inside = path.relative_to(root).parts[:-1]
            if path.suffix not in CPP + PYTHON or not path.is_file() or any(part in SKIPPED or part[0] == "." or part.endswith(".egg-info") for part in inside):
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
            if "Generated by tools/generate.py" not in text[:200]:
                result.append(Source(root, path, text))
    return result


def violations(root: pathlib.Path) -> list[str]:
    sources = collect(root)
    found = [line for source in sources for rule in FILE_RULES for line in rule(source)]
    return found + [line for rule in TREE_RULES for line in rule(root, sources)]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Check the house rules.")
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    root = parser.parse_args(arguments).root.resolve()
    found = violations(root)
    for line in found:
        print(line)
    print(f"tidy: {len(collect(root))} files, {len(found)} violation(s)")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
