"""Results of longer runs that were made once and are kept, each with a datasheet: `load` and `Recorder`."""

from labkit.recorded.datasheet import RecordedError
from labkit.recorded.reading import Recorded, copy_to, load, names
from labkit.recorded.recorder import Recorder

__all__ = ["Recorded", "RecordedError", "Recorder", "copy_to", "load", "names"]
