//! Databases for `node:sqlite` and `rt:sqlite`: SQLite's objects as numbers that JavaScript holds, rows as JavaScript
//! values.
//!
//! `library` loads SQLite with the first database; `held` has the objects of this thread's engine, which end when their
//! JavaScript objects are collected. `connection`, `statement`, `functions`, `sessions` and `backup` implement the
//! operations; `values` and `errors` convert between the two sides.
use crate::v8::Natives;

mod backup;
mod callbacks;
mod connection;
mod errors;
mod functions;
mod held;
mod library;
mod reading;
mod sessions;
mod statement;
mod statement_facts;
mod storing;
mod values;

/// The functions that JavaScript calls.
pub const NATIVES: &[Natives] = &[
    connection::NATIVES,
    storing::NATIVES,
    statement::NATIVES,
    statement_facts::NATIVES,
    functions::NATIVES,
    callbacks::NATIVES,
    sessions::NATIVES,
    backup::NATIVES,
];
