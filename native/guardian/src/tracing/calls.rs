//! The meaning of system calls: which paths each one uses, and how. One function per kind of call.
//!
//! A call is recorded before the kernel executes it, by what is on the disk at that moment: a call that will fail counts as a look-up
//! of what makes it fail.
use std::collections::HashSet;
use std::ffi::{OsStr, c_int, c_long};
use std::io::Result;
use std::os::unix::ffi::OsStrExt;

use super::filter::{NAMESPACES, NATIVE, REMOVEXATTRAT, SETXATTRAT};
use super::listener::Call;
use super::places::{Address, Place, Places, State, absolute, address, path_of};
use super::programs;
use super::trace::{ATTRIBUTES_SET, EXAMINED, EXECUTED, LOOKED_UP, OPENED_TO_CHANGE, READ, Trace};

const HERE: c_int = libc::AT_FDCWD;
/// Services that answer questions about users and write logs; programs of the C library use them.
const HARMLESS_SOCKETS: [&[u8]; 6] = [
    b"/var/run/nscd/",
    b"/run/nscd/",
    b"/run/systemd/userdb/",
    b"/run/systemd/journal/",
    b"/dev/log",
    b"/var/lib/sss/pipes/",
];
const EMPTY_PATH: u64 = libc::AT_EMPTY_PATH as u64;
const NOT_FOLLOWED: u64 = libc::AT_SYMLINK_NOFOLLOW as u64;

/// Records calls in a trace.
#[derive(Default)]
pub struct Recorder {
    pub trace: Trace,
    places: Places,
    /// The programs whose interpreters are recorded.
    programs: HashSet<Vec<u8>>,
}

/// How a call names a path.
#[derive(Clone, Copy)]
struct Named {
    folder: c_int,
    name: u64,
    follows: bool,
    /// An empty name stands for the descriptor itself.
    may_be_empty: bool,
}

fn at(folder: u64, name: u64) -> Named {
    Named { folder: folder as c_int, name, follows: true, may_be_empty: false }
}

fn here(name: u64) -> Named {
    Named { folder: HERE, name, follows: true, may_be_empty: false }
}

impl Named {
    fn itself(self) -> Named {
        Named { follows: false, ..self }
    }

    fn with_flags(self, flags: u64) -> Named {
        Named { follows: flags & NOT_FOLLOWED == 0, may_be_empty: flags & EMPTY_PATH != 0, ..self }
    }
}

/// Returns whether `Recorder::record` handles the call with this number.
#[cfg(test)]
pub fn is_known(number: c_long) -> bool {
    meaning(number).is_some()
}

/// What a call does, and which of its arguments name paths.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Meaning {
    Open,
    OpenAt,
    OpenAtHow,
    Create,
    /// Folder, name; the place of the flags.
    StatAt(usize),
    Stat {
        follows: bool,
    },
    LookUpAt(Option<usize>),
    LookUp {
        follows: bool,
    },
    List,
    Execute,
    ExecuteAt,
    Rename,
    RenameAt {
        has_flags: bool,
    },
    Link,
    LinkAt,
    /// The place of the folder and of the name of a file that is created.
    MakeAt(Option<usize>, usize),
    RemoveAt(Option<usize>, usize),
    /// Sets permissions, owner or times.
    SetAt {
        folder: Option<usize>,
        name: usize,
        flags: Option<usize>,
    },
    SetOpen,
    Truncate,
    SetItself,
    Connect,
    Bind,
    /// Could hide what the task does, for this reason.
    Escape(&'static str),
    Unshare,
}

