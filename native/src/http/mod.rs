//! HTTP/1 on the wire, for `node:http`, `fetch` and `RT.serve`. The parser performs no input or output and knows
//! nothing of V8; `parser_functions` and `server_functions` connect it and the servers to JavaScript.
//!
//! The parser is strict where senders and receivers that disagree could be exploited (two lengths, bare CR or LF,
//! whitespace in names, folded lines), unless a program requests the insecure form (`lenient`). Its error codes are those of Node's parser, because programs match on them.
mod body_target;
mod chunked;
mod connection;
mod controls;
mod file_functions;
mod file_part;
mod head;
mod lenient;
mod methods;
mod numbers;
mod parser;
mod parser_functions;
mod secure;
mod server;
mod server_functions;
mod sockets;
mod tls_functions;

use crate::v8::Natives;

pub const NATIVES: &[Natives] = &[
    file_functions::NATIVES,
    numbers::NATIVES,
    parser_functions::NATIVES,
    server_functions::NATIVES,
    tls_functions::NATIVES,
];

/// Why a message is invalid: Node's code without "HPE_", and its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Problem {
    pub code: &'static str,
    pub reason: &'static str,
}

pub const fn problem(code: &'static str, reason: &'static str) -> Problem {
    Problem { code, reason }
}
