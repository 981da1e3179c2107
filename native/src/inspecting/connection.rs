//! One client's bytes: a request first, then, where it asked for it, the messages of a WebSocket.
//!
//!     ASKING --upgrade--> TALKING --close, or an end--> LEAVING
//!        └──────any other request, answered──────────────┘
//!
//! A connection that rt itself has opened starts TALKING, in messages after their length.
use std::io::{ErrorKind, Read, Write};

use super::frames::{self, Content, ProtocolViolation, Reader};
use super::request::{self, Answer, Page};
use super::stream::Stream;

const MOST_HEAD_BYTES: usize = 16 << 10;

#[derive(PartialEq)]
enum State {
    Asking,
    Talking,
    /// Pending output is sent, then the connection ends.
    Leaving,
}

#[derive(PartialEq)]
enum Framing {
    WebSocket,
    Prefixed,
}

pub struct Connection {
    stream: Stream,
    framing: Framing,
    state: State,
    unread: Vec<u8>,
    unsent: Vec<u8>,
    sent: usize,
    reader: Reader,
    /// Whether it has begun to talk, and its end has not been observed.
    is_client: bool,
    pub is_over: bool,
}

/// An event of a connection.
pub enum ConnectionEvent {
    Connected,
    Message(String),
}

impl Connection {
    /// A client has connected; its request comes first.
    pub fn incoming(stream: Stream) -> Connection {
        Connection::new(stream, State::Asking, Framing::WebSocket)
    }

    /// rt has connected to a front end, which sends messages at once.
    pub fn outgoing(stream: Stream) -> Connection {
        Connection::new(stream, State::Talking, Framing::Prefixed)
    }

    fn new(stream: Stream, state: State, framing: Framing) -> Connection {
        Connection {
            stream,
            framing,
            unread: Vec::new(),
            unsent: Vec::new(),
            sent: 0,
            reader: Reader::default(),
            is_client: state == State::Talking,
            state,
            is_over: false,
        }
    }

    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    pub fn is_talking(&self) -> bool {
        self.state == State::Talking && !self.is_over
    }

    /// Returns once whether a client no longer talks, for whatever reason: it has left, or a message could not be sent.
    pub fn has_left(&mut self) -> bool {
        let has_left = self.is_client && !self.is_talking();
        self.is_client &= !has_left;
        has_left
    }

    pub fn wants_to_write(&self) -> bool {
        self.sent < self.unsent.len()
    }

    /// Read available input.
    pub fn read(&mut self, page: &Page, local: &str) -> Vec<ConnectionEvent> {
        let mut news = Vec::new();
        let mut block = [0u8; 1 << 16];
        loop {
            match self.stream.read(&mut block) {
                Ok(0) => self.is_over = true,
                Ok(_) if self.state == State::Leaving => continue, // input is ignored from here on
                Ok(count) => {
                    self.unread.extend_from_slice(&block[..count]);
                    self.understand(page, local, &mut news);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => self.is_over = true,
            }
            if self.is_over {
                break;
            }
        }
        news
    }

    fn understand(&mut self, page: &Page, local: &str, news: &mut Vec<ConnectionEvent>) {
        if self.state == State::Asking {
            let Some(end) = memchr::memmem::find(&self.unread, b"\r\n\r\n") else {
                self.is_over = self.unread.len() > MOST_HEAD_BYTES;
                return;
            };
            let head = String::from_utf8_lossy(&self.unread[..end]).into_owned();
            self.unread.drain(..end + 4);
            match request::answer(&head, page, local) {
                Answer::Page(bytes) => return self.leave(&bytes),
                Answer::Upgrade(bytes) => {
                    self.state = State::Talking;
                    self.is_client = true;
                    self.push(&bytes);
                    news.push(ConnectionEvent::Connected);
                }
            }
        }
        let mut start = 0;
        while self.state == State::Talking {
            let outcome = match self.framing {
                Framing::WebSocket => self.reader.take(&mut self.unread[start..]),
                Framing::Prefixed => frames::take_prefixed(&self.unread[start..]),
            };
            match outcome {
                Ok(None) => break,
                Ok(Some((content, length))) => {
                    start += length;
                    match content {
                        Content::Message(text) => news.push(ConnectionEvent::Message(text)),
                        Content::Ping(data) => self.push(&frames::pong(&data)),
                        Content::Close(data) => self.leave(&frames::close(&data)),
                        Content::Nothing => {}
                    }
                }
                Err(ProtocolViolation) => self.leave(&frames::refusal()),
            }
        }
        self.unread.drain(..start);
    }

    pub fn say(&mut self, message: &str) {
        if self.state == State::Talking {
            match self.framing {
                Framing::WebSocket => self.push(&frames::text(message)),
                Framing::Prefixed => self.push(&frames::prefixed(message)),
            }
        }
    }

    /// Tell the client that the connection ends.
    pub fn close(&mut self) {
        match self.state {
            State::Talking => self.leave(&frames::close(&[])),
            State::Asking => self.is_over = true,
            State::Leaving => {}
        }
    }

    fn leave(&mut self, last: &[u8]) {
        self.state = State::Leaving;
        self.push(if self.framing == Framing::WebSocket { last } else { &[] });
    }

    fn push(&mut self, bytes: &[u8]) {
        self.unsent.extend_from_slice(bytes);
        self.write();
    }

    /// Write pending output, as much as the client accepts now.
    pub fn write(&mut self) {
        while self.sent < self.unsent.len() && !self.is_over {
            match self.stream.write(&self.unsent[self.sent..]) {
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => self.is_over = true,
            }
        }
        self.unsent.clear();
        self.sent = 0;
        self.is_over |= self.state == State::Leaving;
    }
}
