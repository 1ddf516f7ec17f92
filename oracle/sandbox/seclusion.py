"""A private /dev/shm for the subject's process, which is limited and ends with its last process.

Shared memory that nobody unlinks stays until the next boot, and a killed subject does not unlink it; nor does Python's
resource tracker, which is killed with it.  So the process gets a file system of its own there, in a mount namespace,
where the system allows it.  That removes nothing that others made, and earlier contents stay visible.  Elsewhere
(macOS, containers without that right) nothing is done.
"""

import os
from contextlib import suppress
from typing import Any, Final

SHARED: Final = "/dev/shm"

MANY: Final = 64
"""Names there from which on it is left as it is: each of them is a mount."""

_exit: Final = os._exit
"""As it was before a subject changed it."""

NEWNS: Final = 0x00020000
_NEWUSER: Final = 0x10000000
_NOSUID, _NODEV, _BIND, _REC, _PRIVATE = 2, 4, 0x1000, 0x4000, 0x40000
_DETACH = 2


def seclude(most: int) -> bool:
    """Give this process, which has one thread, such a place of so many bytes; whether there is one now."""
    try:
        import ctypes

        libc: Any = ctypes.CDLL(None, use_errno=True)
        if len(os.listdir(SHARED)) > MANY or not leave_mounts(libc):
            return False
        if libc.mount(None, b"/", None, _REC | _PRIVATE, None):  # what is mounted here is seen here alone
            return False
        before = os.open(SHARED, os.O_RDONLY | os.O_DIRECTORY)
        try:
            if libc.mount(b"tmpfs", SHARED.encode(), b"tmpfs", _NOSUID | _NODEV, f"size={most},mode=1777".encode()):
                return False
            if all(_keep(libc, f"/proc/self/fd/{before}/{name}", f"{SHARED}/{name}") for name in os.listdir(before)):
                return True
            libc.umount2(SHARED.encode(), _DETACH)
        finally:
            os.close(before)
    except (ImportError, OSError, AttributeError):  # no such place, no such calls
        pass
    return False


def leave_mounts(libc: Any) -> bool:
    """Return whether its mounts are its own now: by the right to that, or as another user's namespace gives it.

    That is tried in a copy first: who has entered such a namespace and may not say whom its user stands for, as some
    systems have it, is nobody there, and cannot go back.
    """
    if libc.unshare(NEWNS) == 0:
        return True
    copy = os.fork()
    if copy == 0:
        try:
            _exit(0 if _enter(libc) else 1)
        finally:
            _exit(1)
    return os.waitpid(copy, 0)[1] == 0 and _enter(libc)


def _enter(libc: Any) -> bool:
    """Return whether it is in a user's namespace of its own now, as the same user."""
    user, group = os.geteuid(), os.getegid()
    if libc.unshare(_NEWUSER | NEWNS):
        return False
    for name, text in ("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1"):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    return True


def _keep(libc: Any, there: str, here: str) -> bool:
    """Return whether what was there is here, too."""
    with suppress(FileNotFoundError):  # it is gone by now
        if os.path.isdir(there):
            os.mkdir(here)
        else:
            os.close(os.open(here, os.O_CREAT | os.O_WRONLY, 0o600))
        return bool(libc.mount(there.encode(), here.encode(), None, _BIND | _REC, None) == 0)
    return True
