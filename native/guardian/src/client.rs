//! rt's end of its guardian: what it is ordered, and the end of it and of everything below it.
//!
//! Nothing here waits for a script. When the guardian itself is killed, its scripts fall to this process, a subreaper too.
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
use rt_wire::frames::framed;
use rt_wire::protocol::{Order, Spawn};

/// How long the guardian may take to end everything; it gives up on its own after less.
pub const PATIENCE: Duration = Duration::from_secs(6);

/// A running guardian; close it always.
pub struct Client {
    /// None once it is closed.
    channel: Option<Opened>,
    guardian: Pid,
    mark: u64,
}

impl Client {
    /// Fork a guardian with its zygotes.
    pub fn start(terms: Terms, forks: &Forks) -> Result<Client> {
        let (guardian, channel) = guardian::start(terms, forks)?;
        Ok(Client { channel: Some(channel), guardian, mark: terms.mark })
    }

    /// Readable when the guardian has said something, or is gone.
    pub fn descriptor(&self) -> c_int {
        self.channel.as_ref().map_or(-1, |channel| channel.0)
    }

    pub fn channel(&self) -> Option<&Opened> {
        self.channel.as_ref()
    }

    /// Tell the guardian what to do, and have it go on if somebody stopped it.
    pub fn order(&self, order: &Order) {
        self.wake();
        if let Some(channel) = &self.channel {
            system::send(channel, &framed(&order.encode())); // if it is gone, its answer says so
        }
    }

    /// Have a script started; `descriptors` become its 0, 1 and 2 (none: the guardian's own).
    pub fn spawn(&self, mut spawn: Spawn, descriptors: &[c_int]) {
        let Some(channel) = &self.channel else { return };
        spawn.passed = descriptors.len() as u32;
        let frame = framed(&Order::Spawn(Box::new(spawn)).encode());
        let sent = loop {
            match passing::send(channel, &frame, descriptors, 0) {
                Ok(sent) => break sent,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return, // it is gone, and its channel says so
            }
        };
        system::send(channel, frame.get(sent..).unwrap_or_default());
    }

    /// Have the guardian go on if somebody stopped it.
    pub fn wake(&self) {
        tree::send(self.guardian, libc::SIGCONT);
    }

    /// End the guardian and with it whatever still runs; returns when it is gone. One that does not end is killed, and
    /// what it leaves is ended here.
    pub fn close(&mut self) {
        if self.channel.take().is_some() {
            await_end(self.guardian, self.mark);
        }
    }

    /// End all that is below rt itself, also after the guardian was lost, or while it is held by a debugger.
    pub fn kill_everything(&mut self) {
        self.channel = None;
        end_everything(self.guardian, self.mark);
    }
}

/// Wait until the guardian, whose channel is closed, has ended everything; what it does not end is ended here.
pub fn await_end(guardian: Pid, mark: u64) {
    tree::send(guardian, libc::SIGCONT);
    let is_over = system::pidfd(guardian).is_none_or(|end| system::wait_for([end.0], Some(PATIENCE))[0]);
    if is_over { system::wait_for_end(guardian) } else { end_everything(guardian, mark) }
}

/// Kill the guardian and all that is below this process.
pub fn end_everything(guardian: Pid, mark: u64) {
    tree::send(guardian, libc::SIGKILL);
    system::wait_for_end(guardian);
    kill_below(std::process::id() as Pid, |_| false, reap_all);
    marked::end(mark, PATIENCE);
    reap_all();
}

fn reap_all() {
    while matches!(system::reap(), Reaped::Ended(..)) {}
}
