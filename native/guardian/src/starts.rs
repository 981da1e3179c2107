//! How the guardian starts scripts: as processes, or as workers of a zygote. Each ordered start gets one answer: the pid of the
//! script, or why it could not be started.
use std::ffi::c_int;
use std::time::Duration;

use crate::guardian::Guardian;
use crate::pending::Witness;
use crate::spawn::{self, Extras, Order};
use crate::starter::{self, Starter};
use crate::system;
use crate::terminal::Opened;
use crate::tracing;
use crate::tree::Pid;
use crate::zygote::{Outcome, Zygote};
use rt_wire::debug_log;
use rt_wire::protocol::{Bytes, Kind, Report, Spawn};

const OWN_GROUP: c_int = 0;
const MOST_STARTING: usize = 16;
/// The most workers on order at once, because each of them holds descriptors too.
const MOST_ORDERED: usize = 256;
const OWN_DESCRIPTORS: u64 = 24;
const DESCRIPTORS_OF_A_START: u64 = 3;
/// How long a signal waits for workers that are still being forked.
const PATIENCE: Duration = Duration::from_millis(500);
const MARK: &str = "_RT_SCRIPT";

/// The environment variable that identifies script `key` and all of its descendants.
pub fn mark_of(pid: Pid, key: u32) -> Bytes {
    format!("{MARK}={pid}.{key}").into_bytes()
}

impl Guardian {
    /// Orders a zygote to prepare itself. Without a zygote, scripts run as whole processes.
    pub(crate) fn prepare(&mut self, kind: Kind) {
        self.zygotes.iter_mut().filter(|zygote| zygote.kind == kind).for_each(Zygote::prepare);
    }

    /// Starts a script. `descriptors` become its descriptors 0, 1 and 2 (if empty, it gets the guardian's) and are closed then.
    /// Fewer arrive than were sent if this process has reached its limit on open files.
    pub(crate) fn start(&mut self, mut spawn: Box<Spawn>, descriptors: Vec<Opened>) {
        let key = spawn.key;
        let has_all = descriptors.len() == spawn.passed as usize;
        debug_log!(Guardian, "script {key}: starts {}", String::from_utf8_lossy(&spawn.argv.join(&b' ')));
        self.under_way.insert(key, descriptors);
        if !has_all {
            let words = system::error_text(&std::io::Error::from_raw_os_error(libc::EMFILE)).into_bytes();
            return self.answer(key, Report::Refused { key, errno: libc::EMFILE, words, path: None });
        }
        let mark = mark_of(self.pid, key);
        spawn.set.push((MARK.into(), mark[MARK.len() + 1..].to_vec()));
        if let Some(spawn) = self.order_worker(spawn) {
            self.start_process(*spawn);
        }
    }

    /// Orders a worker from a zygote. Returns the order if the script has to be a whole process.
    fn order_worker(&mut self, spawn: Box<Spawn>) -> Option<Box<Spawn>> {
        let is_shell = spawn.program.get(1..3).is_some_and(|words| words == [&b"shell"[..], b"-c"]);
        let kind = if is_shell { Kind::Shell } else { Kind::Engine };
        let most = system::descriptor_limit().map_or(MOST_ORDERED, |limit| {
            let spare = limit.saturating_sub(OWN_DESCRIPTORS) / DESCRIPTORS_OF_A_START;
            MOST_ORDERED.min((spare as usize).saturating_sub(MOST_STARTING))
        });
        let zygote = self.zygotes.iter_mut().find(|zygote| zygote.kind == kind && zygote.outstanding() < most);
        let (false, Some(zygote)) = (spawn.program.is_empty(), zygote) else { return Some(spawn) };
        let streams: Vec<c_int> = self.under_way.get(&spawn.key).into_iter().flatten().map(|each| each.0).collect();
        zygote.order(spawn, &streams).err()
    }

    fn start_process(&mut self, spawn: Spawn) {
        let key = spawn.key;
        let refused = |errno, words: &str| Report::Refused { key, errno, words: words.into(), path: None };
        let order = match self.process_order(spawn) {
            Ok(order) => order,
            Err(wrong) => return self.answer(key, refused(0, wrong.0)),
        };
        if self.terms.threads == 0 {
            let result = order.start();
            return self.answer_result(key, result);
        }
        if self.starter.is_none() {
            match Starter::new(self.terms.threads) {
                Ok(starter) => self.starter = Some(starter),
                Err(error) => {
                    return self.answer(key, refused(error.raw_os_error().unwrap_or(0), &system::error_text(&error)));
                }
            }
        }
        if let Some(starter) = &self.starter {
            starter.submit(key, order);
        }
    }

