//! Running a child to its end while JavaScript waits (`spawnSync` and others): writes its input and collects its
//! output.
//!
//! The run is over when the child has ended and its pipes are closed. A child that exceeds its time or output limit is
//! sent a signal; then only its own end is awaited, even if other processes hold its pipes.
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

use pyo3::PyResult;

use super::started::Started;
use crate::v8::{Local, Scope};

const READ_BYTES: usize = 256 * 1024;

/// Time and output limits of a child, and the signal to send at a limit.
pub struct Limits {
    deadline: Option<Instant>,
    most: Option<usize>,
    signal: i32,
}

impl Limits {
    pub fn read(scope: &Scope<'_>, request: Local<'_>) -> PyResult<Limits> {
        let number = |name: &str| Ok::<_, pyo3::PyErr>(scope.double(scope.get(request, name)?));
        let (timeout, most) = (number("timeout")?, number("most")?);
        let until = |ms: f64| Instant::now().checked_add(Duration::try_from_secs_f64(ms / 1000.0).ok()?);
        Ok(Limits {
            deadline: if timeout > 0.0 { until(timeout) } else { None },
            most: (most >= 0.0).then_some(most as usize),
            signal: number("killSignal")? as i32,
        })
    }
}

/// The result of a child: 0 or an errno, and the output of each descriptor.
pub struct ChildResult {
    pub problem: i32,
    pub output: Vec<Option<Vec<u8>>>,
}

struct Waiting<'a> {
    child: Started,
    limits: Limits,
    input: &'a [u8],
    /// The open ends of this process, by the child's descriptor.
    open: Vec<Option<File>>,
    is_running: bool,
    waited: ChildResult,
}

pub fn until_over(mut child: Started, limits: Limits, input: &[u8]) -> ChildResult {
    let open: Vec<Option<File>> = std::mem::take(&mut child.ends).into_iter().map(|end| end.map(File::from)).collect();
    let output = open.iter().enumerate().map(|(place, end)| end.as_ref().filter(|_| place > 0).map(|_| Vec::new()));
    let waited = ChildResult { problem: 0, output: output.collect() };
    let mut waiting = Waiting { child, limits, input, open, is_running: true, waited };
    while waiting.is_running || waiting.open.iter().any(Option::is_some) {
        waiting.turn();
    }
    waiting.waited
}

impl Waiting<'_> {
    fn turn(&mut self) {
        let entry = |fd: i32, events: i16| libc::pollfd { fd, events, revents: 0 };
        let mut places = Vec::new();
        let mut entries = vec![entry(if self.is_running { self.child.watch.0 } else { -1 }, libc::POLLIN)];
        for (place, end) in self.open.iter().enumerate() {
            if let Some(end) = end {
                places.push(place);
                entries.push(entry(end.as_raw_fd(), if place == 0 { libc::POLLOUT } else { libc::POLLIN }));
            }
        }
        let left_ms = self.limits.deadline.map_or(-1, |deadline| {
            let left = deadline.saturating_duration_since(Instant::now());
            i32::try_from(left.as_nanos().div_ceil(1_000_000)).unwrap_or(i32::MAX)
        });
        // SAFETY: `entries` has `len()` entries and outlives the call.
        match unsafe { libc::poll(entries.as_mut_ptr(), entries.len() as libc::nfds_t, left_ms) } {
            0 if self.limits.deadline.is_some_and(|deadline| deadline <= Instant::now()) => self.end(libc::ETIMEDOUT),
            ..=0 => {} // interrupted, or nothing is ready
            _ => {
                self.is_running &= entries[0].revents == 0;
                for (place, _) in places.into_iter().zip(&entries[1..]).filter(|(_, entry)| entry.revents != 0) {
                    if place == 0 { self.feed() } else { self.take(place) }
                }
            }
        }
    }

    fn feed(&mut self) {
        let Some(end) = &mut self.open[0] else { return };
        if !self.input.is_empty() {
            match end.write(self.input) {
                Ok(count) => self.input = &self.input[count..],
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => return,
                Err(error) => {
                    self.note(error.raw_os_error().unwrap_or(libc::EIO));
                    self.input = &[];
                }
            }
        }
        if self.input.is_empty() {
            self.open[0] = None;
        }
    }

    fn take(&mut self, place: usize) {
        let (Some(end), Some(output)) = (&mut self.open[place], &mut self.waited.output[place]) else { return };
        let before = output.len();
        output.resize(before + READ_BYTES, 0);
        let read = end.read(&mut output[before..]);
        output.truncate(before + read.as_ref().copied().unwrap_or(0));
        let is_too_much = self.limits.most.is_some_and(|most| output.len() > most);
        match read {
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Ok(0) | Err(_) => self.open[place] = None,
            Ok(_) if is_too_much => self.end(libc::ENOBUFS),
            Ok(_) => {}
        }
    }

    fn note(&mut self, problem: i32) {
        if self.waited.problem == 0 {
            self.waited.problem = problem;
        }
    }

    fn end(&mut self, why: i32) {
        self.note(why);
        self.limits.deadline = None;
        if self.is_running {
            // SAFETY: the call takes numbers only. If it fails, because the child changed its user or the signal is
            // unknown, the child is awaited.
            unsafe { libc::kill(self.child.pid, self.limits.signal) };
        }
        self.open.iter_mut().for_each(|end| *end = None);
    }
}
