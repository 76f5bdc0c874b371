"""A small release, and submissions that are made from it by doing one thing wrong."""

import copy
import json

GAPS = {"answer-1-1": "guess = ...  # in ms", "answer-1-2": "runs = ...\nhours = ..."}
ANSWERS = {"answer-1-1": "guess = 3", "answer-1-2": "runs = 12\nhours = runs * 40 / 60"}
TEXTS = {
    "en": ["# A tiny notebook", "Guess first.", "Now multiply."],
    "hi": ["# छोटा-सा notebook", "पहले अंदाज़ा लगाइए।", "अब गुणा कीजिए।"],
}


def code(grade_id, source, *, solution=False, grade=False, tags=()):
    marks = {
        "grade": grade,
        "grade_id": grade_id,
        "locked": not solution,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    if grade:
        marks["points"] = 1
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": grade_id,
        "metadata": {"nbgrader": marks} | ({"tags": list(tags)} if tags else {}),
        "outputs": [],
        "source": source.splitlines(keepends=True),
    }


def markdown(number, source):
    return {"cell_type": "markdown", "id": f"text-{number}", "metadata": {}, "source": [source]}


def released(lang="en"):
    first, second, third = (markdown(n, words) for n, words in enumerate(TEXTS[lang]))
    parameters = f'lang = "{lang}"  # @param ["en", "hi"]\nmargin = 0.5  # @param {{type:"number"}}\n'
    parameters += "fast = False\nshift = 0"
    return {
        "cells": [
            first,
            code("setup", "import labkit as lk"),
            code("settings", parameters, tags=["parameters"]),
            second,
            code("answer-1-1", GAPS["answer-1-1"], solution=True),
            code("check-1-1", 'lk.check("1.1", guess)', grade=True),
            third,
            code("answer-1-2", GAPS["answer-1-2"], solution=True),
            code("check-1-2", 'lk.check("1.2", {"runs": runs, "hours": hours})', grade=True),
        ],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "labkit": {"lang": lang},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


RELEASES = {"en": released("en"), "hi": released("hi")}


def answered(lang="en"):
    """Return an honest submission with both answers."""
    notebook = copy.deepcopy(RELEASES[lang])
    for cell in notebook["cells"]:
        if cell["id"] in ANSWERS:
            cell["source"] = ANSWERS[cell["id"]].splitlines(keepends=True)
    return notebook


def cell(notebook, grade_id):
    return next(one for one in notebook["cells"] if one["id"] == grade_id)


def place(notebook, grade_id):
    return notebook["cells"].index(cell(notebook, grade_id))


def added(source, kind="code", **rest):
    return {
        "cell_type": kind,
        "metadata": {},
        "source": source,
        "outputs": [],
        "execution_count": None,
    } | rest


def raw(notebook, **options):
    return json.dumps(notebook, indent=1, **options).encode("utf-8")


def sources(notebook):
    return {one["id"]: "".join(one["source"]) for one in notebook["cells"]}
