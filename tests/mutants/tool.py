"""The commands of mutmut, without mutants of wording; `names` lists all mutants.

Run it as a file, with the folder to mutate as the working directory.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable

import libcst
from mutmut.__main__ import cli
from mutmut.mutation import mutators
from mutmut.mutation.file_mutation import mutate_file_contents
from mutmut.utils.file_utils import walk_mutatable_files
from mutmut.utils.format_utils import get_mutant_name, orig_function_and_class_names_from_key


def keys_only(node: libcst.BaseString) -> Iterable[libcst.BaseString]:
    """Mutate rule numbers, faults and names, but no sentence: a text with a space is a sentence."""
    if isinstance(node, libcst.SimpleString) and " " not in node.value:
        yield from mutators.operator_string(node)


def names() -> Iterable[str]:
    """The names of all mutants, file by file, except those that cannot be tried."""
    sources = {path: path.read_text() for path in sorted(walk_mutatable_files())}
    left_out = {name for source in sources.values() for name in find_called_on_import(source)}
    for path, source in sources.items():
        for name in mutate_file_contents(str(path), source).mutant_names:
            if orig_function_and_class_names_from_key(name)[0] not in left_out:
                yield get_mutant_name(path, name)


def find_called_on_import(source: str) -> Iterable[str]:
    """Functions that run on import: rows of the table of answers, decorated deeds.

    They have run before mutmut chooses a mutant.
    """
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            yield from map(ast.unparse, node.decorator_list)
        elif not isinstance(node, ast.ClassDef):
            calls = (part.func for part in ast.walk(node) if isinstance(part, ast.Call))
            yield from (f.attr if isinstance(f, ast.Attribute) else ast.unparse(f) for f in calls)


mutators.mutation_operators[:] = [
    (node, keys_only if operator is mutators.operator_string else operator)
    for node, operator in mutators.mutation_operators
]

if __name__ == "__main__":
    if sys.argv[1:] == ["names"]:
        sys.stdout.writelines(f"{name}\n" for name in names())
    else:
        cli()
