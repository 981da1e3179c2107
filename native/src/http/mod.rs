//! HTTP/1 on the wire: what `node:http`, `fetch` and `RT.serve` read. It does no input or output and knows nothing of V8;
//! `http/parser_functions.rs` hands bytes in and results to JavaScript.
//!
//! The parser is strict where senders and receivers that disagree can be played off against each other (two lengths, bare
//! CR or LF, blanks in names, folded lines), and names each failure as Node's parser does: programs match on its codes.
mod chunked;
mod connection;
mod controls;
mod file_functions;
mod file_part;
mod head;
mod methods;
mod parser;
mod parser_functions;
mod secure;
mod server;
mod server_functions;
mod sockets;
mod tls_functions;

use crate::v8::Natives;

pub const NATIVES: &[Natives] =
    &[file_functions::NATIVES, parser_functions::NATIVES, server_functions::NATIVES, tls_functions::NATIVES];

/// Why a message cannot be read: Node's code without "HPE_", and its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Problem {
    pub code: &'static str,
    pub reason: &'static str,
}

pub const fn problem(code: &'static str, reason: &'static str) -> Problem {
    Problem { code, reason }
}
