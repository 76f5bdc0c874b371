"""Thirty made-up students of notebook 2: what each writes into the gaps. Whoever is not named is right."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

NAME = "02_the_compute_plan"
SHOWING = {"example-plan", "example-form", "plan-b", "hours-figure", "save-plan", "my-form"}
OPEN = "open"  # the gap is left as it is

MAIN = '("baseline", "baseline"), ("mine", "method")'
WORDS = {
    "en": {
        "QUESTION": '"Does my method beat the baseline?"',
        "SPREAD": '"Three seeds show the spread."',
        "FRIEND": '"a run of a friend took this long"',
        "RISK": '"A session may end without warning."',
        "KEPT": '"The main comparison stays; ablations only explain it."',
    },
    "hi": {
        "QUESTION": '"क्या मेरा method baseline से बेहतर है?"',
        "SPREAD": '"तीन seeds से spread दिखता है।"',
        "FRIEND": '"एक दोस्त के run में इतना समय लगा"',
        "RISK": '"Session बिना बताए बंद हो सकता है।"',
        "KEPT": '"मुख्य तुलना बनी रहती है; ablations बस समझाते हैं।"',
    },
}
SETTINGS = {
    "right": f'[{MAIN}, ("no A", "ablation"), ("no B", "ablation")]',
    "text": '"baseline"',
    "single": 'lk.Setting("mine", role="method")',
    "empty": "[]",
    "one is text": f'[{MAIN}, "no A"]',
    "no name, misspelt": f'[{MAIN}, (" ", "ablation"), ("no B", "ablations")]',
    "unknown role, swapped": f'[{MAIN}, ("no A", "control"), ("ablation", "no B")]',
    "only ablations": '[("no A", "ablation"), ("no B", "ablation")]',
    "no baseline": '[("mine", "method"), ("no A", "ablation"), ("no B", "ablation")]',
    "no method": '[("baseline", "baseline"), ("no A", "ablation"), ("no B", "ablation")]',
    "no ablation": f"[{MAIN}]",
    "same name": f'[{MAIN}, ("Mine", "method"), ("no A", "ablation")]',
    "number as name": f'[{MAIN}, ("3", "ablation")]',
    "no names": '[{"role": "method"}]',
}
SEEDS = {
    "right": "seeds = [0, 1, 2]\nseeds_why = SPREAD",
    "how many": "seeds = 3\nseeds_why = SPREAD",
    "for each": 'seeds = {"mine": [0, 1, 2], "baseline": [0]}\nseeds_why = SPREAD',
    "text": 'seeds = "0, 1, 2"\nseeds_why = SPREAD',
    "a fraction": "seeds = [0, 1.5, 2]\nseeds_why = SPREAD",
    "repeated": "seeds = [0, 1, 1]\nseeds_why = SPREAD",
    "one": "seeds = [7]\nseeds_why = SPREAD",
    "two": "seeds = [0, 1]\nseeds_why = SPREAD",
    "two words": 'seeds = range(5)\nseeds_why = "just because"',
    "no why": "seeds = [3, 1, 2]\nseeds_why = ...",
}
RUN_TIME = {
    "right": "lk.Measured(minutes=40)",
    "number": "40",
    "text": '"40 min"',
    "zero": '{"kind": "measured", "minutes": 0}',
    "refused by labkit": "lk.Measured(minutes=0)",
    "range": '{"kind": "measured", "minutes": 40, "low": 50, "high": 60}',
    "guess": "lk.Guess(minutes=40, why=FRIEND)",
    "guess without why": "lk.Guess(minutes=40)",
}
TOTAL = {
    "right": ("len(settings) * len(seeds)", "runs * 40 / 60", "base_hours * (1 + margin)"),
    "only settings": ("4", "8", "12"),
    "only seeds, then follows": ("3", "2", "3"),
    "added, minutes, no margin": ("7", "480", "8"),
    "off, one run, only margin": ("13", "0.667", "4"),
    "base off, then follows": ("12", "9", "13.5"),
    "margin as percent": ("12", "8", "408"),
    "total in minutes": ("12", "8", "720"),
    "total off": ("12", "8", "20"),
    "in quotes": ('"12"', "8", "12"),
    "no total": ("12", "8", "..."),
}
PLACE = {
    "right": 'venue = lk.Venue("laptop", session_hours=4)\nrisks = [RISK]',
    "text and number": 'venue = "laptop"\nrisks = 3',
    "no name, no risk": 'venue = {"session_hours": 4}\nrisks = []',
    "no limit, not in a list": 'venue = lk.Venue("laptop")\nrisks = RISK',
    "one word": 'venue = lk.Venue("laptop", hours_per_week=12)\nrisks = ["timeout"]',
    "no risks yet": 'venue = lk.Venue("laptop", days_available=3)\nrisks = ...',
}
PLAN_B = {
    "right": ('["baseline", "mine"]', "3", "KEPT"),
    "no baseline": ('["mine", "no A"]', "3", "KEPT"),
    "no method": ('["baseline"]', "3", "KEPT"),
    "one seed": ('["baseline", "mine"]', "1", "KEPT"),
    "too big": ('["baseline", "mine", "no A"]', "3", "KEPT"),
    "everything": ('["baseline", "mine", "no A", "no B"]', "3", "KEPT"),
    "important first": ('["baseline", "mine", "no B"]', "2", "KEPT"),
    "seeds first": ('["baseline", "mine", "no A"]', "2", "KEPT"),
    "no why": ('["baseline", "mine"]', "3", '"because"'),
    "main, two seeds": ('["baseline", "mine"]', "2", "KEPT"),
    "text": ('"mine"', "3", "KEPT"),
    "unknown": ('["baseline", "ours"]', "3", "KEPT"),
    "nothing": ("[]", "3", "KEPT"),
    "more seeds": ('["baseline"]', "4", "KEPT"),
}
FLAWS = (
    "unequal seeds",
    "guess not marked",
    "plan B drops the baseline",
    "no margin",
    "total does not follow",
)


@dataclass(frozen=True)
class Student:
    """What one student hands in: exercise → which of the tables' answers; `picks` are those of 2.7 to 2.9."""

    name: str
    lang: str = "en"
    answers: Mapping[str, str] = field(default_factory=dict)
    picks: Mapping[str, str] = field(default_factory=dict)

    def sources(self) -> dict[str, str]:
        """Return grade_id → source of the answer cells that are not left open."""
        chosen = dict.fromkeys(("2.1", "2.2", "2.3", "2.4", "2.5", "2.6"), "right") | dict(self.answers)
        made = {}
        for exercise, which in chosen.items():
            if which != OPEN:
                source = _source(exercise, which)
                for word, said in WORDS[self.lang].items():
                    source = source.replace(word, said)
                made[exercise] = source
        made |= {e: source for e, source in _picks(self.picks).items() if chosen.get(e) != OPEN}
        return {f"answer-{exercise.replace('.', '-')}": source for exercise, source in made.items()}


