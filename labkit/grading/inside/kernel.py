"""Start an IPython kernel quickly: without a debugger, without a history file."""

import sys

if __name__ == "__main__":
    sys.modules["debugpy"] = None  # type: ignore[assignment]  # ipykernel then does without
    sys.path = [path for path in sys.path if path not in ("", sys.path[0])]
    from ipykernel.kernelapp import launch_new_instance

    quiet = ["--log-level=CRITICAL", "--HistoryManager.enabled=False"]
    launch_new_instance(argv=[*sys.argv[1:], *quiet])
