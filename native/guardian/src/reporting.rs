//! Sends reports to rt without waiting.
//!
//! rt waits while it sends an order for which the channel has no room. A guardian that waited for room for its report would never
//! receive that order: reports that do not fit are kept, and sent when rt has read earlier ones.
use std::ffi::c_short;

use crate::passing;
use crate::terminal::Opened;
use rt_wire::frames::frame_of;
use rt_wire::protocol::Report;

#[derive(Default)]
pub struct Reports {
    unsent: Vec<u8>,
}

impl Reports {
    pub fn send(&mut self, channel: &Opened, report: &Report) {
        self.unsent.extend(frame_of(&report.encode()));
        self.send_kept(channel);
    }

    /// Sends what fits of the reports that are kept.
    pub fn send_kept(&mut self, channel: &Opened) {
        while !self.unsent.is_empty() {
            match passing::send(channel, &self.unsent, &[], libc::MSG_DONTWAIT) {
                Ok(sent) => drop(self.unsent.drain(..sent)),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return,
                Err(_) => self.unsent.clear(), // rt has ended, and the next read of the channel reports that
            }
        }
    }

    /// The events of the channel to poll for besides `POLLIN`.
    pub fn awaited(&self) -> c_short {
        if self.unsent.is_empty() { 0 } else { libc::POLLOUT }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system;
    use rt_wire::frames::Frames;

    #[test]
    fn reports_that_do_not_fit_are_sent_later_in_order() {
        const COUNT: u32 = 5000; // more than a socket takes
        let (ours, theirs) = system::channel(libc::SOCK_STREAM).unwrap_or_else(|_| unreachable!());
        let mut reports = Reports::default();
        (0..COUNT).for_each(|key| reports.send(&ours, &Report::Started { key, pid: 1, given: 0 }));
        assert_eq!(reports.awaited(), libc::POLLOUT);
        let (mut frames, mut buffer, mut keys) = (Frames::default(), [0; 1 << 12], Vec::new());
        while keys.len() < COUNT as usize {
            let count = passing::receive(&theirs, &mut buffer).map_or(0, |(count, _)| count);
            frames.feed(&buffer[..count]);
            while let Ok(Some(message)) = frames.next_message() {
                match Report::decode(&message) {
                    Some(Report::Started { key, .. }) => keys.push(key),
                    _ => unreachable!(),
                }
            }
            reports.send_kept(&ours);
        }
        assert_eq!(keys, (0..COUNT).collect::<Vec<_>>());
        assert_eq!(reports.awaited(), 0);
        drop(theirs);
        reports.send(&ours, &Report::Started { key: 0, pid: 1, given: 0 });
        assert_eq!(reports.awaited(), 0);
    }
}
