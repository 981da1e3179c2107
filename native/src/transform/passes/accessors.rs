//! `accessor x = 1`: a private field with a getter and a setter, which the engine does not support.
use oxc_allocator::{Allocator, ArenaVec, TakeIn};
use oxc_ast::ast::*;

use super::{naming, quote};

/// An element's name as text, if it has one, and how to access it on an object `o`.
#[derive(Clone, Debug)]
pub struct Key {
    /// As an element is written: `x`, `#x`, `"a-b"`, `[_key_1]`.
    pub element: String,
    /// As a value: `"x"`, `"#x"`, `_key_1`.
    pub value: String,
    pub is_private: bool,
}

impl Key {
    pub fn reach(&self, object: &str) -> String {
        if self.is_private { format!("{object}.{}", self.element) } else { format!("{object}[{}]", self.value) }
    }

    pub fn is_in(&self, object: &str) -> String {
        if self.is_private { format!("{} in {object}", self.element) } else { format!("{} in {object}", self.value) }
    }
}

/// Read a literal key; a computed one is moved to the variable `temporary` and returned.
pub fn read_key<'a>(
    key: &mut PropertyKey<'a>,
    is_computed: bool,
    temporary: &str,
    allocator: &'a Allocator,
) -> (Key, Option<Expression<'a>>) {
    let plain = |element: String, value: String, is_private| (Key { element, value, is_private }, None);
    match key {
        PropertyKey::StaticIdentifier(name) => plain(name.name.to_string(), quote::string(&name.name), false),
        PropertyKey::PrivateIdentifier(name) => {
            plain(format!("#{}", name.name), quote::string(&format!("#{}", name.name)), true)
        }
        PropertyKey::StringLiteral(name) if !is_computed => {
            let text = quote::string(&name.value);
            plain(text.clone(), text, false)
        }
        PropertyKey::NumericLiteral(number) if !is_computed => {
            let text = quote::string(&number.to_string());
            plain(number.to_string(), text, false)
        }
        key => {
            let expression = key.take_in(&allocator).into_expression();
            let name = quote::expression(allocator, temporary, Vec::new());
            *key = PropertyKey::from(name);
            let element = format!("[{temporary}]");
            (Key { element, value: temporary.to_string(), is_private: false }, Some(expression))
        }
    }
}

/// The elements that replace an auto-accessor; `initial` is the first value of the field `storage`.
pub fn lower<'a>(
    key: &Key,
    storage: &str,
    initial: Option<Expression<'a>>,
    is_static: bool,
    allocator: &'a Allocator,
) -> ArenaVec<'a, ClassElement<'a>> {
    let prefix = if is_static { "static " } else { "" };
    let name = &key.element;
    let (value, holes) = match initial {
        Some(initial) => (" = $0", vec![naming::named(initial, &key.value, allocator)]),
        None => ("", Vec::new()),
    };
    let template = format!(
        "{prefix}{storage}{value}; {prefix}get {name}() {{ return this.{storage}; }} \
         {prefix}set {name}(value) {{ this.{storage} = value; }}"
    );
    quote::elements(allocator, &template, holes)
}
