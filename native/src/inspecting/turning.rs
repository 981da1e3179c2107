//! The server's thread: it accepts, reads and writes, and queues messages for the engine's thread.
use std::collections::{BTreeMap, VecDeque};
use std::io::PipeReader;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};

use super::connection::{Connection, ConnectionEvent};
use super::request::Page;
use super::stream::{Listener, Stream};

/// How long clients have to read pending output at the server's end.
const LAST_MOMENT: Duration = Duration::from_secs(2);

pub enum Event {
    Connected(u64),
    Message(u64, String),
    Disconnected(u64),
}

pub enum Command {
    Send(u64, String),
    /// Accept no more clients.
    StopListening,
    /// Stop listening, send pending output, and end.
    End,
}

#[derive(Default)]
pub struct Events {
    pub waiting: VecDeque<Event>,
    /// Whether the engine's thread was notified and has not read the queue yet.
    pub is_notified: bool,
    /// Whether the last event is in the queue.
    pub is_over: bool,
}

/// The state shared by the two threads.
#[derive(Default)]
pub struct Shared {
    events: Mutex<Events>,
    pub arrived: Condvar,
    commands: Mutex<Vec<Command>>,
}

impl Shared {
    pub fn events(&self) -> MutexGuard<'_, Events> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn commands(&self) -> MutexGuard<'_, Vec<Command>> {
        self.commands.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub struct Turning<'a> {
    pub listener: Option<Listener>,
    pub waker: PipeReader,
    pub page: Page,
    pub local: String,
    pub shared: &'a Shared,
    /// Notifies the engine's thread of an event.
    pub notify: Box<dyn Fn() + Send>,
    pub connections: BTreeMap<u64, Connection>,
    pub next: u64,
}

impl Turning<'_> {
    /// Serve until the end is ordered and announced to all clients.
    pub fn run(mut self) {
        let mut deadline: Option<Instant> = None;
        self.report(self.connections.keys().map(|&number| Event::Connected(number)).collect());
        while deadline.is_none_or(|deadline| !self.connections.is_empty() && Instant::now() < deadline) {
            let Some(ready) = self.wait(deadline) else { break };
            if self.obey() {
                self.listener = None;
                self.connections.values_mut().for_each(Connection::close);
                deadline = Some(Instant::now() + LAST_MOMENT);
            }
            self.serve(&ready);
        }
        self.shared.events().is_over = true;
        self.shared.arrived.notify_all();
    }

    /// Wait for work; returns the numbers of the readable connections.
    fn wait(&self, deadline: Option<Instant>) -> Option<Vec<u64>> {
        let mut watched = vec![PollFd::new(&self.waker, PollFlags::IN)];
        for connection in self.connections.values() {
            let writes = if connection.wants_to_write() { PollFlags::OUT } else { PollFlags::empty() };
            watched.push(PollFd::new(connection.stream(), PollFlags::IN | writes));
        }
        watched.extend(self.listener.as_ref().map(|listener| PollFd::new(listener, PollFlags::IN)));
        let timeout = deadline.map(|deadline| {
            let left = deadline.saturating_duration_since(Instant::now());
            rustix::event::Timespec::try_from(left).unwrap_or_default()
        });
        match poll(&mut watched, timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return None,
        }
        if !watched[0].revents().is_empty() {
            let _ = rustix::io::read(&self.waker, &mut [0u8; 64]);
        }
        let readable = |(number, watched): (&u64, &PollFd<'_>)| (!watched.revents().is_empty()).then_some(*number);
        Some(self.connections.keys().zip(&watched[1..]).filter_map(readable).collect())
    }

    /// Carry out the orders; returns whether the end was ordered.
    fn obey(&mut self) -> bool {
        let commands = std::mem::take(&mut *self.shared.commands());
        let mut is_end = false;
        for command in commands {
            match command {
                Command::Send(number, text) => {
                    if let Some(connection) = self.connections.get_mut(&number) {
                        connection.say(&text);
                    }
                }
                Command::StopListening => self.listener = None,
                Command::End => is_end = true,
            }
        }
        is_end
    }

    fn serve(&mut self, ready: &[u64]) {
        self.accept();
        let mut events = Vec::new();
        for (&number, connection) in &mut self.connections {
            if connection.wants_to_write() {
                connection.write();
            }
            if ready.contains(&number) && !connection.is_over {
                for news in connection.read(&self.page, &self.local) {
                    events.push(match news {
                        ConnectionEvent::Connected => Event::Connected(number),
                        ConnectionEvent::Message(text) => Event::Message(number, text),
                    });
                }
            }
            if connection.has_left() {
                events.push(Event::Disconnected(number));
            }
        }
        self.connections.retain(|_, connection| !connection.is_over);
        self.report(events);
    }

    fn accept(&mut self) {
        while let Some(Ok(stream)) = self.listener.as_ref().map(Listener::accept) {
            self.add(stream, Connection::incoming);
        }
    }

    pub fn add(&mut self, stream: Stream, make: fn(Stream) -> Connection) {
        if stream.set_nonblocking().is_ok() {
            self.connections.insert(self.next, make(stream));
            self.next += 1;
        }
    }

    fn report(&self, events: Vec<Event>) {
        if events.is_empty() {
            return;
        }
        let mut shared = self.shared.events();
        shared.waiting.extend(events);
        let was_notified = std::mem::replace(&mut shared.is_notified, true);
        drop(shared);
        self.shared.arrived.notify_all();
        if !was_notified {
            (self.notify)();
        }
    }
}
