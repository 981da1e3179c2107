"""Runs a command on a kernel that seems to lack seccomp filters: the call `seccomp` fails with the error number given first."""

from __future__ import annotations

import ctypes
import os
import sys

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP = 38, 22
FILTER_MODE = 2
LOAD_NUMBER, EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, FAIL = 0x7FFF0000, 0x00050000
SECCOMP = {"x86_64": 317, "aarch64": 277}[os.uname().machine]


class Instruction(ctypes.Structure):
    _fields_ = [("code", ctypes.c_ushort), ("jt", ctypes.c_ubyte), ("jf", ctypes.c_ubyte), ("k", ctypes.c_uint)]


class Program(ctypes.Structure):
    _fields_ = [("size", ctypes.c_ushort), ("instructions", ctypes.POINTER(Instruction))]


def refuse(number: int) -> None:
    """Let `seccomp` fail with `number` in this process and those that it starts."""
    rows = ((LOAD_NUMBER, 0, 0, 0), (EQUAL, 0, 1, SECCOMP), (RETURN, 0, 0, FAIL | number), (RETURN, 0, 0, ALLOW))
    instructions = (Instruction * len(rows))(*(Instruction(*row) for row in rows))
    library = ctypes.CDLL(None, use_errno=True)
    for call in (
        (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
        (PR_SET_SECCOMP, FILTER_MODE, ctypes.byref(Program(len(rows), instructions)), 0, 0),
    ):
        if library.prctl(*call) != 0:
            raise OSError(ctypes.get_errno(), "prctl")


if __name__ == "__main__":
    refuse(int(sys.argv[1]))
    os.execv(sys.argv[2], sys.argv[2:])
