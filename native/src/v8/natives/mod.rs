//! Host functions that only V8 can implement: text and bytes, and what JavaScript cannot see of its own values.
pub mod bytes_text;
pub mod file_buffers;
pub mod introspection;
pub mod kind_tests;
pub mod running;
pub mod text;
