"""How the contract is written as YAML."""

from __future__ import annotations

import yaml  # type: ignore[import-untyped]  # it has no types

LINE_LETTERS = 100
MAX_FLOW_LETTERS = 88
"""A list or an object of at most so many letters stands on one line."""


class _Dumper(yaml.CSafeDumper):  # type: ignore[misc]  # it has no types
    """Writes short lists and objects on one line, and repeated ones in full."""

    def ignore_aliases(self, data: object) -> bool:
        return True

    def represent_sequence(self, tag: str, sequence: object, flow_style: None = None) -> yaml.Node:
        return _flow_if_short(super().represent_sequence(tag, sequence, flow_style))

    def represent_mapping(self, tag: str, mapping: object, flow_style: None = None) -> yaml.Node:
        return _flow_if_short(super().represent_mapping(tag, mapping, flow_style))

    def represent_text(self, text: str) -> yaml.Node:
        """Return a string: with several lines as a block."""
        return self.represent_scalar("tag:yaml.org,2002:str", text, "|" if "\n" in text else None)


_Dumper.add_representer(str, _Dumper.represent_text)


def to_yaml(document: object) -> str:
    """Return a document as YAML."""
    text: str = yaml.dump(
        document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=LINE_LETTERS
    )
    return text


def _flow_if_short(node: yaml.CollectionNode) -> yaml.CollectionNode:
    """Return the node, to be written on one line if it fits; a list of words never needs one line
    for each.
    """
    words = all(isinstance(one, yaml.ScalarNode) and "\n" not in one.value for one in node.value)
    node.flow_style = words or _letters_inside(node) <= MAX_FLOW_LETTERS
    return node


def _letters_inside(node: yaml.CollectionNode) -> int:
    """Return how many letters a list or an object has on one line."""
    is_list = isinstance(node, yaml.SequenceNode)
    inner = node.value if is_list else [one for pair in node.value for one in pair]
    return sum(map(_letters, inner))


def _letters(node: yaml.Node) -> int:
    """Return how many letters a node has on one line; more than fit if it needs several lines."""
    if isinstance(node, yaml.ScalarNode):
        return len(node.value) + 2 if "\n" not in node.value else MAX_FLOW_LETTERS + 1
    return _letters_inside(node) + 2 if node.flow_style else MAX_FLOW_LETTERS + 1
