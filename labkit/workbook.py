"""Where the notebooks lie: one class owns every path of the workbook."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from labkit.messages import LANGUAGES, text


class WorkbookError(Exception):
    """Something the reader can put right; the message says what and how, and is all that is shown."""


@dataclass(frozen=True)
class Workbook:
    """The paths of one workbook, all derived from its `notebooks` folder."""

    notebooks: Path

    @property
    def source(self) -> Path:
        """The folder of percent-format sources, the only files a person edits."""
        return self.notebooks / "source"

    def sources(self) -> list[Path]:
        """Return the notebooks' sources in reading order (files starting with `_` are shared cells)."""
        return sorted(p for p in self.source.glob("*.py") if not p.name.startswith("_"))

    def folder(self, lang: str, solutions: bool = False) -> Path:
        """Return the folder of the notebooks in one language."""
        if solutions:
            return self.notebooks / "solutions" / lang
        return self.notebooks if lang == LANGUAGES[0] else self.notebooks / lang

    def built(self, lang: str, solutions: bool = False) -> list[Path]:
        """Return the built notebooks in one language, in reading order."""
        return sorted(self.folder(lang, solutions).glob("[0-9]*.ipynb"))

    def shown(self, path: Path) -> str:
        """Return a path as messages show it: from the folder above `notebooks`, with forward slashes."""
        try:
            return path.relative_to(self.notebooks.parent).as_posix()
        except ValueError:
            return str(path)


def find_workbook(notebooks: Path | None = None) -> Workbook:
    """Find the workbook: the folder given, else `notebooks` here or above, else in labkit's own clone.

    Raises
    ------
    WorkbookError
        If there is no folder with notebooks or notebook sources; the message says where it looked.
    """
    if notebooks is not None:
        folder = notebooks.expanduser().resolve()
        if not _has_notebooks(folder):
            raise WorkbookError(text("cli.not_a_notebooks_folder", folder=folder))
        return Workbook(folder)
    here = Path.cwd()
    clone = Path(__file__).resolve().parent.parent
    for parent in (here, *here.parents, clone):
        if _has_notebooks(parent / "notebooks"):
            return Workbook(parent / "notebooks")
    raise WorkbookError(text("cli.no_notebooks", here=here))


def _has_notebooks(folder: Path) -> bool:
    return any(folder.glob("[0-9]*.ipynb")) or any((folder / "source").glob("[0-9]*.py"))
