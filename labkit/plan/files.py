"""Plan files: YAML and JSON, read without executing anything and written whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from labkit.plan.notes import Problem


def read(path: str | Path) -> tuple[dict[str, Any], list[Problem]]:
    """Read a plan file."""
    return yaml.safe_load(Path(path).read_text(encoding="utf-8")), []


def write(path: str | Path, data: dict[str, Any]) -> None:
    """Write a plan file."""
    path = Path(path)
    words = json.dumps(data, ensure_ascii=False, indent=2) if path.suffix == ".json" else yaml.safe_dump(data)
    path.write_text(words, encoding="utf-8")
