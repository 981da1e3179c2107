//! The sockets of the debugger: TCP, or a Unix socket that only the file system's permissions open to others.
use std::fs::{Permissions, remove_file, set_permissions};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

pub enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Stream {
    pub fn set_nonblocking(&self) -> io::Result<()> {
        match self {
            Stream::Tcp(stream) => {
                let _ = stream.set_nodelay(true);
                stream.set_nonblocking(true)
            }
            Stream::Unix(stream) => stream.set_nonblocking(true),
        }
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Tcp(stream) => stream.read(buffer),
            Stream::Unix(stream) => stream.read(buffer),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Tcp(stream) => stream.write(bytes),
            Stream::Unix(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl AsFd for Stream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Stream::Tcp(stream) => stream.as_fd(),
            Stream::Unix(stream) => stream.as_fd(),
        }
    }
}

pub enum Listener {
    Tcp(TcpListener),
    /// Its file is removed with it.
    Unix(UnixListener, PathBuf),
}

impl Listener {
    /// Listen on a Unix socket that only this user can connect to.
    pub fn at_socket(path: &Path) -> io::Result<Listener> {
        let listener = UnixListener::bind(path)?;
        let listener = Listener::Unix(listener, path.to_path_buf());
        set_permissions(path, Permissions::from_mode(0o600))?;
        Ok(listener)
    }

    pub fn set_nonblocking(&self) -> io::Result<()> {
        match self {
            Listener::Tcp(listener) => listener.set_nonblocking(true),
            Listener::Unix(listener, _) => listener.set_nonblocking(true),
        }
    }

    pub fn accept(&self) -> io::Result<Stream> {
        match self {
            Listener::Tcp(listener) => listener.accept().map(|(stream, _)| Stream::Tcp(stream)),
            Listener::Unix(listener, _) => listener.accept().map(|(stream, _)| Stream::Unix(stream)),
        }
    }

    /// The port; 0 for a Unix socket.
    pub fn port(&self) -> io::Result<u16> {
        match self {
            Listener::Tcp(listener) => Ok(listener.local_addr()?.port()),
            Listener::Unix(..) => Ok(0),
        }
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Listener::Tcp(listener) => listener.as_fd(),
            Listener::Unix(listener, _) => listener.as_fd(),
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Listener::Unix(_, path) = self {
            let _ = remove_file(path);
        }
    }
}
