//! How a loop waits: for how long, what it notes of it, and what it gives back when nothing comes.
use super::core::Core;
use super::poller::Ready;
use crate::v8::api::allocator;
use crate::v8::api::blocks;

/// How long the loop is idle before it gives kept memory back.
const LULL_MS: i64 = 250;

impl Core {
    /// Wait for what is ready. While freed blocks are kept, the wait ends after a lull, which gives them back.
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
