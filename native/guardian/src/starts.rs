//! How the guardian starts scripts: as processes, or as workers of a zygote. Each ordered start gets one answer: the pid of the
//! script, or the reason why there is none.
use std::ffi::c_int;
use std::time::Duration;

use crate::guardian::Guardian;
use crate::pending::Witness;
use crate::spawn::{self, Extras, Order};
use crate::starter::{self, Starter};
use crate::system;
use crate::terminal::Opened;
use crate::tree::Pid;
use crate::zygote::{Outcome, Zygote};
use rt_wire::protocol::{Bytes, Kind, Report, Spawn};

const OWN_GROUP: c_int = 0;
const MOST_STARTING: usize = 16;
/// The most orders of workers under way at once: each of them holds descriptors too.
const MOST_ORDERED: usize = 256;
const OWN_DESCRIPTORS: u64 = 24;
const DESCRIPTORS_OF_A_START: u64 = 3;
/// How long a signal waits for scripts whose workers are still being forked.
const PATIENCE: Duration = Duration::from_millis(500);
const MARK: &str = "_RT_SCRIPT";

/// The variable in the environment of script `key`, and of everything that it starts, that identifies them.
pub fn mark_of(pid: Pid, key: u32) -> Bytes {
    format!("{MARK}={pid}.{key}").into_bytes()
}

impl Guardian {
    /// Orders a zygote to prepare itself; without one, scripts are whole processes.
    pub(crate) fn prepare(&mut self, kind: Kind) {
        self.zygotes.iter_mut().filter(|zygote| zygote.kind == kind).for_each(Zygote::prepare);
    }

    /// Starts a script; `descriptors` become its 0, 1 and 2 (none: the guardian's own) and are closed then. Fewer arrive than were
    /// passed if the limit on open files is reached.
    pub(crate) fn start(&mut self, mut spawn: Box<Spawn>, descriptors: Vec<Opened>) {
        let key = spawn.key;
        let has_all = descriptors.len() == spawn.passed as usize;
        self.under_way.insert(key, descriptors);
        if !has_all {
            let words = system::words_of(&std::io::Error::from_raw_os_error(libc::EMFILE)).into_bytes();
            return self.answer(key, Report::Refused { key, errno: libc::EMFILE, words, path: None });
        }
        let mark = mark_of(self.pid, key);
        spawn.set.push((MARK.into(), mark[MARK.len() + 1..].to_vec()));
        if let Some(spawn) = self.order_worker(spawn) {
            self.start_process(*spawn);
        }
    }

    /// Orders a worker from a zygote; returns the order if the script has to be a whole process.
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
        let order = match self.order_of(spawn) {
            Ok(order) => order,
            Err(wrong) => return self.answer(key, refused(0, wrong.0)),
        };
        if self.terms.threads == 0 {
            let result = order.start();
            return self.answer_with(key, result);
        }
        if self.starter.is_none() {
            match Starter::new(self.terms.threads) {
                Ok(starter) => self.starter = Some(starter),
                Err(error) => {
                    return self.answer(key, refused(error.raw_os_error().unwrap_or(0), &system::words_of(&error)));
                }
            }
        }
        if let Some(starter) = &self.starter {
            starter.submit(key, order);
        }
    }

    fn order_of(&self, spawn: Spawn) -> Result<Order, spawn::NotWords> {
        let environment = spawn.environment(&self.environment);
        let programs = if spawn.file.is_empty() { vec![] } else { vec![spawn.file] };
        let (programs, direct) = (spawn::c_strings(programs)?, spawn::c_strings(spawn.direct)?);
        let streams = self.under_way.get(&spawn.key).filter(|streams| !streams.is_empty());
        let streams = streams.map_or_else(|| vec![0, 1, 2], |streams| streams.iter().map(|each| each.0).collect());
        Order::new(
            spawn.argv,
            environment,
            spawn.folder,
            streams,
            self.terms.shared_group.unwrap_or(OWN_GROUP),
            self.terms.ignored,
            Extras { programs, direct, ..Extras::default() },
            self.terms.shared_group.map(|_| Witness::new(self.rt, self.terms.held_back)),
        )
    }

    // --- answers

    pub(crate) fn take_results(&mut self) {
        let results = self.starter.as_ref().map(Starter::take).unwrap_or_default();
        results.into_iter().for_each(|(key, result)| self.answer_with(key, result));
    }

    pub(crate) fn hear_zygotes(&mut self) {
        let mut outcomes = Vec::new();
        for zygote in &mut self.zygotes {
            outcomes.extend(zygote.take(self.scripts.early()));
        }
        self.zygotes.retain(|zygote| !zygote.is_lost);
        for outcome in outcomes {
            match outcome {
                Outcome::Runs(key, pid, given) => self.answer(key, Report::Started { key, pid, given }),
                Outcome::GivenBack(spawn) => self.start_process(*spawn),
            }
        }
    }

    fn answer_with(&mut self, key: u32, result: starter::Result) {
        let report = match result {
            Ok(started) => Report::Started { key, pid: started.pid, given: started.raised },
            Err(refusal) => {
                let path = refusal.path.map(String::into_bytes);
                Report::Refused { key, errno: refusal.errno, words: refusal.words.into_bytes(), path }
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
            self.scripts.forget_early();
        }
    }

    // --- waiting for starts

    /// Wait until few enough starts are under way for one more: each holds descriptors.
    pub(crate) fn leave_room(&mut self) {
        if let Some(starter) = self.starter.as_ref().filter(|_| self.under_way.len() > MOST_STARTING) {
            starter.settle(MOST_STARTING);
            self.take_results();
        }
    }

    /// Wait until no start is under way: what follows reaches every script that was ordered.
    pub(crate) fn settle(&mut self) {
        while let Some(zygote) = self.zygotes.iter().find(|zygote| zygote.outstanding() > 0) {
            if !zygote.wait(PATIENCE) {
                zygote.kill();
            }
            self.reap();
            self.hear_zygotes();
        }
        if let Some(starter) = &self.starter {
            starter.settle(0);
            self.take_results();
        }
    }

    /// The worker of a zygote that waits for an order, if there is one; waits until the zygote has said so.
    pub(crate) fn held_workers(&mut self) -> Vec<Pid> {
        if self.zygotes.iter().any(|zygote| zygote.is_asked_to_hold && zygote.wait(PATIENCE)) {
            self.hear_zygotes();
        }
        self.zygotes.iter().map(|zygote| zygote.held).filter(|pid| *pid != 0).collect()
    }
}
