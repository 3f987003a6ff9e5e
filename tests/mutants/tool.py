"""The commands of mutmut, but wording is left alone; `names` lists all mutants there are.

Run as a file, with the folder to mutate in as the working directory.
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
    """Mutate rule numbers, faults and names, but no sentence: a text with a space is wording."""
    if isinstance(node, libcst.SimpleString) and " " not in node.value:
        yield from mutators.operator_string(node)


def names() -> Iterable[str]:
    """The name of every mutant, file by file, but for those that could not be tried."""
    for path in sorted(walk_mutatable_files()):
        source = path.read_text()
        left_out = makers(source)
        for name in mutate_file_contents(str(path), source).mutant_names:
            if orig_function_and_class_names_from_key(name)[0] not in left_out:
                yield get_mutant_name(path, name)


def makers(source: str) -> set[str]:
    """Functions that make a row of the table of answers.

    They run while modules are imported, which is before mutmut chooses a mutant.
    """
    made = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    return {node.name for node in made if node.returns and "Answer[" in ast.unparse(node.returns)}


mutators.mutation_operators[:] = [
    (node, keys_only if operator is mutators.operator_string else operator)
    for node, operator in mutators.mutation_operators
]

if __name__ == "__main__":
    if sys.argv[1:] == ["names"]:
        sys.stdout.writelines(f"{name}\n" for name in names())
    else:
        cli()
