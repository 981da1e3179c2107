"""The words Node prints for system errors, where they differ from the C library's."""

from __future__ import annotations

WORDS = {
    "EACCES": "permission denied",
    "EADDRINUSE": "address already in use",
    "EBADF": "bad file descriptor",
    "EBUSY": "resource busy or locked",
    "ECONNREFUSED": "connection refused",
    "ECONNRESET": "connection reset by peer",
    "EEXIST": "file already exists",
    "EFBIG": "file too large",
    "EINVAL": "invalid argument",
    "EISDIR": "illegal operation on a directory",
    "ELOOP": "too many symbolic links encountered",
    "EMFILE": "too many open files",
    "ENAMETOOLONG": "name too long",
    "ENOENT": "no such file or directory",
    "ENOSPC": "no space left on device",
    "ENOTDIR": "not a directory",
    "ENOTEMPTY": "directory not empty",
    "EPERM": "operation not permitted",
    "EPIPE": "broken pipe",
    "EROFS": "read-only file system",
    "ESRCH": "no such process",
    "EXDEV": "cross-device link not permitted",
}