    fn process_order(&self, spawn: Spawn) -> Result<Order, spawn::InvalidArguments> {
        let environment = spawn.environment(&self.environment);
        let (trace, argv) = tracing::split(spawn.argv);
        let programs = if spawn.file.is_empty() || trace.is_some() { vec![] } else { vec![spawn.file] };
        let (programs, direct) = (spawn::c_strings(programs)?, spawn::c_strings(spawn.direct)?);
        let streams = self.under_way.get(&spawn.key).filter(|streams| !streams.is_empty());
        let streams = streams.map_or_else(|| vec![0, 1, 2], |streams| streams.iter().map(|each| each.0).collect());
        Order::new(
            argv,
            environment,
            spawn.folder,
            streams,
            self.terms.shared_group.unwrap_or(OWN_GROUP),
            self.terms.ignored,
            Extras { programs, direct, has_terminal: spawn.has_terminal, trace, ..Extras::default() },
            self.terms.shared_group.map(|_| Witness::new(self.rt, self.terms.held_back)),
        )
    }

    // --- answers

    pub(crate) fn take_results(&mut self) {
        let results = self.starter.as_ref().map(Starter::take).unwrap_or_default();
        results.into_iter().for_each(|(key, result)| self.answer_result(key, result));
    }

    pub(crate) fn take_zygote_answers(&mut self) {
        let mut outcomes = Vec::new();
        for zygote in &mut self.zygotes {
            outcomes.extend(zygote.take(self.scripts.unknown_ends()));
        }
        self.zygotes.retain(|zygote| !zygote.is_lost);
        for outcome in outcomes {
            match outcome {
                Outcome::Runs(key, pid, given) => self.answer(key, Report::Started { key, pid, given }),
                Outcome::Returned(spawn) => self.start_process(*spawn),
            }
        }
    }

    fn answer_result(&mut self, key: u32, result: starter::Result) {
        let report = match result {
            Ok(started) => {
                self.tracers.extend(started.tracer.map(|tracer| (key, tracer)));
                Report::Started { key, pid: started.pid, given: started.raised }
            }
            Err(error) => {
                let path = error.path.map(String::into_bytes);
                Report::Refused { key, errno: error.errno, words: error.message.into_bytes(), path }
            }
        };
        self.answer(key, report);
    }

    fn answer(&mut self, key: u32, report: Report) {
        self.under_way.remove(&key);
        let started = if let Report::Started { pid, .. } = report { Some(pid) } else { None };
        self.report(report);
        if let Some(pid) = started {
            self.scripts.add(key, pid);
        }
        if self.under_way.is_empty() {
            self.scripts.discard_unknown_ends();
        }
    }

    // --- waiting for starts

    /// Waits until there is room for one more start, because each holds descriptors.
    pub(crate) fn leave_room(&mut self) {
        if let Some(starter) = self.starter.as_ref().filter(|_| self.under_way.len() > MOST_STARTING) {
            starter.settle(MOST_STARTING);
            self.take_results();
        }
    }

    /// Waits until no start is in progress, so that the next action reaches every script that was ordered.
    pub(crate) fn settle(&mut self) {
        while let Some(zygote) = self.zygotes.iter().find(|zygote| zygote.outstanding() > 0) {
            if !zygote.wait(PATIENCE) {
                zygote.kill();
            }
            self.reap();
            self.take_zygote_answers();
        }
        if let Some(starter) = &self.starter {
            starter.settle(0);
            self.take_results();
        }
    }

    /// The workers of zygotes that wait for an order. Waits until a zygote that was ordered to hold a worker has reported it.
    pub(crate) fn held_workers(&mut self) -> Vec<Pid> {
        if self.zygotes.iter().any(|zygote| zygote.is_holding_ordered && zygote.wait(PATIENCE)) {
            self.take_zygote_answers();
        }
        self.zygotes.iter().map(|zygote| zygote.held).filter(|pid| *pid != 0).collect()
    }
}
