//! Failed system calls of a program, and the Errors that Node throws for them.
use rustix::io::Errno;

use super::words;
use crate::v8::{Local, Scope};

pub struct Failure {
    pub errno: i32,
    syscall: &'static str,
    path: Option<Vec<u8>>,
    dest: Option<Vec<u8>>,
}

impl Failure {
    pub fn new(error: Errno, syscall: &'static str) -> Failure {
        Failure { errno: error.raw_os_error(), syscall, path: None, dest: None }
    }

    pub fn at(error: Errno, syscall: &'static str, path: &[u8]) -> Failure {
        Failure { path: Some(path.to_vec()), ..Failure::new(error, syscall) }
    }

    pub fn with_destination(error: Errno, syscall: &'static str, path: &[u8], dest: &[u8]) -> Failure {
        Failure { dest: Some(dest.to_vec()), ..Failure::at(error, syscall, path) }
    }

    /// The error of this thread's last system call.
    pub fn last(syscall: &'static str) -> Failure {
        Failure::new(Failure::last_error(), syscall)
    }

    pub fn last_error() -> Errno {
        Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)
    }

    pub fn is_missing(&self) -> bool {
        [Errno::NOENT, Errno::NOTDIR].iter().any(|error| error.raw_os_error() == self.errno)
    }

    pub fn to_js<'s>(&self, scope: &Scope<'s>) -> Local<'s> {
        let (code, words) = words::of(self.errno);
        let mut message = format!("{code}: {words}, {}", self.syscall);
        let shown = |path: &[u8]| String::from_utf8_lossy(path).into_owned();
        let (path, dest) = (self.path.as_deref().map(shown), self.dest.as_deref().map(shown));
        if let Some(path) = &path {
            message += &format!(" '{path}'");
        }
        if let Some(dest) = &dest {
            message += &format!(" -> '{dest}'");
        }
        let error = scope.error(&message);
        let put = |name: &str, text: &str| {
            if let Some(text) = scope.text(text.as_bytes()) {
                scope.put(error, name, text);
            }
        };
        scope.put(error, "errno", scope.number(f64::from(-self.errno)));
        put("code", &code);
        put("syscall", self.syscall);
        path.iter().for_each(|path| put("path", path));
        dest.iter().for_each(|dest| put("dest", dest));
        error
    }
}