def _source(exercise: str, which: str) -> str:
    if exercise == "2.1":
        return f"question = QUESTION\nsettings = {SETTINGS[which]}"
    if exercise == "2.3":
        return f"run_time = {RUN_TIME[which]}"
    if exercise == "2.4":
        return "runs = {}\nbase_hours = {}\ntotal_hours = {}".format(*TOTAL[which])
    if exercise == "2.6":
        return "keep_settings = {}\nkeep_seeds = {}\nplan_b_why = {}".format(*PLAN_B[which])
    return (SEEDS if exercise == "2.2" else PLACE)[which]


def _picks(given: Mapping[str, str]) -> dict[str, str]:
    """Return the sources of 2.7 to 2.9: the right letters and words, but for those given.

    `given` has strings with one sign a question: a flaw's number in 1..5, n or p, a, b or c; `.` is a gap.
    """
    flaws, compute, quiz = (
        given.get(e, right) for e, right in (("2.7", "12345"), ("2.8", "npnpnpnp"), ("2.9", "bcabc"))
    )
    said = {"n": "not yet", "p": "perhaps"}
    return {
        "2.7": _dictionary(
            "flaws", {k: FLAWS[int(v) - 1] for k, v in zip("ABCDE", flaws, strict=True) if v != "."}, "ABCDE"
        ),
        "2.8": _dictionary(
            "more_compute", {str(n): said[v] for n, v in enumerate(compute, 1) if v != "."}, "12345678"
        ),
        "2.9": _dictionary(
            "quiz", {f"q{n}": v for n, v in enumerate(quiz, 1) if v != "."}, ("q1", "q2", "q3", "q4", "q5")
        ),
    }


def _dictionary(name: str, values: Mapping[str, str], keys) -> str:
    lines = [f'    "{key}": {json.dumps(values[key]) if key in values else "..."},' for key in keys]
    return "\n".join([f"{name} = {{", *lines, "}"])


