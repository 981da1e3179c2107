//! A server's connections: accepted, read, parsed and written without a call into JavaScript for each step. The loop
//! waits for one descriptor, then takes a turn, which reports everything that has arrived.
//!
//! A connection is known by its number from its first message until it is released; it may be gone before that.
//! `controls` has the operations for JavaScript.
//!
//!     reading messages --upgrade--> raw bytes; end, failure or `destroy` --> gone --release--> the number is free
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::os::fd::{AsRawFd, RawFd};
use std::path::Path;
use std::time::{Duration, Instant};

use mio::net::{TcpListener, UnixListener};
use mio::{Events, Interest, Poll, Registry, Token};
use rt_wire::debug_log;

use super::Problem;
use super::connection::Connection;
pub use super::connection::WriteOutcome;
use super::parser::Sink;
use super::secure::ReadOutcome;
use super::sockets::{Ear, Socket, Stream};

const LISTENER: Token = Token(usize::MAX);
const EVENTS_A_TURN: usize = 512;
const ACCEPTED_A_TURN: usize = 128;
const READ_BYTES: usize = 64 * 1024;
const READS_A_TURN: usize = 4;
const BACKLOG: i32 = 511;
const MOST_NAME: usize = 108; // bytes of a name in the address of a unix socket

/// Receives events in order; the ranges of a body refer to `piece`.
pub trait Listener {
    type Telling<'t>: Sink
    where
        Self: 't;
    fn of<'t>(&'t mut self, connection: usize, piece: &'t [u8]) -> Self::Telling<'t>;
    fn raw(&mut self, connection: usize, bytes: &[u8]);
    /// As many bytes of the body were read into its target.
    fn filled(&mut self, connection: usize, size: usize);
    fn drained(&mut self, connection: usize);
    /// The client has ended its side.
    fn ended(&mut self, connection: usize);
    /// The connection failed.
    fn gone(&mut self, connection: usize);
    fn failed(&mut self, connection: usize, problem: Problem);
    /// TLS has chosen HTTP/2: the following events of the connection are raw.
    fn speaks_http2(&mut self, connection: usize);
}

pub struct Server {
    poll: Poll,
    events: Events,
    ear: Option<Ear>,
    may_accept: bool,
    pub(super) connections: Vec<Option<Connection>>,
    pub(super) free: Vec<usize>,
    again: Vec<usize>,
    buffer: Vec<u8>,
    head_limit: usize,
    /// The number of the TLS acceptor (`secure`).
    acceptor: Option<u64>,
    pub scratch: Vec<u8>,
}

impl Server {
    pub fn tcp(address: SocketAddr, reuses_port: bool, ipv6_only: bool, head_limit: usize) -> io::Result<Server> {
        use socket2::{Domain, Protocol, Socket, Type};
        let socket =
            Socket::new(Domain::for_address(address), Type::STREAM.nonblocking().cloexec(), Some(Protocol::TCP))?;
        socket.set_reuse_address(true)?;
        if reuses_port {
            socket.set_reuse_port(true)?;
        }
        if address.is_ipv6() {
            socket.set_only_v6(ipv6_only)?;
        }
        socket.bind(&address.into())?;
        socket.listen(BACKLOG)?;
        Server::new(Ear::Tcp(TcpListener::from_std(socket.into())), head_limit)
    }

    /// Listen at a path, or at an abstract name, which begins with a zero byte.
    pub fn unix(path: &Path, head_limit: usize) -> io::Result<Server> {
        use socket2::{Domain, SockAddr, Socket, Type};
        let name = path.as_os_str().as_encoded_bytes();
        let most = if name.first() == Some(&0) { MOST_NAME } else { MOST_NAME - 1 };
        if name.len() > most {
            return Err(io::Error::from_raw_os_error(libc::ENAMETOOLONG));
        }
        let socket = Socket::new(Domain::UNIX, Type::STREAM.nonblocking().cloexec(), None)?;
        socket.bind(&SockAddr::unix(path)?)?;
        socket.listen(BACKLOG)?;
        Server::new(Ear::Unix(UnixListener::from_std(socket.into())), head_limit)
    }

