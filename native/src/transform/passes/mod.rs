//! The changes to a syntax tree that are this program's own, one file an idea.
//!
//! Each pass leaves a tree that can be analysed anew; none keeps scopes up to date.
pub mod completion;
pub mod drop;
pub mod pure;
pub mod quote;