EVERYTHING = ("2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "2.8", "2.9")
UNTOUCHED = dict.fromkeys(EVERYTHING, OPEN)
NO_HOURS = {"2.4": OPEN, "2.6": OPEN}  # where hours cannot follow from the draft

STUDENTS = {
    "asha": Student("Asha Rao"),
    "आरव": Student("आरव मिश्रा", "hi"),
    "bela": Student("Bela Das", answers=UNTOUCHED),
    "चेतन": Student("चेतन शर्मा", "hi", UNTOUCHED),
    "dev": Student("Dev, the first", answers=dict.fromkeys(EVERYTHING[3:], OPEN)),
    "esha": Student(
        "Esha Nair",
        "hi",
        {"2.2": "no why", "2.4": "no total", "2.5": "no risks yet"},
        {"2.7": "12..5", "2.8": "npnp.p..", "2.9": "bc..."},
    ),
    "farah": Student(
        "Farah Khan",
        "en",
        {"2.1": "text", "2.2": "how many", "2.3": "number", "2.5": "text and number", **NO_HOURS},
        {"2.7": "21345", "2.8": "nnnnnnnn", "2.9": "aaaaa"},
    ),
    "गीता": Student(
        "गीता कुमारी",
        "hi",
        {"2.1": "single", "2.2": "for each", "2.3": "text", "2.5": "no name, no risk", **NO_HOURS},
        {"2.7": "32145", "2.8": "pppppppp", "2.9": "bbbbb"},
    ),
    "hari": Student(
        "Hari Iyer",
        "en",
        {"2.1": "empty", "2.2": "text", "2.3": "zero", "2.5": "no limit, not in a list"},
        {"2.7": "42315", "2.9": "ccccc"},
    ),
    "ila": Student(
        "Ila Sen",
        "en",
        {"2.1": "one is text", "2.2": "a fraction", "2.3": "range", "2.5": "one word"},
        {"2.7": "52341"},
    ),
    "जया": Student(
        "जया वर्मा",
        "hi",
        {"2.1": "no name, misspelt", "2.2": "repeated", "2.3": "guess without why", **NO_HOURS},
        {"2.9": "acabb"},
    ),
    "kiran": Student(
        "Kiran Bedi",
        "en",
        {"2.1": "unknown role, swapped", "2.2": "one", "2.3": "guess", **NO_HOURS},
        {"2.9": "aaabb"},
    ),
    "lata": Student("Lata Pillai", "en", {"2.1": "only ablations", "2.2": "two", "2.6": "nothing"}),
    "मोहन": Student("मोहन लाल", "hi", {"2.1": "no baseline", "2.2": "two words", "2.6": "unknown"}),
    "nila": Student("Nila Roy", "en", {"2.1": "no method", "2.6": "more seeds"}),
    "omar": Student("Omar Ali", "en", {"2.1": "no ablation", "2.6": "main, two seeds"}),
    "पूजा": Student("पूजा सिंह", "hi", {"2.1": "no ablation", "2.2": "two", "2.6": "main, two seeds"}),
    "qadir": Student("Qadir Shah", "en", {"2.1": "same name"}),
    "ravi": Student('Ravi "the second"', "en", {"2.1": "number as name"}),
    "सीमा": Student("सीमा यादव", "hi", {"2.1": "no names", **NO_HOURS}),
    "tara": Student("Tara Bose", "en", {"2.4": "only settings", "2.6": "no baseline"}),
    "उमा": Student("उमा देवी", "hi", {"2.4": "only seeds, then follows", "2.6": "no method"}),
    "veda": Student("Veda Joshi", "en", {"2.4": "added, minutes, no margin", "2.6": "one seed"}),
    "wasim": Student("Wasim Raja", "en", {"2.4": "off, one run, only margin", "2.6": "too big"}),
    "xena": Student("=Xena", "en", {"2.4": "base off, then follows", "2.6": "everything"}),
    "यश": Student("यश ठाकुर", "hi", {"2.4": "margin as percent", "2.6": "important first"}),
    "zoya": Student("Zoya <b>Mir</b>", "en", {"2.4": "total in minutes", "2.6": "seeds first"}),
    "amit": Student("Amit Jain", "en", {"2.4": "total off", "2.6": "no why"}),
    "बीना": Student("बीना राय", "hi", {"2.4": "in quotes", "2.6": "text"}),
    "chand": Student("Chand Puri", "en", {"2.3": "refused by labkit"}),
}
ABSENT = {"danish": "Danish Sait", "फ़ातिमा": "फ़ातिमा शेख़"}


def small(release: dict) -> dict:
    """Return the release without the cells that only show something: the same checks, quicker."""
    shown = [cell for cell in release["cells"] if cell["id"] not in SHOWING]
    return {**release, "cells": shown}


def hand_in(folder: Path, releases: Mapping[str, dict]) -> None:
    """Write the class's submissions, in folders of their own or flat, as students do."""
    for number, (student, made) in enumerate(STUDENTS.items()):
        notebook = json.loads(json.dumps(releases[made.lang]))
        sources = made.sources()
        for cell in notebook["cells"]:
            if cell["id"] in sources:
                cell["source"] = sources[cell["id"]].splitlines(keepends=True)
        path = folder / (f"{student}__{NAME}.ipynb" if number % 3 == 0 else f"{student}/{NAME}.ipynb")
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")
