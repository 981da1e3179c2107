//! The names that distinguish the kinds of modules.

/// Names with a meaning in one kind of module only.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub require: bool,
    pub module: bool,
    pub exports: bool,
    pub filename: bool,
    pub dirname: bool,
    /// `this` outside functions.
    pub this: bool,
    /// `await` is a name, which is invalid in a module: `await (task)` calls it.
    pub awaits: bool,
}

impl Names {
    /// Returns whether there is a name that only CommonJS provides.
    pub fn any(&self) -> bool {
        self.require || self.module || self.exports || self.filename || self.dirname || self.this
    }

    /// Record that a name is read or called.
    pub fn meet(&mut self, name: &str) {
        match name {
            "require" => self.require = true,
            "module" => self.module = true,
            "exports" => self.exports = true,
            "__filename" => self.filename = true,
            "__dirname" => self.dirname = true,
            "await" => self.awaits = true,
            _ => {}
        }
    }
}
