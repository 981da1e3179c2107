//! Calls that apply decorators to an element, and calls of what its decorators have added.
use oxc_allocator::{ArenaVec, TakeIn};
use oxc_ast::ast::*;

use super::accessors::{self, Key};
use super::class::{Parts, Turn};
use super::{LowerDecorators, quote};

impl<'a> LowerDecorators<'a> {
    /// Evaluates an element's decorators and computed key before the class.
    pub(super) fn begin(
        &mut self,
        key: &mut PropertyKey<'a>,
        is_computed: bool,
        decorators: ArenaVec<'a, Decorator<'a>>,
        parts: &mut Parts<'a>,
    ) -> (Key, usize) {
        parts.count += 1;
        let index = parts.count;
        let prefix = &parts.prefix;
        if !decorators.is_empty() {
            self.decorator_list(&mut parts.before, &format!("{prefix}_decorators_{index}"), decorators);
        }
        let temporary = format!("{prefix}_key_{index}");
        let (key, computed) = accessors::read_key(key, is_computed, &temporary, self.allocator);
        if let Some(computed) = computed {
            parts.before.extend(self.statements(&format!("const {temporary} = __rt_key($0);"), vec![computed]));
        }
        (key, index)
    }

    pub(super) fn decorator_list(
        &self,
        before: &mut ArenaVec<'a, Statement<'a>>,
        variable: &str,
        decorators: ArenaVec<'a, Decorator<'a>>,
    ) {
        let mut holes = Vec::new();
        let mut items = Vec::new();
        for decorator in decorators {
            // A decorator that is a member expression is called on its object.
            match decorator.expression {
                Expression::StaticMemberExpression(member)
                    if !matches!(member.object, Expression::Super(_)) && !member.optional =>
                {
                    let member = member.unbox();
                    let name = member.property.name;
                    items.push(format!("((o) => [o, o.{name}])(${})", holes.len()));
                    holes.push(member.object);
                }
                expression => {
                    items.push(format!("[void 0, ${}]", holes.len()));
                    holes.push(expression);
                }
            }
        }
        before.extend(self.statements(&format!("const {variable} = [{}];", items.join(", ")), holes));
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one call that is written out")]
    pub(super) fn apply(
        &self,
        parts: &mut Parts<'a>,
        turn: Turn,
        key: &Key,
        index: usize,
        kind: &str,
        is_static: bool,
        descriptor: &str,
        init: &str,
        extra: &str,
        holes: Vec<Expression<'a>>,
    ) {
        let prefix = &parts.prefix;
        let mut access = format!("has: (o) => {}", key.is_in("o"));
        if kind != "setter" {
            access.push_str(&format!(", get: (o) => {}", key.reach("o")));
        }
        if matches!(kind, "field" | "accessor" | "setter") {
            access.push_str(&format!(", set: (o, v) => {{ {} = v; }}", key.reach("o")));
        }
        let (name, is_private) = (&key.value, key.is_private);
        let call = format!(
            "__rt_decorate({prefix}_target, {descriptor}, {prefix}_decorators_{index}, {{ kind: \"{kind}\", name: {name}, \
             static: {is_static}, private: {is_private}, access: {{ {access} }}, metadata: {prefix}_metadata }}, \
             {init}, {extra});"
        );
        let target = if is_static { "this" } else { "this.prototype" };
        // Private names are valid only inside a class, so the call is parsed as part of one.
        let call = call.replacen(&format!("{prefix}_target"), target, 1);
        let mut elements = quote::elements(self.allocator, &format!("static {{ {call} }}"), holes);
        if let Some(ClassElement::StaticBlock(block)) = elements.first_mut() {
            parts.applications.push((turn, block.body.take_in(&self.allocator)));
        }
    }

    pub(super) fn initializers(&self, parts: &mut Parts<'a>, index: usize) -> (String, String) {
        let prefix = &parts.prefix;
        let (init, extra) = (format!("{prefix}_init_{index}"), format!("{prefix}_extra_{index}"));
        parts.before.extend(self.statements(&format!("const {init} = [], {extra} = [];"), Vec::new()));
        (init, extra)
    }

    pub(super) fn wrap_initializer(&self, init: &str, value: Option<Expression<'a>>) -> Expression<'a> {
        match value {
            Some(value) => self.expression(&format!("__rt_run(this, {init}, $0)"), vec![value]),
            None => self.expression(&format!("__rt_run(this, {init}, void 0)"), Vec::new()),
        }
    }

    /// Initializers added by decorators run right after their field.
    pub(super) fn run_extra(&self, parts: &mut Parts<'a>, index: usize, extra: &str, is_static: bool) {
        let prefix = &parts.prefix;
        let template = if is_static {
            format!("static {{ __rt_run({prefix}_this, {extra}); }}")
        } else {
            format!("#{prefix}_run_{index} = __rt_run(this, {extra});")
        };
        parts.elements.extend(quote::elements(self.allocator, &template, Vec::new()));
    }
}
