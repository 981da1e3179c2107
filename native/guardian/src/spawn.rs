//! Starts a process with its own group, parent-death signal, folder and descriptors, by `clone(CLONE_VM | CLONE_VFORK)`, which
//! copies no page tables and takes half as long as `fork`.
use crate::pending::Witness;
use crate::system::error_text;
use crate::tracing::{Tap, Tracer};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::io::Error;
use std::path::PathBuf;
use std::ptr::null;

/// Signals that the interpreter or the guardian may ignore or handle: a script gets the dispositions that its user set.
const RESTORED: [c_int; 14] = [
    libc::SIGHUP,
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGPIPE,
    libc::SIGALRM,
    libc::SIGTERM,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGCHLD,
    libc::SIGTSTP,
    libc::SIGTTIN,
    libc::SIGTTOU,
    libc::SIGXFSZ,
    libc::SIGWINCH,
];
const STACK_BYTES: usize = 64 * 1024;
pub const NO_GROUP: c_int = -1;
const CLOSED: c_int = -1;
const SHELL: &CStr = c"/bin/sh";

/// Optional properties: `direct`, `has_terminal` and `trace` are for scripts, `programs` for both kinds, all others for children
/// of programs.
#[derive(Default)]
pub struct Extras {
    /// Paths that are tried in order, as execvp(3) does; if empty, the first word of argv.
    pub programs: Vec<CString>,
    /// A file and its argv, executed instead if the system can execute the file: the program that a shell would execute in the
    /// end.
    pub direct: Vec<CString>,
    pub new_session: bool,
    /// Descriptor 0 is a terminal, which becomes the controlling terminal of a new session.
    pub has_terminal: bool,
    /// The soft limit RLIMIT_LOCKS, which Linux has ignored since 2.4.25 and all descendants inherit.
    pub mark: Option<u64>,
    pub user: Option<libc::uid_t>,
    pub group: Option<libc::gid_t>,
    /// The process may outlive the thread that starts it, and inherits only the listed descriptors.
    pub is_child: bool,
    /// The file for the trace of the process (`tracing`).
    pub trace: Option<PathBuf>,
}

/// The input and the results of the child, in memory shared with the parent until `execve`.
struct Launch<'a> {
    argv: Vec<*const c_char>,
    shell_argv: Vec<*const c_char>,
    envp: Vec<*const c_char>,
    programs: Vec<*const c_char>,
    direct: Vec<*const c_char>,
    folder: *const c_char,
    descriptors: Vec<c_int>,
    group: c_int,
    ignored: u64,
    parent: libc::pid_t,
    extras: &'a Extras,
    witness: Option<&'a Witness>,
    tap: Option<&'a Tap>,
    raised: u64,
    errno: c_int,
    failed_at: Stage,
}

#[derive(Clone, Copy)]
enum Stage {
    Folder,
    Other,
    Program,
}

/// The child between `clone` and `execve`. It only makes system calls: no allocation, no lock.
///
/// # Safety
/// Runs on its own stack in the parent's memory while the parent is suspended; `raw` is the parent's `Launch`.
extern "C" fn child(raw: *mut c_void) -> c_int {
    // SAFETY: the parent neither touches nor frees `Launch` and what it points to until this process has executed or ended.
    unsafe {
        let launch = &mut *(raw as *mut Launch<'_>);
        launch.errno = prepare_and_execute(launch);
        libc::_exit(127)
    }
}

/// Returns the errno of the step that failed.
///
/// # Safety
/// As for `child`.
unsafe fn prepare_and_execute(launch: &mut Launch<'_>) -> c_int {
    // SAFETY: system calls on values that `start` prepared; the pointers are to null-terminated arrays of C strings.
    unsafe {
        let errno = || *libc::__errno_location();
        launch.failed_at = Stage::Other;
        for signal in RESTORED {
            let stays_ignored = launch.ignored & (1 << signal) != 0;
            libc::signal(signal, if stays_ignored { libc::SIG_IGN } else { libc::SIG_DFL });
        }
        if launch.extras.new_session || launch.extras.has_terminal {
            libc::setsid();
        } else if launch.group != NO_GROUP && libc::setpgid(0, launch.group) != 0 {
            return errno();
        }
        if let Some(witness) = launch.witness {
            launch.raised = witness.raise_missed();
        }
        if !launch.extras.is_child || (launch.extras.mark.is_some_and(|mark| !set_mark(mark))) {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            if libc::getppid() != launch.parent {
                return libc::ESRCH; // the parent was killed before the death signal was set
            }
        }
        if !place(&mut launch.descriptors) {
            return errno();
        }
        if launch.extras.has_terminal && libc::ioctl(libc::STDIN_FILENO, libc::TIOCSCTTY, 0) != 0 {
            return errno();
        }
        if launch.extras.is_child {
            let first = launch.descriptors.len() as libc::c_uint;
            libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC);
        }
        if !launch.folder.is_null() {
            launch.failed_at = Stage::Folder;
            if libc::chdir(launch.folder) != 0 {
                return errno();
            }
        }
        // The C library's functions would also change the ids of all threads of the parent, so call the system directly.
        if (launch.extras.user.is_some() || launch.extras.group.is_some()) && libc::geteuid() == 0 {
            libc::syscall(libc::SYS_setgroups, 0, null::<libc::gid_t>());
        }
        if launch.extras.group.is_some_and(|group| libc::syscall(libc::SYS_setgid, group) != 0)
            || launch.extras.user.is_some_and(|user| libc::syscall(libc::SYS_setuid, user) != 0)
        {
            return errno();
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut());
        if launch.tap.is_some_and(|tap| !tap.install()) {
            return errno();
        }
        launch.failed_at = Stage::Program;
        execute(launch)
    }
}