#[cfg(target_arch = "x86_64")]
fn older_meaning(number: c_long) -> Option<Meaning> {
    Some(match number {
        libc::SYS_open => Meaning::Open,
        libc::SYS_creat => Meaning::Create,
        libc::SYS_stat => Meaning::Stat { follows: true },
        libc::SYS_lstat => Meaning::Stat { follows: false },
        libc::SYS_access => Meaning::LookUp { follows: true },
        libc::SYS_readlink => Meaning::LookUp { follows: false },
        libc::SYS_getdents => Meaning::List,
        libc::SYS_rename => Meaning::Rename,
        libc::SYS_link => Meaning::Link,
        libc::SYS_symlink => Meaning::MakeAt(None, 1),
        libc::SYS_unlink | libc::SYS_rmdir => Meaning::RemoveAt(None, 0),
        libc::SYS_mkdir | libc::SYS_mknod => Meaning::MakeAt(None, 0),
        libc::SYS_chmod | libc::SYS_chown | libc::SYS_utime | libc::SYS_utimes => {
            Meaning::SetAt { folder: None, name: 0, flags: None }
        }
        libc::SYS_lchown => Meaning::SetItself,
        libc::SYS_futimesat => Meaning::SetAt { folder: Some(0), name: 1, flags: None },
        libc::SYS_uselib => Meaning::Escape("it loads an old library"),
        _ => return None,
    })
}

#[cfg(not(target_arch = "x86_64"))]
fn older_meaning(_: c_long) -> Option<Meaning> {
    None
}

fn meaning(number: c_long) -> Option<Meaning> {
    Some(match number {
        libc::SYS_openat => Meaning::OpenAt,
        libc::SYS_openat2 => Meaning::OpenAtHow,
        libc::SYS_newfstatat => Meaning::StatAt(3),
        libc::SYS_statx => Meaning::StatAt(2),
        libc::SYS_faccessat => Meaning::LookUpAt(None),
        libc::SYS_faccessat2 => Meaning::LookUpAt(Some(3)),
        libc::SYS_readlinkat => Meaning::LookUpAt(Some(usize::MAX)),
        libc::SYS_getdents64 => Meaning::List,
        libc::SYS_execve => Meaning::Execute,
        libc::SYS_execveat => Meaning::ExecuteAt,
        libc::SYS_renameat => Meaning::RenameAt { has_flags: false },
        libc::SYS_renameat2 => Meaning::RenameAt { has_flags: true },
        libc::SYS_linkat => Meaning::LinkAt,
        libc::SYS_symlinkat => Meaning::MakeAt(Some(1), 2),
        libc::SYS_unlinkat => Meaning::RemoveAt(Some(0), 1),
        libc::SYS_mkdirat | libc::SYS_mknodat => Meaning::MakeAt(Some(0), 1),
        libc::SYS_fchmodat => Meaning::SetAt { folder: Some(0), name: 1, flags: None },
        libc::SYS_fchmodat2 | libc::SYS_utimensat => Meaning::SetAt { folder: Some(0), name: 1, flags: Some(3) },
        libc::SYS_fchownat => Meaning::SetAt { folder: Some(0), name: 1, flags: Some(4) },
        libc::SYS_fchmod | libc::SYS_fchown => Meaning::SetOpen,
        libc::SYS_truncate => Meaning::Truncate,
        libc::SYS_chdir | libc::SYS_getxattr | libc::SYS_listxattr | libc::SYS_inotify_add_watch | libc::SYS_statfs => {
            Meaning::LookUp { follows: true }
        }
        libc::SYS_lgetxattr | libc::SYS_llistxattr => Meaning::LookUp { follows: false },
        libc::SYS_setxattr
        | libc::SYS_lsetxattr
        | libc::SYS_fsetxattr
        | libc::SYS_removexattr
        | libc::SYS_lremovexattr
        | libc::SYS_fremovexattr
        | SETXATTRAT
        | REMOVEXATTRAT => Meaning::Escape("it sets extended attributes of files"),
        libc::SYS_connect => Meaning::Connect,
        libc::SYS_bind => Meaning::Bind,
        libc::SYS_unshare => Meaning::Unshare,
        libc::SYS_clone | libc::SYS_setns => Meaning::Escape("it uses other namespaces"),
        libc::SYS_chroot | libc::SYS_pivot_root => Meaning::Escape("it changes its root folder"),
        libc::SYS_mount
        | libc::SYS_umount2
        | libc::SYS_open_tree
        | libc::SYS_move_mount
        | libc::SYS_fsopen
        | libc::SYS_fsmount
        | libc::SYS_mount_setattr => Meaning::Escape("it mounts file systems"),
        libc::SYS_open_by_handle_at | libc::SYS_pidfd_getfd => Meaning::Escape("it opens files without their paths"),
        libc::SYS_ptrace => Meaning::Escape("it traces processes itself"),
        _ => return older_meaning(number),
    })
}