    fn new(mut ear: Ear, head_limit: usize) -> io::Result<Server> {
        let poll = Poll::new()?;
        ear.source().register(poll.registry(), LISTENER, Interest::READABLE)?;
        Ok(Server {
            poll,
            events: Events::with_capacity(EVENTS_A_TURN),
            ear: Some(ear),
            may_accept: false,
            connections: Vec::new(),
            free: Vec::new(),
            again: Vec::new(),
            buffer: vec![0; READ_BYTES],
            head_limit,
            acceptor: None,
            scratch: Vec::new(),
        })
    }

    /// Uses TLS for all connections, with that acceptor.
    pub fn secure(&mut self, acceptor: u64) {
        self.acceptor = Some(acceptor);
    }

    /// A descriptor that is readable when a turn has something to do.
    pub fn descriptor(&self) -> RawFd {
        self.poll.as_raw_fd()
    }

    pub fn port(&self) -> u16 {
        match &self.ear {
            Some(Ear::Tcp(listener)) => listener.local_addr().map_or(0, |address| address.port()),
            _ => 0,
        }
    }

    pub fn peer(&self, connection: usize) -> Option<SocketAddr> {
        match &self.connections.get(connection)?.as_ref()?.stream.as_ref()?.socket {
            Socket::Tcp(stream) => stream.peer_addr().ok(),
            Socket::Unix(_) => None,
        }
    }

    /// Accept no more connections.
    pub fn stop(&mut self) {
        if let Some(mut ear) = self.ear.take() {
            let _ = ear.source().deregister(self.poll.registry()); // it is closed next
        }
        self.may_accept = false;
    }

