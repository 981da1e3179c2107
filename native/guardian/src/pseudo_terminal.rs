//! Pseudo-terminals: opening one, and changing its size. The device becomes the controlling terminal of a script only in the
//! script's own process (`spawn`, and the workers of a zygote); no call here changes that of rt.
use std::ffi::c_int;
use std::io::{Error, Result};

use crate::terminal::Opened;

/// The size of a terminal, in character cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub rows: u16,
    pub columns: u16,
}

/// The end that rt reads and writes, without blocking, and the device that becomes the streams of a script.
pub struct PseudoTerminal {
    pub controller: Opened,
    pub device: Opened,
}

impl PseudoTerminal {
    /// Opens a terminal with the system's default modes. Both ends are close-on-exec.
    pub fn open(size: Size) -> Result<PseudoTerminal> {
        let controller = Opened::open(c"/dev/ptmx", libc::O_RDWR | libc::O_NOCTTY | libc::O_NONBLOCK)?;
        let unlocked: c_int = 0;
        let flags = libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC;
        // SAFETY: the first call reads one number. The second creates a descriptor or fails; it needs no path, so that it also works
        // where another /dev/pts is mounted.
        let device = unsafe {
            if libc::ioctl(controller.0, libc::TIOCSPTLCK, &raw const unlocked) != 0 {
                return Err(Error::last_os_error());
            }
            libc::ioctl(controller.0, libc::TIOCGPTPEER, flags)
        };
        if device < 0 {
            return Err(Error::last_os_error());
        }
        let opened = PseudoTerminal { controller, device: Opened(device) };
        resize(&opened.controller, size)?;
        Ok(opened)
    }
}

/// Changes the size of the terminal that `controller` belongs to. The system sends SIGWINCH to its foreground group if that is a
/// change.
pub fn resize(controller: &Opened, Size { rows, columns }: Size) -> Result<()> {
    let size = libc::winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the call reads the structure.
    let result = unsafe { libc::ioctl(controller.0, libc::TIOCSWINSZ, &raw const size) };
    if result == 0 { Ok(()) } else { Err(Error::last_os_error()) }
}
