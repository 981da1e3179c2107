//! Formats of the records that rt's processes exchange (`frames`, `protocol`) and cache (`cached_start` with its `decision`,
//! `plan` or `program`), the rules by which a cached record is trusted (`dependencies`, `trust`), and where it is stored
//! (`cache_home`).
//!
//! The launcher, the guardian and the native module share them. Nothing here starts a process or prints.
pub mod cache_home;
pub mod cached_start;
pub mod decision;
pub mod dependencies;
pub mod frames;
pub mod head_start;
pub mod outcome;
pub mod plan;
pub mod program;
pub mod protocol;
pub mod template;
pub mod trust;
