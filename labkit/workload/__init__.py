"""What is trained on what: the tasks of the workbook, and the seam for a student's own."""

from labkit.config import Config
from labkit.workload.kahani import Kahani, sample
from labkit.workload.protocol import Batch, Workload
from labkit.workload.supervised import Digits, Mnist1d

__all__ = ["Batch", "Digits", "Kahani", "Mnist1d", "Workload", "of", "sample"]

_WORKLOADS: dict[str, type[Workload]] = {"mnist1d": Mnist1d, "kahani": Kahani, "digits": Digits}


def of(config: Config) -> type[Workload]:
    """Return the workload of a config's task."""
    return _WORKLOADS[config.task]
