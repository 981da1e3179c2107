//! What of rt runs without Python: starting scripts, guarding them, and carrying out what was decided about one.
//!
//! Nothing here decides. What is to be run, what is printed about it and with which words comes from Python as a
//! `decision::Decision`, which `carry_out` does with a `foreground::Foreground`, or for several scripts as a `plan::Plan`, which
//! `supervise` does. Both have a `guardian::Guardian`, and so has Python, where it supervises.
pub mod answer;
pub mod carry_out;
pub mod child_guard;
pub mod client;
pub mod decision;
pub mod evidence;
pub mod foreground;
pub mod frames;
pub mod guardian;
pub mod head_start;
pub mod image;
mod leftovers;
pub mod marked;
mod output;
pub mod passing;
pub mod pending;
pub mod plan;
mod prefixed;
mod printing;
pub mod program;
pub mod protocol;
mod schedule;
mod scripts;
pub mod signals;
pub mod spawn;
pub mod starter;
mod starts;
pub mod supervise;
pub mod system;
pub mod terminal;
pub mod tree;
pub mod trust;
pub mod zygote;
