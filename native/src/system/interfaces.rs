//! The network interfaces that are up, and their addresses.
use std::collections::HashMap;
use std::ffi::CStr;
use std::net::{Ipv4Addr, Ipv6Addr};

use super::throw_last;
use crate::v8::{Call, HostOperation};

pub const OPERATIONS: &[(&str, HostOperation)] = &[("os_interfaces", interfaces)];

const NO_HARDWARE: &str = "00:00:00:00:00:00";
const USABLE: u32 = (libc::IFF_UP | libc::IFF_RUNNING) as u32;

struct Address {
    name: String,
    address: String,
    netmask: String,
    /// Of an IPv6 address.
    scope: Option<u32>,
    is_internal: bool,
}

/// `os_interfaces()`: addresses of interfaces that are up, IPv4 first.
fn interfaces(call: &Call<'_>) -> bool {
    let Some((mut addresses, hardware)) = list_addresses() else { return throw_last(call, "uv_interface_addresses") };
    addresses.sort_by_key(|each| each.scope.is_some());
    let scope = &call.scope;
    let text = |text: &str| scope.text(text.as_bytes()).unwrap_or_else(|| scope.undefined());
    let entries: Vec<_> = addresses
        .iter()
        .map(|each| {
            let entry = scope.object();
            scope.put(entry, "name", text(&each.name));
            scope.put(entry, "address", text(&each.address));
            scope.put(entry, "netmask", text(&each.netmask));
            scope.put(entry, "family", text(if each.scope.is_some() { "IPv6" } else { "IPv4" }));
            scope.put(entry, "mac", text(hardware.get(&each.name).map_or(NO_HARDWARE, String::as_str)));
            scope.put(entry, "internal", scope.boolean(each.is_internal));
            if let Some(number) = each.scope {
                scope.put(entry, "scopeid", scope.number(number.into()));
            }
            entry
        })
        .collect();
    call.answer(scope.array(&entries));
    true
}

/// All addresses, and the hardware address of each interface; None if the system does not provide them.
fn list_addresses() -> Option<(Vec<Address>, HashMap<String, String>)> {
    let (mut addresses, mut hardware) = (Vec::new(), HashMap::new());
    // SAFETY: the list is valid until it is freed; each address has the layout of its family.
    unsafe {
        let mut first = std::ptr::null_mut();
        if libc::getifaddrs(&mut first) != 0 {
            return None;
        }
        let mut next = first;
        while let Some(entry) = next.as_ref() {
            next = entry.ifa_next;
            if entry.ifa_addr.is_null() || entry.ifa_flags & USABLE != USABLE {
                continue;
            }
            let name = CStr::from_ptr(entry.ifa_name).to_string_lossy().into_owned();
            if i32::from((*entry.ifa_addr).sa_family) == libc::AF_PACKET {
                let link = entry.ifa_addr.cast::<libc::sockaddr_ll>().read_unaligned();
                let bytes: Vec<String> = link.sll_addr[..6].iter().map(|byte| format!("{byte:02x}")).collect();
                hardware.insert(name, bytes.join(":"));
                continue;
            }
            let Some((address, scope)) = describe_address(entry.ifa_addr) else { continue };
            let netmask = describe_address(entry.ifa_netmask).map(|(mask, _)| mask).unwrap_or_default();
            let is_internal = entry.ifa_flags & libc::IFF_LOOPBACK as u32 != 0;
            addresses.push(Address { name, address, netmask, scope, is_internal });
        }
        libc::freeifaddrs(first);
    }
    Some((addresses, hardware))
}

/// An address as text, and the scope of an IPv6 address; None for other families.
///
/// # Safety
/// `address` is null, or an address with the layout of its family.
unsafe fn describe_address(address: *const libc::sockaddr) -> Option<(String, Option<u32>)> {
    // SAFETY: guaranteed by the caller.
    unsafe {
        match i32::from(address.as_ref()?.sa_family) {
            libc::AF_INET => {
                let known = address.cast::<libc::sockaddr_in>().read_unaligned();
                Some((Ipv4Addr::from(u32::from_be(known.sin_addr.s_addr)).to_string(), None))
            }
            libc::AF_INET6 => {
                let known = address.cast::<libc::sockaddr_in6>().read_unaligned();
                Some((Ipv6Addr::from(known.sin6_addr.s6_addr).to_string(), Some(known.sin6_scope_id)))
            }
            _ => None,
        }
    }
}
