//! HTTP/1 on the wire: what `node:http`, `fetch` and `RT.serve` read. It does no input or output and knows nothing of V8;
//! `v8/http.rs` hands bytes in and results to JavaScript.
//!
//! The parser is strict where senders and receivers that disagree can be played off against each other (two lengths, bare
//! CR or LF, blanks in names, folded lines), and names each failure as Node's parser does: programs match on its codes.
pub mod chunked;
pub mod connection;
mod controls;
pub mod file_part;
pub mod head;
mod methods;
pub mod parser;
pub mod secure;
pub mod server;
pub mod sockets;

/// Why a message cannot be read: Node's code without "HPE_", and its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Problem {
    pub code: &'static str,
    pub reason: &'static str,
}

pub const fn problem(code: &'static str, reason: &'static str) -> Problem {
    Problem { code, reason }
}
