"""The list of system calls that notebooks may not make, as the kernel's filter program.

It closes what a sandbox of namespaces leaves open: memory that no limit counts (namespaces of one's own with
their folders, files without a name, System V segments and queues, wide socket buffers), sockets that pass by
the network namespace (from a virtual machine to its host, say), kernel keyrings, tracing, leaving one's share
of the processor cores, and interfaces through which kernels have often been attacked. A call on the list
fails with "not permitted". Format: `struct sock_filter` of <linux/filter.h>, calls numbered as in
<asm/unistd.h>.
"""

from __future__ import annotations

import platform
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, (16, 24, 32)  # offsets in struct seccomp_data
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050000
_EPERM, _ENOSYS, _EAFNOSUPPORT = 1, 38, 97
_OTHER_NUMBERING = 0x40000000  # the x32 calls of x86_64
_NEW_NAMESPACES = 0x7E020080  # CLONE_NEW{NS,CGROUP,UTS,IPC,USER,PID,NET,TIME}
_FAMILIES = (1, 2, 10, 16)  # AF_UNIX, AF_INET, AF_INET6, AF_NETLINK (it looks names up)
_SOCKET_LEVEL, _BUFFER_SIZES = 1, (7, 8)  # SOL_SOCKET; SO_SNDBUF, SO_RCVBUF

_NEWER = {  # numbered alike everywhere
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "pidfd_getfd": 438,
    "mount_setattr": 442,
    "memfd_secret": 447,
}


@dataclass(frozen=True)
class _Machine:
    architecture: int
    clone: int
    socket: int
    setsockopt: int
    refused: Mapping[str, int]


_X86_64 = _Machine(
    0xC000003E,
    56,
    41,
    54,
    {
        "shmget": 29,
        "semget": 64,
        "msgget": 68,
        "ptrace": 101,
        "pivot_root": 155,
        "mount": 165,
        "umount2": 166,
        "init_module": 175,
        "kexec_load": 246,
        "add_key": 248,
        "request_key": 249,
        "keyctl": 250,
        "sched_setaffinity": 203,
        "unshare": 272,
        "perf_event_open": 298,
        "setns": 308,
        "process_vm_readv": 310,
        "process_vm_writev": 311,
        "finit_module": 313,
        "memfd_create": 319,
        "bpf": 321,
        "userfaultfd": 323,
        **_NEWER,
    },
)
_AARCH64 = _Machine(
    0xC00000B7,
    220,
    198,
    208,
    {
        "umount2": 39,
        "mount": 40,
        "pivot_root": 41,
        "unshare": 97,
        "kexec_load": 104,
        "init_module": 105,
        "ptrace": 117,
        "sched_setaffinity": 122,
        "msgget": 186,
        "semget": 190,
        "shmget": 194,
        "add_key": 217,
        "request_key": 218,
        "keyctl": 219,
        "perf_event_open": 241,
        "setns": 268,
        "process_vm_readv": 270,
        "process_vm_writev": 271,
        "finit_module": 273,
        "memfd_create": 279,
        "bpf": 280,
        "userfaultfd": 282,
        **_NEWER,
    },
)
_CLONE3 = 435
_MACHINES = {"x86_64": _X86_64, "aarch64": _AARCH64}


def filter_program() -> bytes:
    """Return the filter for this machine; empty for an architecture whose calls are not listed here."""
    machine = _MACHINES.get(platform.machine())
    if machine is None:
        return b""
    program = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, machine.architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_JUMP_AT_LEAST, 0, 1, _OTHER_NUMBERING),
        (_RETURN, 0, 0, _REFUSE | _EPERM),
        *_refuse(_CLONE3, _ENOSYS),  # its flags cannot be seen; libraries then use clone
        *(step for number in machine.refused.values() for step in _refuse(number, _EPERM)),
        (_JUMP_EQUAL, 0, 3 + len(_FAMILIES), machine.socket),
        (_LOAD, 0, 0, _ARGUMENTS[0]),
        *((_JUMP_EQUAL, len(_FAMILIES) - n, 0, family) for n, family in enumerate(_FAMILIES)),
        (_RETURN, 0, 0, _REFUSE | _EAFNOSUPPORT),
        (_RETURN, 0, 0, _ALLOW),
        (_JUMP_EQUAL, 0, 7, machine.setsockopt),
        (_LOAD, 0, 0, _ARGUMENTS[1]),
        (_JUMP_EQUAL, 0, 4, _SOCKET_LEVEL),
        (_LOAD, 0, 0, _ARGUMENTS[2]),
        (_JUMP_EQUAL, 1, 0, _BUFFER_SIZES[0]),
        (_JUMP_EQUAL, 0, 1, _BUFFER_SIZES[1]),
        (_RETURN, 0, 0, _REFUSE | _EPERM),
        (_RETURN, 0, 0, _ALLOW),
        (_JUMP_EQUAL, 0, 3, machine.clone),
        (_LOAD, 0, 0, _ARGUMENTS[0]),
        (_JUMP_ANY_BIT, 0, 1, _NEW_NAMESPACES),
        (_RETURN, 0, 0, _REFUSE | _EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("<HBBI", *step) for step in program)


def _refuse(number: int, error: int) -> Iterable[tuple[int, int, int, int]]:
    return ((_JUMP_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE | error))
