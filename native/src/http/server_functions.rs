//! Servers for JavaScript, which identifies each by a number, and each of its connections by another. A turn returns
//! all events as one flat array (`js/rt/serve/native_source.js` reads it); a response is written with one call.
use std::cell::RefCell;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::rc::Rc;
use std::time::Duration;

use super::Problem;
use super::body_target::BodyTarget;
use super::head::{Head, Range};
use super::numbers::{self, BODY, BROKEN, DRAINED, ENDED, FILLED, GONE, RAW, SPEAKS_HTTP2};
use super::parser::{Facts, Sink};
use super::parser_functions::{Items, number};
use super::server::{Listener, Server, WriteOutcome};
use crate::event_loop::{Core, Slot, with_core};
use crate::v8::value::literal;
use crate::v8::{Call, CallbackInfo, Natives, guarded, with_bytes};
use crate::v8::{Local, Scope};

pub const NATIVES: Natives = &[
    ("httpServerClose", close),
    ("httpServerControl", control),
    ("httpServerListen", listen),
    ("httpServerPeer", peer),
    ("httpServerSweep", sweep),
    ("httpServerTurn", turn),
    ("httpServerWatch", watch),
    ("httpServerWrite", write),
];

thread_local! {
    static SERVERS: RefCell<Vec<Option<Box<Server>>>> = const { RefCell::new(Vec::new()) };
}

/// The events of a turn, each preceded by the connection's number.
struct TurnEvents<'a, 's> {
    items: Items<'a, 's>,
    /// Connections for whose bytes V8 had no memory: they are reported as gone, with no event afterwards.
    lost: Vec<usize>,
}

struct OfConnection<'t, 'a, 's> {
    events: &'t mut TurnEvents<'a, 's>,
    connection: usize,
    piece: &'t [u8],
}

impl<'a, 's> TurnEvents<'a, 's> {
    fn new(scope: &'a Scope<'s>) -> TurnEvents<'a, 's> {
        TurnEvents { items: Items { scope, items: Vec::new(), refers_to_bytes: false }, lost: Vec::new() }
    }

    /// The list for an event of this connection; None if the connection is lost.
    fn of_connection(&mut self, connection: usize) -> Option<&mut Items<'a, 's>> {
        if self.lost.contains(&connection) {
            return None;
        }
        self.items.integer(connection as i32);
        Some(&mut self.items)
    }

    fn fact(&mut self, connection: usize, kind: i32) {
        if let Some(items) = self.of_connection(connection) {
            items.integer(kind);
        }
    }

    fn bytes(&mut self, connection: usize, kind: i32, bytes: &[u8]) {
        let Some(array) = self.items.scope.bytes_of(bytes) else {
            self.fact(connection, GONE);
            return self.lost.push(connection);
        };
        if let Some(items) = self.of_connection(connection) {
            items.integer(kind);
            items.items.push(array);
        }
    }
}

impl<'a, 's> Listener for TurnEvents<'a, 's> {
    type Telling<'t>
        = OfConnection<'t, 'a, 's>
    where
        Self: 't;

    fn of<'t>(&'t mut self, connection: usize, piece: &'t [u8]) -> OfConnection<'t, 'a, 's> {
        OfConnection { events: self, connection, piece }
    }

    fn raw(&mut self, connection: usize, bytes: &[u8]) {
        self.bytes(connection, RAW, bytes);
    }

    fn filled(&mut self, connection: usize, size: usize) {
        if let Some(items) = self.of_connection(connection) {
            items.integer(FILLED);
            items.integer(size as i32);
        }
    }

    fn drained(&mut self, connection: usize) {
        self.fact(connection, DRAINED);
    }

    fn ended(&mut self, connection: usize) {
        self.fact(connection, ENDED);
    }

    fn gone(&mut self, connection: usize) {
        self.fact(connection, GONE);
    }

    fn failed(&mut self, connection: usize, problem: Problem) {
        if let Some(items) = self.of_connection(connection) {
            items.integer(BROKEN);
            items.items.push(literal(items.scope, problem.code));
        }
    }

    fn speaks_http2(&mut self, connection: usize) {
        self.fact(connection, SPEAKS_HTTP2);
    }
}

impl Sink for OfConnection<'_, '_, '_> {
    fn head(&mut self, head: &Head, bytes: &[u8], facts: Facts) {
        if let Some(items) = self.events.of_connection(self.connection) {
            items.head(head, bytes, facts);
        }
    }

    fn body(&mut self, range: Range) {
        self.events.bytes(self.connection, BODY, &self.piece[range]);
    }

    fn end(&mut self, trailer: &[u8], fields: &[(Range, Range)]) {
        if let Some(items) = self.events.of_connection(self.connection) {
            items.end(trailer, fields);
        }
    }
}

