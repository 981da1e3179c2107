//! The tables of an engine for `node:vm`: scripts, modules and microtask queues by number.
//!
//! Weak callbacks run in the collector and must not release anything, so they move entries to the `dead_` lists, which
//! the next script, module or queue empties.
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use crate::v8::modules::graph::Data;
use crate::v8::values::scope::Global;

#[derive(Default)]
pub struct Tables {
    pub scripts: RefCell<HashMap<i32, Global>>,
    pub dead_scripts: RefCell<Vec<Global>>,
    pub modules: RefCell<HashMap<i32, Arc<Data>>>,
    pub dead_modules: RefCell<Vec<Arc<Data>>>,
    /// The last number of a script or a module.
    pub last_script: Cell<i32>,
    pub queues: RefCell<HashMap<i32, usize>>,
    pub dead_queues: RefCell<Vec<usize>>,
    pub last_queue: Cell<i32>,
    /// The template for the global objects of contexts.
    pub template: RefCell<Option<Global>>,
    pub contexts_in_the_making: Cell<u32>,
}