impl Recorder {
    /// Records a call. Returns an error if the memory of its process cannot be read.
    pub fn record(&mut self, call: &Call) -> Result<()> {
        self.trace.threads.insert(call.thread);
        let known = (call.architecture == NATIVE).then(|| meaning(call.number.into())).flatten();
        let Some(known) = known else {
            self.trace.obstruct(b"it runs a program of another architecture (32-bit)");
            return Ok(());
        };
        let [first, second, third, ..] = call.arguments;
        let argument = |place: usize| call.arguments.get(place).copied().unwrap_or(0);
        match known {
            Meaning::Open => self.open(call, here(first), second),
            Meaning::Create => self.open(call, here(first), (libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC) as u64),
            Meaning::OpenAt => self.open(call, at(first, second), third),
            Meaning::OpenAtHow => {
                let flags = call.number_at(third)?;
                self.open(call, at(first, second), flags)
            }
            Meaning::StatAt(flags) => self.look_at(call, at(first, second).with_flags(argument(flags)), EXAMINED),
            Meaning::Stat { follows } => self.look_at(call, Named { follows, ..here(first) }, EXAMINED),
            Meaning::LookUpAt(flags) => {
                let flags = flags.map_or(0, |place| if place == usize::MAX { NOT_FOLLOWED } else { argument(place) });
                self.look_at(call, at(first, second).with_flags(flags), LOOKED_UP)
            }
            Meaning::LookUp { follows } => {
                let name = if call.number == libc::SYS_inotify_add_watch as c_int { second } else { first };
                self.look_at(call, Named { follows, ..here(name) }, LOOKED_UP)
            }
            Meaning::List => {
                if let Some(path) = path_of(call, first as c_int) {
                    self.trace.list(&path, State::of(&path).as_ref());
                }
                Ok(())
            }
            Meaning::Execute => self.execute(call, here(first)),
            Meaning::ExecuteAt => self.execute(call, at(first, second).with_flags(argument(4))),
            Meaning::Rename => self.rename(call, here(first), here(second), 0),
            Meaning::RenameAt { has_flags } => {
                let flags = if has_flags { argument(4) } else { 0 };
                self.rename(call, at(first, second), at(third, argument(3)), flags)
            }
            Meaning::Link => self.link(call, here(first).itself(), here(second)),
            Meaning::LinkAt => {
                let flags = argument(4);
                let follows = flags & libc::AT_SYMLINK_FOLLOW as u64 != 0;
                let old = Named { follows, may_be_empty: flags & EMPTY_PATH != 0, ..at(first, second) };
                self.link(call, old, at(third, argument(3)))
            }
            Meaning::MakeAt(folder, name) => {
                let named = folder.map_or(here(argument(name)), |folder| at(argument(folder), argument(name)));
                self.make(call, named.itself())
            }
            Meaning::RemoveAt(folder, name) => {
                let named = folder.map_or(here(argument(name)), |folder| at(argument(folder), argument(name)));
                self.remove(call, named.itself())
            }
            Meaning::SetAt { folder, name, flags } => {
                if argument(name) == 0 {
                    self.set_open(call, first);
                    return Ok(());
                }
                let named = folder.map_or(here(argument(name)), |folder| at(argument(folder), argument(name)));
                let named = flags.map_or(named, |place| named.with_flags(argument(place)));
                self.look_at(call, named, LOOKED_UP | ATTRIBUTES_SET)
            }
            Meaning::SetItself => self.look_at(call, here(first).itself(), LOOKED_UP | ATTRIBUTES_SET),
            Meaning::SetOpen => {
                self.set_open(call, first);
                Ok(())
            }
            Meaning::Truncate => {
                let flags = if second == 0 { libc::O_WRONLY | libc::O_TRUNC } else { libc::O_WRONLY };
                self.open(call, here(first), flags as u64)
            }
            Meaning::Connect => self.connect(call),
            Meaning::Bind => self.bind(call),
            Meaning::Unshare => {
                if first as u32 & NAMESPACES != 0 {
                    self.trace.obstruct(b"it uses other namespaces");
                }
                Ok(())
            }
            Meaning::Escape(words) => {
                self.trace.obstruct(words.as_bytes());
                Ok(())
            }
        }
    }