pub(super) fn with_server<R>(call: &Call<'_>, work: impl FnOnce(&mut Server) -> R) -> Option<R> {
    let id = number(call, 0);
    SERVERS.with_borrow_mut(|servers| servers.get_mut(id).and_then(Option::as_mut).map(|server| work(server)))
}

pub(super) fn text(call: &Call<'_>, index: usize) -> String {
    let mut bytes = Vec::new();
    append(call, call.argument(index), &mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Appends a string as UTF-8, or the bytes of a buffer; nothing for any other value. Returns the number of bytes.
pub(super) fn append(call: &Call<'_>, value: Local<'_>, target: &mut Vec<u8>) -> usize {
    if let Some(size) = call.scope.append_utf8(value, target) {
        return size;
    }
    let append = |bytes: &[u8]| {
        target.extend_from_slice(bytes);
        bytes.len()
    };
    with_bytes(value, append).unwrap_or(0)
}

/// How many bytes `append` would append.
fn size_of(call: &Call<'_>, value: Local<'_>) -> usize {
    call.scope.utf8_length(value).or_else(|| with_bytes(value, <[u8]>::len)).unwrap_or(0)
}

/// `httpServerListen(address or path, port or -1, flags, headLimit, acceptor of TLS or 0)`: `[id, descriptor, port]`, or a
/// negative errno.
pub extern "C" fn listen(info: &CallbackInfo) {
    guarded(info, |call| {
        let place = text(call, 0);
        let port = call.number(1).map_or(-1, |port| port as i32);
        let (flags, limit) = (number(call, 2) as i32, number(call, 3));
        let listener = match (port, place.parse::<IpAddr>()) {
            (0.., Ok(ip)) => {
                let has = |flag: i32| flags & flag != 0;
                Server::tcp(SocketAddr::new(ip, port as u16), has(numbers::REUSE_PORT), has(numbers::IPV6_ONLY), limit)
            }
            (0.., Err(_)) => Err(io::Error::from_raw_os_error(libc::EADDRNOTAVAIL)),
            _ => Server::unix(place.as_ref(), limit),
        };
        let mut server = match listener {
            Ok(server) => server,
            Err(error) => return call.answer_number((-error.raw_os_error().unwrap_or(libc::EINVAL)).into()),
        };
        let acceptor = number(call, 4);
        if acceptor != 0 {
            server.secure(acceptor as u64);
        }
        let facts = (server.descriptor(), server.port());
        let id = SERVERS.with_borrow_mut(|servers| {
            let id = servers.iter().position(Option::is_none).unwrap_or_else(|| {
                servers.push(None);
                servers.len() - 1
            });
            servers[id] = Some(Box::new(server));
            id
        });
        let items = [id as i32, facts.0, facts.1.into()].map(|item| call.scope.number(item.into()));
        call.answer_list(&items);
    });
}

/// `httpServerWatch(descriptor, callback)`: calls back in each turn of the loop in which the server has events; without
/// a callback, stops that.
pub extern "C" fn watch(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let descriptor = call.integer(0) as i32;
        let Some(callback) = call.function(1) else { return core.unwatch(descriptor, Slot::Readable) };
        let watcher = move |core: &Rc<Core>| core.call(&callback, &[]);
        if let Err(error) = core.watch(descriptor, Slot::Readable, Rc::new(watcher)) {
            call.raise(io::Error::from(error).into());
        }
    });
}

/// `httpServerTurn(id)`: all events, as `js/rt/serve/native_source.js` reads them; the last item is whether there
/// are more.
pub extern "C" fn turn(info: &CallbackInfo) {
    guarded(info, |call| {
        let mut events = TurnEvents::new(&call.scope);
        let is_more = with_server(call, |server| server.turn(&mut events)).unwrap_or(false);
        events.items.integer(is_more.into());
        call.answer_list(&events.items.items);
    });
}

