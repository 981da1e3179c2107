//! The names of system errors and Node's messages for them, by Linux's numbers.
use pyo3::prelude::*;

const WORDS: &[(i32, &str, &str)] = &[
    (1, "EPERM", "operation not permitted"),
    (2, "ENOENT", "no such file or directory"),
    (3, "ESRCH", "no such process"),
    (4, "EINTR", "interrupted system call"),
    (5, "EIO", "i/o error"),
    (6, "ENXIO", "no such device or address"),
    (7, "E2BIG", "argument list too long"),
    (8, "ENOEXEC", "exec format error"),
    (9, "EBADF", "bad file descriptor"),
    (11, "EAGAIN", "resource temporarily unavailable"),
    (12, "ENOMEM", "not enough memory"),
    (13, "EACCES", "permission denied"),
    (14, "EFAULT", "bad address in system call argument"),
    (16, "EBUSY", "resource busy or locked"),
    (17, "EEXIST", "file already exists"),
    (18, "EXDEV", "cross-device link not permitted"),
    (19, "ENODEV", "no such device"),
    (20, "ENOTDIR", "not a directory"),
    (21, "EISDIR", "illegal operation on a directory"),
    (22, "EINVAL", "invalid argument"),
    (23, "ENFILE", "file table overflow"),
    (24, "EMFILE", "too many open files"),
    (25, "ENOTTY", "inappropriate ioctl for device"),
    (26, "ETXTBSY", "text file is busy"),
    (27, "EFBIG", "file too large"),
    (28, "ENOSPC", "no space left on device"),
    (29, "ESPIPE", "invalid seek"),
    (30, "EROFS", "read-only file system"),
    (31, "EMLINK", "too many links"),
    (32, "EPIPE", "broken pipe"),
    (34, "ERANGE", "result too large"),
    (36, "ENAMETOOLONG", "name too long"),
    (38, "ENOSYS", "function not implemented"),
    (39, "ENOTEMPTY", "directory not empty"),
    (40, "ELOOP", "too many symbolic links encountered"),
    (49, "EUNATCH", "protocol driver not attached"),
    (61, "ENODATA", "no data available"),
    (64, "ENONET", "machine is not on the network"),
    (71, "EPROTO", "protocol error"),
    (75, "EOVERFLOW", "value too large for defined data type"),
    (84, "EILSEQ", "illegal byte sequence"),
    (88, "ENOTSOCK", "socket operation on non-socket"),
    (89, "EDESTADDRREQ", "destination address required"),
    (90, "EMSGSIZE", "message too long"),
    (91, "EPROTOTYPE", "protocol wrong type for socket"),
    (92, "ENOPROTOOPT", "protocol not available"),
    (93, "EPROTONOSUPPORT", "protocol not supported"),
    (94, "ESOCKTNOSUPPORT", "socket type not supported"),
    (95, "ENOTSUP", "operation not supported on socket"),
    (97, "EAFNOSUPPORT", "address family not supported"),
    (98, "EADDRINUSE", "address already in use"),
    (99, "EADDRNOTAVAIL", "address not available"),
    (100, "ENETDOWN", "network is down"),
    (101, "ENETUNREACH", "network is unreachable"),
    (103, "ECONNABORTED", "software caused connection abort"),
    (104, "ECONNRESET", "connection reset by peer"),
    (105, "ENOBUFS", "no buffer space available"),
    (106, "EISCONN", "socket is already connected"),
    (107, "ENOTCONN", "socket is not connected"),
    (108, "ESHUTDOWN", "cannot send after transport endpoint shutdown"),
    (110, "ETIMEDOUT", "connection timed out"),
    (111, "ECONNREFUSED", "connection refused"),
    (112, "EHOSTDOWN", "host is down"),
    (113, "EHOSTUNREACH", "host is unreachable"),
    (114, "EALREADY", "connection already in progress"),
    (121, "EREMOTEIO", "remote I/O error"),
    (125, "ECANCELED", "operation canceled"),
];

/// An error's code and message.
pub fn of(errno: i32) -> (String, String) {
    match WORDS.iter().find(|(number, ..)| *number == errno) {
        Some((_, code, words)) => ((*code).to_owned(), (*words).to_owned()),
        None => (format!("Unknown system error {errno}"), format!("Unknown system error -{errno}")),
    }
}

/// Node's code and message for a system call's error number.
#[pyfunction]
fn system_error_words(errno: i32) -> (String, String) {
    of(errno)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(system_error_words, module)?)
}
