//! The protocols of rt's processes, as typed records with an encoder and a decoder: orders from rt to the guardian, reports of
//! the guardian, orders from the guardian to a zygote, and answers of the zygote and its workers. Each record is sent in its
//! own frame (`frames`).
//!
//! rt's end is in Python (`rt_supervisor/workers/client.py`, through `native/src/processes/guarding.rs`), in
//! `foreground`, and in the launcher; a zygote's is `rt_supervisor/workers/zygote.py`, through
//! `native/src/processes/zygotes.rs`. The descriptors of a `Spawn` are sent as ancillary data with it, and received in the
//! order of the frames.
use std::ffi::c_int;

use crate::frames::{Reader, Writer};

pub type Pid = libc::pid_t;
pub type Bytes = Vec<u8>;
/// A variable and its value.
pub type Variable = (Bytes, Bytes);

/// Instead of a key: every script.
const ALL: u32 = u32::MAX;

/// One script to start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spawn {
    pub key: u32,
    /// The file to execute; if empty, the first word of `argv`.
    pub file: Bytes,
    pub argv: Vec<Bytes>,
    /// A file and its argv, executed instead if the system can execute the file; may be empty.
    pub direct: Vec<Bytes>,
    /// The same command as arguments of rt, if a worker of a zygote can run it; may be empty.
    pub program: Vec<Bytes>,
    /// The script's environment is that of the guardian without variables that match `dropped` or `removed`, and with `set`.
    pub set: Vec<Variable>,
    pub removed: Vec<Bytes>,
    pub dropped: Vec<Bytes>,
    pub folder: Bytes,
    /// Its descriptor 0 is a terminal, which becomes the controlling terminal of a session that the script leads.
    pub has_terminal: bool,
    /// How many descriptors are sent with it, which become its descriptors 0, 1 and 2. If 0, it gets those of the guardian.
    pub passed: u32,
}

/// The kinds of zygotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Its workers run source files.
    Engine,
    /// Its workers are rt's own shell.
    Shell,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Let the zygote of that kind prepare itself: workers will be ordered.
    Prepare(Kind),
    /// Fork the next engine worker now; it waits for an order.
    Hold,
    Spawn(Box<Spawn>),
    /// Report that the script cannot be started, with this message: its arguments cannot be encoded as bytes.
    Refuse(u32, Bytes),
    /// Send a signal to the process group of one script, or of each.
    Signal(Option<u32>, c_int),
    /// Kill the process tree of one script, or everything.
    Kill(Option<u32>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// It runs. Bit n of `given`: it has received signal n, which was pending for rt.
    Started { key: u32, pid: Pid, given: u64 },
    /// The system did not start it; `path` is what the error is about.
    Refused { key: u32, errno: c_int, words: Bytes, path: Option<Bytes> },
    /// Its process has ended with this wait status, and its leftovers have ended too.
    Ended { key: u32, status: c_int, cpu_us: u64, peak_bytes: u64 },
}

/// An order to a zygote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fork {
    Prepare,
    Hold,
    Spawn(Box<Spawn>),
    /// The order of script `key` is in a file, which is sent after its `passed` descriptors.
    Long {
        key: u32,
        passed: u32,
    },
}

/// An answer of a zygote or a worker. All write to one pipe: the frames are shorter than POSIX's least PIPE_BUF, so they do not
/// mix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The worker that waits for an order; 0 if it could not be forked.
    Held(Pid),
    /// From the zygote, or the worker that was held: this process has received the order.
    Forked(u32, Pid),
    /// From the worker: it has become the script. Bit n: it has received signal n, which was pending for rt.
    Running(u32, Pid, u64),
    /// From either: the script needs a whole process.
    Unable(u32),
}

impl Spawn {
    fn put(&self, to: &mut Writer) {
        to.number(self.key).text(&self.file).texts(&self.argv).texts(&self.direct).texts(&self.program);
        to.list(&self.set, |to, (name, value)| {
            to.text(name).text(value);
        });
        to.texts(&self.removed).texts(&self.dropped).text(&self.folder);
        to.number(self.has_terminal.into()).number(self.passed);
    }

    pub fn take(from: &mut Reader) -> Option<Spawn> {
        Some(Spawn {
            key: from.number()?,
            file: from.text()?,
            argv: from.texts()?,
            direct: from.texts()?,
            program: from.texts()?,
            set: from.list(|from| Some((from.text()?, from.text()?)))?,
            removed: from.texts()?,
            dropped: from.texts()?,
            folder: from.text()?,
            has_terminal: from.number()? != 0,
            passed: from.number()?,
        })
    }

    /// Returns whether the script does not inherit this variable of the guardian.
    pub fn omits(&self, name: &Bytes) -> bool {
        let is_set = self.set.iter().any(|(each, _)| each == name);
        !is_set && (self.removed.contains(name) || self.dropped.iter().any(|prefix| name.starts_with(prefix)))
    }

