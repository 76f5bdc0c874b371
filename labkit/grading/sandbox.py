"""The sandbox that runs strangers' notebooks: bubblewrap, a uid per submission, and hard limits.

Inside there is the operating system's program folders, the Python installation and a clean copy of labkit
without rubrics (`labkit.grading.runtime`), all read-only; the notebook; and small writable folders in memory
that vanish at the end. There is no network but an empty loopback, nobody else's process, no home, no
environment. Nothing on this machine's disks can be written, so nothing has to be tidied up or trusted later.

When the grader runs as root, each submission gets a real uid of its own; otherwise a user namespace of its
own, which counts its processes separately as well.
"""

from __future__ import annotations

import os
import shutil
import site
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from labkit.grading.runtime import Runtime
from labkit.grading.uids import fresh_uid

WORK, RUNTIME = "/submission", "/runtime"  # the notebook's folder and the read-only copy of labkit, inside
WRITABLE = (WORK, "/tmp", "/dev/shm")  # in memory
NOTEBOOK = f"{WORK}/notebook.ipynb"
_SYSTEM = ("/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/share")
_LINKS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64")
_ETC = ("alternatives", "fonts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types")


@dataclass(frozen=True)
class Limits:
    """What one submission may use; the defaults fit the workbook's notebooks several times over.

    Attributes
    ----------
    cell_s, total_s : wall time of one cell and of the whole notebook, in seconds.
    cpu_s : processor time of one process, in seconds.
    memory_bytes : of all processes of the submission and its files together; the address space of each.
    processes : processes and threads at one time.
    file_bytes : size of one file, and of each writable folder.
    output_bytes : what a cell may print, and what the whole notebook may send out as answers.
    """

    cell_s: float = 120.0
    total_s: float = 600.0
    cpu_s: int = 600
    memory_bytes: int = 6 * 2**30
    processes: int = 128
    file_bytes: int = 128 * 2**20
    output_bytes: int = 8 * 2**20

    def to_dict(self) -> dict[str, float]:
        """Return the limits as plain data."""
        return asdict(self)


