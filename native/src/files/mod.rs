//! Files: whether they have changed since they were looked at, paths, and what is kept between runs.
pub mod beside;
pub mod cache;
pub mod identities;
pub mod paths;
pub mod permission;
pub mod regular;
pub mod stamps;
