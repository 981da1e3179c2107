//! The heap of an engine: statistics, garbage collections, queries, snapshots, and reports of fatal errors.
pub mod collections;
pub mod fatal_report;
pub mod near_limit;
pub mod query;
pub mod statistics;
