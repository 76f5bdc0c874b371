"""Attacks that read, reach or write what lies outside the sandbox. Each says what it got, as its answer."""

from hostile_class import Attack

# `attempt(action)` notes what an action gives, unless it fails or gives nothing.
ATTEMPT = """
import glob, os, pathlib, socket, subprocess, sys
got = []
def attempt(action):
    try: found = action()
    except Exception: return
    if found or found is None: got.append(str(found)[:300])
def read(path): return pathlib.Path(path).read_bytes()[:200]
def write(path):
    with open(path, "ab") as file: file.write(b"owned")
    return f"written: {path}"
"""
ANSWER = "\nbest = got or 'first step'"


def probe(name: str, tries: str, code: str) -> Attack:
    """Return an attack whose answer is what it got."""
    return Attack(name, tries, ATTEMPT + code + ANSWER)


ATTACKS = [
    probe(
        "network_to_the_host",
        "a program that listens on the grader's machine",
        """
socket.setdefaulttimeout(2)
for host in ("127.0.0.1", "localhost", "::1", "0.0.0.0"):
    attempt(lambda: socket.create_connection((host, PORT)).recv(100) or "connected")
def unix(path):
    s = socket.socket(socket.AF_UNIX)
    s.connect(path)
    return f"connected to {path}"
for path in ("\\0labkit-hostile-test", "/run/docker.sock", "/var/run/docker.sock", "/run/systemd/private"):
    attempt(lambda: unix(path))
attempt(lambda: socket.socket(40, socket.SOCK_STREAM) and "a socket to the virtual machine's host")
""",
    ),
    probe(
        "network_to_outside",
        "somebody on the internet",
        """
socket.setdefaulttimeout(2)
for address in (("192.0.2.1", 80), ("2001:db8::1", 80), ("example.invalid", 80)):
    attempt(lambda: socket.create_connection(address) and "connected")
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
attempt(lambda: f"sent {s.sendto(b'x', ('192.0.2.1', 53))}")
attempt(lambda: [name for _, name in socket.if_nameindex() if name != "lo"])
""",
    ),
    probe(
        "reads_other_submissions",
        "the answers of others, the marks, and what lies beside them",
        """
for folder in (SUBMISSIONS, RESULTS, OUTSIDE, "/proc/1/root" + SUBMISSIONS):
    attempt(lambda: os.listdir(folder))
    attempt(lambda: [str(p) for p in pathlib.Path(folder).rglob("*")])
attempt(lambda: [p for p in pathlib.Path("/").glob("*/*/*.ipynb") if str(p) != "/submission/notebook.ipynb"])
""",
    ),
    probe(
        "reads_the_reference_and_the_rubrics",
        "the right answers",
        """
import gc, importlib
for name in ("notebook1", "notebook2", "notebook2_quiz", "core"):
    attempt(lambda: importlib.import_module(f"labkit.checks.{name}"))
attempt(lambda: importlib.import_module("labkit.grading.marks"))
attempt(lambda: os.listdir(REPOSITORY))
for word in (b"LESSON" + b"_TEST", b"MORE" + b"_COMPUTE", b"def best" + b"_summary"):
    for path in pathlib.Path("/runtime").rglob("*"):
        attempt(lambda: path.is_file() and word in path.read_bytes() and path)
attempt(lambda: [o for o in gc.get_objects() if type(o) is dict and ("MORE" + "_COMPUTE") in o])
""",
    ),
    probe(
        "reads_the_environment",
        "passwords in variables, of its own processes and of others",
        """
secret = lambda text: "S3CRET" in str(text) and text
attempt(lambda: secret(dict(os.environ)))
for path in glob.glob("/proc/*/environ") + glob.glob("/proc/*/task/*/environ") + glob.glob("/proc/*/cmdline"):
    attempt(lambda: secret(read(path)))
attempt(lambda: secret(subprocess.run(["/usr/bin/env"], capture_output=True).stdout))
""",
    ),
    probe(
        "reads_the_machine",
        "users, keys, disks, the machine's memory",
        """
for path in '''/etc/shadow /etc/hostname /etc/machine-id /etc/ssl/private /root/.ssh /root/.bashrc /home
                /var/log /var/lib /run /boot /mnt /opt/secrets /sys/kernel /sys/class/dmi /dev/mem /dev/kmsg
                /dev/sda /dev/vda /dev/fuse /dev/kvm /dev/vsock /proc/kcore /proc/kmsg
                /proc/1/mem /proc/sysrq-trigger /proc/timer_list'''.split():
    attempt(lambda: os.listdir(path) if os.path.isdir(path) else read(path))
attempt(lambda: [n for n in os.listdir("/proc") if n.isdigit() and int(n) > 2000])
""",
    ),
    probe(
        "reads_the_graders_open_files",
        "files that the grader left open for its children",
        """
known = ("/dev/", "/submission/", "/tmp/", "/proc/", "/runtime/", "/usr/", sys.prefix, sys.base_prefix)
for path in glob.glob("/proc/[0-9]*/fd/*"):
    attempt(lambda: (target := os.readlink(path)).startswith("/") and not target.startswith(known) and target)
""",
    ),
    probe(
        "writes_outside",
        "files on the grader's disk",
        """
places = [OUTSIDE, SUBMISSIONS, RESULTS, REPOSITORY, sys.prefix, os.path.dirname(os.__file__)]
places += '''/ /etc /usr/bin /usr/lib /runtime /runtime/labkit /var/tmp /run /home /root /opt'''.split()
for place in places:
    attempt(lambda: write(place + "/owned.txt"))
    attempt(lambda: os.mkdir(place + "/owned"))
files = ["/submission/notebook.ipynb", "/runtime/runner.py", "/runtime/labkit/__init__.py", "/etc/passwd"]
for path in [*files, sys.executable]:
    attempt(lambda: write(path))
    attempt(lambda: os.chmod(path, 0o777) or path)
    attempt(lambda: os.replace(path, "/tmp/gone") or path)
""",
    ),
    probe(
        "writes_through_links",
        "files on the grader's disk, past names that look harmless",
        """
os.symlink(OUTSIDE, "/submission/link")
attempt(lambda: write("/submission/link/owned.txt"))
attempt(lambda: os.link("/etc/passwd", "/submission/passwd") or "a second name")
attempt(lambda: write("/submission/../../../.." + OUTSIDE + "/owned.txt"))
attempt(lambda: [write(p) for p in glob.glob("/proc/1/root" + OUTSIDE)])
""",
    ),
    probe(
        "becomes_root",
        "rights over the machine",
        """
import ctypes
libc = ctypes.CDLL(None)
for call in (os.setuid, os.setgid, os.seteuid):
    attempt(lambda: call(0))
attempt(lambda: os.setgroups([0]))
attempt(lambda: os.mknod("/submission/disk", 0o60666, os.makedev(8, 0)))
attempt(lambda: os.chroot("/submission"))
attempt(lambda: libc.mount(b"none", b"/submission", b"tmpfs", 0, None) == 0)
for flag in (0x10000000, 0x00020000, 0x40000000, 0x20000000):
    attempt(lambda: libc.unshare(flag) == 0)
attempt(lambda: libc.syscall(56, 0x10000011, 0, 0, 0, 0) >= 0)
attempt(lambda: libc.syscall(425, 1, ctypes.create_string_buffer(120)) >= 0)
for program in ("su", "sudo", "pkexec"):
    attempt(lambda: not subprocess.run([program, "-c", "id"], capture_output=True).returncode and program)
attempt(lambda: write("/proc/sys/kernel/core_pattern"))
attempt(lambda: write("/proc/self/uid_map"))
""",
    ),
    probe(
        "pushes_keys_into_the_terminal",
        "the grader's own command line",
        """
import fcntl
for number in (0, 1, 2):
    attempt(lambda: [fcntl.ioctl(number, 0x5412, bytes([c])) for c in b"touch owned"])
attempt(lambda: os.open("/dev/tty", os.O_RDWR))
""",
    ),
]
