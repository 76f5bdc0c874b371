"""Start an IPython kernel quickly: without a debugger, without a history file."""

import sys

if __name__ == "__main__":
    sys.modules["debugpy"] = None  # type: ignore[assignment]  # ipykernel then does without
    sys.path = [path for path in sys.path if path not in ("", sys.path[0])]
    from ipykernel.kernelapp import launch_new_instance

    launch_new_instance(log_level="CRITICAL")
