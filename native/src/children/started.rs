//! One child: the request, its start, its pidfd, and this process's ends of its pipes.
use std::fs::File;
use std::io::Error;
use std::os::fd::{AsRawFd, IntoRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::Once;

use pyo3::PyResult;
use rt_guardian::spawn::{Extras, NO_GROUP, Order, c_strings};
use rt_guardian::system::microseconds;
use rt_guardian::terminal::Opened;
use rt_guardian::{signals, system};

use super::guard;
use crate::v8::{Local, Scope};

const STANDARD: usize = 3;
const DEFAULT_PATH: &[u8] = b"/usr/local/bin:/bin:/usr/bin";

/// What a descriptor of the child refers to.
enum Word {
    /// A descriptor of this process.
    Ours(i32),
    Ignore,
    Pipe,
    /// A pipe that the child can reopen through /dev/fd.
    Output,
    Socket,
}

/// A program's request to start a child.
pub struct Request {
    file: Vec<u8>,
    argv: Vec<Vec<u8>>,
    environment: Vec<Vec<u8>>,
    /// The search path for the file.
    path: Option<Vec<u8>>,
    /// Empty for the working directory of this process.
    folder: Vec<u8>,
    is_detached: bool,
    user: Option<u32>,
    group: Option<u32>,
    stdio: Vec<Word>,
}

impl Request {
    pub fn read(scope: &Scope<'_>, request: Local<'_>) -> PyResult<Request> {
        let text = |name: &str| Ok::<_, pyo3::PyErr>(scope.system_bytes(scope.get(request, name)?));
        let list = |name: &str| {
            let items = scope.elements(scope.get(request, name)?);
            Ok::<_, pyo3::PyErr>(items.into_iter().map(|item| scope.system_bytes(item).unwrap_or_default()).collect())
        };
        let id = |name: &str| Ok::<_, pyo3::PyErr>(u32::try_from(scope.double(scope.get(request, name)?) as i64).ok());
        let word = |item: Local<'_>| match scope.system_bytes(item).as_deref() {
            None => Word::Ours(scope.double(item) as i32),
            Some(b"ignore") => Word::Ignore,
            Some(b"output") => Word::Output,
            Some(b"socket") => Word::Socket,
            Some(_) => Word::Pipe,
        };
        Ok(Request {
            file: text("file")?.unwrap_or_default(),
            argv: list("argv")?,
            environment: list("env")?,
            path: text("path")?,
            folder: text("cwd")?.unwrap_or_default(),
            is_detached: scope.is_true(scope.get(request, "detached")?),
            user: id("uid")?,
            group: id("gid")?,
            stdio: scope.elements(scope.get(request, "stdio")?).into_iter().map(word).collect(),
        })
    }

    /// The possible locations of the program, in the order of execvp(3).
    fn candidates(&self) -> Vec<Vec<u8>> {
        if self.file.contains(&b'/') {
            return vec![self.file.clone()];
        }
        let path = self.path.as_deref().filter(|path| !path.is_empty()).unwrap_or(DEFAULT_PATH);
        let in_folder = |folder: &[u8]| match folder {
            [] => self.file.clone(),
            folder => [folder, b"/", &self.file].concat(),
        };
        path.split(|byte| *byte == b':').map(in_folder).collect()
    }
}

pub struct Started {
    pub pid: i32,
    pub watch: Opened,
    pub ends: Vec<Option<OwnedFd>>,
}

impl Started {
    /// Fails with an errno.
    pub fn new(request: Request) -> Result<Started, i32> {
        allow_many_descriptors();
        let errno = |error: Error| error.raw_os_error().unwrap_or(libc::EIO);
        let mark = if request.is_detached { None } else { Some(guard::ensure().map_err(errno)?) };
        let (mut ends, mut theirs, mut passed) = (Vec::new(), Vec::new(), Vec::new());
        for (place, word) in request.stdio.iter().enumerate() {
            let (given, end) = descriptors(place, word, &mut theirs).map_err(errno)?;
            passed.push(given);
            ends.push(end);
        }
        let not_words = |_| libc::EINVAL;
        let extras = Extras {
            programs: c_strings(request.candidates()).map_err(not_words)?,
            new_session: request.is_detached,
            mark,
            user: request.user,
            group: request.group,
            is_child: true,
            ..Extras::default()
        };
        let Request { argv, environment, folder, .. } = request;
        let order = Order::new(argv, environment, folder, passed, NO_GROUP, signals::ignored(), extras, None);
        let started = order.map_err(not_words)?.start().map_err(|refusal| refusal.errno)?;
        let watch = end_of(started.pid).map_err(errno)?;
        Ok(Started { pid: started.pid, watch, ends })
    }
}

