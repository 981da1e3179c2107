//! Addresses in the system's form and in JavaScript's.
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6, ToSocketAddrs};

use socket2::{Domain, SockAddr, SockRef};

use crate::v8::{Local, Scope};

unsafe extern "C" {
    fn inet_ntop(family: c_int, address: *const c_void, text: *mut c_char, size: libc::socklen_t) -> *const c_char;
}

/// The family that JavaScript calls 4 or 6.
pub fn domain_of(family: i64) -> Domain {
    if family == 6 { Domain::IPV6 } else { Domain::IPV4 }
}

/// The error for an argument that the system would not accept.
pub fn invalid() -> io::Error {
    io::Error::from_raw_os_error(libc::EINVAL)
}

/// The system's form of an address; the part of a link-local one after % is its interface. An empty text is any
/// address.
pub fn place(address: &str, port: f64, domain: Domain) -> io::Result<SockAddr> {
    if port.trunc() != port || !(0.0..=65535.0).contains(&port) {
        return Err(invalid());
    }
    let port = port as u16;
    if domain == Domain::IPV4 {
        let host = if address.is_empty() { "0.0.0.0" } else { address };
        return match host.parse::<Ipv4Addr>() {
            Ok(ip) => Ok(SocketAddr::from((ip, port)).into()),
            Err(_) => resolve_numeric(host, port, SocketAddr::is_ipv4),
        };
    }
    let (host, scope) = address.split_once('%').unwrap_or((address, ""));
    let host = if host.is_empty() { "::" } else { host };
    match host.parse::<Ipv6Addr>() {
        Ok(ip) => Ok(SocketAddrV6::new(ip, port, 0, interface(scope)?).into()),
        Err(_) => resolve_numeric(host, port, SocketAddr::is_ipv6),
    }
}

/// The address for a numeric host in an unusual form.
fn resolve_numeric(host: &str, port: u16, fits: fn(&SocketAddr) -> bool) -> io::Result<SockAddr> {
    (host, port).to_socket_addrs()?.find(fits).map(SockAddr::from).ok_or_else(invalid)
}

/// The number of an interface, given as number or name.
fn interface(name: &str) -> io::Result<u32> {
    if name.is_empty() || name.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(name.parse().unwrap_or(0));
    }
    let name = CString::new(name).map_err(|_| invalid())?;
    // SAFETY: the name ends in NUL.
    match unsafe { libc::if_nametoindex(name.as_ptr()) } {
        0 => Err(io::Error::last_os_error()),
        number => Ok(number),
    }
}

/// An address in the system's form.
pub fn text_of(ip: IpAddr) -> String {
    let mut text = [0 as c_char; 64];
    let (family, bytes) = match &ip {
        IpAddr::V4(ip) => (libc::AF_INET, ip.octets().to_vec()),
        IpAddr::V6(ip) => (libc::AF_INET6, ip.octets().to_vec()),
    };
    // SAFETY: the address has its family's size, and the buffer has room for the longest text, which ends in NUL.
    unsafe {
        inet_ntop(family, bytes.as_ptr().cast(), text.as_mut_ptr(), text.len() as libc::socklen_t);
        CStr::from_ptr(text.as_ptr()).to_string_lossy().into_owned()
    }
}

/// The address of one end of a socket in the system's form; the part of a link-local one after % is its interface.
pub fn text_of_end(end: &SocketAddr) -> String {
    let mut text = text_of(end.ip());
    if let SocketAddr::V6(place) = end
        && place.ip().is_unicast_link_local()
        && place.scope_id() != 0
    {
        let mut name = [0 as c_char; libc::IF_NAMESIZE];
        // SAFETY: the buffer has room for the longest name, which ends in NUL.
        let is_known = unsafe { !libc::if_indextoname(place.scope_id(), name.as_mut_ptr()).is_null() };
        text.push('%');
        if is_known {
            // SAFETY: as above.
            text.push_str(&unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy());
        } else {
            text.push_str(&place.scope_id().to_string());
        }
    }
    text
}

/// [address, kind, port] of one end of a socket.
pub fn end_to_js<'s>(scope: &Scope<'s>, socket: &SockRef<'_>, name: &SockAddr) -> Local<'s> {
    let text = |bytes: &[u8]| scope.text(bytes).unwrap_or_else(|| scope.undefined());
    if let Some(place) = name.as_socket() {
        let is_v6 = socket.domain().is_ok_and(|domain| domain == Domain::IPV6);
        let kind = if is_v6 { "IPv6" } else { "IPv4" };
        let address = text(text_of_end(&place).as_bytes());
        return scope.array(&[address, text(kind.as_bytes()), scope.number(place.port().into())]);
    }
    use std::os::unix::ffi::OsStrExt;
    let path = match (name.as_pathname(), name.as_abstract_namespace()) {
        (Some(path), _) => path.as_os_str().as_bytes().to_vec(),
        (_, Some(rest)) => [b"\0", rest].concat(),
        _ => Vec::new(),
    };
    scope.array(&[text(&path), text(b"pipe"), scope.number(0.0)])
}
