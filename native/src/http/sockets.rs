//! What a server listens on and talks through: TCP, or a socket with a path.
use std::io::{self, IoSlice, Read, Write};
use std::os::fd::{AsRawFd, RawFd};

use mio::event::Source;
use mio::net::{TcpListener, TcpStream, UnixListener, UnixStream};

pub enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Stream {
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Tcp(stream) => stream.read(buffer),
            Stream::Unix(stream) => stream.read(buffer),
        }
    }

    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Tcp(stream) => stream.write(bytes),
            Stream::Unix(stream) => stream.write(bytes),
        }
    }

    /// The same for two pieces, one after the other.
    pub fn write_both(&mut self, first: &[u8], second: &[u8]) -> io::Result<usize> {
        let pieces = [IoSlice::new(first), IoSlice::new(second)];
        match self {
            Stream::Tcp(stream) => stream.write_vectored(&pieces),
            Stream::Unix(stream) => stream.write_vectored(&pieces),
        }
    }

    pub fn descriptor(&self) -> RawFd {
        match self {
            Stream::Tcp(stream) => stream.as_raw_fd(),
            Stream::Unix(stream) => stream.as_raw_fd(),
        }
    }

    pub fn source(&mut self) -> &mut dyn Source {
        match self {
            Stream::Tcp(stream) => stream,
            Stream::Unix(stream) => stream,
        }
    }

    pub fn shutdown(&self) {
        // It fails where the client is gone already.
        let _ = match self {
            Stream::Tcp(stream) => stream.shutdown(std::net::Shutdown::Write),
            Stream::Unix(stream) => stream.shutdown(std::net::Shutdown::Write),
        };
    }
}

pub enum Ear {
    Tcp(TcpListener),
    Unix(UnixListener),
}

impl Ear {
    pub fn accept(&self) -> io::Result<Stream> {
        match self {
            Ear::Tcp(listener) => listener.accept().map(|(stream, _)| {
                let _ = stream.set_nodelay(true); // without it answers are only slower
                Stream::Tcp(stream)
            }),
            Ear::Unix(listener) => listener.accept().map(|(stream, _)| Stream::Unix(stream)),
        }
    }

    pub fn source(&mut self) -> &mut dyn Source {
        match self {
            Ear::Tcp(listener) => listener,
            Ear::Unix(listener) => listener,
        }
    }
}
