//! Native addons: Node-API (`node_api.h`), on V8's binding and the loop.
//!
//! `loading` opens an addon's library and calls its entry with an environment (`env`); what the addon calls then are the
//! functions named `napi_…` of the other files, an area a file, which this library exports. `engine` is what all addons of an
//! engine share, `cleanup` their end. A program without addons runs nothing of this.
use pyo3::prelude::*;

mod buffers;
mod callbacks;
mod classes;
mod cleanup;
mod engine;
mod env;
mod errors;
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

pub fn register(_module: &Bound<'_, PyModule>) -> PyResult<()> {
    crate::v8::offer(loading::NATIVES);
    Ok(())
}
