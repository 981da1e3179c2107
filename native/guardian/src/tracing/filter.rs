//! The seccomp filter of traced processes: which system calls stop until the tracer has recorded them, and which fail.
//!
//! Calls that read, look up or change a path, and those that could escape the tracer, are reported. All others run at full speed: the
//! kernel does not even execute the filter for a call that it always allows. A call is reported before it happens.
use std::ffi::{c_int, c_long, c_uint, c_ulong};
use std::io::{Error, Result};
use std::sync::OnceLock;

use crate::terminal::Opened;

#[cfg(target_arch = "x86_64")]
pub const NATIVE: u32 = 0xC000_003E; // AUDIT_ARCH_X86_64
#[cfg(target_arch = "aarch64")]
pub const NATIVE: u32 = 0xC000_00B7; // AUDIT_ARCH_AARCH64

/// Set in the numbers of x32 calls.
const X32: u32 = 0x4000_0000;
/// Later calls are unknown to the tracer: they fail as on an older kernel.
const LAST_KNOWN: u32 = 470;
pub const NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP) as u32;

const NOT_IMPLEMENTED: [c_long; 2] = [
    libc::SYS_clone3, // its flags are in memory; the C libraries use `clone` then
    libc::SYS_io_uring_setup,
];

/// The calls that the tracer has to see, on every architecture.
const REPORTED: [c_long; 53] = [
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_unlinkat,
    libc::SYS_mkdirat,
    libc::SYS_mknodat,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchmod,
    libc::SYS_fchownat,
    libc::SYS_fchown,
    libc::SYS_utimensat,
    libc::SYS_truncate,
    libc::SYS_chdir,
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SETXATTRAT,
    REMOVEXATTRAT,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_chroot,
    libc::SYS_pivot_root,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_mount_setattr,
    libc::SYS_open_by_handle_at,
    libc::SYS_pidfd_getfd,
    libc::SYS_ptrace,
    libc::SYS_inotify_add_watch,
    libc::SYS_statfs,
];
pub const SETXATTRAT: c_long = 463;
pub const REMOVEXATTRAT: c_long = 466;

/// Calls that are reported unless they are about a descriptor, as `fstat` is; and the place of their flags. A program that names a path
/// relative to the descriptor and passes AT_EMPTY_PATH all the same is not noticed: the filter cannot read paths.
const ABOUT_PATHS: [(c_long, u32); 2] = [(libc::SYS_newfstatat, 3), (libc::SYS_statx, 2)];

/// The older calls that only this architecture has.
#[cfg(target_arch = "x86_64")]
const OLDER: [c_long; 21] = [
    libc::SYS_open,
    libc::SYS_creat,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_getdents,
    libc::SYS_rename,
    libc::SYS_link,
    libc::SYS_symlink,
    libc::SYS_unlink,
    libc::SYS_rmdir,
    libc::SYS_mkdir,
    libc::SYS_mknod,
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_uselib,
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER: [c_long; 0] = [];

// Offsets in `struct seccomp_data`; the lower half of an argument comes first, as on all supported architectures.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;
const ARGUMENT_BYTES: u32 = 8;

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
const HAS_BITS: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

fn instruction(code: u16, k: u32, jt: u8, jf: u8) -> libc::sock_filter {
    libc::sock_filter { code, jt, jf, k }
}

/// What the filter does with a call.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Verdict {
    Allow,
    Report,
    Refuse,
    /// Reports it unless it is about a descriptor; the place of its flags.
    AboutPath(u32),
    /// Reports it if it creates namespaces.
    Clone,
}

impl Verdict {
    fn instructions(self) -> Vec<libc::sock_filter> {
        let end = |action| instruction(RETURN, action, 0, 0);
        let (allow, report) = (end(libc::SECCOMP_RET_ALLOW), end(libc::SECCOMP_RET_USER_NOTIF));
        match self {
            Verdict::Allow => vec![allow],
            Verdict::Report => vec![report],
            Verdict::Refuse => vec![end(libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32)],
            Verdict::AboutPath(flags) => vec![
                instruction(LOAD, ARGUMENTS + flags * ARGUMENT_BYTES, 0, 0),
                instruction(HAS_BITS, libc::AT_EMPTY_PATH as u32, 0, 2),
                instruction(LOAD, ARGUMENTS, 0, 0),
                instruction(EQUAL, libc::AT_FDCWD as u32, 0, 1),
                report,
                allow,
            ],
            Verdict::Clone => {
                vec![instruction(LOAD, ARGUMENTS, 0, 0), instruction(HAS_BITS, NAMESPACES, 0, 1), report, allow]
            }
        }
    }
}

fn verdict(number: u32) -> Verdict {
    let number = number as c_long;
    match ABOUT_PATHS.iter().find(|(about, _)| *about == number) {
        Some((_, flags)) => Verdict::AboutPath(*flags),
        None if number == libc::SYS_clone => Verdict::Clone,
        None if REPORTED.contains(&number) || OLDER.contains(&number) => Verdict::Report,
        None if NOT_IMPLEMENTED.contains(&number) => Verdict::Refuse,
        None => Verdict::Allow,
    }
}

/// A binary search for the verdict about a number. Each of `ranges` begins with its number and ends where the next one begins.
fn search(ranges: &[(u32, Verdict)]) -> Vec<libc::sock_filter> {
    if let [(_, verdict)] = ranges {
        return verdict.instructions();
    }
    let (below, above) = ranges.split_at(ranges.len() / 2);
    let (start, below) = (above[0].0, search(below));
    let mut found = vec![instruction(AT_LEAST, start, below.len() as u8, 0)];
    found.extend(below);
    found.extend(search(above));
    found
}

