//! Connections of native servers: TLS directly on a socket, for a caller without Python (`tls_functions`). Incoming bytes
//! are decrypted where OpenSSL has read them; outgoing bytes are gathered in one buffer (`tls_output`).
//!
//! A connection has one `State`. The end of the peer's data changes none of them: a caller learns of it by `ENDED`.
use std::cell::Cell;
use std::ffi::{c_int, c_long};
use std::ptr::{null, null_mut};
use std::sync::{Arc, OnceLock};

use crate::errors;
use crate::sys as ffi;
use crate::tls_acceptor::{ACCEPTORS, Acceptor, begin};
use crate::tls_bio::{Content, Method, content};
use crate::tls_output::Output;
use crate::tls_passing;
use rt_wire::tls_functions::{self as functions, ADVANCED, BROKEN, DRAINED, ENDED, Functions, SPEAKS_HTTP2};

/// The source of bytes.
struct Wire {
    descriptor: c_int,
    is_drained: Cell<bool>,
    has_ended: Cell<bool>,
    has_brought: Cell<bool>,
}

/// ```text
/// Handshaking --handshake done--> Open --goodbye--> GoodbyeSent
///      |                            |                   |
///      `--failure, or an untrusted  `--failure--> Broken <--failure--'
///         certificate--> Broken
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Handshaking,
    Open,
    /// Nothing more is written; the peer's bytes are still read.
    GoodbyeSent,
    /// Neither read nor written any more.
    Broken,
}

pub struct Accepted {
    ssl: *mut ffi::SSL,
    pub acceptor: Arc<Acceptor>,
    state: Cell<State>,
}

/// The index under which an OpenSSL connection refers to its `Accepted`.
fn slot() -> c_int {
    const OF_CONNECTIONS: c_int = 0;
    static SLOT: OnceLock<c_int> = OnceLock::new();
    // SAFETY: creates a new index; nothing has to be freed when a connection ends.
    *SLOT.get_or_init(|| unsafe { ffi::CRYPTO_get_ex_new_index(OF_CONNECTIONS, 0, null_mut(), None, None, None) })
}

/// # Safety
/// `ssl` is a live connection.
pub unsafe fn of<'a>(ssl: *mut ffi::SSL) -> Option<&'a Accepted> {
    // SAFETY: the pointer lives as long as the connection.
    unsafe { ffi::SSL_get_ex_data(ssl, slot()).cast::<Accepted>().as_ref() }
}

impl Drop for Accepted {
    fn drop(&mut self) {
        // SAFETY: this value owns the connection with its BIOs, which is freed once.
        unsafe { ffi::SSL_free(self.ssl) }
    }
}

impl Wire {
    fn new_bio(descriptor: c_int) -> *mut ffi::BIO {
        static METHOD: Method<Wire> = Method::new(c"a socket");
        let wire =
            Wire { descriptor, is_drained: Cell::default(), has_ended: Cell::default(), has_brought: Cell::default() };
        METHOD.bio(wire)
    }
}

impl Content for Wire {
    fn read(&self, room: &mut [u8]) -> Option<c_int> {
        while !self.is_drained.get() {
            // SAFETY: a buffer of the given size.
            let size = unsafe { libc::recv(self.descriptor, room.as_mut_ptr().cast(), room.len(), libc::MSG_DONTWAIT) };
            match size {
                0 => {
                    self.has_ended.set(true);
                    return Some(0);
                }
                1.. => {
                    self.has_brought.set(true);
                    self.is_drained.set((size as usize) < room.len());
                    return Some(size as c_int);
                }
                _ => match std::io::Error::last_os_error().raw_os_error() {
                    Some(libc::EINTR) => {}
                    Some(libc::EAGAIN) => self.is_drained.set(true),
                    _ => return Some(-1),
                },
            }
        }
        None
    }
}

fn new_accepted(number: u64, descriptor: c_int) -> Option<Box<Accepted>> {
    const NO_RENEGOTIATION: u64 = 1 << 30;
    const AUTO_RETRY: c_long = 4;
    let acceptor = ACCEPTORS.get(number).ok()?;
    let ssl = begin(&acceptor)?;
    // SAFETY: a live connection, which owns the BIOs.
    unsafe {
        ffi::SSL_set_bio(ssl, Wire::new_bio(descriptor), Output::new_bio());
        ffi::SSL_set_options(ssl, NO_RENEGOTIATION as _);
        ffi::SSL_ctrl(ssl, ffi::SSL_CTRL_MODE, AUTO_RETRY, null_mut());
        ffi::SSL_set_accept_state(ssl);
    }
    let accepted = Box::new(Accepted { ssl, acceptor, state: Cell::new(State::Handshaking) });
    // SAFETY: the connection is live; the box does not move until both end.
    unsafe { ffi::SSL_set_ex_data(ssl, slot(), (&raw const *accepted).cast_mut().cast()) };
    Some(accepted)
}

impl Accepted {
    fn wire(&self) -> &Wire {
        // SAFETY: a live connection, which `made` has given such a BIO.
        unsafe { &*content(ffi::SSL_get_rbio(self.ssl)) }
    }

    /// The flags to report when OpenSSL cannot continue.
    fn stop_flags(&self, result: c_int) -> u32 {
        // SAFETY: the connection is live.
        match unsafe { ffi::SSL_get_error(self.ssl, result) } {
            ffi::SSL_ERROR_WANT_READ | ffi::SSL_ERROR_WANT_WRITE => DRAINED,
            ffi::SSL_ERROR_ZERO_RETURN => ENDED,
            // The socket ended without a goodbye.
            _ if self.wire().has_ended.get() && self.state.get() != State::Handshaking => ENDED,
            _ => {
                self.state.set(State::Broken);
                BROKEN
            }
        }
    }

