//! A program's output: buffered into large blocks, preserving the order between stdout and stderr.
//!
//! It is written before the loop waits, at exit, when the buffer is large, and when it is MOST_DELAY old; if the
//! program computes meanwhile, a thread writes it, which lives as long as there is buffered output. Terminals and the
//! first line are written at once. A closed pipe ends the program silently, unless the program listens for errors of
//! process.stdout.
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use pyo3::create_exception;
use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use super::core::Core;
use super::inbox::{Inbox, Task};
use super::poller::borrowed;
use crate::v8::{Call, HostOperation, with_signals_blocked};

const MOST_GATHERED: usize = 64 * 1024;
const MOST_DELAY: Duration = Duration::from_millis(10);
const THREAD_STACK: usize = 128 * 1024;

create_exception!(
    rt_supervisor._native,
    OutputClosed,
    PyBaseException,
    "Nobody reads what the program prints; no `Exception`, so it passes through JavaScript."
);
create_exception!(
    rt_supervisor._native,
    OutputFailed,
    PyBaseException,
    "What the program prints cannot be written; its arguments are an errno and the descriptor."
);

/// Why output cannot be written any more.
#[derive(Clone, Copy)]
enum Problem {
    Closed,
    Failed { errno: i32, descriptor: i32 },
}

impl From<Problem> for PyErr {
    fn from(problem: Problem) -> PyErr {
        match problem {
            Problem::Closed => OutputClosed::new_err(()),
            Problem::Failed { errno, descriptor } => OutputFailed::new_err((errno, descriptor)),
        }
    }
}

/// The reader of descriptor 1:
///
/// There --a write failed--> Gone --reported to the program--> GivenUp
///    `-------------------------`--drop: output is discarded--> GivenUp
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reader {
    There,
    Gone,
    GivenUp,
}

struct BufferedOutput {
    descriptor: i32,
    bytes: Vec<u8>,
    /// The time of the last write.
    flushed: Option<Instant>,
    has_thread: bool,
    problem: Option<Problem>,
    reader: Reader,
    /// Whether the program handles a closed reader; otherwise it ends.
    listens: bool,
    /// Whether descriptors 1 and 2 are terminals, once known.
    terminals: [Option<bool>; 2],
}

/// The output of one program.
pub struct Output {
    buffered: Mutex<BufferedOutput>,
    /// Held during a write.
    writing: Mutex<()>,
    inbox: OnceLock<Weak<Inbox>>,
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Output {
    pub fn new() -> Arc<Output> {
        let buffered = BufferedOutput {
            descriptor: 1,
            bytes: Vec::new(),
            flushed: None,
            has_thread: false,
            problem: None,
            reader: Reader::There,
            listens: false,
            terminals: [None; 2],
        };
        Arc::new(Output { buffered: Mutex::new(buffered), writing: Mutex::default(), inbox: OnceLock::new() })
    }

    /// Lets the loop of `inbox` write buffered output before it waits.
    pub fn serve(&self, inbox: &Arc<Inbox>) {
        let _ = self.inbox.set(Arc::downgrade(inbox));
    }

    fn inbox(&self) -> Option<Arc<Inbox>> {
        self.inbox.get().and_then(Weak::upgrade)
    }

    fn notify(&self) {
        if let Some(inbox) = self.inbox() {
            inbox.wants_flush.store(true, std::sync::atomic::Ordering::Release);
        }
    }

    /// Buffer bytes for `descriptor`.
    pub fn write(self: &Arc<Self>, descriptor: i32, bytes: &[u8]) -> PyResult<()> {
        if held(&self.buffered).descriptor != descriptor {
            self.flush()?;
            held(&self.buffered).descriptor = descriptor;
        }
        let mut buffered = held(&self.buffered);
        buffered.bytes.extend_from_slice(bytes);
        let is_late = buffered.flushed.is_none_or(|at| at.elapsed() > MOST_DELAY);
        if buffered.bytes.len() > MOST_GATHERED || is_late || buffered.is_terminal(descriptor) {
            drop(buffered);
            return self.flush();
        }
        let needs_thread = !std::mem::replace(&mut buffered.has_thread, true);
        drop(buffered);
        self.notify();
        if needs_thread {
            let own = self.clone();
            let thread = std::thread::Builder::new().name("rt-output".into()).stack_size(THREAD_STACK);
            if with_signals_blocked(|| thread.spawn(move || own.flush_soon())).is_err() {
                held(&self.buffered).has_thread = false; // no thread is available
                return self.flush();
            }
        }
        Ok(())
    }

    /// Writes the buffered output. Fails with OutputClosed or OutputFailed; for the loop's thread.
    pub fn flush(&self) -> PyResult<()> {
        let may_be_needed = {
            let buffered = held(&self.buffered);
            !buffered.bytes.is_empty() || buffered.has_thread // the thread may still be writing what it took
        };
        if may_be_needed {
            let _writing = held(&self.writing);
            self.write_out();
        }
        let mut buffered = held(&self.buffered);
        if let Some(problem) = buffered.problem {
            return Err(problem.into());
        }
        if buffered.reader == Reader::Gone && buffered.listens {
            buffered.reader = Reader::GivenUp;
            drop(buffered);
            if let Some(inbox) = self.inbox() {
                inbox.push(Task::Native(Box::new(|core| core.report_closed_output())));
            }
        }
        Ok(())
    }

    fn flush_soon(&self) {
        loop {
            std::thread::sleep(MOST_DELAY);
            {
                let mut buffered = held(&self.buffered);
                if buffered.bytes.is_empty() {
                    buffered.has_thread = false;
                    return;
                }
            }
            let _writing = held(&self.writing);
            self.write_out();
        }
    }

    /// Writes while holding `writing`; the next print or flush reports problems.
    fn write_out(&self) {
        let (descriptor, bytes) = {
            let mut buffered = held(&self.buffered);
            (buffered.descriptor, std::mem::take(&mut buffered.bytes))
        };
        let failed = write_all(descriptor, &bytes).err();
        let mut buffered = held(&self.buffered);
        match failed {
            Some(libc::EPIPE) if descriptor == 1 && buffered.reader == Reader::There => {
                buffered.reader = Reader::Gone;
                if !buffered.listens {
                    buffered.problem = Some(Problem::Closed);
                }
            }
            // There is no reader or no such stream, or its terminal has hung up.
            None | Some(libc::EPIPE | libc::EBADF | libc::EIO) => {}
            Some(errno) => buffered.problem = Some(Problem::Failed { errno, descriptor }),
        }
        let has_news = buffered.problem.is_some() || buffered.reader == Reader::Gone;
        buffered.flushed = Some(Instant::now());
        drop(buffered);
        if has_news {
            self.notify();
        }
    }
}

impl BufferedOutput {
    fn is_terminal(&mut self, descriptor: i32) -> bool {
        let ask = || rustix::termios::isatty(borrowed(descriptor));
        match self.terminals.get_mut((descriptor - 1) as usize) {
            Some(known) => *known.get_or_insert_with(ask),
            None => ask(),
        }
    }
}

/// Writes all bytes, with as many calls as needed; fails with an errno.
fn write_all(descriptor: i32, mut bytes: &[u8]) -> Result<(), i32> {
    while !bytes.is_empty() {
        match rustix::io::write(borrowed(descriptor), bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => {
                let _ = poll(&mut [PollFd::from_borrowed_fd(borrowed(descriptor), PollFlags::OUT)], None);
            }
            Err(error) => return Err(error.raw_os_error()),
        }
    }
    Ok(())
}

/// The program's output for Python.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct ProgramOutput(pub Arc<Output>);

#[pymethods]
impl ProgramOutput {
    #[new]
    fn new() -> ProgramOutput {
        ProgramOutput(Output::new())
    }

