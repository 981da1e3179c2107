//! Name resolution by the system, on the pool because it blocks; and datagrams to name servers.
use std::ffi::{CStr, CString, c_char, c_int};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::os::fd::IntoRawFd;
use std::ptr::{null, null_mut};
use std::rc::Rc;

use socket2::{Socket, Type};

use super::negative;
use super::places::{domain_of, place, text_of};
use crate::event_loop::{Answer, Core, Slot, submit};
use crate::v8::{Call, Global, HostOperation, Local, Scope};

pub const OPERATIONS: &[(&str, HostOperation)] =
    &[("dns_lookup", lookup), ("dns_lookupService", lookup_service), ("dns_send", send)];

const LARGEST_DATAGRAM: usize = 64 * 1024;
/// From netdb.h, with GNU's extensions.
const NO_DATA: c_int = -5;

/// The name of a resolver error, as programs know it.
fn code_of(error: c_int) -> &'static str {
    match error {
        libc::EAI_AGAIN => "EAI_AGAIN",
        libc::EAI_BADFLAGS => "EAI_BADFLAGS",
        libc::EAI_FAIL => "EAI_FAIL",
        libc::EAI_FAMILY => "EAI_FAMILY",
        libc::EAI_MEMORY => "EAI_MEMORY",
        libc::EAI_SERVICE => "EAI_SERVICE",
        libc::EAI_SOCKTYPE => "EAI_SOCKTYPE",
        libc::EAI_NONAME | NO_DATA => "ENOTFOUND",
        _ => "ENOTFOUND",
    }
}

/// The result for JavaScript: a code, or texts and numbers.
enum Resolved {
    Code(&'static str),
    /// Addresses, each with its family.
    Addresses(Vec<(String, u32)>),
    Names([String; 2]),
}

impl Answer for Resolved {
    fn arguments<'s>(self: Box<Self>, scope: &Scope<'s>) -> Vec<Local<'s>> {
        let text = |text: &str| scope.text(text.as_bytes()).unwrap_or_else(|| scope.undefined());
        match *self {
            Resolved::Code(code) => vec![text(code), scope.undefined()],
            Resolved::Addresses(all) => {
                let flat: Vec<_> =
                    all.iter().flat_map(|(address, family)| [text(address), scope.number((*family).into())]).collect();
                vec![scope.undefined(), scope.array(&flat)]
            }
            Resolved::Names(names) => vec![scope.undefined(), scope.array(&names.each_ref().map(|name| text(name)))],
        }
    }
}

fn ask(call: &Call<'_>, callback: usize, work: impl FnOnce() -> Result<Resolved, c_int> + Send + 'static) -> bool {
    let (Some(core), Some(callback)) = (Core::of(&call.scope), call.function(callback)) else { return false };
    let submitted =
        submit(&core, callback, move || Box::new(work().unwrap_or_else(|error| Resolved::Code(code_of(error)))));
    if let Err(error) = submitted {
        call.raise(error);
    }
    true
}

/// A list allocated by the resolver, freed on drop.
struct AddressList(*mut libc::addrinfo);

impl Drop for AddressList {
    fn drop(&mut self) {
        if !self.0.is_null() {
            // SAFETY: the resolver allocated the list, which is freed once.
            unsafe { libc::freeaddrinfo(self.0) }
        }
    }
}

/// Calls the resolver; `name` is a name or an address.
fn resolve(name: &str, family: c_int, flags: c_int) -> Result<AddressList, c_int> {
    // A label has at most 63 characters; the resolver would send longer ones to servers.
    let is_name = name.split('.').all(|label| label.len() < 64);
    let name = CString::new(name).ok().filter(|_| is_name).ok_or(libc::EAI_NONAME)?;
    // SAFETY: the texts end in NUL, and the other arguments are valid; the caller owns the list.
    unsafe {
        let mut hints: libc::addrinfo = std::mem::zeroed();
        (hints.ai_family, hints.ai_socktype, hints.ai_flags) = (family, libc::SOCK_STREAM, flags);
        let mut list = null_mut();
        match libc::getaddrinfo(name.as_ptr(), null(), &hints, &mut list) {
            0 => Ok(AddressList(list)),
            error => Err(error),
        }
    }
}

