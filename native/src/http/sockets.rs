//! What a server listens on and talks through: TCP, or a Unix socket, with or without TLS.
use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::os::fd::{AsRawFd, RawFd};

use mio::event::Source;
use mio::net::{TcpListener, TcpStream, UnixListener, UnixStream};

use super::secure::{ReadOutcome, Secure};

pub enum Socket {
    Tcp(TcpStream),
    Unix(UnixStream),
}

pub struct Stream {
    secure: Option<Secure>, // dropped before the socket
    pub socket: Socket,
}

impl Stream {
    pub fn plain(socket: Socket) -> Stream {
        Stream { secure: None, socket }
    }

    /// Uses TLS with that acceptor; None if that fails.
    pub fn secure(socket: Socket, acceptor: u64) -> Option<Stream> {
        let secure = Secure::accept(acceptor, socket.descriptor())?;
        Some(Stream { secure: Some(secure), socket })
    }

    /// Reads as `Secure::read` does.
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<ReadOutcome> {
        if let Some(secure) = &mut self.secure {
            return secure.read(buffer);
        }
        let result = match &mut self.socket {
            Socket::Tcp(stream) => stream.read(buffer),
            Socket::Unix(stream) => stream.read(buffer),
        };
        match result {
            Ok(0) => Ok(ReadOutcome::Ended),
            // A short read has emptied the socket, and an event reports new data; a full one may have left some.
            Ok(size) => Ok(ReadOutcome::Bytes(size, size == buffer.len())),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(ReadOutcome::Nothing(false)),
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

    /// The same for two pieces in order.
    pub fn write_both(&mut self, first: &[u8], second: &[u8]) -> io::Result<usize> {
        let pieces = [IoSlice::new(first), IoSlice::new(second)];
        match (&mut self.secure, &mut self.socket) {
            (Some(secure), _) => secure.write_both(first, second),
            (None, Socket::Tcp(stream)) => stream.write_vectored(&pieces),
            (None, Socket::Unix(stream)) => stream.write_vectored(&pieces),
        }
    }

    /// The size of encrypted output that is not sent yet.
    pub fn unsent(&self) -> usize {
        self.secure.as_ref().map_or(0, Secure::unsent)
    }

    /// Sends it as far as the socket accepts it; returns how much is left.
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

    /// Ends writing. TLS announces that first, which is incomplete while part of it is `unsent`.
    pub fn shutdown(&mut self) {
        if let Some(secure) = &mut self.secure {
            secure.goodbye();
            if secure.unsent() > 0 {
                return;
            }
        }
        // This fails if the client has disconnected.
        let _ = match &self.socket {
            Socket::Tcp(stream) => stream.shutdown(std::net::Shutdown::Write),
            Socket::Unix(stream) => stream.shutdown(std::net::Shutdown::Write),
        };
    }

    /// Ends a connection whose handshake failed: the client receives the alert. Its input is read, because closing a
    /// socket with unread input discards the output.
    pub fn turn_away(&mut self, buffer: &mut [u8]) {
        const MOST_READS: usize = 16;
        if self.secure.take().is_none() {
            return;
        }
        self.shutdown();
        for _ in 0..MOST_READS {
            match self.read(buffer) {
                Ok(ReadOutcome::Bytes(_, true)) => {}
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
                let _ = stream.set_nodelay(true); // without it responses are only slower
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