/// Moves the descriptors to 0 and upwards, after moving those away that are in the way of others.
///
/// # Safety
/// Must be called in the child: it changes the process's descriptors.
unsafe fn place(descriptors: &mut [c_int]) -> bool {
    let count = descriptors.len() as c_int;
    // SAFETY: system calls on integers.
    unsafe {
        for (target, source) in descriptors.iter_mut().enumerate() {
            if *source != CLOSED && *source < count && *source != target as c_int {
                *source = libc::fcntl(*source, libc::F_DUPFD_CLOEXEC, count);
                if *source < 0 {
                    return false;
                }
            }
        }
        for (target, &source) in descriptors.iter().enumerate() {
            let target = target as c_int;
            let result = match source {
                CLOSED => {
                    libc::close(target);
                    0
                }
                _ if source == target => libc::fcntl(source, libc::F_SETFD, 0),
                _ => libc::dup2(source, target),
            };
            if result < 0 {
                return false;
            }
        }
    }
    true
}

/// # Safety
/// Must be called in the child.
unsafe fn set_mark(mark: u64) -> bool {
    // SAFETY: both calls only read or fill the plain struct that they receive.
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        if libc::getrlimit(libc::RLIMIT_LOCKS, &mut limit) != 0 {
            return false;
        }
        limit.rlim_cur = mark as libc::rlim_t;
        libc::setrlimit(libc::RLIMIT_LOCKS, &limit) == 0
    }
}

/// Tries the programs in order, as execvp(3) does: skips a file that does not exist, remembers one that may not be executed,
/// and passes one of unknown format to the shell. Returns the errno.
///
/// # Safety
/// Must be called in the child, with the arrays that `start` prepared.
unsafe fn execute(launch: &mut Launch) -> c_int {
    if let [program, argv @ ..] = &launch.direct[..]
        && !program.is_null()
    {
        // SAFETY: as below. If it fails, the shell reports why.
        unsafe { libc::execve(*program, argv.as_ptr(), launch.envp.as_ptr()) };
    }
    let mut denied = false;
    let mut last = libc::ENOENT;
    for &program in &launch.programs {
        // SAFETY: null-terminated arrays of C strings that the suspended parent keeps alive.
        last = unsafe {
            libc::execve(program, launch.argv.as_ptr(), launch.envp.as_ptr());
            *libc::__errno_location()
        };
        if last == libc::ENOEXEC && launch.extras.is_child {
            launch.shell_argv[1] = program;
            // SAFETY: as above.
            last = unsafe {
                libc::execve(SHELL.as_ptr(), launch.shell_argv.as_ptr(), launch.envp.as_ptr());
                *libc::__errno_location()
            };
        }
        match last {
            libc::EACCES => denied = true,
            libc::ENOENT | libc::ENOTDIR | libc::ESTALE | libc::ENODEV | libc::ETIMEDOUT => {}
            _ => return last,
        }
    }
    if denied { libc::EACCES } else { last }
}

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|text| text.as_ptr()).chain([null()]).collect()
}

