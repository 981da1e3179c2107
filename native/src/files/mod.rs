//! Files: change detection, paths, and the cache between runs.
pub mod beside;
pub mod cache;
pub mod digests;
pub mod identities;
pub mod outputs;
pub mod paths;
pub mod permission;
pub mod regular;
pub mod stamps;
