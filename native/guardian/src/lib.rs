//! The run core: starts, guards and supervises the processes of scripts. It knows no Python and has no messages itself.
//!
//! What runs, and every message that may be printed about it, is in a record of `rt_wire`: `carry_out` executes the
//! `Decision` of one script with a `foreground::Foreground`, `supervise` the `Plan` of several. Both start processes
//! through a `guardian::Guardian`, as does a run that Python supervises.
pub mod carry_out;
pub mod child_guard;
pub mod client;
pub mod foreground;
pub mod guardian;
mod leftovers;
pub mod marked;
pub mod passing;
pub mod pending;
pub mod pseudo_terminal;
mod reporting;
pub mod run;
mod scripts;
pub mod signals;
pub mod spawn;
pub mod starter;
mod starts;
pub mod supervise;
pub mod system;
pub mod terminal;
pub mod tracing;
pub mod tree;
pub mod zygote;
