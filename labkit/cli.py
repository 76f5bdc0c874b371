"""The command line: `python -m labkit COMMAND`. Each command imports what it needs when it runs."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from labkit.messages import LANGUAGES, language, set_language, text
from labkit.workbook import WorkbookError, find_workbook

PLAN_FORMATS = ("text", "markdown", "html", "request")
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code: 0 all well, 1 something to put right, 2 wrong usage."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(encoding="utf-8", errors="replace")
    given = list(sys.argv[1:] if arguments is None else arguments)
    set_language(_early_language(given))
    parser = _parser()
    if not given:
        _complain(parser.format_help().rstrip())
        return 2
    options = parser.parse_args(given)
    try:
        return int(options.command(options))
    except WorkbookError as error:
        _complain(error)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader, such as `head`, has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else the last flush complains
        return 141


def _early_language(arguments: Sequence[str]) -> str:
    """Return the language asked for, before parsing: the help itself is in that language."""
    for n, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if name == "--lang":
            chosen = value or (arguments[n + 1] if n + 1 < len(arguments) else "")
            if chosen in LANGUAGES:
                return chosen
    return language()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m labkit", description=text("cli.description"))
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_lab(commands)
    _add_run(commands)
    _add_plan(commands)
    _add_build(commands)
    _add_validate(commands)
    _add_grade(commands)
    return parser


def _add(commands: Commands, name: str, run: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
    shown = text(f"cli.{name}_help")
    command = commands.add_parser(name, help=shown, description=shown)
    command.set_defaults(command=run)
    return command


def _add_where(command: argparse.ArgumentParser, languages: Sequence[str] = LANGUAGES) -> None:
    command.add_argument("--lang", choices=languages, help=text("cli.lang_help"))
    command.add_argument("--notebooks", metavar="DIR", type=Path, help=text("cli.notebooks_help"))


def _add_lab(commands: Commands) -> None:
    lab = _add(commands, "lab", _lab)
    lab.add_argument("--port", type=_port, metavar="N", help=text("cli.port_help"))
    lab.add_argument("--no-browser", action="store_true", help=text("cli.no_browser_help"))
    _add_where(lab)


def _add_run(commands: Commands) -> None:
    run = _add(commands, "run", _run)
    run.add_argument("--fast", action="store_true", help=text("cli.fast_help"))
    run.add_argument("--only", metavar="NAME", help=text("cli.only_help"))
    run.add_argument(
        "-p",
        "--parameter",
        nargs=2,
        action="append",
        default=[],
        metavar=("NAME", "VALUE"),
        help=text("cli.parameter_help"),
    )
    run.add_argument("--solutions", action="store_true", help=text("cli.solutions_help"))
    run.add_argument("--out", metavar="DIR", type=Path, help=text("cli.out_help"))
    _add_where(run, (*LANGUAGES, "both"))


def _add_plan(commands: Commands) -> None:
    plan = _add(commands, "plan", _plan)
    plan.add_argument("file", metavar="FILE", type=Path, help=text("cli.file_help"))
    plan.add_argument("--format", choices=PLAN_FORMATS, default="text", help=text("cli.format_help"))
    plan.add_argument("--lang", choices=LANGUAGES, help=text("cli.lang_help"))


def _add_build(commands: Commands) -> None:
    build = _add(commands, "build", _build)
    build.add_argument("--check", action="store_true", help=text("cli.check_help"))
    build.add_argument("--no-execute", action="store_true", help=text("cli.no_execute_help"))
    build.add_argument("--force", action="store_true", help=text("cli.force_help"))
    build.add_argument("--only", metavar="NAME", help=text("cli.only_help"))
    build.add_argument("--release", metavar="DIR", type=Path, help=text("mending.release_help"))
    _add_where(build)


def _add_validate(commands: Commands) -> None:
    validate = _add(commands, "validate", _validate)
    validate.add_argument("files", metavar="FILE", type=Path, nargs="+", help=text("mending.file_help"))
    validate.add_argument("--mend", metavar="OUT", type=Path, help=text("mending.mend_help"))
    _add_where(validate)


def _add_grade(commands: Commands) -> None:
    grade = _add(commands, "grade", _grade)
    grade.add_argument("submissions", metavar="DIR", type=Path, help=text("grading.submissions_help"))
    grade.add_argument("--out", metavar="DIR", type=Path, required=True, help=text("grading.out_help"))
    grade.add_argument("--roster", metavar="FILE", type=Path, help=text("grading.roster_help"))
    grade.add_argument("--merge", metavar="FILE", type=Path, help=text("grading.merge_help"))
    grade.add_argument("--only", metavar="NAME", help=text("grading.only_help"))
    for name, kind in (("jobs", int), ("seed", int), ("cell-seconds", float), ("total-seconds", float)):
        shown = text(f"grading.{name.replace('-', '_')}_help")
        grade.add_argument(f"--{name}", metavar="N", type=kind, help=shown)
    grade.add_argument("--full", action="store_true", help=text("grading.full_help"))
    grade.add_argument("--no-sandbox", action="store_true", help=text("grading.no_sandbox_help"))
    _add_where(grade)


def _port(typed: str) -> int:
    if not typed.isascii() or not typed.isdigit() or not 1 <= int(typed) <= 65535:
        raise argparse.ArgumentTypeError(text("cli.bad_port", given=typed))
    return int(typed)


def _lab(options: argparse.Namespace) -> int:
    from labkit.lab import open_lab

    workbook = find_workbook(options.notebooks)
    return open_lab(workbook, language(), port=options.port, browser=not options.no_browser, report=_say)


def _run(options: argparse.Namespace) -> int:
    from labkit.run_notebooks import run_notebooks
    from labkit.run_report import summary

    workbook = find_workbook(options.notebooks)
    folder = options.out or workbook.notebooks.parent / "results" / f"run-{datetime.now():%Y%m%d-%H%M%S}"
    outcomes = run_notebooks(
        workbook,
        LANGUAGES if options.lang == "both" else (language(),),
        folder.expanduser().resolve(),
        only=options.only,
        given=dict(options.parameter),
        fast=options.fast,
        solutions=options.solutions,
        report=_complain,
    )
    _say(summary(outcomes))
    _say(text("cli.report_at", path=folder / "index.html"))
    return 1 if any(outcome.failure for outcome in outcomes) else 0


def _plan(options: argparse.Namespace) -> int:
    from labkit.plan import ComputePlan, PlanError

    try:
        plan = ComputePlan.load(options.file)
    except PlanError as error:
        _complain(error)
        return 1
    except OSError as error:
        _complain(text("cli.cannot_read", file=options.file, why=error.strerror or error))
        return 1
    _say(plan.request() if options.format == "request" else getattr(plan, f"to_{options.format}")())
    problems = plan.problems()
    if problems:
        _complain(text("cli.plan_problems", count=len(problems)))
        for problem in problems:
            _complain(f"- {problem}")
    return 1 if problems else 0


def _build(options: argparse.Namespace) -> int:
    from labkit.build import BuildError, build_workbook, check_workbook
    from labkit.build.execute import ExecutionError

    workbook = find_workbook(options.notebooks)
    try:
        if options.release:
            from labkit.grading.release import make_release

            release = make_release(workbook, options.release)
            _say(text("release.done", students=release.students, instructor=release.instructor))
            return 0
        if options.check:
            differences = check_workbook(workbook, only=options.only)
            _say("\n".join(differences) or text("cli.check_done"))
            return 1 if differences else 0
        built = build_workbook(
            workbook, only=options.only, execute=not options.no_execute, force=options.force, report=_say
        )
    except BuildError as error:
        _complain(f"{error}\n{text('cli.build_faults', count=len(error.faults))}")
        return 1
    except ExecutionError as error:
        _complain(error)
        return 1
    _say(text("cli.build_done", written=len(built.written), executed=len(built.executed)))
    return 0


def _validate(options: argparse.Namespace) -> int:
    from labkit.grading.release import originals
    from labkit.grading.validate import save_mended, validate

    releases = originals(find_workbook(options.notebooks))
    sound = True
    for path in options.files:
        found = validate(path, releases)
        sound = sound and found.ok
        _say(found.text(options.lang))
        copy = save_mended(found, options.mend) if options.mend else None
        if copy:
            _say(text("mending.copy_written", options.lang or found.mended.lang, file=copy))
    return 0 if sound else 1


def _grade(options: argparse.Namespace) -> int:
    from labkit.grading.command import run_grade

    return run_grade(options, report=_say, complain=_complain)


def _say(line: object) -> None:
    print(line, flush=True)  # noqa: T201 - a command's answer


def _complain(line: object) -> None:
    print(line, file=sys.stderr)  # noqa: T201 - a command's answer
