//! What of rt runs without Python: starting scripts, guarding them, and carrying out what was decided about one.
//!
//! Nothing here decides. What is to be run, what is printed about it and with which words comes from Python as a
//! `decision::Decision`; `carry_out` does it with a `foreground::Foreground`, which forks a `guardian::Guardian`.
pub mod answer;
pub mod carry_out;
pub mod decision;
pub mod evidence;
pub mod foreground;
pub mod guardian;
pub mod head_start;
pub mod image;
pub mod marked;
pub mod pending;
pub mod protocol;
pub mod signals;
pub mod spawn;
pub mod system;
pub mod terminal;
pub mod tree;
pub mod trust;
