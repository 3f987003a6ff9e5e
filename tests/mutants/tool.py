"""The commands of mutmut, but wording is left alone; `names` lists all mutants there are.

Run as a file, with the folder to mutate in as the working directory.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

import libcst
from mutmut.__main__ import cli
from mutmut.mutation import mutators
from mutmut.mutation.file_mutation import mutate_file_contents
from mutmut.utils.file_utils import walk_mutatable_files
from mutmut.utils.format_utils import get_mutant_name


def keys_only(node: libcst.BaseString) -> Iterable[libcst.BaseString]:
    """Mutate rule numbers, faults and names, but no sentence: a text with a space is wording."""
    if isinstance(node, libcst.SimpleString) and " " not in node.value:
        yield from mutators.operator_string(node)


def names() -> Iterable[str]:
    """The name of every mutant, file by file."""
    for path in sorted(walk_mutatable_files()):
        for name in mutate_file_contents(str(path), path.read_text()).mutant_names:
            yield get_mutant_name(path, name)


mutators.mutation_operators[:] = [
    (node, keys_only if operator is mutators.operator_string else operator)
    for node, operator in mutators.mutation_operators
]

if __name__ == "__main__":
    if sys.argv[1:] == ["names"]:
        sys.stdout.writelines(f"{name}\n" for name in names())
    else:
        cli()
