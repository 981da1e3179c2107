//! What of rt runs without Python: starting scripts, guarding them, and carrying out what was decided about one.
//!
//! Nothing here decides. What is to be run, what is printed about it and with which words comes from Python as a
//! `decision::Decision`; `carry_out` does it with a `foreground::Foreground`, which has a `guardian::Guardian`. That is the
//! guardian of several scripts, too, which Python orders.
pub mod answer;
pub mod carry_out;
pub mod decision;
pub mod evidence;
pub mod foreground;
pub mod frames;
pub mod guardian;
pub mod head_start;
pub mod image;
mod leftovers;
pub mod marked;
pub mod passing;
pub mod pending;
pub mod protocol;
mod scripts;
pub mod signals;
pub mod spawn;
pub mod starter;
mod starts;
pub mod system;
pub mod terminal;
pub mod tree;
pub mod trust;
mod zygote;
