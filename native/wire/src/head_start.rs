//! Variables by which the launcher has the native module start V8 as soon as the module is loaded.
//!
//! The launcher sets both; the native module restores the environment before anything else reads it.

/// Says what to start; its presence is the order.
pub const ORDER: &str = "_RT_HEAD_START";
/// Names the native module for the dynamic loader.
pub const PRELOAD: &str = "LD_PRELOAD";