    /// Buffer text (lone surrogates become U+FFFD) or bytes for `descriptor`.
    fn write(&self, py: Python<'_>, descriptor: i32, data: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(bytes) = data.cast::<PyBytes>() {
            let bytes = bytes.as_bytes();
            return py.detach(|| self.0.write(descriptor, bytes));
        }
        let encoded = data.cast::<PyString>()?.encode_lossy()?;
        py.detach(|| self.0.write(descriptor, &encoded))
    }

    /// Writes the buffered output. Raises OutputClosed or OutputFailed.
    fn flush(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.0.flush())
    }

    /// Stops reporting a closed reader; further output is dropped.
    fn drop(&self) {
        let mut buffered = held(&self.0.buffered);
        buffered.problem = None;
        buffered.reader = Reader::GivenUp;
    }
}

trait EncodeLossy {
    fn encode_lossy(&self) -> PyResult<Vec<u8>>;
}

impl EncodeLossy for Bound<'_, PyString> {
    /// Encodes as UTF-8, with lone surrogates as U+FFFD.
    fn encode_lossy(&self) -> PyResult<Vec<u8>> {
        if let Ok(text) = self.to_cow() {
            return Ok(text.into_owned().into_bytes());
        }
        let wide = self.call_method1("encode", ("utf-16-le", "surrogatepass"))?;
        let bytes = wide.cast::<PyBytes>()?.as_bytes();
        let units = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect::<Vec<_>>();
        Ok(String::from_utf16_lossy(&units).into_bytes())
    }
}

// --- Host functions.

/// The operations that need no Python if a loop owns the engine's output.
pub const OPERATIONS: &[(&str, HostOperation)] = &[("core_write", write), ("core_listenToOutput", listen)];

fn with_output(call: &Call<'_>, work: impl FnOnce(&Core, &Arc<Output>)) -> bool {
    let core = call.scope.state.beside::<Core>();
    let Some((core, output)) = core.as_ref().and_then(|core| Some((core, core.output()?))) else { return false };
    work(core, output);
    true
}

/// `core_write(descriptor, text or bytes)`
fn write(call: &Call<'_>) -> bool {
    with_output(call, |_, output| {
        let descriptor = call.integer(0) as i32;
        let outcome = match call.utf8(1) {
            Some(text) => output.write(descriptor, &text),
            None => call.with_bytes(1, <[u8]>::to_vec).map_or(Ok(()), |bytes| output.write(descriptor, &bytes)),
        };
        if let Err(problem) = outcome {
            call.end(problem);
        }
    })
}

/// `core_listenToOutput()`: a closed reader of stdout is reported to the program instead of ending it.
fn listen(call: &Call<'_>) -> bool {
    with_output(call, |_, output| held(&output.buffered).listens = true)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    crate::interpreter::class::<ProgramOutput>(module)?;
    module.add("OutputClosed", module.py().get_type::<OutputClosed>())?;
    module.add("OutputFailed", module.py().get_type::<OutputFailed>())
}
