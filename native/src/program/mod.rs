//! A program that asks nothing of Python, run without it: from the process's start to its exit status.
//!
//! The launcher hands over what Python has kept of the program (`kept`); the process is the interpreter's, whose `main` is
//! not called (`entrance`) but where the program turns out to need Python before its first line. `life` is what
//! `rt_supervisor/engine_worker/program/worker.py` does, for what is plain. The first thing that only Python can do, at
//! whatever moment, starts the interpreter inside the running program and gives it engine, loop and modules
//! (`adoption`): nothing that a program does is refused here.
mod adoption;
mod commonjs;
mod compile_cache;
mod entrance;
mod imports;
mod kept;
mod life;
mod start_values;

pub fn register(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
    adoption::register(module)
}