/// The arguments of a process are invalid: argv is empty, or a string contains a null byte.
#[derive(Debug, PartialEq, Eq)]
pub struct InvalidArguments(pub &'static str);

const NULL_BYTE: InvalidArguments = InvalidArguments("embedded null byte");

pub fn c_strings(items: Vec<Vec<u8>>) -> Result<Vec<CString>, InvalidArguments> {
    items.into_iter().map(|item| CString::new(item).map_err(|_| NULL_BYTE)).collect()
}

/// All data needed to start one process, owned, so that any thread can start it.
pub struct Order {
    argv: Vec<CString>,
    environment: Vec<CString>,
    folder: CString,
    descriptors: Vec<c_int>,
    group: c_int,
    ignored: u64,
    extras: Extras,
    witness: Option<Witness>,
}

/// A process that has executed its program, or that a signal terminated before.
pub struct Started {
    pub pid: libc::pid_t,
    /// The signals that it raised in itself because they were pending for the witness (bit n = signal n).
    pub raised: u64,
    /// Writes the trace of the process if that was ordered.
    pub tracer: Option<Tracer>,
}

/// Why a process could not be started: errno, its description, and the path that it is about.
pub struct StartError {
    pub errno: c_int,
    pub message: String,
    pub path: Option<String>,
}

impl Order {
    #[allow(clippy::too_many_arguments, reason = "one field each, named where it is called")]
    pub fn new(
        argv: Vec<Vec<u8>>,
        environment: Vec<Vec<u8>>,
        folder: Vec<u8>,
        descriptors: Vec<c_int>,
        group: c_int,
        ignored: u64,
        extras: Extras,
        witness: Option<Witness>,
    ) -> Result<Order, InvalidArguments> {
        if argv.is_empty() {
            return Err(InvalidArguments("argv is empty"));
        }
        let folder = CString::new(folder).map_err(|_| NULL_BYTE)?;
        let (argv, environment) = (c_strings(argv)?, c_strings(environment)?);
        Ok(Order { argv, environment, folder, descriptors, group, ignored, extras, witness })
    }

    /// Starts the process, and returns once it has executed its program.
    pub fn start(&self) -> Result<Started, StartError> {
        let programs = if self.extras.programs.is_empty() { &self.argv[..1] } else { &self.extras.programs[..] };
        let mut stack = vec![0u8; STACK_BYTES];
        let tracing = self.extras.trace.as_deref().map(Tracer::new).transpose();
        let (tracer, tap) = tracing.map_err(|error| start_error(error, None))?.unzip();
        // SAFETY: system calls only. `Launch` and the stack outlive the clone call, which returns only once the child has
        // executed or ended (CLONE_VFORK). All signals are blocked meanwhile, so that no handler runs in the shared memory, and
        // the child uses this thread's errno only while this thread is suspended.
        let (pid, launch, error) = unsafe {
            let mut launch = Launch {
                argv: pointers(&self.argv),
                shell_argv: [SHELL.as_ptr(), null()].into_iter().chain(pointers(&self.argv[1..])).collect(),
                envp: pointers(&self.environment),
                programs: programs.iter().map(|text| text.as_ptr()).collect(),
                direct: pointers(&self.extras.direct),
                folder: if self.folder.is_empty() { null() } else { self.folder.as_ptr() },
                descriptors: self.descriptors.clone(),
                group: self.group,
                ignored: self.ignored,
                parent: libc::getpid(),
                extras: &self.extras,
                witness: self.witness.as_ref(),
                tap: tap.as_ref(),
                raised: 0,
                errno: 0,
                failed_at: Stage::Other,
            };
            let (mut all, mut before): (libc::sigset_t, libc::sigset_t) = (std::mem::zeroed(), std::mem::zeroed());
            libc::sigfillset(&mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
            let top = stack.as_mut_ptr().add(STACK_BYTES).map_addr(|address| address & !15);
            let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
            let pid = libc::clone(child, top as *mut c_void, flags, &mut launch as *mut Launch<'_> as *mut c_void);
            let error = Error::last_os_error();
            libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
            (pid, launch, error)
        };
        if pid < 0 {
            return Err(start_error(error, None));
        }
        if launch.errno != 0 {
            // SAFETY: reaps the child that failed. The status is not needed, and another thread may have reaped it already.
            unsafe { libc::waitpid(pid, std::ptr::null_mut(), 0) };
            let subject = match launch.failed_at {
                Stage::Folder => Some(self.folder.to_string_lossy().into_owned()),
                Stage::Program => Some(programs[0].to_string_lossy().into_owned()),
                Stage::Other => None,
            };
            return Err(start_error(Error::from_raw_os_error(launch.errno), subject));
        }
        Ok(Started { pid, raised: launch.raised, tracer })
    }
}

pub fn start_error(error: Error, path: Option<String>) -> StartError {
    StartError { errno: error.raw_os_error().unwrap_or(0), message: error_text(&error), path }
}
