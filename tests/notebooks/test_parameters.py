"""A notebook's parameters: what is wrong with them is said in the first cell, before any training."""

import copy
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

import labkit as lk
from labkit.build.source import read_source
from labkit.grading.parameters import values_in
from labkit.parameters import RULES, ParameterError, usable

SOURCES = sorted((Path(__file__).resolve().parents[2] / "notebooks" / "source").glob("[0-9]*.py"))
UNUSABLE = {
    "lang": ["fr", "", None, ["en"]],
    "fast": ["yes", "no", "False", 1, 0, None],
    "live_method": ["no"],
    "train_the_large_one": ["no"],
    "seed": [-1, 2**32, 0.5, "0", True, None],
    "seeds": [
        "",
        "[]",
        [],
        "zero, 1",
        "0",
        [0],
        0,
        "0, 0",
        "-1, 0",
        "0; 1",
        "0, 1.5",
        [0, True],
        [0, 1.5],
        None,
    ],
    "sizes": ["sixteen, 32", "15, 32", [16, 33], "0, 32", "16", [16], [16, 16], {16, 32}, {"a": 16}],
    "width": [0, -8, "128", 12.5, float("nan"), 10**400],
    "small_width": [0, "32"],
    "growth": [0, 1, 2.5, "4"],
    "steps": ["500", 0, -5, 2.5],
    "fit_steps": [0, -5, 39, "2000"],
    "long_steps": [0, "12000"],
    "margin": [-0.5, "0.5", float("nan"), True],
}


def cells(path):
    """Return the parameters of a notebook's source, and the code of that cell and of the one after it."""
    code = [cell for cell in read_source(path)[0] if cell.kind == "code"]
    place = next(n for n, cell in enumerate(code) if "parameters" in cell.tags)
    first, begin = code[place].text, code[place + 1].text
    return values_in(first), first, begin


def begun(path, changes):
    """Run the first cell after the parameters with some of them changed; return what it defines."""
    values, _, begin = cells(path)
    names = {"lk": lk, **values, **changes}
    exec(compile(begin, path.name, "exec"), names)
    return names


@pytest.fixture(autouse=True)
def as_before(tmp_path, monkeypatch):
    """Run in a folder of its own; set the language back."""
    lang = lk.messages.language()
    monkeypatch.chdir(tmp_path)
    yield
    lk.set_language(lang)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_every_parameter_of_a_notebook_is_checked_in_its_first_cell(path):
    values, _, _ = cells(path)
    for name in values:
        for value in UNUSABLE[name]:
            with pytest.raises(ParameterError) as refused:
                begun(path, {name: value})
            assert refused.value.wrong == {name: value} or value != value  # NaN is not itself


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
@pytest.mark.parametrize("lang", lk.messages.LANGUAGES)
def test_everything_wrong_is_said_at_once_in_the_notebooks_language(path, lang):
    values, _, _ = cells(path)
    changes = {name: UNUSABLE[name][0] for name in values if name != "lang"}
    with pytest.raises(ParameterError) as refused:
        begun(path, changes | {"lang": lang})
    said = str(refused.value).splitlines()
    assert len(said) == len(changes) + 2
    for line, name in zip(said[1:-1], refused.value.wrong, strict=True):
        assert repr(changes[name]) in line
        example = RULES[name].example
        assert line.endswith(f'{name} = "{example}"' if isinstance(example, str) else f"{name} = {example}")
    assert ("Example" in said[1]) == (lang == "en")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_the_notebooks_own_parameters_can_be_used(path):
    values = cells(path)[0]
    for fast in (True, False):
        assert begun(path, {"fast": fast})["fast"] is fast
    assert all(usable(name, value) for name, value in values.items())


def test_every_rule_takes_its_own_example_and_belongs_to_a_notebook():
    named = {name for path in SOURCES for name in cells(path)[0]}
    assert named == set(RULES) == set(UNUSABLE)
    assert all(rule.read(rule.example) is not None for rule in RULES.values())


@pytest.mark.parametrize(
    "given", ["0, 1, 2", "0,1,2", " 0 , 1,2, ", "[0, 1, 2]", [0, 1, 2], (0, 1, 2), ["0", "1", 2], "०, १, २"]
)
def test_lists_may_come_as_text_or_as_lists(given):
    assert lk.check_parameters(seeds=given) == {"seeds": [0, 1, 2]}


def test_sizes_are_widths_that_the_heads_can_share():
    assert lk.KahaniConfig().heads == 2
    assert lk.check_parameters(sizes="16, 34")["sizes"] == [16, 34]
    with pytest.raises(ParameterError, match="even numbers"):
        lk.check_parameters(sizes="16, 33")


def test_an_unknown_language_is_told_in_both():
    with pytest.raises(ParameterError, match="lang is 'fr'") as refused:
        lk.check_parameters(lang="fr", steps=0)
    assert "lang में 'fr'" in str(refused.value)
    assert str(copy.copy(refused.value)) == str(refused.value)


def test_a_notebook_shows_the_message_without_a_traceback():
    _, first, begin = cells(next(path for path in SOURCES if path.stem.startswith("03")))
    injected = 'lang = "hi"\nseeds = ""\nsizes = [15, 32]\nsteps = "500"'
    code = ["import labkit as lk", first, injected, begin]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in code])
    with pytest.raises(CellExecutionError):
        NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    (error,) = notebook.cells[-1].outputs
    shown = "\n".join(error.traceback).splitlines()
    assert len(shown) == 5
    assert [line.split()[1] for line in shown[1:-1]] == ["sizes", "seeds", "steps"]
