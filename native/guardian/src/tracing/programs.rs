//! Executed files: the interpreters that the kernel loads with them, whether they get other rights, and which ports they listen on.
use std::collections::HashSet;
use std::ffi::{CString, OsStr};
use std::os::unix::ffi::OsStrExt;

use super::places::{Place, Places, State, read_link};

const HEAD_BYTES: usize = 4096;
const MOST_INTERPRETERS: usize = 5; // as in the kernel
const INTERPRETER_HEADER: u32 = 3; // PT_INTERP
const LISTENING: &str = "0A";

/// The program at `place` and the interpreters that it needs: that of its first line, or its dynamic linker. Those of a program
/// in `known` are left out.
pub fn with_interpreters(
    place: &Place,
    places: &mut Places,
    process: libc::pid_t,
    known: &mut HashSet<Vec<u8>>,
) -> Vec<(Vec<u8>, Option<State>)> {
    let mut found = vec![(place.path.clone(), place.state.clone())];
    while let Some((path, Some(state))) = found.last()
        && state.is_file()
        && found.len() <= MOST_INTERPRETERS
        && known.insert(path.clone())
    {
        let Some(interpreter) = read_head(path).and_then(|head| interpreter(&head)) else { break };
        let Some(next) = places.resolve(process, &interpreter, true) else { break };
        found.extend(next.links.into_iter().map(|(link, state)| (link, Some(state))));
        found.push((next.path, next.state));
    }
    found
}

fn read_head(path: &[u8]) -> Option<Vec<u8>> {
    use std::io::Read;
    let mut file = std::fs::File::open(OsStr::from_bytes(path)).ok()?;
    let mut head = vec![0; HEAD_BYTES];
    let count = file.read(&mut head).ok()?;
    head.truncate(count);
    Some(head)
}

/// The interpreter that the first bytes of a program name.
fn interpreter(head: &[u8]) -> Option<Vec<u8>> {
    if let Some(line) = head.strip_prefix(b"#!") {
        let line = line.split(|byte| *byte == b'\n').next()?;
        let word = line.split(|byte| b" \t\r".contains(byte)).find(|word| !word.is_empty())?;
        return Some(word.to_vec());
    }
    if !head.starts_with(b"\x7fELF\x02") {
        return None;
    }
    let number = |at: usize, size: usize| {
        let bytes = head.get(at..at + size)?;
        Some(bytes.iter().rev().fold(0u64, |sum, byte| sum << 8 | u64::from(*byte)) as usize)
    };
    let (start, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    let header =
        (0..count).map(|place| start + place * size).find(|at| number(*at, 4) == Some(INTERPRETER_HEADER as usize))?;
    let (offset, length) = (number(header + 8, 8)?, number(header + 32, 8)?);
    let name = head.get(offset..offset + length)?;
    Some(name.split(|byte| *byte == 0).next()?.to_vec())
}

/// Whether a program would run as another user or with more rights, which a traced process does not get.
pub fn changes_identity(path: &[u8], state: &State) -> bool {
    let group_bits = libc::S_ISGID | libc::S_IXGRP;
    if !state.is_file() {
        return false;
    }
    let has_capabilities = CString::new(path).is_ok_and(|path| {
        // SAFETY: both names are C strings, and the size 0 makes the call write nothing.
        unsafe { libc::getxattr(path.as_ptr(), c"security.capability".as_ptr(), std::ptr::null_mut(), 0) >= 0 }
    });
    state.mode & libc::S_ISUID != 0 || state.mode & group_bits == group_bits || has_capabilities
}

/// Whether a process that is not one of `threads` listens on a port of this machine.
pub fn is_foreign_port(port: u16, threads: &HashSet<libc::pid_t>) -> bool {
    let mut sockets: HashSet<String> = HashSet::new();
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
        let text = std::fs::read_to_string(table).unwrap_or_default();
        for fields in text.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>()) {
            let is_port = fields.get(1).and_then(|local| local.rsplit(':').next()) == Some(&format!("{port:04X}"));
            if let (true, Some(&LISTENING), Some(inode)) = (is_port, fields.get(3), fields.get(9)) {
                sockets.insert(format!("socket:[{inode}]"));
            }
        }
    }
    for thread in threads {
        let Ok(entries) = std::fs::read_dir(format!("/proc/{thread}/fd")) else { continue };
        for entry in entries.flatten() {
            if let Some(target) = read_link(entry.path().as_os_str().as_bytes()) {
                sockets.remove(&String::from_utf8_lossy(&target).into_owned());
            }
        }
    }
    !sockets.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interpreter_of_a_script_is_its_first_word() {
        assert_eq!(interpreter(b"#! /usr/bin/env node\n").as_deref(), Some(&b"/usr/bin/env"[..]));
        assert_eq!(interpreter(b"#!/bin/sh"), Some(b"/bin/sh".to_vec()));
        assert_eq!(interpreter(b"#!\n/bin/sh"), None);
        assert_eq!(interpreter(b"echo"), None);
    }

    #[test]
    fn the_interpreter_of_a_dynamic_program_is_its_linker() {
        let head = read_head(b"/bin/sh").unwrap_or_default();
        let name = interpreter(&head).unwrap_or_default();
        assert!(name.starts_with(b"/lib"), "{:?}", String::from_utf8_lossy(&name));
    }
}