    /// Reports all events; returns whether more can be reported at once.
    pub fn turn(&mut self, listener: &mut impl Listener) -> bool {
        let mut events = std::mem::replace(&mut self.events, Events::with_capacity(0));
        match self.poll.poll(&mut events, Some(Duration::ZERO)) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return false,
        }
        let mut again = std::mem::take(&mut self.again);
        for event in &events {
            if event.token() == LISTENER {
                self.may_accept = true;
                continue;
            }
            let number = event.token().0;
            if event.is_writable() {
                self.writable(number, listener);
            }
            if (event.is_readable() || event.is_read_closed() || event.is_error())
                && let Some(Some(connection)) = self.connections.get_mut(number)
            {
                connection.may_read = true;
                connection.is_closing |= event.is_read_closed();
                if !connection.is_in_again {
                    connection.is_in_again = true;
                    again.push(number);
                }
            }
        }
        let is_full = events.iter().count() == EVENTS_A_TURN;
        self.events = events;
        for number in again {
            if let Some(Some(connection)) = self.connections.get_mut(number) {
                connection.is_in_again = false;
            }
            self.writable(number, listener);
            self.readable(number, listener);
        }
        if self.may_accept {
            self.accept();
        }
        is_full || self.may_accept || !self.again.is_empty()
    }

    fn accept(&mut self) {
        for _ in 0..ACCEPTED_A_TURN {
            let Some(ear) = &self.ear else { return };
            match ear.accept() {
                Ok(socket) => self.welcome(socket),
                Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::ConnectionAborted) => {}
                Err(_) => {
                    // No connection is pending; or no descriptor is left, and the next connection makes the socket
                    // readable again.
                    self.may_accept = false;
                    return;
                }
            }
        }
    }

    fn welcome(&mut self, socket: Socket) {
        let server = match self.acceptor {
            Some(acceptor) => Stream::secure(socket, acceptor),
            None => Some(Stream::plain(socket)),
        };
        let Some(mut stream) = server else {
            debug_log!(Tls, "a connection was refused: TLS could not be set up");
            return;
        };
        let number = self.free.pop().unwrap_or_else(|| {
            self.connections.push(None);
            self.connections.len() - 1
        });
        if register(&mut stream, self.poll.registry(), number).is_err() {
            self.free.push(number);
            return;
        }
        debug_log!(Http, "connection {number}: accepted");
        if self.acceptor.is_some() {
            debug_log!(Tls, "connection {number}: waits for the handshake");
        }
        self.connections[number] = Some(Connection::new(stream, self.head_limit));
        self.again.push(number);
    }

    pub(super) fn again(&mut self, number: usize) {
        if let Some(Some(connection)) = self.connections.get_mut(number)
            && !connection.is_in_again
        {
            connection.is_in_again = true;
            self.again.push(number);
        }
    }

    fn readable(&mut self, number: usize, listener: &mut impl Listener) {
        let mut received = 0;
        while received < READS_A_TURN * self.buffer.len() {
            let Some(Some(connection)) = self.connections.get_mut(number) else { return };
            if connection.is_paused || !connection.may_read || connection.held.is_some() || connection.has_ended {
                return;
            }
            let Connection { stream: Some(stream), parser, body_target, .. } = connection else { return };
            let left = parser.body_left();
            let room = match (body_target, left) {
                (Some(target), Some(left)) => target.room(left),
                _ => &mut [],
            };
            let is_direct = !room.is_empty();
            match stream.read(if is_direct { room } else { &mut self.buffer }) {
                Ok(ReadOutcome::Ended) => {
                    debug_log!(Http, "connection {number}: the client has ended it");
                    connection.has_ended = true;
                    if connection.is_known {
                        listener.ended(number);
                    } else {
                        self.release(number);
                    }
                    return;
                }
                Ok(ReadOutcome::Bytes(size, may_follow)) => {
                    if self.acceptor.is_some() && !connection.is_known {
                        debug_log!(Tls, "connection {number}: the handshake is complete");
                    }
                    debug_log!(Http, "connection {number}: read {size} bytes");
                    connection.is_known = true;
                    connection.active = Instant::now();
                    received += size;
                    let piece = &self.buffer[..if is_direct { 0 } else { size }];
                    if is_direct {
                        connection.fill(number, size, listener);
                    } else if connection.is_raw {
                        listener.raw(number, piece);
                    } else {
                        connection.parse(number, piece, listener);
                        if may_follow && left.is_none() && connection.parser.body_left().is_some() {
                            break; // the program first gets the request, and may offer memory for the rest
                        }
                    }
                    if !may_follow && !connection.is_closing {
                        connection.may_read = false;
                        return;
                    }
                }
                Ok(ReadOutcome::Nothing(has_advanced)) => {
                    connection.may_read = false;
                    if has_advanced {
                        connection.active = Instant::now();
                    }
                    return;
                }
                Ok(ReadOutcome::Http2) => {
                    connection.is_known = true;
                    debug_log!(Http, "connection {number}: speaks HTTP/2");
                    connection.become_raw();
                    listener.speaks_http2(number);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if !connection.is_known => {
                    debug_log!(Tls, "connection {number}: the handshake failed: {error}");
                    stream.turn_away(&mut self.buffer);
                    self.release(number);
                    return;
                }
                Err(error) => {
                    debug_log!(Http, "connection {number}: lost: {error}");
                    connection.stream = None;
                    listener.gone(number);
                    return;
                }
            }
        }
        self.again(number);
    }

    fn writable(&mut self, number: usize, listener: &mut impl Listener) {
        let Some(Some(connection)) = self.connections.get_mut(number) else { return };
        if connection.waiting() == 0 {
            return;
        }
        match connection.flush() {
            WriteOutcome::More => self.again(number),
            WriteOutcome::All if connection.is_waiting_for_drain => {
                connection.is_waiting_for_drain = false;
                listener.drained(number);
            }
            WriteOutcome::Gone => {
                connection.stream = None;
                listener.gone(number);
            }
            _ => {}
        }
    }
}

fn register(stream: &mut Stream, registry: &Registry, number: usize) -> io::Result<()> {
    stream.source().register(registry, Token(number), Interest::READABLE | Interest::WRITABLE)
}
