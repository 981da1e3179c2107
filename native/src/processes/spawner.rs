//! The Python guardian's end of the threads that start processes (`rt_start::starter`); they touch no Python object.
use crate::class;
use crate::processes::spawn::{os_error, value_error};
use pyo3::prelude::*;
use rt_start::pending::Witness;
use rt_start::spawn::{Extras, Order, c_strings, refusal};
use rt_start::starter::{self, Starter};
use std::ffi::c_int;

type Row = (u32, libc::pid_t, u64, c_int, String, Option<String>);

/// A pool that starts processes; see `_native.pyi`.
#[pyclass(frozen)]
struct Spawner {
    starter: Starter,
}

#[pymethods]
impl Spawner {
    #[new]
    fn new(threads: usize) -> PyResult<Spawner> {
        Ok(Spawner { starter: Starter::new(threads).map_err(|error| os_error(refusal(error, None)))? })
    }

    fn fileno(&self) -> c_int {
        self.starter.descriptor()
    }

    #[allow(clippy::too_many_arguments)] // one flat call across the border
    fn submit(
        &self,
        key: u32,
        argv: Vec<Vec<u8>>,
        direct: Vec<Vec<u8>>,
        environment: Vec<Vec<u8>>,
        folder: Vec<u8>,
        descriptors: [c_int; 3],
        group: c_int,
        ignored: u64,
        witness: Option<(libc::pid_t, u64)>,
    ) -> PyResult<()> {
        let witness = witness.map(|(pid, watched)| Witness::new(pid, watched));
        let extras = Extras { direct: c_strings(direct).map_err(value_error)?, ..Extras::default() };
        let order = Order::new(argv, environment, folder, descriptors.into(), group, ignored, extras, witness)
            .map_err(value_error)?;
        self.starter.submit(key, order);
        Ok(())
    }

    fn take(&self) -> Vec<Row> {
        let row = |(key, result): (u32, starter::Result)| match result {
            Ok(started) => (key, started.pid, started.raised, 0, String::new(), None),
            Err(refused) => (key, 0, 0, refused.errno, refused.words, refused.path),
        };
        self.starter.take().into_iter().map(row).collect()
    }

    fn settle(&self, py: Python<'_>, at_most: usize) {
        py.detach(|| self.starter.settle(at_most));
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<Spawner>(module)
}
