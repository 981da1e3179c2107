//! One connection of a server: its socket, its parser, and its unsent output.
use std::io::ErrorKind;
use std::time::{Duration, Instant};

use super::body_target::BodyTarget;
use super::file_part::{FilePart, READ_BYTES, Sent};
use super::head::Kind;
use super::parser::{Outcome, Parser};
use super::server::Listener;
use super::sockets::Stream;

/// The capacity that a grown buffer keeps.
const KEPT_BYTES: usize = 64 * 1024;

pub struct Connection {
    pub stream: Option<Stream>,
    pub parser: Parser,
    pub out: Vec<u8>,
    pub out_at: usize,
    /// The file to send after `out`.
    pub file: Option<FilePart>,
    /// Where the rest of the body is read to, if not to the server's buffer.
    pub body_target: Option<BodyTarget>,
    /// Bytes after an upgrade request, until the upgrade is decided.
    pub held: Option<Vec<u8>>,
    pub is_raw: bool,
    pub is_paused: bool,
    /// Whether there may be unread bytes.
    pub may_read: bool,
    pub is_in_again: bool,
    /// Whether the connection has been reported; before that its end need not be.
    pub is_known: bool,
    /// Whether the client has closed its end after the unread bytes.
    pub is_closing: bool,
    pub has_ended: bool,
    pub ends_when_written: bool,
    pub is_waiting_for_drain: bool,
    pub active: Instant,
    pub head_since: Option<Instant>,
    pub idle_limit: Option<Duration>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum WriteOutcome {
    All,
    Waits,
    /// There is room for more, but other connections have their turn first.
    More,
    Gone,
}

impl Connection {
    pub fn new(stream: Stream, head_limit: usize) -> Connection {
        let now = Instant::now();
        Connection {
            stream: Some(stream),
            parser: Parser::new(Kind::Request, head_limit, false),
            out: Vec::new(),
            out_at: 0,
            file: None,
            body_target: None,
            held: None,
            is_raw: false,
            is_paused: false,
            may_read: true,
            is_in_again: true,
            is_known: false,
            is_closing: false,
            has_ended: false,
            ends_when_written: false,
            is_waiting_for_drain: false,
            active: now,
            head_since: Some(now),
            idle_limit: None,
        }
    }

    /// Treat further input as another protocol than HTTP/1.
    pub fn become_raw(&mut self) {
        self.is_raw = true;
        self.head_since = None;
    }

    pub fn write(&mut self, head: &[u8], body: &[u8]) -> WriteOutcome {
        let is_first = self.waiting() == 0;
        let Some(stream) = &mut self.stream else { return WriteOutcome::Gone };
        let size = head.len() + body.len();
        let mut written = 0;
        if is_first {
            while written < size {
                let result = match written.checked_sub(head.len()) {
                    Some(at) => stream.write(&body[at..]),
                    None if body.is_empty() => stream.write(&head[written..]),
                    None => stream.write_both(&head[written..], body),
                };
                match result {
                    Ok(more) => written += more,
                    Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(_) => {
                        self.stream = None;
                        return WriteOutcome::Gone;
                    }
                }
            }
        }
        if is_first && written == size && stream.unsent() == 0 {
            if self.ends_when_written {
                stream.shutdown();
            }
            return WriteOutcome::All;
        }
        self.out.extend_from_slice(&head[written.min(head.len())..]);
        self.out.extend_from_slice(&body[written.saturating_sub(head.len())..]);
        self.is_waiting_for_drain = true;
        WriteOutcome::Waits
    }

    /// Writes a head and part of a file.
    pub fn write_file(&mut self, head: &[u8], part: FilePart) -> WriteOutcome {
        if part.remaining() <= READ_BYTES {
            return match part.read() {
                Ok(bytes) => self.write(head, &bytes),
                Err(_) => self.give_up(),
            };
        }
        if self.write(head, &[]) == WriteOutcome::Gone {
            return WriteOutcome::Gone;
        }
        self.file = Some(part);
        self.is_waiting_for_drain = true;
        let written = self.flush();
        if written == WriteOutcome::All {
            self.is_waiting_for_drain = false;
        }
        written
    }

    fn give_up(&mut self) -> WriteOutcome {
        self.stream = None;
        self.file = None;
        WriteOutcome::Gone
    }

    /// The size of the unsent output.
    pub fn waiting(&self) -> usize {
        let unsent = self.stream.as_ref().map_or(0, Stream::unsent);
        self.out.len() - self.out_at + unsent + self.file.as_ref().map_or(0, |part| part.remaining() as usize)
    }

    pub fn flush(&mut self) -> WriteOutcome {
        let Some(stream) = &mut self.stream else { return WriteOutcome::Gone };
        while self.out_at < self.out.len() {
            match stream.write(&self.out[self.out_at..]) {
                Ok(size) => {
                    self.out_at += size;
                    self.active = Instant::now();
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return WriteOutcome::Waits,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return WriteOutcome::Gone,
            }
        }
        self.active = Instant::now();
        if stream.send().is_err() {
            return WriteOutcome::Gone;
        }
        self.out.clear();
        self.out.shrink_to(KEPT_BYTES);
        self.out_at = 0;
        if let Some(part) = &mut self.file {
            let sent = if stream.is_secure() { part.send_through(stream) } else { part.send(stream.descriptor()) };
            match sent {
                Ok(Sent::All) => self.file = None,
                Ok(Sent::Waits) => return WriteOutcome::Waits,
                Ok(Sent::More) => return WriteOutcome::More,
                Err(_) => return self.give_up(),
            }
        }
        if stream.unsent() > 0 {
            return WriteOutcome::Waits;
        }
        if self.ends_when_written {
            stream.shutdown();
        }
        WriteOutcome::All
    }

    /// Reports bytes of the body that were read into its target.
    pub fn fill(&mut self, number: usize, size: usize, listener: &mut impl Listener) {
        listener.filled(number, size);
        self.parser.count_body(size as u64, &mut listener.of(number, &[]));
        if self.parser.body_left().is_none() {
            self.body_target = None;
        }
    }

    pub fn parse(&mut self, number: usize, piece: &[u8], listener: &mut impl Listener) {
        let outcome = self.parser.execute(piece, &mut listener.of(number, piece));
        self.head_since = if self.parser.is_in_head() { self.head_since.or(Some(self.active)) } else { None };
        match outcome {
            Outcome::Read => {}
            Outcome::Upgrade(offset) => self.held = Some(piece[offset..].to_vec()),
            Outcome::Failed(problem, _) => {
                self.is_paused = true;
                listener.failed(number, problem);
            }
        }
    }
}
