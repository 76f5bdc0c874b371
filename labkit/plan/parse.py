"""From the text of a plan file to plain data and the line of every place in it, and back to YAML."""

from __future__ import annotations

import datetime
import json
import re
from typing import Any

import yaml

from labkit.plan.notes import PlanError, Problem, show

_DEEPEST = 20
_MOST_VALUES = 100_000  # aliases counted as often as they are used
# What JSON and people call a number. YAML 1.1 differs, surprisingly: 010 is 8, 1:30 is 90, 1e3 is text.
_NUMBER = re.compile(r"[-+]?(0|[1-9][0-9]*)(\.[0-9]*)?([eE][-+]?[0-9]+)?|[-+]?\.[0-9]+([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|nan)", re.IGNORECASE)
_TAG = "tag:yaml.org,2002:"


def parse_yaml(words: str, name: str) -> tuple[Any, dict[str, int]]:
    """Return the plain data of a YAML text and the line of every place.

    Nothing is executed: tags are refused, and aliases cannot make a small file large.

    Raises
    ------
    PlanError
        For text that is not YAML, and for every construct a plan file cannot have.
    """
    try:
        _refuse_events(words, name)
        tree = yaml.compose(words, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        raise _yaml_fault(error, name) from None
    except yaml.reader.ReaderError as error:
        line = words.count("\n", 0, error.position) + 1
        raise _fault("file_character", name, line, given=show(chr(error.character))) from None
    if tree is None:
        raise _fault("file_empty", name, None)
    builder = _Builder(name)
    data = builder.build(tree)
    if builder.problems:
        raise PlanError(builder.problems)
    return data, builder.lines


def parse_json(words: str, name: str) -> tuple[Any, dict[str, int]]:
    """Return the plain data of a JSON text and the line of every place.

    Raises
    ------
    PlanError
        For text that is not JSON, and for keys given twice.
    """
    try:
        data = json.loads(words, parse_int=_number)
    except json.JSONDecodeError as error:
        near = show(words[error.pos : error.pos + 20])
        raise _fault("file_json", name, error.lineno, column=error.colno, near=near) from None
    except RecursionError:
        raise _fault("file_too_deep", name, None, limit=_DEEPEST) from None
    try:
        # JSON is YAML as soon as no tab stands between its parts (inside its texts there can be none).
        _, lines = parse_yaml(words.replace("\t", " "), name)
    except PlanError as error:
        if any(problem.id in _JSON_FAULTS for problem in error.problems):
            raise
        lines = {}
    return data, lines


def to_yaml(data: dict[str, Any]) -> str:
    """Return plain data as YAML that `parse_yaml` reads back unchanged."""
    return yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=100)


# The parser's words: which fault they stand for, and whether it is to be mended where it starts.
_YAML_FAULTS = {
    r"character '\t'": ("file_yaml_tab", False),
    "escape": ("file_yaml_escape", False),
    "character '": ("file_yaml_character", False),
    "mapping values are not allowed": ("file_yaml_colon", False),
    "unexpected end of stream": ("file_yaml_quote", True),
    "expected ',' or": ("file_yaml_bracket", True),
    "undefined alias": ("file_alias_unknown", False),
    "another document": ("file_yaml_documents", False),
}
_JSON_FAULTS = ("plan.file_duplicate_key", "plan.file_too_deep")


def _number(words: str) -> int | float:
    """Return the number, infinity for one with too many digits."""
    try:
        return int(words) if words.lstrip("+-").isdigit() else float(words)
    except ValueError:
        return float(words)


def _date(words: str) -> datetime.date | str:
    """Return what YAML takes for a date as one, so that the fault can be named."""
    try:
        return datetime.date.fromisoformat(words[:10])
    except ValueError:
        return words


def _refuse_events(words: str, name: str) -> None:
    """Raise PlanError at the first tag or too deep nesting, before anything is built."""
    depth = 0
    for event in yaml.parse(words, Loader=yaml.SafeLoader):
        line = None if event.start_mark is None else event.start_mark.line + 1
        tag = getattr(event, "tag", None)
        if tag is not None:
            raise _fault("file_tag", name, line, tag=show(tag))
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > _DEEPEST:
            raise _fault("file_too_deep", name, line, limit=_DEEPEST)


def _yaml_fault(error: yaml.MarkedYAMLError, name: str) -> PlanError:
    """Say in our own words what the parser found; for what is never closed, at the line of its start."""
    said = error.problem or ""
    fault, from_start = next(
        (value for part, value in _YAML_FAULTS.items() if part in said), ("file_yaml", False)
    )
    mark = (error.context_mark if from_start else None) or error.problem_mark or error.context_mark
    quoted = re.search(r"'(.*)'", said)
    given = show(quoted.group(1)) if quoted else ""
    return _fault(fault, name, None if mark is None else mark.line + 1, given=given)


def _fault(problem_id: str, name: str, line: int | None, **values: Any) -> PlanError:
    return PlanError([Problem(f"plan.{problem_id}", name, values, fatal=True, line=line)])


class _Dumper(yaml.SafeDumper):
    """Puts quotation marks around text that reads as a number."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _represent_text(dumper: yaml.SafeDumper, words: str) -> yaml.ScalarNode:
    style = '"' if _NUMBER.fullmatch(words) or not words.isprintable() else None
    return dumper.represent_scalar(_TAG + "str", words, style=style)


_Dumper.add_representer(str, _represent_text)


class _Builder:
    """Turns a YAML node tree into plain data, noting the line of every place."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines: dict[str, int] = {}
        self.problems: list[Problem] = []
        self._values = 0
        self._depth = 0

    def build(self, node: yaml.Node, where: str = "") -> Any:
        """Return the plain data of `node`, which stands at `where`."""
        self.lines.setdefault(where, node.start_mark.line + 1)
        self._values += 1
        self._depth += 1
        if self._values > _MOST_VALUES or self._depth > _DEEPEST:
            raise _fault("file_alias", self.name, node.start_mark.line + 1)
        data: Any
        if isinstance(node, yaml.SequenceNode):
            data = [self.build(entry, f"{where}[{index}]") for index, entry in enumerate(node.value)]
        elif isinstance(node, yaml.MappingNode):
            data = self._mapping(node, where)
        else:
            data = self._scalar(node)
        self._depth -= 1
        return data

    def _mapping(self, node: yaml.MappingNode, where: str) -> dict[Any, Any]:
        data: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                self._fault("file_key", line)
                continue
            key = key_node.value
            place = f"{where}.{key}" if where else key
            if key in data:
                self._fault("file_duplicate_key", line, key=show(key), first=self.lines[place])
            self.lines[place] = line
            data[key] = self.build(value_node, place)
        return data

    def _scalar(self, node: yaml.Node) -> Any:
        kind, words = node.tag.removeprefix(_TAG), node.value
        if getattr(node, "style", None) is not None:
            return words
        if _NUMBER.fullmatch(words) or _NOT_FINITE.fullmatch(words):
            return _number(words.lower().replace(".n", "n").replace(".i", "i"))
        if kind in ("int", "float"):
            self._fault("file_odd_number", node.start_mark.line + 1, given=show(words))
            return None
        plain = {"null": None, "bool": words.lower() in ("yes", "true", "on")}
        return _date(words) if kind == "timestamp" else plain.get(kind, words)

    def _fault(self, problem_id: str, line: int, **values: Any) -> None:
        self.problems.append(Problem(f"plan.{problem_id}", self.name, values, fatal=True, line=line))
