//! Resolves the paths of calls as the kernel will: relative to a descriptor or the working folder, and through symbolic links.
//!
//! A resolved path contains neither links nor dots, except that its last name may be a link that the call does not follow.
use std::collections::{HashMap, HashSet};
use std::ffi::CString;
use std::mem::MaybeUninit;

use super::listener::Call;

const MOST_LINKS: usize = 40; // as in the kernel

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    pub mode: u32,
    pub inode: u64,
    pub size: u64,
    pub changed_ns: i64,
    pub status_changed_ns: i64,
}

impl State {
    /// The state of `path` itself; None if there is nothing.
    pub fn of(path: &[u8]) -> Option<State> {
        let path = CString::new(path).ok()?;
        let mut about = MaybeUninit::<libc::stat>::uninit();
        // SAFETY: the path is a C string; the call fills the structure if it succeeds, and only then is it read.
        let about = unsafe {
            if libc::lstat(path.as_ptr(), about.as_mut_ptr()) != 0 {
                return None;
            }
            about.assume_init()
        };
        Some(State {
            mode: about.st_mode,
            inode: about.st_ino,
            size: about.st_size as u64,
            changed_ns: about.st_mtime * 1_000_000_000 + about.st_mtime_nsec,
            status_changed_ns: about.st_ctime * 1_000_000_000 + about.st_ctime_nsec,
        })
    }

    fn kind(&self) -> u32 {
        self.mode & libc::S_IFMT
    }

    pub fn is_folder(&self) -> bool {
        self.kind() == libc::S_IFDIR
    }

    pub fn is_file(&self) -> bool {
        self.kind() == libc::S_IFREG
    }

    pub fn is_link(&self) -> bool {
        self.kind() == libc::S_IFLNK
    }
}

/// Where a path leads. If a folder on the way is missing, `path` is that folder, and `is_reachable` is false.
#[derive(Debug, PartialEq, Eq)]
pub struct Place {
    pub path: Vec<u8>,
    pub state: Option<State>,
    pub is_reachable: bool,
    /// The links that were followed for the first time: path and state of each.
    pub links: Vec<(Vec<u8>, State)>,
}

/// Resolves paths, and remembers folders and links that it has seen. If another process replaces one of them, its state is not the
/// first one any more when the task has ended, and its result is not stored.
#[derive(Default)]
pub struct Places {
    folders: HashSet<Vec<u8>>,
    /// Links that were followed, and where they lead.
    links: HashMap<Vec<u8>, Vec<u8>>,
    /// What traced processes have created, removed or replaced, except plain files.
    changing: HashSet<Vec<u8>>,
}

impl Places {
    /// Forgets folders and links: what is at `path` is created, removed or replaced. Whether that has happened already is not known when
    /// other threads use the path, so a link there is never remembered again.
    pub fn forget(&mut self, path: &[u8]) {
        self.folders.clear();
        self.links.clear();
        self.changing.insert(path.to_vec());
    }

    /// Resolves `path`, which `process` uses. Returns None for what is not a path, such as the name of a pipe, and after too many
    /// links.
    pub fn resolve(&mut self, process: libc::pid_t, path: &[u8], follows: bool) -> Option<Place> {
        let mut links = Vec::new();
        let end = self.walk(process, path, follows, &mut links);
        if end.is_none() {
            links.iter().for_each(|(link, _)| drop(self.links.remove(link))); // the caller does not see them
        }
        let (path, state, is_reachable) = end?;
        Some(Place { path, state, is_reachable, links })
    }

    /// Returns path, state and `is_reachable` of a place, and adds to `links`.
    fn walk(
        &mut self,
        process: libc::pid_t,
        path: &[u8],
        follows: bool,
        links: &mut Vec<(Vec<u8>, State)>,
    ) -> Option<(Vec<u8>, Option<State>, bool)> {
        let mut at: Vec<u8> = Vec::with_capacity(path.len());
        let mut followed = 0;
        let follows = follows || path.ends_with(b"/");
        let mut todo: Vec<Vec<u8>> = Vec::new();
        if let Some((parent, name)) = self.known_parent(path) {
            at.extend_from_slice(parent);
            todo.push(name.to_vec());
        } else {
            push_names(&mut todo, path);
        }
        while let Some(name) = todo.pop() {
            if name == b".." {
                at.truncate(at.iter().rposition(|byte| *byte == b'/').unwrap_or(0));
                continue;
            }
            let parent = at.len();
            at.push(b'/');
            match (&at[..], &name[..]) {
                (b"/proc/", b"self") => at.extend_from_slice(process.to_string().as_bytes()),
                (b"/proc/", b"thread-self") => at.extend_from_slice(format!("{process}/task/{process}").as_bytes()),
                _ => at.extend_from_slice(&name),
            }
            let is_last = todo.is_empty();
            if !is_last && self.folders.contains(&at) {
                continue;
            }
            let is_followed = !is_last || follows;
            if let Some(target) = self.links.get(&at).filter(|_| is_followed && followed < MOST_LINKS) {
                followed += 1;
                at.truncate(if target.starts_with(b"/") { 0 } else { parent });
                push_names(&mut todo, target);
                continue;
            }
            let state = State::of(&at);
            match state {
                Some(state) if state.is_link() && is_followed => {
                    let target = read_link(&at)?;
                    followed += 1;
                    if followed > MOST_LINKS {
                        return Some((at, Some(state), false));
                    }
                    let is_absolute = target.starts_with(b"/");
                    if at.starts_with(b"/proc/") {
                        if !is_absolute {
                            return None; // "pipe:[17]"
                        }
                    } else if !self.changing.contains(&at) {
                        self.links.insert(at.clone(), target.clone());
                    }
                    links.push((at.clone(), state));
                    at.truncate(if is_absolute { 0 } else { parent });
                    push_names(&mut todo, &target);
                }
                Some(state) if state.is_folder() && !is_last => {
                    if !at.starts_with(b"/proc/") {
                        self.folders.insert(at.clone());
                    }
                }
                state => return Some((at, state, is_last)),
            }
        }
        if at.is_empty() {
            at.push(b'/');
        }
        let state = State::of(&at);
        Some((at, state, true))
    }