    /// Continue the handshake; returns whether it is done, and the flags to report.
    fn shake_hands(&self) -> (bool, u32) {
        // SAFETY: the connection is live.
        let result = unsafe { ffi::SSL_do_handshake(self.ssl) };
        let advanced = if self.wire().has_brought.take() { ADVANCED } else { 0 };
        if result != 1 {
            return (false, advanced | self.stop_flags(result));
        }
        self.state.set(State::Open);
        // SAFETY: as above; the protocol's name lives in the connection.
        unsafe {
            let rejects = ffi::SSL_get_verify_mode(self.ssl) & ffi::SSL_VERIFY_FAIL_IF_NO_PEER_CERT != 0;
            if rejects && ffi::SSL_get_verify_result(self.ssl) != c_long::from(ffi::X509_V_OK) {
                self.state.set(State::Broken);
                return (false, BROKEN);
            }
            let (mut name, mut size) = (null(), 0);
            ffi::SSL_get0_alpn_selected(self.ssl, &mut name, &mut size);
            let is_http2 = size == 2 && std::slice::from_raw_parts(name, 2) == b"h2";
            if is_http2 { (false, SPEAKS_HTTP2) } else { (true, 0) }
        }
    }

    fn read(&self, room: &mut [u8]) -> (usize, u32) {
        self.wire().is_drained.set(false);
        match self.state.get() {
            State::Handshaking => {
                let (is_done, flags) = self.shake_hands();
                if !is_done {
                    return (0, flags);
                }
            }
            State::Open | State::GoodbyeSent => {}
            State::Broken => return (0, BROKEN),
        }
        let mut filled = 0;
        while filled < room.len() {
            let rest = &mut room[filled..];
            // SAFETY: a live connection, and a buffer of the given size.
            let size = unsafe { ffi::SSL_read(self.ssl, rest.as_mut_ptr().cast(), rest.len() as c_int) };
            if size <= 0 {
                return (filled, self.stop_flags(size));
            }
            filled += size as usize;
        }
        (filled, 0)
    }

    #[allow(clippy::mut_from_ref)] // OpenSSL owns it, and it is borrowed for one step at a time
    fn output(&self) -> &mut Output {
        // SAFETY: a live connection, which does nothing as long as the output is borrowed.
        unsafe { Output::of(self.ssl) }
    }

    fn send(&self) -> isize {
        let descriptor = self.wire().descriptor;
        let output = self.output();
        if output.send(descriptor) {
            return 0;
        }
        match std::io::Error::last_os_error().raw_os_error() {
            Some(libc::EAGAIN | libc::EINTR) => output.rest().len() as isize,
            _ => -1,
        }
    }
}

unsafe extern "C" fn accept(acceptor: u64, descriptor: c_int) -> functions::Accepted {
    errors::clear();
    new_accepted(acceptor, descriptor).map_or(null_mut(), |made| Box::into_raw(made).cast())
}

unsafe extern "C" fn read(accepted: functions::Accepted, room: *mut u8, size: usize, flags: *mut u32) -> usize {
    errors::clear();
    // SAFETY: the caller passes a live connection that no other thread uses, and a buffer of the given size.
    unsafe {
        let accepted = &*accepted.cast::<Accepted>();
        let (size, found) = accepted.read(std::slice::from_raw_parts_mut(room, size));
        *flags = found;
        // TLS's own messages: handshake and alerts.
        if !accepted.output().rest().is_empty() {
            accepted.send();
        }
        size
    }
}

unsafe extern "C" fn write(accepted: functions::Accepted, data: *const u8, size: usize) -> bool {
    errors::clear();
    // SAFETY: as above; the slice has that many readable bytes. The output takes all.
    unsafe {
        let accepted = &*accepted.cast::<Accepted>();
        size == 0
            || (accepted.state.get() != State::Broken
                && ffi::SSL_write(accepted.ssl, data.cast(), size.min(c_int::MAX as usize) as c_int) > 0)
    }
}

unsafe extern "C" fn send(accepted: functions::Accepted) -> isize {
    // SAFETY: as above.
    unsafe { (*accepted.cast::<Accepted>()).send() }
}

unsafe extern "C" fn unsent(accepted: functions::Accepted) -> usize {
    // SAFETY: as above.
    unsafe { (*accepted.cast::<Accepted>()).output().rest().len() }
}

unsafe extern "C" fn goodbye(accepted: functions::Accepted) {
    // SAFETY: as above.
    unsafe {
        let accepted = &*accepted.cast::<Accepted>();
        if accepted.state.get() == State::Open {
            accepted.state.set(State::GoodbyeSent);
            ffi::SSL_shutdown(accepted.ssl);
            errors::clear();
        }
    }
}

unsafe extern "C" fn free(accepted: functions::Accepted) {
    // SAFETY: the caller guarantees: made by `accept`, and used for the last time.
    drop(unsafe { Box::from_raw(accepted.cast::<Accepted>()) });
}

static FUNCTIONS: Functions =
    Functions { accept, read, write, send, unsent, goodbye, free, take: tls_passing::take, put: tls_passing::put };

/// The functions described in `tls_functions`.
#[unsafe(no_mangle)]
pub extern "C" fn rt_tls_functions() -> *const Functions {
    &FUNCTIONS
}
