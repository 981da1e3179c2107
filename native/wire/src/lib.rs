//! Formats of the records that rt's processes exchange (`frames`, `protocol`) and cache (`answer` with its `decision`, `plan` or
//! `program`), and the rules by which a cached record is trusted (`evidence`, `trust`).
//!
//! The launcher, the guardian and the native module share them. Nothing here starts a process or prints.
pub mod answer;
pub mod decision;
pub mod evidence;
pub mod frames;
pub mod head_start;
pub mod outcome;
pub mod plan;
pub mod program;
pub mod protocol;
pub mod template;
pub mod trust;
