"""Let the wheel carry a copy of data/recorded; everything else about the package is in pyproject.toml."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

RECORDED = Path(__file__).parent / "data" / "recorded"


class BuildWithRecordings(build_py):
    """Copies labkit, then the recordings and their datasheets into labkit/recorded/data."""

    def run(self) -> None:
        """Build; an editable install reads data/recorded itself."""
        super().run()
        if self.editable_mode:
            return
        target = Path(self.build_lib, "labkit", "recorded", "data")
        shutil.rmtree(target, ignore_errors=True)  # what an earlier build has left
        target.mkdir()
        for pattern in ("*.csv", "*.json.gz", "*.md"):
            for path in sorted(RECORDED.glob(pattern)):
                shutil.copyfile(path, target / path.name)


setup(cmdclass={"build_py": BuildWithRecordings})
