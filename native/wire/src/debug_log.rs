//! Debug logs: lines about the inner workings of rt, in debug builds only.
//!
//! `debug_log!(Guardian, "started {pid}")` writes a line of the scope `guardian`. Without the feature `debug_logs` the macro
//! expands to nothing: its arguments are type-checked but not compiled, and this module contains no code. All scopes except
//! the quiet ones are on; `RT_DEBUG_<scope>=1` turns a scope on and `=0` off, `RT_DEBUG_QUIET_LOGS=1` turns off every scope
//! that is not turned on. Lines go to stderr, or to the end of the file that `RT_DEBUG` names.

/// What a line is about. `SCOPES` describes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Launcher,
    Plan,
    Guardian,
    Zygote,
    Loop,
    Resolver,
    Loader,
    Transpiler,
    Http,
    Tls,
    Watch,
    Shell,
    Packages,
    Tasks,
}

/// Writes a line of a scope: `debug_log!(Http, "format", arguments…)`.
#[cfg(feature = "debug_logs")]
#[macro_export]
macro_rules! debug_log {
    ($scope:ident, $($argument:tt)+) => {
        if $crate::debug_log::is_on($crate::debug_log::Scope::$scope) {
            $crate::debug_log::write($crate::debug_log::Scope::$scope, format_args!($($argument)+));
        }
    };
}

/// Does nothing: this is not a debug build.
#[cfg(not(feature = "debug_logs"))]
#[macro_export]
macro_rules! debug_log {
    ($scope:ident, $($argument:tt)+) => {
        if false {
            let _ = ($crate::debug_log::Scope::$scope, format_args!($($argument)+));
        }
    };
}

#[cfg(feature = "debug_logs")]
pub use logging::{SCOPES, is_on, name_of, scope_named, write};

#[cfg(feature = "debug_logs")]
mod logging {
    use std::fmt::Arguments;
    use std::fs::{File, OpenOptions};
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    use std::sync::OnceLock;

    use super::Scope;

    /// Scope, name, whether it is on by default, what its lines report.
    pub const SCOPES: [(Scope, &str, bool, &str); 14] = [
        (Scope::Launcher, "launcher", true, "cached starts, and why the launcher becomes Python"),
        (Scope::Plan, "plan", true, "the scripts of a run, their order, the plan cache"),
        (Scope::Guardian, "guardian", true, "starts and ends of scripts, signals, leftovers"),
        (Scope::Zygote, "zygote", true, "zygotes and the workers that they fork"),
        (Scope::Loop, "loop", false, "each turn of the event loop"),
        (Scope::Resolver, "resolver", true, "what each specifier resolves to"),
        (Scope::Loader, "loader", true, "each module that is created"),
        (Scope::Transpiler, "transpiler", true, "each file that is parsed, and whether it changed"),
        (Scope::Http, "http", true, "connections and requests of servers"),
        (Scope::Tls, "tls", true, "handshakes of servers"),
        (Scope::Watch, "watch", true, "changed files and restarts"),
        (Scope::Shell, "shell", true, "commands of rt's shell"),
        (Scope::Packages, "packages", true, "packages that are installed on demand"),
        (Scope::Tasks, "tasks", true, "hits and misses of the task cache"),
    ];

    const QUIET: &str = "RT_DEBUG_QUIET_LOGS";
    const FILE: &str = "RT_DEBUG";
    const FILE_END: &str = ".log";

    struct Settings {
        is_on: [bool; SCOPES.len()],
        /// None: lines go to stderr.
        file: Option<File>,
        /// When this process, or the one it was forked from, started; in nanoseconds of `CLOCK_BOOTTIME`.
        started_ns: i64,
    }

    static SETTINGS: OnceLock<Settings> = OnceLock::new();

    /// Whether lines of `scope` are written.
    pub fn is_on(scope: Scope) -> bool {
        settings().is_on[scope as usize]
    }

    pub fn name_of(scope: Scope) -> &'static str {
        SCOPES[scope as usize].1
    }

    pub fn scope_named(name: &str) -> Option<Scope> {
        SCOPES.iter().find(|(_, known, ..)| *known == name).map(|(scope, ..)| *scope)
    }

    /// Writes a line with the scope, the milliseconds since the process started, the process and the thread, in one write.
    pub fn write(scope: Scope, text: Arguments<'_>) {
        let settings = settings();
        let elapsed_ms = (now_ns() - settings.started_ns) as f64 / 1e6;
        // SAFETY: the call only returns a number.
        let thread = unsafe { libc::gettid() };
        let process = std::process::id();
        let line = format!("[{:<10} {elapsed_ms:9.3} ms {process}/{thread}] {text}\n", name_of(scope));
        let _ = match &settings.file {
            Some(file) => (&mut &*file).write_all(line.as_bytes()),
            None => std::io::stderr().write_all(line.as_bytes()),
        };
    }

    fn settings() -> &'static Settings {
        SETTINGS.get_or_init(|| {
            let is_quiet = value(QUIET).is_some_and(|value| is_set(&value));
            let is_on = SCOPES.map(|(_, name, default, _)| match value(&format!("RT_DEBUG_{name}")) {
                Some(value) => is_set(&value),
                None => default && !is_quiet,
            });
            Settings { is_on, file: open_file(), started_ns: process_start_ns().unwrap_or_else(now_ns) }
        })
    }

    fn value(name: &str) -> Option<String> {
        std::env::var(name).or_else(|_| std::env::var(name.to_uppercase())).ok().filter(|value| !value.is_empty())
    }

    fn is_set(value: &str) -> bool {
        value != "0" && value != "false"
    }

    fn open_file() -> Option<File> {
        let path = value(FILE)?;
        let opened = if path.ends_with(FILE_END) {
            let flags = libc::O_CLOEXEC | libc::O_NOFOLLOW;
            OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(flags).open(&path)
        } else {
            Err(std::io::Error::other(format!("its name must end in {FILE_END}")))
        };
        match opened {
            Ok(file) => Some(file),
            Err(error) => {
                let _ = writeln!(std::io::stderr(), "rt: {FILE}={path}: {error}; debug logs go to stderr");
                None
            }
        }
    }

    fn now_ns() -> i64 {
        let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the call fills the structure.
        unsafe { libc::clock_gettime(libc::CLOCK_BOOTTIME, &mut now) };
        now.tv_sec * 1_000_000_000 + now.tv_nsec
    }

    /// The field `starttime` of /proc/self/stat, which executing another program does not change.
    fn process_start_ns() -> Option<i64> {
        let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
        let ticks: i64 = stat.rsplit_once(") ")?.1.split(' ').nth(19)?.parse().ok()?;
        // SAFETY: the call only returns a number.
        let per_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
        Some(ticks * (1_000_000_000 / per_second.max(1)))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn every_scope_has_its_row() {
            for (place, (scope, name, ..)) in SCOPES.into_iter().enumerate() {
                assert_eq!(scope as usize, place);
                assert_eq!(scope_named(name), Some(scope));
            }
        }
    }
}