/// `httpServerWrite(id, connection, flags, head, body)`: `WRITTEN`, `QUEUED` or `CLIENT_GONE`. With `ADDS_LENGTH` a
/// Content-Length of the body and the empty line that ends the head are written between the two.
pub extern "C" fn write(info: &CallbackInfo) {
    guarded(info, |call| {
        let (connection, flags) = (number(call, 1), number(call, 2) as i32);
        let (head, body) = (call.argument(3), call.argument(4));
        let outcome = with_server(call, |server| {
            let mut bytes = std::mem::take(&mut server.scratch);
            bytes.clear();
            append(call, head, &mut bytes);
            if flags & numbers::ADDS_LENGTH != 0 {
                let size = size_of(call, body);
                bytes.extend_from_slice(b"Content-Length: ");
                bytes.extend_from_slice(size.to_string().as_bytes());
                bytes.extend_from_slice(b"\r\n\r\n");
            }
            let ends = flags & numbers::ENDS != 0;
            let outcome = if flags & numbers::OMITS_BODY != 0 {
                server.write(connection, &bytes, &[], ends)
            } else if let Some(outcome) = with_bytes(body, |body| server.write(connection, &bytes, body, ends)) {
                outcome // the bytes are written without a copy
            } else {
                append(call, body, &mut bytes);
                server.write(connection, &bytes, &[], ends)
            };
            bytes.shrink_to(256 * 1024);
            server.scratch = bytes;
            outcome
        });
        let outcome = match outcome {
            Some(WriteOutcome::All) => numbers::WRITTEN,
            Some(WriteOutcome::Waits | WriteOutcome::More) => numbers::QUEUED,
            Some(WriteOutcome::Gone) | None => numbers::CLIENT_GONE,
        };
        call.answer_number(outcome.into());
    });
}

/// `httpServerControl(id, connection, what, value)`: one of the operations that `numbers` lists.
pub extern "C" fn control(info: &CallbackInfo) {
    guarded(info, |call| {
        let connection = number(call, 1);
        match number(call, 2) as i32 {
            numbers::RELEASE => drop(with_server(call, |server| server.release(connection))),
            numbers::PAUSE => drop(with_server(call, |server| server.pause(connection))),
            numbers::RESUME => drop(with_server(call, |server| server.resume(connection))),
            numbers::ACCEPT_UPGRADE => {
                let unread = with_server(call, |server| server.upgrade(connection)).unwrap_or_default();
                if let Some(bytes) = call.scope.bytes_of(&unread) {
                    call.answer(bytes);
                }
            }
            numbers::REFUSE_UPGRADE => {
                let mut events = TurnEvents::new(&call.scope);
                with_server(call, |server| server.refuse_upgrade(connection, &mut events));
                events.items.integer(1);
                call.answer_list(&events.items.items);
            }
            numbers::FINISH => drop(with_server(call, |server| server.end(connection))),
            numbers::WAITING => {
                let waiting = with_server(call, |server| server.has_waiting(connection)).unwrap_or(0);
                call.answer_number(waiting as f64);
            }
            numbers::IDLE_LIMIT => {
                let limit = call.number(3).map(|limit| limit as i64);
                let limit = limit.filter(|limit| *limit >= 0).map(|limit| Duration::from_millis(limit as u64));
                with_server(call, |server| server.set_idle_limit(connection, limit));
            }
            numbers::TARGET => {
                let Some(array) = call.scope.bytes(number(call, 3), |room| room.len()) else { return };
                let Some(target) = BodyTarget::of(array) else { return };
                if with_server(call, |server| server.set_body_target(connection, target)).unwrap_or(false) {
                    call.answer(array);
                }
            }
            _ => drop(with_server(call, Server::stop)),
        }
    });
}

/// `httpServerSweep(id, ms)`: connections that were idle for too long, each with 1 if an incomplete head is the reason.
pub extern "C" fn sweep(info: &CallbackInfo) {
    guarded(info, |call| {
        let limit = Duration::from_millis(number(call, 1) as u64);
        let late = with_server(call, |server| server.sweep(Some(limit))).unwrap_or_default();
        let items: Vec<Local<'_>> = late
            .into_iter()
            .flat_map(|(connection, is_head)| [connection as i32, is_head.into()])
            .map(|item| call.scope.number(item.into()))
            .collect();
        call.answer_list(&items);
    });
}

/// `httpServerPeer(id, connection)`: `[address, port, isIPv6]`, or undefined.
pub extern "C" fn peer(info: &CallbackInfo) {
    guarded(info, |call| {
        let connection = number(call, 1);
        let Some(Some(address)) = with_server(call, |server| server.peer(connection)) else { return };
        let items = [
            call.scope.latin1(address.ip().to_string().as_bytes(), false),
            call.scope.number(address.port().into()),
            call.scope.number(u8::from(address.is_ipv6()).into()),
        ];
        call.answer_list(&items);
    });
}

/// `httpServerClose(id)`: close the server and all its connections.
pub extern "C" fn close(info: &CallbackInfo) {
    guarded(info, |call| {
        let id = number(call, 0);
        let server = SERVERS.with_borrow_mut(|servers| servers.get_mut(id).and_then(Option::take));
        drop(server);
    });
}
