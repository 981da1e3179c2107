//! Databases for `node:sqlite` and `rt:sqlite`: SQLite's objects as numbers that JavaScript holds, rows as its values.
//!
//! `library` finds SQLite when the first database is opened; `held` has the objects of this thread's engine, which end when
//! their JavaScript objects are collected. `connection`, `statement`, `functions`, `sessions` and `backup` are what a program
//! does with them; `values` and `errors` are what passes the border.
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

/// What every engine is to know of this.
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
