//! Operations on a server's connections between its turns: writing, pausing, upgrading, releasing.
use std::time::{Duration, Instant};

use super::body_target::BodyTarget;
use super::connection::WriteOutcome;
use super::file_part::FilePart;
use super::server::{Listener, Server};

/// The time limit for a head.
const LONGEST_HEAD: Duration = Duration::from_secs(60);

impl Server {
    /// Writes a head and a body with one system call. What does not fit is queued, and `drained` reports when it is
    /// sent.
    pub fn write(&mut self, number: usize, head: &[u8], body: &[u8], ends: bool) -> WriteOutcome {
        let Some(Some(connection)) = self.connections.get_mut(number) else { return WriteOutcome::Gone };
        connection.active = Instant::now();
        connection.ends_when_written |= ends;
        connection.write(head, body)
    }

    /// The same for part of a file; `More` if a turn must follow.
    pub fn write_file(&mut self, number: usize, head: &[u8], part: FilePart) -> WriteOutcome {
        let Some(Some(connection)) = self.connections.get_mut(number) else { return WriteOutcome::Gone };
        connection.active = Instant::now();
        let written = connection.write_file(head, part);
        if written == WriteOutcome::More {
            self.again(number);
        }
        written
    }

    /// Ends writing, after the queued output.
    pub fn end(&mut self, number: usize) {
        self.write(number, &[], &[], true);
    }

    pub fn pause(&mut self, number: usize) {
        if let Some(Some(connection)) = self.connections.get_mut(number) {
            connection.is_paused = true;
        }
    }

    /// Resumes reading; a turn should follow.
    pub fn resume(&mut self, number: usize) {
        if let Some(Some(connection)) = self.connections.get_mut(number) {
            connection.is_paused = false;
            connection.may_read = true;
            self.again(number);
        }
    }

    /// Lets the rest of the body that is being received be read into `target`; false if that is impossible.
    pub fn set_body_target(&mut self, number: usize, target: BodyTarget) -> bool {
        match self.connections.get_mut(number) {
            Some(Some(connection)) if connection.parser.body_left().is_some() => {
                connection.body_target = Some(target);
                true
            }
            _ => false,
        }
    }

    /// Upgrade the connection to another protocol; returns the bytes after the request.
    pub fn upgrade(&mut self, number: usize) -> Vec<u8> {
        let Some(Some(connection)) = self.connections.get_mut(number) else { return Vec::new() };
        connection.become_raw();
        let unread = connection.held.take().unwrap_or_default();
        self.resume(number);
        unread
    }

    /// Refuses the upgrade: the bytes after the request are read as usual.
    pub fn refuse_upgrade(&mut self, number: usize, listener: &mut impl Listener) {
        let Some(Some(connection)) = self.connections.get_mut(number) else { return };
        if let Some(held) = connection.held.take() {
            connection.parse(number, &held, listener);
            connection.may_read = true;
            self.again(number);
        }
    }

    pub fn set_idle_limit(&mut self, number: usize, limit: Option<Duration>) {
        if let Some(Some(connection)) = self.connections.get_mut(number) {
            connection.idle_limit = limit;
            connection.active = Instant::now();
        }
    }

    /// Connections that were idle for too long, and whether an incomplete head is the reason.
    pub fn sweep(&self, usual_limit: Option<Duration>) -> Vec<(usize, bool)> {
        let now = Instant::now();
        let mut late = Vec::new();
        for (number, connection) in self.connections.iter().enumerate() {
            let Some(connection) = connection else { continue };
            let limit = connection.idle_limit.or(usual_limit).filter(|limit| !limit.is_zero());
            let is_slow = connection.head_since.is_some_and(|since| now - since > LONGEST_HEAD);
            if is_slow || limit.is_some_and(|limit| now - connection.active > limit) {
                late.push((number, is_slow));
            }
        }
        late
    }

    pub fn has_waiting(&self, number: usize) -> usize {
        match self.connections.get(number) {
            Some(Some(connection)) => connection.waiting(),
            _ => 0,
        }
    }

    /// Closes the connection if it is open, and frees its number.
    pub fn release(&mut self, number: usize) {
        if let Some(place) = self.connections.get_mut(number)
            && place.take().is_some()
        {
            self.free.push(number);
        }
    }
}
