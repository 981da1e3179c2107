//! Formats of the records that rt's processes exchange (`frames`, `protocol`) and cache (`cached_start` with its `decision`,
//! `plan` or `program`), the rules by which a cached record is trusted (`dependencies`, `trust`), and where it is stored
//! (`cache_home`); and the interfaces of the crypto library (`crypto_calls`, `tls_functions`)
//! and the library of colours (`color_call`).
//!
//! `debug_log` writes the lines of debug builds.
//!
//! The launcher, the guardian, the native module and both libraries share them. Nothing else here starts a process or prints.
pub mod cache_home;
pub mod cached_start;
pub mod color_call;
pub mod crypto_calls;
pub mod debug_log;
pub mod decision;
pub mod dependencies;
pub mod frames;
pub mod head_start;
pub mod outcome;
pub mod plan;
pub mod program;
pub mod protocol;
pub mod template;
pub mod tls_functions;
pub mod trust;
