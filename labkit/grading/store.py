"""Keep marks in files: each whole or not there, each with the key of what it was made from."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path

from labkit.grading.marked import Marked


def save_marks(path: Path, key: str, marked: Marked) -> None:
    """Write the marks atomically: temporary file, flush, rename."""
    path.parent.mkdir(parents=True, exist_ok=True)
    plain = json.dumps({"key": key, **marked.to_dict()}, ensure_ascii=False, indent=1, allow_nan=False)
    temporary = path.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            file.write(plain + "\n")
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def load_marks(path: Path, key: str) -> Marked | None:
    """Return the marks kept in a file, or None if there are none made from what `key` stands for."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Marked.from_dict(data) if data.pop("key") == key else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
