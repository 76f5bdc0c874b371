"""Build the notebooks from their percent-format sources: `python -m labkit build`.

`source` reads, `solutions`, `leaks` and `rules` judge, `notebooks` assembles, `execute` runs the solutions,
`builder` does it for a whole workbook.
"""

from labkit.build.builder import Built, build_workbook, check_workbook
from labkit.build.faults import BuildError, Fault

__all__ = ["BuildError", "Built", "Fault", "build_workbook", "check_workbook"]
