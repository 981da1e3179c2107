//! Objects that JavaScript refers to by number: added, looked up, removed. A number is never reused.
use crate::values::Outcome;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// The last number, and the object of each.
type Numbered<T> = (u64, HashMap<u64, Arc<T>>);

pub struct Table<T> {
    inner: Mutex<Option<Numbered<T>>>,
}

impl<T> Table<T> {
    pub const fn new() -> Table<T> {
        Table { inner: Mutex::new(None) }
    }

    pub fn add(&self, item: T) -> u64 {
        self.share(Arc::new(item))
    }

    pub fn share(&self, item: Arc<T>) -> u64 {
        let mut inner = self.inner.lock().expect("no holder panics");
        let (last, items) = inner.get_or_insert_with(|| (0, HashMap::new()));
        *last += 1;
        items.insert(*last, item);
        *last
    }

    pub fn get(&self, number: u64) -> Outcome<Arc<T>> {
        let inner = self.inner.lock().expect("no holder panics");
        let found = inner.as_ref().and_then(|(_, items)| items.get(&number)).cloned();
        found.ok_or_else(|| crate::errors::plain("this object of the crypto library is gone"))
    }

    pub fn remove(&self, number: u64) -> Option<Arc<T>> {
        self.inner.lock().expect("no holder panics").as_mut()?.1.remove(&number)
    }
}