    /// Resolves a path, and records the links on the way. Returns None if the call uses no path of the file system.
    fn place(&mut self, call: &Call, named: Named) -> Result<Option<Place>> {
        let Some(name) = call.text(named.name)? else { return Ok(None) };
        if name.is_empty() {
            let path = named.may_be_empty.then(|| path_of(call, named.folder)).flatten();
            return Ok(path.map(|path| Place { state: State::of(&path), path, is_reachable: true, links: Vec::new() }));
        }
        let Some(path) = absolute(call, named.folder, &name) else { return Ok(None) };
        let place = self.places.resolve(call.thread, &path, named.follows);
        if let Some(place) = &place {
            for (link, state) in &place.links {
                self.trace.observe(link, Some(state), LOOKED_UP);
            }
        }
        Ok(place)
    }

    /// As `place`, for a call that fails if a folder on the way is missing; that is then recorded.
    fn reachable(&mut self, call: &Call, named: Named) -> Result<Option<Place>> {
        let place = self.place(call, named)?;
        Ok(place.filter(|place| {
            if !place.is_reachable {
                self.trace.observe(&place.path, place.state.as_ref(), LOOKED_UP);
            }
            place.is_reachable
        }))
    }

    fn look_at(&mut self, call: &Call, named: Named, flags: u32) -> Result<()> {
        if named.may_be_empty && call.bytes(named.name, 1)?.first().is_none_or(|byte| *byte == 0) {
            if flags & ATTRIBUTES_SET != 0 {
                self.set_open(call, named.folder as u64);
            }
            return Ok(()); // about an open file, which was recorded when it was opened
        }
        if let Some(place) = self.reachable(call, named)? {
            self.trace.observe(&place.path, place.state.as_ref(), flags);
        }
        Ok(())
    }

    fn set_open(&mut self, call: &Call, descriptor: u64) {
        if let Some(path) = path_of(call, descriptor as c_int) {
            self.trace.observe(&path, State::of(&path).as_ref(), LOOKED_UP | ATTRIBUTES_SET);
        }
    }

    fn open(&mut self, call: &Call, named: Named, flags: u64) -> Result<()> {
        let has = |bits: c_int| flags & bits as u64 == bits as u64;
        let creates = has(libc::O_CREAT);
        let is_new = creates && has(libc::O_EXCL);
        let follows = !has(libc::O_NOFOLLOW) && !is_new;
        let Some(place) = self.reachable(call, Named { follows, ..named })? else { return Ok(()) };
        let changes = flags & libc::O_ACCMODE as u64 != libc::O_RDONLY as u64;
        let (path, state) = (&place.path, place.state.as_ref());
        match state {
            None if creates => self.trace.write(path, None),
            None => self.trace.observe(path, None, LOOKED_UP),
            Some(_) if is_new || has(libc::O_PATH) => self.trace.observe(path, state, LOOKED_UP),
            Some(about) if about.is_folder() || has(libc::O_DIRECTORY) => self.trace.observe(path, state, LOOKED_UP),
            Some(_) if has(libc::O_TRUNC) => self.trace.write(path, state),
            Some(_) if changes => self.trace.observe(path, state, READ | OPENED_TO_CHANGE),
            Some(_) => self.trace.observe(path, state, READ),
        }
        Ok(())
    }

    fn execute(&mut self, call: &Call, named: Named) -> Result<()> {
        let Some(place) = self.reachable(call, named)? else { return Ok(()) };
        for (path, state) in programs::with_interpreters(&place, &mut self.places, call.thread, &mut self.programs) {
            self.trace.observe(&path, state.as_ref(), READ | EXECUTED);
            if state.is_some_and(|state| programs::changes_identity(&path, &state)) {
                let words = [b"it runs ", &path[..], b", which gets the rights of another user"].concat();
                self.trace.obstruct(&words);
            }
        }
        Ok(())
    }

    fn make(&mut self, call: &Call, named: Named) -> Result<()> {
        let Some(place) = self.reachable(call, named)? else { return Ok(()) };
        match &place.state {
            None => {
                self.places.forget(&place.path); // it may be a link in place of a folder
                self.trace.write(&place.path, None);
            }
            state => self.trace.observe(&place.path, state.as_ref(), LOOKED_UP),
        }
        Ok(())
    }

