//! Waiting: its duration, its statistics, and the release of memory while the loop is idle.
use super::core::Core;
use super::poller::Ready;
use crate::v8::api::allocator;
use crate::v8::api::blocks;

/// How long the loop is idle before it frees recycled blocks.
const LULL_MS: i64 = 250;

impl Core {
    /// Waits until something is ready. While there are recycled blocks, a wait is limited; they are freed if it expires.
    pub(super) fn wait(&self, timeout_ms: i64) -> rustix::io::Result<Vec<Ready>> {
        let times = &self.inbox.times;
        if timeout_ms == 0 || times.counts_waiting() {
            let ready = self.poller.wait(0)?;
            if timeout_ms == 0 || !ready.is_empty() {
                times.were_waiting(ready.len());
                return Ok(ready);
            }
        }
        let ready = times.waiting(|| self.wait_idly(timeout_ms))?;
        times.came(ready.len());
        Ok(ready)
    }

    fn wait_idly(&self, timeout_ms: i64) -> rustix::io::Result<Vec<Ready>> {
        if timeout_ms < LULL_MS || !blocks::are_kept() {
            return self.poller.wait(if timeout_ms == i64::MAX { -1 } else { timeout_ms });
        }
        let ready = self.poller.wait(LULL_MS)?;
        if ready.is_empty() {
            allocator::give_back();
        }
        Ok(ready)
    }
}
