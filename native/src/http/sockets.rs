//! What a server listens on and talks through: TCP, or a socket with a path, with TLS or without.
use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::os::fd::{AsRawFd, RawFd};

use mio::event::Source;
use mio::net::{TcpListener, TcpStream, UnixListener, UnixStream};

use super::secure::{Got, Secure};

pub enum Socket {
    Tcp(TcpStream),
    Unix(UnixStream),
}

pub struct Stream {
    secure: Option<Secure>, // ends before the socket
    pub socket: Socket,
}

impl Stream {
    pub fn plain(socket: Socket) -> Stream {
        Stream { secure: None, socket }
    }

    /// With TLS of an acceptor's; none where that cannot be made.
    pub fn secure(socket: Socket, acceptor: u64) -> Option<Stream> {
        let secure = Secure::accept(acceptor, socket.descriptor())?;
        Some(Stream { secure: Some(secure), socket })
    }

    /// As `Secure::read` answers.
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<Got> {
        if let Some(secure) = &mut self.secure {
            return secure.read(buffer);
        }
        let result = match &mut self.socket {
            Socket::Tcp(stream) => stream.read(buffer),
            Socket::Unix(stream) => stream.read(buffer),
        };
        match result {
            Ok(0) => Ok(Got::Ended),
            // A short read has emptied the socket, and an event tells of what comes next; a full one may have left something.
            Ok(size) => Ok(Got::Bytes(size, size == buffer.len())),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(Got::Nothing(false)),
            Err(error) => Err(error),
        }
    }

    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match (&mut self.secure, &mut self.socket) {
            (Some(secure), _) => secure.write_both(bytes, &[]),
            (None, Socket::Tcp(stream)) => stream.write(bytes),
            (None, Socket::Unix(stream)) => stream.write(bytes),
        }
    }

    /// The same for two pieces, one after the other.
    pub fn write_both(&mut self, first: &[u8], second: &[u8]) -> io::Result<usize> {
        let pieces = [IoSlice::new(first), IoSlice::new(second)];
        match (&mut self.secure, &mut self.socket) {
            (Some(secure), _) => secure.write_both(first, second),
            (None, Socket::Tcp(stream)) => stream.write_vectored(&pieces),
            (None, Socket::Unix(stream)) => stream.write_vectored(&pieces),
        }
    }

    /// How much of what was written is still here, encrypted.
    pub fn unsent(&self) -> usize {
        self.secure.as_ref().map_or(0, Secure::unsent)
    }

    /// Send that, as far as the socket takes it: how much is left.
    pub fn send(&mut self) -> io::Result<usize> {
        self.secure.as_mut().map_or(Ok(0), Secure::send)
    }

    pub fn is_secure(&self) -> bool {
        self.secure.is_some()
    }

    pub fn descriptor(&self) -> RawFd {
        self.socket.descriptor()
    }

    pub fn source(&mut self) -> &mut dyn Source {
        match &mut self.socket {
            Socket::Tcp(stream) => stream,
            Socket::Unix(stream) => stream,
        }
    }

    /// Nothing more is written; TLS says so first, and is not done with that as long as some of it is `unsent`.
    pub fn shutdown(&mut self) {
        if let Some(secure) = &mut self.secure {
            secure.goodbye();
            if secure.unsent() > 0 {
                return;
            }
        }
        // It fails where the client is gone already.
        let _ = match &self.socket {
            Socket::Tcp(stream) => stream.shutdown(std::net::Shutdown::Write),
            Socket::Unix(stream) => stream.shutdown(std::net::Shutdown::Write),
        };
    }

    /// After a handshake that has failed: the client gets what was said of it. What it has sent is read, since a socket that is
    /// closed with bytes unread takes back what it has sent.
    pub fn turn_away(&mut self, buffer: &mut [u8]) {
        const MOST_READS: usize = 16;
        if self.secure.take().is_none() {
            return;
        }
        self.shutdown();
        for _ in 0..MOST_READS {
            match self.read(buffer) {
                Ok(Got::Bytes(_, true)) => {}
                _ => return,
            }
        }
    }
}

impl Socket {
    fn descriptor(&self) -> RawFd {
        match self {
            Socket::Tcp(stream) => stream.as_raw_fd(),
            Socket::Unix(stream) => stream.as_raw_fd(),
        }
    }
}

pub enum Ear {
    Tcp(TcpListener),
    Unix(UnixListener),
}

impl Ear {
    pub fn accept(&self) -> io::Result<Socket> {
        match self {
            Ear::Tcp(listener) => listener.accept().map(|(stream, _)| {
                let _ = stream.set_nodelay(true); // without it answers are only slower
                Socket::Tcp(stream)
            }),
            Ear::Unix(listener) => listener.accept().map(|(stream, _)| Socket::Unix(stream)),
        }
    }

    pub fn source(&mut self) -> &mut dyn Source {
        match self {
            Ear::Tcp(listener) => listener,
            Ear::Unix(listener) => listener,
        }
    }
}