    /// The script's environment as `NAME=value`, given that of the guardian.
    pub fn environment(&self, own: &[Variable]) -> Vec<Bytes> {
        let value = |name: &[u8]| self.set.iter().find(|(each, _)| each == name).map(|(_, value)| value);
        let joined = |name: &[u8], value: &[u8]| [name, b"=", value].concat();
        let kept = own.iter().filter(|(name, _)| !self.omits(name));
        let kept = kept.map(|(name, old)| joined(name, value(name).unwrap_or(old)));
        let new = self.set.iter().filter(|(name, _)| !own.iter().any(|(each, _)| each == name));
        kept.chain(new.map(|(name, value)| joined(name, value))).collect()
    }
}

impl Order {
    pub fn encode(&self) -> Bytes {
        let mut to = Writer::default();
        match self {
            Order::Prepare(kind) => drop(to.number(2).number(*kind as u32)),
            Order::Hold => drop(to.number(3)),
            Order::Spawn(spawn) => spawn.put(to.number(4)),
            Order::Refuse(key, words) => drop(to.number(5).number(*key).text(words)),
            Order::Signal(key, number) => drop(to.number(6).number(key.unwrap_or(ALL)).number(*number as u32)),
            Order::Kill(key) => drop(to.number(7).number(key.unwrap_or(ALL))),
        }
        to.0
    }

    /// Returns None if the bytes are not an order.
    pub fn decode(bytes: &[u8]) -> Option<Order> {
        let mut from = Reader(bytes);
        let order = match from.number()? {
            2 => Order::Prepare(Kind::from_number(from.number()?)?),
            3 => Order::Hold,
            4 => Order::Spawn(Box::new(Spawn::take(&mut from)?)),
            5 => Order::Refuse(from.number()?, from.text()?),
            6 => Order::Signal(key(from.number()?), from.number()? as c_int),
            7 => Order::Kill(key(from.number()?)),
            _ => return None,
        };
        from.end(order)
    }
}

fn key(number: u32) -> Option<u32> {
    (number != ALL).then_some(number)
}

impl Kind {
    /// The name that Python uses.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Engine => "engine",
            Kind::Shell => "shell",
        }
    }

    pub fn from_name(name: &str) -> Option<Kind> {
        [Kind::Engine, Kind::Shell].into_iter().find(|kind| kind.name() == name)
    }

    fn from_number(number: u32) -> Option<Kind> {
        [Kind::Engine, Kind::Shell].into_iter().find(|kind| *kind as u32 == number)
    }
}

impl Report {
    pub fn encode(&self) -> Bytes {
        let mut to = Writer::default();
        match self {
            Report::Started { key, pid, given } => drop(to.number(1).number(*key).number(*pid as u32).long(*given)),
            Report::Refused { key, errno, words, path } => {
                let path: Vec<Bytes> = path.iter().cloned().collect();
                to.number(2).number(*key).number(*errno as u32).text(words).texts(&path);
            }
            Report::Ended { key, status, cpu_us, peak_bytes } => {
                to.number(3).number(*key).number(*status as u32).long(*cpu_us).long(*peak_bytes);
            }
        }
        to.0
    }

    /// Returns None if the bytes are not a report.
    pub fn decode(bytes: &[u8]) -> Option<Report> {
        let mut from = Reader(bytes);
        let (kind, key, number) = (from.number()?, from.number()?, from.number()? as c_int);
        let report = match kind {
            1 => Report::Started { key, pid: number, given: from.long()? },
            2 => {
                let (words, mut path) = (from.text()?, from.texts()?);
                Report::Refused { key, errno: number, words, path: path.pop() }
            }
            3 => Report::Ended { key, status: number, cpu_us: from.long()?, peak_bytes: from.long()? },
            _ => return None,
        };
        from.end(report)
    }
}

impl Fork {
    pub fn encode(&self) -> Bytes {
        let mut to = Writer::default();
        match self {
            Fork::Prepare => drop(to.number(1)),
            Fork::Hold => drop(to.number(2)),
            Fork::Spawn(spawn) => spawn.put(to.number(3)),
            Fork::Long { key, passed } => drop(to.number(4).number(*key).number(*passed)),
        }
        to.0
    }

    /// Returns None if the bytes are not an order.
    pub fn decode(bytes: &[u8]) -> Option<Fork> {
        let mut from = Reader(bytes);
        let fork = match from.number()? {
            1 => Fork::Prepare,
            2 => Fork::Hold,
            3 => Fork::Spawn(Box::new(Spawn::take(&mut from)?)),
            4 => Fork::Long { key: from.number()?, passed: from.number()? },
            _ => return None,
        };
        from.end(fork)
    }
}

impl Answer {
    pub fn encode(self) -> Bytes {
        let (kind, key, pid, given) = match self {
            Answer::Held(pid) => (1, 0, pid, 0),
            Answer::Forked(key, pid) => (2, key, pid, 0),
            Answer::Running(key, pid, given) => (3, key, pid, given),
            Answer::Unable(key) => (4, key, 0, 0),
        };
        let mut to = Writer::default();
        to.number(kind).number(key).number(pid as u32).long(given);
        to.0
    }