    /// Splits an absolute path without dots whose folder is known.
    fn known_parent<'a>(&self, path: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
        let cut = path.iter().rposition(|byte| *byte == b'/')?;
        let (parent, name) = (&path[..cut], &path[cut + 1..]);
        let is_plain = !name.is_empty() && name != b"." && name != b"..";
        (is_plain && self.folders.contains(parent)).then_some((parent, name))
    }
}

/// Puts the names of `path` on `todo`, the first one on top.
fn push_names(todo: &mut Vec<Vec<u8>>, path: &[u8]) {
    let names = path.split(|byte| *byte == b'/').rev().filter(|name| !name.is_empty() && *name != b".");
    todo.extend(names.map(<[u8]>::to_vec));
}

pub fn read_link(path: &[u8]) -> Option<Vec<u8>> {
    let path = CString::new(path).ok()?;
    let mut buffer = [0u8; libc::PATH_MAX as usize];
    // SAFETY: the path is a C string, and the call writes at most the size of `buffer`.
    let count = unsafe { libc::readlink(path.as_ptr(), buffer.as_mut_ptr().cast(), buffer.len()) };
    usize::try_from(count).ok().map(|count| buffer[..count].to_vec())
}

/// The names in a folder, each after one letter for its kind: `d` for a folder, `l` for a link, `f` for others. Sorted.
pub fn names_in(folder: &[u8]) -> Option<Vec<Vec<u8>>> {
    let path = CString::new(folder).ok()?;
    // SAFETY: the stream is valid until it is closed, and an entry until the next one is read; its name is a C string.
    unsafe {
        let stream = libc::opendir(path.as_ptr());
        if stream.is_null() {
            return None;
        }
        let mut names = Vec::new();
        loop {
            let entry = libc::readdir(stream);
            if entry.is_null() {
                break;
            }
            let name = std::ffi::CStr::from_ptr((*entry).d_name.as_ptr()).to_bytes();
            if name != b"." && name != b".." {
                let mark = match (*entry).d_type {
                    libc::DT_DIR => b'd',
                    libc::DT_LNK => b'l',
                    _ => b'f',
                };
                names.push([&[mark], name].concat());
            }
        }
        libc::closedir(stream);
        names.sort_unstable();
        Some(names)
    }
}

/// The path that a call means by `descriptor` and `name`, not resolved yet; None if the descriptor is not open on a path.
pub fn absolute(call: &Call, descriptor: i32, name: &[u8]) -> Option<Vec<u8>> {
    if name.starts_with(b"/") {
        return Some(name.to_vec());
    }
    let base = if descriptor == libc::AT_FDCWD {
        read_link(format!("/proc/{}/cwd", call.thread).as_bytes())
    } else {
        path_of(call, descriptor)
    };
    let mut path = base.filter(|base| base.starts_with(b"/"))?;
    path.push(b'/');
    path.extend_from_slice(name);
    Some(path)
}

/// The path that the caller's `descriptor` is open on, if there is one.
pub fn path_of(call: &Call, descriptor: i32) -> Option<Vec<u8>> {
    read_link(format!("/proc/{}/fd/{descriptor}", call.thread).as_bytes()).filter(|path| path.starts_with(b"/"))
}

/// The address of a socket as a call passes it.
pub enum Address {
    /// A path, or a name that begins with a null byte.
    Local(Vec<u8>),
    /// A port of this machine.
    Loopback(u16),
    Elsewhere,
}

pub fn address(bytes: &[u8]) -> Address {
    let family = bytes.first_chunk::<2>().map_or(0, |two| i32::from(u16::from_ne_bytes(*two)));
    let port = bytes.get(2..4).map_or(0, |two| u16::from_be_bytes([two[0], two[1]]));
    match family {
        libc::AF_UNIX => {
            let name = bytes.get(2..).unwrap_or_default();
            let end = if name.first() == Some(&0) { None } else { memchr::memchr(0, name) };
            Address::Local(name[..end.unwrap_or(name.len())].to_vec())
        }
        libc::AF_INET if bytes.get(4) == Some(&127) || bytes.get(4..8) == Some(&[0; 4]) => Address::Loopback(port),
        libc::AF_INET6 => {
            let host: [u8; 16] = bytes.get(8..24).and_then(|host| host.try_into().ok()).unwrap_or([1; 16]);
            let host = std::net::Ipv6Addr::from(host);
            let is_local = host.is_loopback()
                || host.is_unspecified()
                || host.to_ipv4_mapped().is_some_and(|host| host.is_loopback());
            if is_local { Address::Loopback(port) } else { Address::Elsewhere }
        }
        _ => Address::Elsewhere,
    }
}
