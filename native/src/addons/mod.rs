//! Native addons: Node-API (`node_api.h`), on V8's binding and the loop.
//!
//! `loading` opens an addon's library and calls its entry with an environment (`env`). The addon then calls the
//! `napi_…` functions of the other files, one area per file, which this library exports. `engine` holds what all addons
//! of an engine share, `cleanup` ends them. Programs without addons run none of this.
use crate::v8::Natives;

mod buffers;
mod callbacks;
mod classes;
mod cleanup;
mod engine;
mod env;
mod errors;
mod external_strings;
pub mod fatal;
mod functions;
mod handles;
mod loading;
mod missing;
mod objects;
mod promises;
mod references;
mod strings;
mod threadsafe;
mod thrown;
mod types;
mod uv;
mod values;
mod work;

/// The functions that JavaScript calls.
pub const NATIVES: &[Natives] = &[loading::NATIVES];