    /// Returns None if the bytes are not an answer.
    pub fn decode(bytes: &[u8]) -> Option<Answer> {
        let mut from = Reader(bytes);
        let (kind, key, pid) = (from.number()?, from.number()?, from.number()? as Pid);
        let given = from.long()?;
        let answer = match kind {
            1 => Answer::Held(pid),
            2 => Answer::Forked(key, pid),
            3 => Answer::Running(key, pid, given),
            4 => Answer::Unable(key),
            _ => return None,
        };
        from.end(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spawn() -> Spawn {
        Spawn {
            key: 7,
            file: b"/bin/sh".to_vec(),
            argv: vec![b"sh".to_vec(), vec![], vec![0xff, b'\n']],
            direct: vec![b"/bin/true".to_vec()],
            program: vec![b"rt".to_vec(), b"a.ts".to_vec()],
            set: vec![(b"A".to_vec(), b"1".to_vec()), (b"B".to_vec(), vec![])],
            removed: vec![b"C".to_vec()],
            dropped: vec![b"npm_".to_vec()],
            folder: b"/".to_vec(),
            has_terminal: true,
            passed: 3,
        }
    }

    /// Returns whether `decode` restores the encoded value, and rejects bytes that are truncated or too long.
    fn round_trips<T: PartialEq>(value: T, bytes: &[u8], decode: impl Fn(&[u8]) -> Option<T>) -> bool {
        decode(bytes) == Some(value)
            && (0..bytes.len()).all(|length| decode(&bytes[..length]).is_none())
            && decode(&[bytes, b"\0"].concat()).is_none()
    }

    #[test]
    fn orders_round_trip() {
        let orders = [
            Order::Prepare(Kind::Engine),
            Order::Prepare(Kind::Shell),
            Order::Hold,
            Order::Spawn(Box::default()),
            Order::Spawn(Box::new(spawn())),
            Order::Refuse(1, b"no bytes".to_vec()),
            Order::Signal(None, 15),
            Order::Signal(Some(0), 2),
            Order::Kill(None),
            Order::Kill(Some(9)),
        ];
        for order in orders {
            assert!(round_trips(order.clone(), &order.encode(), Order::decode), "{order:?}");
        }
    }

    #[test]
    fn reports_round_trip() {
        let reports = [
            Report::Started { key: 0, pid: 1 << 22, given: u64::MAX },
            Report::Refused { key: 3, errno: 0, words: vec![], path: None },
            Report::Refused { key: 3, errno: libc::E2BIG, words: b"long".to_vec(), path: Some(vec![]) },
            Report::Ended { key: 5, status: 0x8b, cpu_us: 1 << 40, peak_bytes: 1 << 50 },
        ];
        for report in reports {
            assert!(round_trips(report.clone(), &report.encode(), Report::decode), "{report:?}");
        }
    }

    #[test]
    fn zygote_orders_and_answers_round_trip() {
        for fork in [Fork::Prepare, Fork::Hold, Fork::Spawn(Box::new(spawn())), Fork::Long { key: 7, passed: 3 }] {
            assert!(round_trips(fork.clone(), &fork.encode(), Fork::decode), "{fork:?}");
        }
        let pid = 1 << 22; // the largest pid of Linux
        for answer in
            [Answer::Held(0), Answer::Forked(1, pid), Answer::Running(u32::MAX, pid, u64::MAX), Answer::Unable(2)]
        {
            assert!(round_trips(answer, &answer.encode(), Answer::decode), "{answer:?}");
            assert!(crate::frames::frame_of(&answer.encode()).len() <= 512, "POSIX's least PIPE_BUF");
        }
    }

    #[test]
    fn malformed_messages_are_rejected() {
        for kind in [0u32, 8, 200] {
            let bytes = [kind.to_le_bytes(), [0; 4], [0; 4], [0; 4], [0; 4]].concat();
            assert_eq!(Order::decode(&bytes), None);
            assert_eq!(Report::decode(&bytes), None);
            assert_eq!(Fork::decode(&bytes), None);
            assert_eq!(Answer::decode(&bytes), None);
        }
        assert_eq!(Order::decode(&[2u32.to_le_bytes(), 2u32.to_le_bytes()].concat()), None); // no such zygote
    }

    #[test]
    fn an_environment_is_the_guardians_with_its_changes() {
        let own = [("A", "old"), ("C", "c"), ("npm_x", "x"), ("npm_", "y"), ("D", "d")];
        let own = own.map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()));
        let mut order = spawn();
        order.set.push((b"npm_".to_vec(), b"kept".to_vec()));
        let environment = order.environment(&own);
        assert_eq!(environment, [b"A=1".to_vec(), b"npm_=kept".to_vec(), b"D=d".to_vec(), b"B=".to_vec()]);
    }
}
