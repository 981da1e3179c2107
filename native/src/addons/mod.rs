//! Native addons: Node-API (`node_api.h`), on V8's binding and the loop.
//!
//! `loading` opens an addon's library and calls its entry with an environment (`env`); what the addon calls then are the
//! functions named `napi_…` of the other files, an area a file, which this library exports. `engine` is what all addons of an
//! engine share, `cleanup` their end. A program without addons runs nothing of this.
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

/// What every engine is to know of this.
pub const NATIVES: &[Natives] = &[loading::NATIVES];
