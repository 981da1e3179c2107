//! What upper rooms store with an engine: one value of each type, created on first use.
//!
//! The types belong to those rooms, so this room names none of them. The values are dropped after the engine's isolate
//! is disposed of, and before a snapshot is made of the isolate.
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

#[derive(Default)]
pub struct Slots(RefCell<Vec<Rc<dyn Any>>>);

impl Slots {
    /// The engine's value of type `T`.
    pub fn get<T: Default + 'static>(&self) -> Rc<T> {
        let found = self.0.borrow().iter().find_map(|value| value.clone().downcast().ok());
        found.unwrap_or_else(|| {
            let value = Rc::new(T::default());
            self.0.borrow_mut().push(value.clone());
            value
        })
    }

    /// Drops every value. A destructor may request a value again; it receives a new one.
    pub fn clear(&self) {
        drop(self.0.take());
    }
}