/// The child's descriptor at `place`, and this process's end; descriptors created for the child are added to `theirs`.
fn descriptors(place: usize, word: &Word, theirs: &mut Vec<OwnedFd>) -> Result<(i32, Option<OwnedFd>), Error> {
    let (ours, given) = match word {
        Word::Ours(descriptor) => {
            if *descriptor >= STANDARD as i32 {
                set_blocking(*descriptor, true)?; // it may be a non-blocking end of another child's pipe
            }
            return Ok((*descriptor, None));
        }
        Word::Ignore if place >= STANDARD => return Ok((-1, None)),
        Word::Ignore => (None, File::options().read(true).write(true).open("/dev/null")?.into()),
        word => {
            let (ours, given) = pair(place, word)?;
            set_blocking(ours.as_raw_fd(), false)?;
            (Some(ours), given)
        }
    };
    let number = given.as_raw_fd();
    theirs.push(given);
    Ok((number, ours))
}

/// This process's end and the child's.
fn pair(place: usize, word: &Word) -> Result<(OwnedFd, OwnedFd), Error> {
    if !matches!(word, Word::Output) && (matches!(word, Word::Socket) || place >= STANDARD) {
        let (first, second) = UnixStream::pair()?;
        return Ok((first.into(), second.into()));
    }
    let (read, write) = std::io::pipe()?;
    let is_read_by_child = place == 0 && !matches!(word, Word::Output);
    Ok(if is_read_by_child { (write.into(), read.into()) } else { (read.into(), write.into()) })
}

fn set_blocking(descriptor: i32, is_blocking: bool) -> Result<(), Error> {
    // SAFETY: the calls take numbers only.
    unsafe {
        let flags = libc::fcntl(descriptor, libc::F_GETFL);
        let wanted = if is_blocking { flags & !libc::O_NONBLOCK } else { flags | libc::O_NONBLOCK };
        if flags < 0 || flags != wanted && libc::fcntl(descriptor, libc::F_SETFL, wanted) < 0 {
            return Err(Error::last_os_error());
        }
    }
    Ok(())
}

/// A pidfd, which becomes readable when the child ends; without one, the child is killed.
fn end_of(pid: i32) -> Result<Opened, Error> {
    system::pidfd(pid).ok_or_else(|| {
        let error = Error::last_os_error();
        // SAFETY: the call takes numbers only.
        unsafe { libc::kill(pid, libc::SIGKILL) };
        system::wait_for_end(pid);
        error
    })
}

/// Raises the limit on open files to the maximum, once, as Node does: each child needs several.
fn allow_many_descriptors() {
    static RAISED: Once = Once::new();
    RAISED.call_once(|| {
        // SAFETY: the structure outlives both calls.
        unsafe {
            let mut limit: libc::rlimit = std::mem::zeroed();
            if libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit) == 0 {
                limit.rlim_cur = limit.rlim_max;
                libc::setrlimit(libc::RLIMIT_NOFILE, &limit);
            }
        }
    });
}

/// How a child has ended, and its resource usage; None while it runs.
pub fn wait(pid: i32, options: i32) -> Option<(i32, Usage)> {
    // SAFETY: the call fills the two variables, which outlive it.
    unsafe {
        let (mut status, mut usage) = (0, std::mem::zeroed());
        loop {
            match libc::wait4(pid, &mut status, options, &mut usage) {
                0 => return None,
                -1 if Error::last_os_error().kind() == std::io::ErrorKind::Interrupted => {}
                _ => return Some((status, Usage(usage))), // also if another caller reaped the child
            }
        }
    }
}

/// Exit code or signal of a wait status.
pub fn how_ended(status: i32) -> (Option<i32>, Option<i32>) {
    if libc::WIFSIGNALED(status) {
        (None, Some(libc::WTERMSIG(status)))
    } else {
        (Some(libc::WEXITSTATUS(status)), None)
    }
}

pub struct Usage(libc::rusage);

impl Default for Usage {
    fn default() -> Usage {
        // SAFETY: the structure consists of numbers.
        Usage(unsafe { std::mem::zeroed() })
    }
}

/// Times in us, peak memory in KiB and the counts of getrusage(2), in the order that `js/rt/spawn/usage.js` reads.
pub fn usage_to_js<'s>(scope: &Scope<'s>, usage: &Usage) -> Local<'s> {
    let used = &usage.0;
    let counts = [
        used.ru_maxrss,
        used.ru_ixrss,
        used.ru_nswap,
        used.ru_inblock,
        used.ru_oublock,
        used.ru_msgsnd,
        used.ru_msgrcv,
        used.ru_nsignals,
        used.ru_nvcsw,
        used.ru_nivcsw,
    ];
    let numbers = [used.ru_utime, used.ru_stime]
        .map(|time| microseconds(time) as f64)
        .into_iter()
        .chain(counts.map(|count| count as f64));
    let numbers: Vec<Local<'s>> = numbers.map(|number| scope.number(number)).collect();
    scope.array(&numbers)
}

/// Passes a descriptor to JavaScript, which closes it.
pub fn into_number(end: Option<OwnedFd>) -> Option<i32> {
    end.map(IntoRawFd::into_raw_fd)
}
