#!/usr/bin/env python3
"""Checks the rules of rules.py on a source tree: who includes whom, sizes, names, words, READMEs.

usage: check_includes.py [ROOT]
Prints one line for each breach and ends with 1 when there is one.
"""

import fnmatch
import re
import sys
from pathlib import Path

import rules

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
TEXT = {".cpp", ".hpp", ".c", ".h", ".ts", ".tsx", ".mjs", ".js", ".py", ".sh", ".css", ".html", ".json", ".sql",
        ".md", ".txt", ".cmake", ".yaml", ".yml", ".toml", ""}


def matches(path, patterns):
    return any(fnmatch.fnmatch(path, pattern) for pattern in patterns)


def files_below(root):
    """Paths relative to root with '/', sorted, without those in ignored folders."""
    found = []
    pending = [root]
    while pending:
        for entry in pending.pop().iterdir():
            if entry.is_symlink():
                continue
            if entry.is_dir():
                if entry.name not in rules.IGNORED_FOLDERS:
                    pending.append(entry)
            elif entry.name not in rules.IGNORED_FOLDERS:
                found.append(entry.relative_to(root).as_posix())
    return sorted(found)


def room_of(path):
    """The longest room that holds the path, or None."""
    holding = [room for room in rules.ROOMS if path.startswith(room + "/")]
    return max(holding, key=len, default=None)


def read_lines(root, path):
    return (root / path).read_text(encoding="utf-8", errors="replace").splitlines()


def check_include(root, path, line_number, quote, target):
    where = f"{path}:{line_number}"
    room = room_of(path)
    if target.endswith((".cpp", ".c")):
        yield f"{where}: includes the source file {target}"
    if quote == '"' and not target.startswith("embedded/"):
        if not (root / target).is_file():
            yield f"{where}: \"{target}\" is not a path from the repository's root"
    if room is None:
        return
    target_room = room_of(target)
    if target_room and target_room != room:
        allowed = rules.ROOMS[room]
        if not any(target_room == each or target_room.startswith(each + "/") for each in allowed):
            yield f"{where}: {room} may not include {target_room} ({target})"
    if target.startswith("tests/"):
        yield f"{where}: {room} includes a test's file ({target})"
    for rule in rules.RESTRICTED:
        if re.fullmatch(rule["headers"], target) and not matches(path, rule["allowed"]):
            yield f"{where}: <{target}> is only for {', '.join(rule['allowed'])}"


def check_source(root, path, lines, users):
    """Rules for C++ files. `users` collects which product files include which restricted header."""
    for number, line in enumerate(lines, 1):
        include = INCLUDE.match(line)
        if include:
            yield from check_include(root, path, number, *include.groups())
            if room_of(path):
                users.setdefault(include.group(2), []).append(path)
        elif (room_of(path) and line.lstrip().startswith("#") and re.search(rules.PLATFORM_MACROS, line)
              and not matches(path, rules.PLATFORM_MACROS_ALLOWED)):
            yield f"{path}:{number}: tests for an operating system; CMake picks *_linux.cpp or *_windows.cpp"
    if path.endswith(".hpp") and not any(line.strip() == "#pragma once" for line in lines):
        yield f"{path}: has no #pragma once"


def check_counts(users):
    for rule in rules.RESTRICTED:
        if "max_files" not in rule:
            continue
        for header, paths in sorted(users.items()):
            if re.fullmatch(rule["headers"], header) and len(paths) > rule["max_files"]:
                yield f"{paths[-1]}: <{header}> has {len(paths)} includers, at most {rule['max_files']} may be"


def check_size(path, lines):
    if not path.endswith(rules.SIZED):
        return
    limit = rules.DEBTS.get(path, (rules.MAX_LINES, ""))[0]
    if len(lines) > limit:
        yield f"{path}: has {len(lines)} lines, at most {limit} may be"
    elif path in rules.DEBTS and len(lines) <= rules.MAX_LINES:
        yield f"{path}: is no debt any more; take it out of rules.DEBTS"


def check_words(path, lines):
    for number, line in enumerate(lines, 1):
        for pattern, why in rules.FORBIDDEN:
            found = re.search(pattern, line)
            if found:
                yield f"{path}:{number}: '{found.group(0)}' is {why}"


def check_tree(root, paths):
    for name in sorted({path.split("/")[0] for path in paths}):
        if name not in rules.TOP_LEVEL and not name.startswith("."):
            yield f"{name}: does not belong at the top of the tree"
    rooms = [room for room in rules.ROOMS if room != "server"] + rules.README_FOLDERS
    for room in rooms:
        if any(path.startswith(room + "/") for path in paths) and f"{room}/README.md" not in paths:
            yield f"{room}: has no README.md"
    for debt in rules.DEBTS:
        if debt not in paths:
            yield f"{debt}: is a debt of rules.DEBTS but does not exist"
    for path in paths:
        if path.endswith((".cpp", ".hpp")) and not re.fullmatch(r"[a-z0-9_/]+\.(cpp|hpp)", path):
            yield f"{path}: is not snake_case"


def check(root):
    """Every breach of the rules below root, as lines of text."""
    paths = files_below(root)
    users = {}
    breaches = list(check_tree(root, paths))
    for path in paths:
        if Path(path).suffix not in TEXT:
            continue
        lines = read_lines(root, path)
        breaches += check_words(path, lines)
        breaches += check_size(path, lines)
        if path.endswith((".cpp", ".hpp")):
            breaches += check_source(root, path, lines, users)
    return breaches + list(check_counts(users))


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]).resolve()
    breaches = check(root)
    for breach in breaches:
        print(breach)
    print(f"{len(breaches)} breaches of the rules in tests/arch/rules.py" if breaches else "All rules hold.")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
