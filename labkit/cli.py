"""The command line: `python -m labkit COMMAND`. Each command imports what it needs when it runs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from labkit.messages import LANGUAGES, language, set_language, text
from labkit.workbook import WorkbookError, find_workbook


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code: 0 all well, 1 something to put right, 2 wrong usage."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(encoding="utf-8", errors="replace")
    given = list(sys.argv[1:] if arguments is None else arguments)
    set_language(_early_language(given))
    options = _parser().parse_args(given)
    try:
        return int(options.command(options))
    except WorkbookError as error:
        _complain(error)
        return 1
    except KeyboardInterrupt:
        return 130


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
    _add_build(commands)
    return parser


def _add(commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str) -> argparse.ArgumentParser:
    shown = text(f"cli.{name}_help")
    return commands.add_parser(name, help=shown, description=shown)


def _add_build(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    build = _add(commands, "build")
    build.add_argument("--check", action="store_true", help=text("cli.check_help"))
    build.add_argument("--no-execute", action="store_true", help=text("cli.no_execute_help"))
    build.add_argument("--force", action="store_true", help=text("cli.force_help"))
    build.add_argument("--only", metavar="NAME", help=text("cli.only_help"))
    build.add_argument("--notebooks", metavar="DIR", type=Path, help=text("cli.notebooks_help"))
    build.add_argument("--lang", choices=LANGUAGES, help=text("cli.lang_help"))
    build.set_defaults(command=_build)


def _build(options: argparse.Namespace) -> int:
    from labkit.build import BuildError, build_workbook, check_workbook
    from labkit.build.execute import ExecutionError

    workbook = find_workbook(options.notebooks)
    try:
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


def _say(line: object) -> None:
    print(line, flush=True)  # noqa: T201 - a command's answer


def _complain(line: object) -> None:
    print(line, file=sys.stderr)  # noqa: T201 - a command's answer