/// The kernel executes the filter for each number when it is installed, and for each call that it does not always allow.
fn program() -> Vec<libc::sock_filter> {
    let mut ranges: Vec<(u32, Verdict)> = (0..=LAST_KNOWN).map(|number| (number, verdict(number))).collect();
    ranges.extend([(LAST_KNOWN + 1, Verdict::Refuse), (X32, Verdict::Report)]);
    ranges.dedup_by_key(|(_, verdict)| *verdict);
    let mut found = vec![instruction(LOAD, ARCHITECTURE, 0, 0), instruction(EQUAL, NATIVE, 1, 0)];
    found.extend([instruction(RETURN, libc::SECCOMP_RET_USER_NOTIF, 0, 0), instruction(LOAD, NUMBER, 0, 0)]);
    found.extend(search(&ranges));
    found
}

/// The instructions of the filter.
pub struct Filter(&'static [libc::sock_filter]);

impl Filter {
    pub fn new() -> Filter {
        static PROGRAM: OnceLock<Vec<libc::sock_filter>> = OnceLock::new();
        Filter(PROGRAM.get_or_init(program))
    }
}

/// Filters the calls of this thread and of everything that it starts, and returns the descriptor that reports them. Only makes system
/// calls.
///
/// It gives up privileges that programs would get by setuid, without which only root may filter. Fails if the system has no such
/// filter, forbids it, or if this process is traced already.
pub fn install(Filter(program): &Filter) -> Result<Opened> {
    let filter = libc::sock_fprog { len: program.len() as u16, filter: program.as_ptr().cast_mut() };
    // SAFETY: both calls only read the values that they receive; `program` outlives them.
    unsafe {
        if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 {
            return Err(Error::last_os_error());
        }
        let seccomp = |flags: c_ulong| {
            libc::syscall(
                libc::SYS_seccomp,
                libc::SECCOMP_SET_MODE_FILTER as c_uint,
                flags as c_uint,
                &raw const filter,
            )
        };
        // With the second flag, a signal does not interrupt a call that the tracer has received (Go sends itself many).
        let listener = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
        let descriptor = seccomp(listener | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);
        if descriptor < 0 { Err(Error::last_os_error()) } else { Ok(Opened(descriptor as c_int)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reported_call_is_known_to_the_tracer() {
        let about_paths = ABOUT_PATHS.map(|(number, _)| number);
        for number in REPORTED.iter().chain(&OLDER).chain(&about_paths) {
            assert!(super::super::calls::is_known(*number), "call {number}");
        }
    }

    /// Executes the filter as the kernel does, with the values of `struct seccomp_data` by their offset.
    fn decide(data: &dyn Fn(u32) -> u32) -> u32 {
        let (program, mut at, mut value) = (program(), 0, 0);
        loop {
            let libc::sock_filter { code, jt, jf, k } = program[at];
            let holds = match code {
                LOAD => {
                    value = data(k);
                    at += 1;
                    continue;
                }
                RETURN => return k,
                EQUAL => value == k,
                AT_LEAST => value >= k,
                _ => value & k != 0,
            };
            at += 1 + usize::from(if holds { jt } else { jf });
        }
    }

    #[test]
    fn the_filter_has_the_verdict_of_each_call() {
        let refused = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
        let action = |number: u32, arguments: [u32; 4]| {
            decide(&move |at| match at {
                NUMBER => number,
                ARCHITECTURE => NATIVE,
                _ => arguments[((at - ARGUMENTS) / ARGUMENT_BYTES) as usize],
            })
        };
        let (here, empty) = (libc::AT_FDCWD as u32, libc::AT_EMPTY_PATH as u32);
        for number in 0..=LAST_KNOWN {
            let (wanted, arguments) = match verdict(number) {
                Verdict::Allow => (libc::SECCOMP_RET_ALLOW, [0; 4]),
                Verdict::Report => (libc::SECCOMP_RET_USER_NOTIF, [0; 4]),
                Verdict::Refuse => (refused, [0; 4]),
                Verdict::Clone => (libc::SECCOMP_RET_USER_NOTIF, [NAMESPACES, 0, 0, 0]),
                Verdict::AboutPath(_) => {
                    assert_eq!(action(number, [3, 0, empty, empty]), libc::SECCOMP_RET_ALLOW);
                    assert_eq!(action(number, [3, 0, 0, 0]), libc::SECCOMP_RET_USER_NOTIF);
                    (libc::SECCOMP_RET_USER_NOTIF, [here, 0, empty, empty])
                }
            };
            assert_eq!(action(number, arguments), wanted, "call {number}");
        }
        assert_eq!(action(libc::SYS_clone as u32, [libc::CLONE_VM as u32, 0, 0, 0]), libc::SECCOMP_RET_ALLOW);
        assert_eq!([LAST_KNOWN + 1, X32 - 1, X32, u32::MAX].map(|number| action(number, [0; 4])), {
            [refused, refused, libc::SECCOMP_RET_USER_NOTIF, libc::SECCOMP_RET_USER_NOTIF]
        });
        assert_eq!(decide(&|at| u32::from(at == NUMBER)), libc::SECCOMP_RET_USER_NOTIF); // of another architecture
    }
}
