//! A few threads for blocking work, started on demand and ended with their loop.
//!
//! As in Node there are four, or UV_THREADPOOL_SIZE. Closing waits for running and queued work.
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::v8::with_signals_blocked;

pub type Job = Box<dyn FnOnce() + Send>;

const USUAL_THREADS: usize = 4;
const MOST_THREADS: usize = 1024;
const STACK_BYTES: usize = 512 * 1024;

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    idle: usize,
    is_closing: bool,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    has_work: Condvar,
}

#[derive(Default)]
pub struct Pool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// Runs `job` on a thread; if no thread is available, it runs here at once.
    pub fn submit(&mut self, job: Job) {
        let mut queue = self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.jobs.push_back(job);
        let is_enough = queue.idle >= queue.jobs.len() || self.threads.len() >= size();
        drop(queue);
        if is_enough {
            self.shared.has_work.notify_one();
            return;
        }
        let shared = self.shared.clone();
        let thread = std::thread::Builder::new().name("rt-pool".to_owned()).stack_size(STACK_BYTES);
        // Signals are for the program's thread.
        match with_signals_blocked(|| thread.spawn(move || work(&shared))) {
            Ok(thread) => self.threads.push(thread),
            Err(_) if self.threads.is_empty() => {
                let job = self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner).jobs.pop_back();
                if let Some(job) = job {
                    job();
                }
            }
            Err(_) => {}
        }
    }

    /// Wait for all work, and end the threads.
    pub fn close(&mut self) {
        self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner).is_closing = true;
        self.shared.has_work.notify_all();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn work(shared: &Shared) {
    let mut queue = shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        while let Some(job) = queue.jobs.pop_front() {
            drop(queue);
            job();
            queue = shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
        }
        if queue.is_closing {
            return;
        }
        queue.idle += 1;
        queue = shared.has_work.wait(queue).unwrap_or_else(PoisonError::into_inner);
        queue.idle -= 1;
    }
}

fn size() -> usize {
    let requested = std::env::var("UV_THREADPOOL_SIZE").ok().and_then(|text| text.trim().parse().ok());
    requested.filter(|size| *size > 0).unwrap_or(USUAL_THREADS).min(MOST_THREADS)
}