/// `dns_lookup(name, family, flags, callback)`: `callback(code)` or `callback(undefined, [address and family, one after the other])`.
fn lookup(call: &Call<'_>) -> bool {
    let name = String::from_utf8(call.utf8(0).unwrap_or_default()).unwrap_or_default();
    let family = match call.integer(1) {
        4 => libc::AF_INET,
        6 => libc::AF_INET6,
        _ => libc::AF_UNSPEC,
    };
    let flags = call.integer(2) as c_int;
    ask(call, 3, move || {
        let list = resolve(&name, family, flags)?;
        let mut all = Vec::new();
        let mut next = list.0;
        // SAFETY: the list is live; each address has the layout of its family.
        while let Some(each) = unsafe { next.as_ref() } {
            match each.ai_family {
                libc::AF_INET => {
                    // SAFETY: as above.
                    let place = unsafe { &*each.ai_addr.cast::<libc::sockaddr_in>() };
                    let ip = Ipv4Addr::from(u32::from_be(place.sin_addr.s_addr));
                    all.push((text_of(IpAddr::V4(ip)), 4));
                }
                libc::AF_INET6 => {
                    // SAFETY: as above.
                    let place = unsafe { &*each.ai_addr.cast::<libc::sockaddr_in6>() };
                    all.push((text_of(IpAddr::V6(Ipv6Addr::from(place.sin6_addr.s6_addr))), 6));
                }
                _ => {}
            }
            next = each.ai_next;
        }
        Ok(Resolved::Addresses(all))
    })
}

/// `dns_lookupService(address, port, callback)`: the names of a numeric address and a port; as `dns_lookup`, with
/// [host, service].
fn lookup_service(call: &Call<'_>) -> bool {
    let address = String::from_utf8(call.utf8(0).unwrap_or_default()).unwrap_or_default();
    let port = call.number(1).unwrap_or(0.0) as u16;
    ask(call, 2, move || {
        let list = resolve(&address, libc::AF_UNSPEC, libc::AI_NUMERICHOST)?;
        const ROOM: usize = 1025; // NI_MAXHOST of netdb.h
        let (mut host, mut service) = ([0 as c_char; ROOM], [0 as c_char; ROOM]);
        // SAFETY: the list has at least one address, whose port is at the same offset in both families; the buffers
        // have the given sizes, and their content ends in NUL.
        let outcome = unsafe {
            let first = &*list.0;
            (*first.ai_addr.cast::<libc::sockaddr_in>()).sin_port = port.to_be();
            libc::getnameinfo(
                first.ai_addr,
                first.ai_addrlen,
                host.as_mut_ptr(),
                ROOM as libc::socklen_t,
                service.as_mut_ptr(),
                ROOM as libc::socklen_t,
                libc::NI_NAMEREQD,
            )
        };
        if outcome != 0 {
            return Err(outcome);
        }
        // SAFETY: as above.
        let text = |text: &[c_char]| unsafe { CStr::from_ptr(text.as_ptr()) }.to_string_lossy().into_owned();
        Ok(Resolved::Names([text(&host), text(&service)]))
    })
}

/// `dns_send(address, port, family, data, callback)`: sends a datagram to a name server; returns the descriptor that
/// waits for answers, or a negative errno. `callback(bytes or a negative errno)`.
fn send(call: &Call<'_>) -> bool {
    let (Some(core), Some(callback)) = (Core::of(&call.scope), call.function(4)) else { return false };
    let address = String::from_utf8(call.utf8(0).unwrap_or_default()).unwrap_or_default();
    let domain = domain_of(call.integer(2));
    let open = || -> io::Result<i32> {
        let socket = Socket::new(domain, Type::DGRAM.nonblocking(), None)?;
        socket.connect(&place(&address, call.number(1).unwrap_or(0.0), domain)?)?;
        call.with_bytes(3, |data| socket.send(data)).transpose()?;
        Ok(socket.into_raw_fd())
    };
    let descriptor = open().unwrap_or_else(|error| negative(&error));
    call.answer_number(descriptor.into());
    if descriptor < 0 {
        return true;
    }
    core.own(descriptor);
    if let Err(error) = core.watch(descriptor, Slot::Readable, Rc::new(receiver(descriptor, callback))) {
        call.raise(io::Error::from(error).into());
    }
    true
}

fn receiver(descriptor: i32, callback: Global) -> impl Fn(&Rc<Core>) -> pyo3::PyResult<()> {
    move |core| {
        let mut room = vec![0u8; LARGEST_DATAGRAM];
        // SAFETY: `room` has `len()` writable bytes.
        let size = unsafe { libc::recv(descriptor, room.as_mut_ptr().cast(), room.len(), 0) };
        let error = io::Error::last_os_error();
        if size < 0 && error.kind() == io::ErrorKind::WouldBlock {
            return Ok(());
        }
        core.call(
            &callback,
            &[&|scope| {
                Ok(match usize::try_from(size) {
                    Ok(size) => scope.bytes_of(&room[..size]).unwrap_or_else(|| scope.undefined()),
                    Err(_) => scope.number(negative(&error).into()),
                })
            }],
        )
    }
}