@cache
def available() -> str | None:
    """Return None where the sandbox works, else the id of the message that says why not."""
    if not sys.platform.startswith("linux"):
        return "grading.sandbox_needs_linux"
    if not all(map(shutil.which, ("bwrap", "prlimit", "setpriv", "taskset"))):
        return "grading.sandbox_missing"
    probe = ["bwrap", *_namespaces(None), "--ro-bind", "/", "/", "--size", "4096", "--tmpfs", "/tmp"]
    probe += [*_become(str(fresh_uid())), "true"] if os.geteuid() == 0 else ["true"]
    try:
        tried = subprocess.run(probe, capture_output=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return "grading.sandbox_refused"
    return "grading.sandbox_refused" if tried.returncode else None


def sandbox_command(
    notebook: Path,
    runtime: Runtime,
    limits: Limits,
    command: Sequence[str],
    *,
    cores: Sequence[int] = (),
) -> list[str]:
    """Return the command line that runs `command` in a sandbox of its own.

    Parameters
    ----------
    notebook : file that appears inside, read-only, as `NOTEBOOK`.
    runtime : the clean copy of labkit; appears as `RUNTIME`.
    command : what to run inside; `sys.executable` is at its usual place. The filter program
        `runtime.calls_filter` belongs on standard input.
    cores : the processor cores that it may use, numbered as the system does; all if empty.
    """
    root = os.geteuid() == 0
    uid = str(fresh_uid())
    whole = [shutil.which("taskset") or "taskset", "--cpu-list", ",".join(map(str, cores))] if cores else []
    whole += [shutil.which("bwrap") or "bwrap", *_namespaces(None if root else uid)]
    whole += [
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        *_writable(limits),
        *_view(runtime),
        "--ro-bind",
        str(notebook),
        NOTEBOOK,
    ]
    whole += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", WORK, *_environment()]
    whole += ["--seccomp", "0", "--"] if runtime.calls_filter else ["--"]
    if root:
        whole += _become(uid)
    return [*whole, *_limits(limits), "--", *command]


def _become(uid: str) -> list[str]:
    """Return the start of a command line by which root runs the rest as somebody who may do nothing."""
    who = ["setpriv", "--reuid", uid, "--regid", uid, "--clear-groups", "--no-new-privs"]
    return [*who, "--inh-caps=-all", "--bounding-set=-all"]


def _namespaces(uid: str | None) -> list[str]:
    names = ["ipc", "pid", "net", "uts", "cgroup-try"]
    own = [] if uid is None else ["--unshare-user", "--uid", uid, "--gid", uid]
    named = ["--hostname", "sandbox", "--die-with-parent", "--new-session"]
    return [f"--unshare-{name}" for name in names] + own + named


def _view(runtime: Runtime) -> list[str]:
    """Return the read-only folders; what must not be seen in them is covered."""
    options: list[str] = []
    for link in map(Path, _LINKS):
        if link.is_symlink():
            options += ["--symlink", str(link.readlink()), str(link)]
        elif link.is_dir():
            options += ["--ro-bind", str(link), str(link)]
    options += ["--dir", "/etc"]
    for name in _ETC:
        options += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    for name in ("passwd", "group", "hosts"):
        options += ["--ro-bind", str(runtime.folder / "etc" / name), f"/etc/{name}"]
    bound = [Path(p) for p in _SYSTEM if Path(p).is_dir()] + python_folders()
    for folder in bound:
        for parent in reversed(folder.parents[:-1]):
            options += ["--dir", str(parent)]
        options += ["--ro-bind", str(folder), str(folder)]
    options += ["--ro-bind", str(runtime.folder), RUNTIME]
    for secret in runtime.hidden:
        if secret.is_dir() and any(secret.is_relative_to(folder) for folder in bound):
            options += ["--tmpfs", str(secret), "--remount-ro", str(secret)]
    return options


def python_folders() -> list[Path]:
    """Return the folders of this Python installation that are not part of the operating system's.

    They are the environment (`sys.prefix`) and what it was made from (`sys.base_prefix`). A prefix such as
    `/usr/local`, where other things lie as well, is taken only with the folders Python uses.
    """
    found = []
    for prefix in {Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve(), Path(sys.prefix)}:
        if prefix.parts[1:2] == ("usr",) and len(prefix.parts) <= 3:
            parts = [prefix / name for name in ("bin", "lib", "lib64", "include")]
        else:
            parts = [prefix]
        found += [part for part in parts if part.is_dir()]
    found += [Path(path) for path in (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"))]
    return list(_outermost([*found, *_of_the_user()]))


def _of_the_user() -> list[Path]:
    """Return the folder of packages installed with `pip install --user`, if this Python uses it."""
    return [Path(path) for path in sys.path if path == site.getusersitepackages()]


def _outermost(folders: Sequence[Path]) -> Iterator[Path]:
    taken: list[Path] = [Path(p) for p in _SYSTEM]
    for folder in sorted(set(folders)):
        if not any(folder.is_relative_to(other) for other in taken):
            taken.append(folder)
            yield folder


def _writable(limits: Limits) -> list[str]:
    options = []
    for folder in WRITABLE:
        options += ["--perms", "1777", "--size", str(limits.file_bytes), "--tmpfs", folder]
    return options


def _environment() -> list[str]:
    options = ["--clearenv"]
    for name, value in environment(RUNTIME, WORK).items():
        options += ["--setenv", name, value]
    return options


def environment(runtime: str, work: str) -> dict[str, str]:
    """Return the only environment variables that the notebook's processes get."""
    return {
        "HOME": work,
        "USER": "student",
        "LOGNAME": "student",
        "LANG": "C.UTF-8",
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), "/usr/bin", "/bin"]),
        "PYTHONPATH": os.pathsep.join([runtime, *map(str, _of_the_user())]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "JUPYTER_PATH": str(Path(runtime, "jupyter")),
        "JUPYTER_PLATFORM_DIRS": "1",
        "MPLCONFIGDIR": str(Path(work, ".matplotlib")),
        "LABKIT_CACHE": str(Path(work, ".cache")),
        "OMP_NUM_THREADS": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }


def _limits(limits: Limits) -> list[str]:
    return [
        "prlimit",
        f"--as={limits.memory_bytes}",
        f"--nproc={limits.processes}",
        f"--fsize={limits.file_bytes}",
        f"--cpu={limits.cpu_s}",
        "--core=0",
        "--nofile=256",
    ]