    fn remove(&mut self, call: &Call, named: Named) -> Result<()> {
        let Some(place) = self.reachable(call, named)? else { return Ok(()) };
        match &place.state {
            None => self.trace.observe(&place.path, None, LOOKED_UP),
            Some(state) => {
                if !state.is_file() {
                    self.places.forget(&place.path);
                }
                self.trace.write(&place.path, Some(state));
            }
        }
        Ok(())
    }

    fn link(&mut self, call: &Call, old: Named, new: Named) -> Result<()> {
        if let Some(place) = self.reachable(call, old)? {
            self.trace.observe(&place.path, place.state.as_ref(), READ);
        }
        self.make(call, new.itself())
    }

    fn rename(&mut self, call: &Call, old: Named, new: Named, flags: u64) -> Result<()> {
        let Some(from) = self.reachable(call, old.itself())? else { return Ok(()) };
        let Some(to) = self.reachable(call, new.itself())? else { return Ok(()) };
        let has = |bit: u32| flags & u64::from(bit) != 0;
        if from.state.is_none() || (to.state.is_some() && has(libc::RENAME_NOREPLACE)) {
            self.trace.observe(&from.path, from.state.as_ref(), LOOKED_UP);
            self.trace.observe(&to.path, to.state.as_ref(), LOOKED_UP);
            return Ok(());
        }
        self.places.forget(&from.path);
        self.places.forget(&to.path);
        if has(libc::RENAME_EXCHANGE) {
            self.move_tree(&to.path, &from.path);
        }
        self.move_tree(&from.path, &to.path);
        Ok(())
    }

    /// Records that everything at `from` moves to `to`. What the task has not written itself is an input, whose content it has used.
    fn move_tree(&mut self, from: &[u8], to: &[u8]) {
        let state = State::of(from);
        if !self.trace.has_written(from) {
            self.trace.observe(from, state.as_ref(), READ);
        }
        self.trace.write(from, state.as_ref());
        self.trace.write(to, State::of(to).as_ref());
        if !state.is_some_and(|state| state.is_folder()) {
            return;
        }
        self.trace.list(from, None);
        let Ok(entries) = std::fs::read_dir(OsStr::from_bytes(from)) else { return };
        for name in entries.flatten().map(|entry| entry.file_name()) {
            let join = |folder: &[u8]| [folder, b"/", name.as_bytes()].concat();
            self.move_tree(&join(from), &join(to));
        }
    }

    fn socket_address(&self, call: &Call) -> Result<Address> {
        let size = (call.arguments[2] as usize).min(size_of::<libc::sockaddr_un>());
        let bytes = call.bytes(call.arguments[1], size)?;
        Ok(match address(&bytes) {
            Address::Local(name) if !name.starts_with(b"\0") && !name.is_empty() => {
                Address::Local(absolute(call, HERE, &name).unwrap_or(name))
            }
            other => other,
        })
    }

    fn bind(&mut self, call: &Call) -> Result<()> {
        if let Address::Local(name) = self.socket_address(call)? {
            if !name.starts_with(b"\0") && !name.is_empty() {
                let state = State::of(&name);
                if state.is_none() {
                    self.trace.write(&name, None);
                }
            }
            self.trace.bound.insert(name);
        }
        Ok(())
    }

    fn connect(&mut self, call: &Call) -> Result<()> {
        match self.socket_address(call)? {
            Address::Local(name) => {
                let is_absent = !name.starts_with(b"\0") && State::of(&name).is_none();
                let is_harmless = HARMLESS_SOCKETS.iter().any(|place| name.starts_with(place));
                if !(name.is_empty() || is_absent || is_harmless || self.trace.bound.contains(&name)) {
                    let shown: Vec<u8> = name.iter().map(|byte| if *byte == 0 { b'@' } else { *byte }).collect();
                    self.trace.obstruct(&[b"it uses the socket ", &shown[..], b" of another process"].concat());
                }
            }
            Address::Loopback(port) => {
                if programs::is_foreign_port(port, &self.trace.threads) {
                    self.trace.obstruct(format!("it uses port {port} of another process").as_bytes());
                }
            }
            Address::Elsewhere => {}
        }
        Ok(())
    }
}
