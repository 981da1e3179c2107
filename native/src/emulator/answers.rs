//! The events of the emulator: replies to queries of the script, and the title.
use std::cell::RefCell;
use std::rc::Rc;

use alacritty_terminal::event::{Event, EventListener};

/// The longest title that is kept, in characters.
const LONGEST_TITLE: usize = 200;

#[derive(Default)]
struct Collected {
    /// Bytes for the input of the script.
    replies: Vec<u8>,
    title: String,
}

/// Collects the events of one emulator.
#[derive(Clone, Default)]
pub struct Answers(Rc<RefCell<Collected>>);

impl Answers {
    pub fn take_replies(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.borrow_mut().replies)
    }

    pub fn title(&self) -> String {
        self.0.borrow().title.clone()
    }
}

impl EventListener for Answers {
    /// Ignores the clipboard, colours of the user's terminal and the size in pixels: programs treat a missing reply as "unknown".
    fn send_event(&self, event: Event) {
        let mut collected = self.0.borrow_mut();
        match event {
            Event::PtyWrite(text) => collected.replies.extend_from_slice(text.as_bytes()),
            Event::Title(title) => {
                collected.title = title.chars().filter(|each| !each.is_control()).take(LONGEST_TITLE).collect();
            }
            Event::ResetTitle => collected.title.clear(),
            _ => {}
        }
    }
}
