//! rt's end of the channel to its guardian: sends orders, and ends the guardian with all of its descendants.
//!
//! No function here waits for a script. If the guardian is killed, its scripts become children of this process, which is also a
//! subreaper.
use std::ffi::c_int;
use std::io::Result;
use std::time::Duration;

use crate::guardian::{self, Terms};
use crate::marked;
use crate::passing;
use crate::system::{self, Reaped};
use crate::terminal::Opened;
use crate::tree::{self, Pid, kill_below};
use crate::zygote::Forks;
use rt_wire::frames::frame_of;
use rt_wire::protocol::{Order, Spawn};

/// How long rt waits for the guardian to end everything. The guardian gives up earlier by itself.
pub const PATIENCE: Duration = Duration::from_secs(6);

/// A running guardian. The owner must call `close`.
pub struct Client {
    /// None after `close`.
    channel: Option<Opened>,
    guardian: Pid,
    mark: u64,
}

impl Client {
    /// Forks a guardian with its zygotes.
    pub fn start(terms: Terms, forks: &Forks) -> Result<Client> {
        let (guardian, channel) = guardian::start(terms, forks)?;
        Ok(Client { channel: Some(channel), guardian, mark: terms.mark })
    }

    /// Creates the client of a guardian that this process has already forked.
    pub fn attach(guardian: Pid, channel: Opened, mark: u64) -> Client {
        Client { channel: Some(channel), guardian, mark }
    }

    /// Becomes readable when the guardian has sent a report or has ended.
    pub fn descriptor(&self) -> c_int {
        self.channel.as_ref().map_or(-1, |channel| channel.0)
    }

    pub fn channel(&self) -> Option<&Opened> {
        self.channel.as_ref()
    }

    /// Sends an order, and continues the guardian if a script stopped it.
    pub fn order(&self, order: &Order) {
        self.wake();
        if let Some(channel) = &self.channel {
            system::send(channel, &frame_of(&order.encode())); // if it has ended, the next read of the channel reports that
        }
    }

    /// Orders the start of a script. `descriptors` become its descriptors 0, 1 and 2; if empty, it inherits those of the
    /// guardian.
    pub fn spawn(&self, mut spawn: Spawn, descriptors: &[c_int]) {
        let Some(channel) = &self.channel else { return };
        spawn.passed = descriptors.len() as u32;
        let frame = frame_of(&Order::Spawn(Box::new(spawn)).encode());
        let sent = loop {
            match passing::send(channel, &frame, descriptors, 0) {
                Ok(sent) => break sent,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return, // it has ended, and the next read of the channel reports that
            }
        };
        system::send(channel, frame.get(sent..).unwrap_or_default());
    }

    /// Continues the guardian if a script stopped it.
    pub fn wake(&self) {
        tree::send(self.guardian, libc::SIGCONT);
    }

    /// Ends the guardian and all of its descendants, and returns when they have ended. A guardian that does not end in time is
    /// killed, and this process ends its descendants.
    pub fn close(&mut self) {
        if self.channel.take().is_some() {
            await_end(self.guardian, self.mark);
        }
    }

    /// Ends all descendants of rt, even if the guardian was killed or a debugger has stopped it.
    pub fn kill_everything(&mut self) {
        self.channel = None;
        end_everything(self.guardian, self.mark);
    }
}

/// Waits until the guardian, whose channel is closed, has ended its descendants. This process ends those that remain.
pub fn await_end(guardian: Pid, mark: u64) {
    tree::send(guardian, libc::SIGCONT);
    let is_over = system::pidfd(guardian).is_none_or(|end| system::wait_for([end.0], Some(PATIENCE))[0]);
    if is_over { system::wait_for_end(guardian) } else { end_everything(guardian, mark) }
}

/// Kills the guardian and all descendants of this process. If a script traces the guardian, the guardian can be reaped only when
/// that script has ended.
pub fn end_everything(guardian: Pid, mark: u64) {
    tree::send(guardian, libc::SIGKILL);
    kill_below(std::process::id() as Pid, |_| false, reap_all);
    marked::end(mark, PATIENCE);
    reap_all();
}

fn reap_all() {
    while matches!(system::reap(), Reaped::Ended(..)) {}
}
