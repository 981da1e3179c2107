//! A program's modules before they are linked: the whole graph read, transpiled and resolved in parallel.
pub mod graph;
