//! Standard (TC39) decorators and auto-accessors, as code that the engine runs.
//!
//! A decorated class becomes a function that is called at once: decorators and computed keys are evaluated
//! first, in the order of the source; a static block at the head of the class applies them in the order of
//! the standard (static methods, methods, static fields, fields, the class); initializers run from fields
//! that stand where the standard wants them. `helpers.js` holds what all classes share.
use oxc_allocator::{Allocator, ArenaBox, ArenaVec, TakeIn};
use oxc_ast::ast::*;
use oxc_ast::builder::AstBuilder;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_diagnostics::OxcDiagnostic;
use oxc_span::SPAN;
use oxc_syntax::scope::ScopeFlags;

use super::accessors::{self, Key};
use super::quote;

/// Defines `__rt_decorate`, `__rt_run`, `__rt_metadata` and `__rt_key`.
pub const HELPERS: &str = include_str!("decorators.js");

pub struct LowerDecorators<'a> {
    allocator: &'a Allocator,
    builder: AstBuilder<'a>,
    counter: usize,
    /// Keys of accessors in classes that stay where they are, to be declared in front of the program.
    pub temporaries: Vec<String>,
    pub needs_helpers: bool,
    pub changed: bool,
    pub failures: Vec<OxcDiagnostic>,
}

/// The order in which the standard applies the decorators of elements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    StaticMethod,
    Method,
    StaticField,
    Field,
}

/// What one class collects while its elements are lowered.
struct Parts<'a> {
    prefix: String,
    is_decorated: bool,
    /// Statements in front of the class, in order of evaluation.
    before: ArenaVec<'a, Statement<'a>>,
    /// `__rt_decorate(…)` calls with their turn.
    applications: Vec<(Turn, ArenaVec<'a, Statement<'a>>)>,
    elements: ArenaVec<'a, ClassElement<'a>>,
    has_method_decorators: bool,
    count: usize,
}

impl<'a> LowerDecorators<'a> {
    pub fn new(allocator: &'a Allocator) -> Self {
        Self {
            allocator,
            builder: AstBuilder::new(allocator),
            counter: 0,
            temporaries: Vec::new(),
            needs_helpers: false,
            changed: false,
            failures: Vec::new(),
        }
    }

    /// Lowers a class with decorators to an expression; `name` is what an anonymous class would be called.
    fn lower_class(&mut self, mut class: Class<'a>, name: Option<&str>) -> Expression<'a> {
        self.needs_helpers = true;
        self.changed = true;
        self.counter += 1;
        let mut parts = Parts {
            prefix: format!("_d{}", self.counter),
            is_decorated: !class.decorators.is_empty(),
            before: ArenaVec::new_in(&self.builder),
            applications: Vec::new(),
            elements: ArenaVec::new_in(&self.builder),
            has_method_decorators: false,
            count: 0,
        };
        let prefix = parts.prefix.clone();
        let own_name = class.id.as_ref().map(|id| id.name.to_string());
        let variable = own_name.clone().unwrap_or_else(|| format!("{prefix}_class"));
        let is_decorated = parts.is_decorated;
        if is_decorated {
            let decorators = class.decorators.take_in(&self.allocator);
            self.decorator_list(&mut parts.before, &format!("{prefix}_classDecorators"), decorators);
        }
        let mut base = "null".to_string();
        if let Some(heritage) = &mut class.heritage {
            base = format!("{prefix}_base");
            let value = heritage.expression.take_in(&self.allocator);
            parts.before.extend(self.statements(&format!("const {base} = $0;"), vec![value]));
            heritage.expression = self.expression(&base, Vec::new());
        }
        for element in class.body.body.take_in(&self.allocator) {
            self.lower_element(element, &mut parts);
        }
        class.body.body = self.assemble(&mut parts, &variable, own_name.as_deref(), &base);
        class.id = None;
        class.r#type = ClassType::ClassExpression;
        let value = Expression::ClassExpression(ArenaBox::new_in(class, &self.builder));
        let shown = own_name.as_deref().or(name);
        let assigned = match shown {
            Some(shown) if shown != variable => {
                let shown = quote::string(shown);
                format!("{variable} = ({{ {shown}: $0 }})[{shown}]")
            }
            _ => format!("{variable} = $0"),
        };
        let declared = format!(
            "let {variable}, {prefix}_this, {prefix}_metadata; \
             const {prefix}_staticExtra = [], {prefix}_protoExtra = [], {prefix}_classExtra = [];"
        );
        let mut body = self.statements(&declared, Vec::new());
        body.extend(parts.before);
        body.extend(self.statements(&format!("{assigned};"), vec![value]));
        body.extend(self.statements(&format!("return_({variable} = {prefix}_this);"), Vec::new()));
        let mut call = self.expression("(() => {})()", Vec::new());
        if let Expression::CallExpression(call) = &mut call
            && let Expression::ArrowFunctionExpression(arrow) = &mut call.callee
            && let ArrowFunctionBody::FunctionBody(function_body) = &mut arrow.body
        {
            function_body.statements = self.with_return(body);
        }
        call
    }

    /// `return` does not parse outside a function, so the template says `return_(value)`.
    fn with_return(&self, mut body: ArenaVec<'a, Statement<'a>>) -> ArenaVec<'a, Statement<'a>> {
        if let Some(Statement::ExpressionStatement(statement)) = body.last_mut()
            && let Expression::CallExpression(call) = &mut statement.expression
            && let Some(value) = call.arguments.pop()
        {
            let value = value.into_expression();
            body.pop();
            body.push(Statement::new_return_statement(SPAN, Some(value), &self.builder));
        }
        body
    }

    fn lower_element(&mut self, element: ClassElement<'a>, parts: &mut Parts<'a>) {
        match element {
            ClassElement::MethodDefinition(method)
                if !method.decorators.is_empty()
                    && method.value.body.is_some()
                    && method.kind != MethodDefinitionKind::Constructor =>
            {
                self.lower_method(method.unbox(), parts);
            }
            ClassElement::PropertyDefinition(field)
                if !field.decorators.is_empty() && !field.declare && !field.r#type.is_abstract() =>
            {
                self.lower_field(field.unbox(), parts);
            }
            ClassElement::PropertyDefinition(field)
                if parts.is_decorated && field.r#static && !field.declare && !field.key.is_private_identifier() =>
            {
                self.move_static_field(field.unbox(), parts);
            }
            ClassElement::AccessorProperty(accessor) if !accessor.r#type.is_abstract() => {
                self.lower_accessor(accessor.unbox(), parts);
            }
            ClassElement::StaticBlock(mut block) => {
                if parts.is_decorated {
                    self.replace_this(parts).visit_static_block(&mut block);
                }
                parts.elements.push(ClassElement::StaticBlock(block));
            }
            element => parts.elements.push(element),
        }
    }

    fn lower_method(&mut self, mut method: MethodDefinition<'a>, parts: &mut Parts<'a>) {
        let (key, index) =
            self.begin(&mut method.key, method.computed, method.decorators.take_in(&self.allocator), parts);
        let kind = match method.kind {
            MethodDefinitionKind::Get => "getter",
            MethodDefinitionKind::Set => "setter",
            _ => "method",
        };
        let is_static = method.r#static;
        let turn = if is_static { Turn::StaticMethod } else { Turn::Method };
        parts.has_method_decorators |= !is_static;
        let extra = if is_static { "staticExtra" } else { "protoExtra" };
        let prefix = parts.prefix.clone();
        let extra = format!("{prefix}_{extra}");
        if !key.is_private {
            self.apply(parts, turn, &key, index, kind, is_static, "null", "null", &extra, Vec::new());
            parts.elements.push(ClassElement::MethodDefinition(ArenaBox::new_in(method, &self.builder)));
            return;
        }
        // A private method cannot be replaced: it becomes a getter of the function that the decorators leave.
        let descriptor = format!("{prefix}_descriptor_{index}");
        parts.before.extend(self.statements(&format!("let {descriptor};"), Vec::new()));
        let part = match kind {
            "getter" => "get",
            "setter" => "set",
            _ => "value",
        };
        let name = &key.value;
        let initial = format!("{descriptor} = {{ {part}: ({{ {name}: $0 }})[{name}] }}");
        let mut function = method.value;
        function.r#type = FunctionType::FunctionExpression;
        let holes = vec![Expression::FunctionExpression(function)];
        self.apply(parts, turn, &key, index, kind, is_static, &initial, "null", &extra, holes);
        let (prefix_static, element) = (if is_static { "static " } else { "" }, &key.element);
        let template = match kind {
            "getter" => format!("{prefix_static}get {element}() {{ return {descriptor}.get.call(this); }}"),
            "setter" => format!("{prefix_static}set {element}(value) {{ {descriptor}.set.call(this, value); }}"),
            _ => format!("{prefix_static}get {element}() {{ return {descriptor}.value; }}"),
        };
        parts.elements.extend(quote::elements(self.allocator, &template, Vec::new()));
    }

    fn lower_field(&mut self, mut field: PropertyDefinition<'a>, parts: &mut Parts<'a>) {
        let (key, index) = self.begin(&mut field.key, field.computed, field.decorators.take_in(&self.allocator), parts);
        let is_static = field.r#static;
        let (init, extra) = self.initializers(parts, index);
        let turn = if is_static { Turn::StaticField } else { Turn::Field };
        self.apply(parts, turn, &key, index, "field", is_static, "null", &init, &extra, Vec::new());
        let initial = field.value.take();
        field.value = Some(self.initialized(&init, initial));
        if is_static && parts.is_decorated && !key.is_private {
            self.move_static_field(field, parts);
        } else {
            parts.elements.push(ClassElement::PropertyDefinition(ArenaBox::new_in(field, &self.builder)));
        }
        self.run_extra(parts, index, &extra, is_static);
    }

    fn lower_accessor(&mut self, mut accessor: AccessorProperty<'a>, parts: &mut Parts<'a>) {
        let decorators = accessor.decorators.take_in(&self.allocator);
        let is_plain = decorators.is_empty();
        let (key, index) = self.begin(&mut accessor.key, accessor.computed, decorators, parts);
        let is_static = accessor.r#static;
        let prefix = parts.prefix.clone();
        let storage = format!("#{prefix}_storage_{index}");
        if is_plain {
            let lowered = accessors::lower(&key, &storage, accessor.value, is_static, self.allocator);
            parts.elements.extend(lowered);
            return;
        }
        let (init, extra) = self.initializers(parts, index);
        let turn = if is_static { Turn::StaticMethod } else { Turn::Method };
        let initial = self.initialized(&init, accessor.value.take());
        if key.is_private {
            let descriptor = format!("{prefix}_descriptor_{index}");
            parts.before.extend(self.statements(&format!("let {descriptor};"), Vec::new()));
            let made = format!(
                "{descriptor} = {{ get() {{ return this.{storage}; }}, set(value) {{ this.{storage} = value; }} }}"
            );
            self.apply(parts, turn, &key, index, "accessor", is_static, &made, &init, &extra, Vec::new());
            let (prefix_static, element) = (if is_static { "static " } else { "" }, &key.element);
            let template = format!(
                "{prefix_static}{storage} = $0; \
                 {prefix_static}get {element}() {{ return {descriptor}.get.call(this); }} \
                 {prefix_static}set {element}(value) {{ {descriptor}.set.call(this, value); }}"
            );
            parts.elements.extend(quote::elements(self.allocator, &template, vec![initial]));
        } else {
            self.apply(parts, turn, &key, index, "accessor", is_static, "null", &init, &extra, Vec::new());
            parts.elements.extend(accessors::lower(&key, &storage, Some(initial), is_static, self.allocator));
        }
        self.run_extra(parts, index, &extra, is_static);
    }

    /// Evaluates an element's decorators and computed key in front of the class.
    fn begin(
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

    fn decorator_list(
        &self,
        before: &mut ArenaVec<'a, Statement<'a>>,
        variable: &str,
        decorators: ArenaVec<'a, Decorator<'a>>,
    ) {
        let mut holes = Vec::new();
        let mut items = Vec::new();
        for decorator in decorators {
            // A decorator that is a member is called on its object.
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
    fn apply(
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
        // Private names are only known inside a class, so the call is read as part of one.
        let call = call.replacen(&format!("{prefix}_target"), target, 1);
        let mut elements = quote::elements(self.allocator, &format!("static {{ {call} }}"), holes);
        if let Some(ClassElement::StaticBlock(block)) = elements.first_mut() {
            parts.applications.push((turn, block.body.take_in(&self.allocator)));
        }
    }

    fn initializers(&self, parts: &mut Parts<'a>, index: usize) -> (String, String) {
        let prefix = &parts.prefix;
        let (init, extra) = (format!("{prefix}_init_{index}"), format!("{prefix}_extra_{index}"));
        parts.before.extend(self.statements(&format!("const {init} = [], {extra} = [];"), Vec::new()));
        (init, extra)
    }

    fn initialized(&self, init: &str, value: Option<Expression<'a>>) -> Expression<'a> {
        match value {
            Some(value) => self.expression(&format!("__rt_run(this, {init}, $0)"), vec![value]),
            None => self.expression(&format!("__rt_run(this, {init}, void 0)"), Vec::new()),
        }
    }

    /// Initializers that decorators added run right after the field they belong to.
    fn run_extra(&self, parts: &mut Parts<'a>, index: usize, extra: &str, is_static: bool) {
        let prefix = &parts.prefix;
        let template = if is_static {
            format!("static {{ __rt_run({prefix}_this, {extra}); }}")
        } else {
            format!("#{prefix}_run_{index} = __rt_run(this, {extra});")
        };
        parts.elements.extend(quote::elements(self.allocator, &template, Vec::new()));
    }

    /// Static fields of a decorated class are defined on what its decorators returned.
    fn move_static_field(&mut self, mut field: PropertyDefinition<'a>, parts: &mut Parts<'a>) {
        parts.count += 1;
        let temporary = format!("{}_key_{}", parts.prefix, parts.count);
        let (key, computed) = accessors::read_key(&mut field.key, field.computed, &temporary, self.allocator);
        if let Some(computed) = computed {
            parts.before.extend(self.statements(&format!("const {temporary} = __rt_key($0);"), vec![computed]));
        }
        let mut value = field.value.take().unwrap_or_else(|| self.expression("void 0", Vec::new()));
        self.replace_this(parts).visit_expression(&mut value);
        let name = &key.value;
        let template = format!(
            "static {{ Object.defineProperty({}_this, {name}, {{ value: ({{ [{name}]: $0 }})[{name}], \
             writable: true, enumerable: true, configurable: true }}); }}",
            parts.prefix
        );
        parts.elements.extend(quote::elements(self.allocator, &template, vec![value]));
    }

    /// The class body: the applying block, the initializers of methods, the elements.
    fn assemble(
        &self,
        parts: &mut Parts<'a>,
        variable: &str,
        own_name: Option<&str>,
        base: &str,
    ) -> ArenaVec<'a, ClassElement<'a>> {
        let prefix = &parts.prefix;
        let head =
            format!("static {{ {prefix}_this = {variable} = this; {prefix}_metadata = __rt_metadata({base}); }}");
        let mut body = quote::elements(self.allocator, &head, Vec::new());
        parts.applications.sort_by_key(|(turn, _)| *turn);
        let mut tail = String::new();
        if parts.is_decorated {
            let name = own_name.map_or("this.name".to_string(), quote::string);
            tail.push_str(&format!(
                "{prefix}_this = {variable} = __rt_decorate(null, {{ value: this }}, {prefix}_classDecorators, \
                 {{ kind: \"class\", name: {name}, metadata: {prefix}_metadata }}, null, {prefix}_classExtra).value; "
            ));
        }
        tail.push_str(&format!(
            "__rt_metadata.set({prefix}_this, {prefix}_metadata); __rt_run({prefix}_this, {prefix}_staticExtra);"
        ));
        let tail = quote::elements(self.allocator, &format!("static {{ {tail} }}"), Vec::new());
        if let (Some(ClassElement::StaticBlock(block)), Some(ClassElement::StaticBlock(tail))) =
            (body.first_mut(), tail.into_iter().next())
        {
            for (_, statements) in std::mem::take(&mut parts.applications) {
                block.body.extend(statements);
            }
            block.body.extend(tail.unbox().body);
        }
        if parts.has_method_decorators {
            let first = format!("#{prefix}_run = __rt_run(this, {prefix}_protoExtra);");
            body.extend(quote::elements(self.allocator, &first, Vec::new()));
        }
        body.extend(parts.elements.take_in(&self.allocator));
        if parts.is_decorated {
            let last = format!("static {{ __rt_run({prefix}_this, {prefix}_classExtra); }}");
            body.extend(quote::elements(self.allocator, &last, Vec::new()));
        }
        body
    }

    fn replace_this(&self, parts: &Parts<'a>) -> ReplaceThis<'a> {
        ReplaceThis { allocator: self.allocator, with: format!("{}_this", parts.prefix) }
    }

    /// A class with accessors only stays where it is.
    fn lower_accessors(&mut self, class: &mut Class<'a>) {
        self.changed = true;
        self.counter += 1;
        let mut body = ArenaVec::new_in(&self.builder);
        for (index, element) in class.body.body.take_in(&self.allocator).into_iter().enumerate() {
            match element {
                ClassElement::AccessorProperty(accessor) if !accessor.r#type.is_abstract() => {
                    let mut accessor = accessor.unbox();
                    let storage = format!("#_a{}_storage_{index}", self.counter);
                    let temporary = format!("_a{}_key_{index}", self.counter);
                    let (mut key, computed) =
                        accessors::read_key(&mut accessor.key, accessor.computed, &temporary, self.allocator);
                    let getter_key = key.clone();
                    let value = accessor.value.take();
                    if let Some(computed) = computed {
                        self.temporaries.push(temporary.clone());
                        self.needs_helpers = true;
                        let template = format!("[{temporary} = __rt_key($0)]() {{}}");
                        let mut evaluated = quote::elements(self.allocator, &template, vec![computed]);
                        let mut lowered =
                            accessors::lower(&getter_key, &storage, value, accessor.r#static, self.allocator);
                        // The getter comes first and evaluates the key.
                        if let (Some(ClassElement::MethodDefinition(from)), Some(ClassElement::MethodDefinition(to))) =
                            (evaluated.first_mut(), lowered.get_mut(1))
                        {
                            to.key = from.key.take_in(&self.allocator);
                        }
                        body.extend(lowered);
                        continue;
                    }
                    key.element = getter_key.element;
                    body.extend(accessors::lower(&key, &storage, value, accessor.r#static, self.allocator));
                }
                element => body.push(element),
            }
        }
        class.body.body = body;
    }

    fn statements(&self, template: &str, holes: Vec<Expression<'a>>) -> ArenaVec<'a, Statement<'a>> {
        quote::statements(self.allocator, template, holes)
    }

    fn expression(&self, template: &str, holes: Vec<Expression<'a>>) -> Expression<'a> {
        quote::expression(self.allocator, template, holes)
    }

    fn variable(&mut self, name: &str, class: Class<'a>) -> Statement<'a> {
        let value = self.lower_class(class, None);
        self.statements(&format!("let {name} = $0;"), vec![value]).pop().expect("one declaration")
    }
}

fn has_decorators(class: &Class) -> bool {
    !class.decorators.is_empty()
        || class.body.body.iter().any(|element| match element {
            ClassElement::MethodDefinition(it) => !it.decorators.is_empty() && it.value.body.is_some(),
            ClassElement::PropertyDefinition(it) => {
                !it.decorators.is_empty() && !it.declare && !it.r#type.is_abstract()
            }
            ClassElement::AccessorProperty(it) => !it.decorators.is_empty() && !it.r#type.is_abstract(),
            _ => false,
        })
}

fn has_accessors(class: &Class) -> bool {
    class.body.body.iter().any(|element| matches!(element, ClassElement::AccessorProperty(_)))
}

impl<'a> VisitMut<'a> for LowerDecorators<'a> {
    fn visit_class(&mut self, it: &mut Class<'a>) {
        walk_mut::walk_class(self, it);
        if !has_decorators(it) && has_accessors(it) {
            self.lower_accessors(it);
        }
    }

    fn visit_formal_parameter(&mut self, it: &mut FormalParameter<'a>) {
        if let Some(decorator) = it.decorators.first() {
            let message = "Parameter decorators need \"experimentalDecorators\" in tsconfig.json";
            self.failures.push(OxcDiagnostic::error(message).with_label(decorator.span));
        }
        walk_mut::walk_formal_parameter(self, it);
    }

    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        walk_mut::walk_expression(self, it);
        if let Expression::ClassExpression(class) = it
            && has_decorators(class)
        {
            let class = std::mem::replace(it, self.expression("0", Vec::new()));
            if let Expression::ClassExpression(class) = class {
                *it = self.lower_class(class.unbox(), None);
            }
        }
    }

    fn visit_variable_declarator(&mut self, it: &mut VariableDeclarator<'a>) {
        if let (BindingPattern::BindingIdentifier(name), Some(Expression::ClassExpression(class))) =
            (&it.id, &mut it.init)
            && has_decorators(class)
        {
            let name = name.name.to_string();
            self.visit_class(class);
            if let Some(Expression::ClassExpression(class)) = it.init.take() {
                it.init = Some(self.lower_class(class.unbox(), Some(&name)));
            }
        } else {
            walk_mut::walk_variable_declarator(self, it);
        }
    }

    fn visit_statements(&mut self, it: &mut ArenaVec<'a, Statement<'a>>) {
        walk_mut::walk_statements(self, it);
        let decorated = |statement: &Statement| match statement {
            Statement::ClassDeclaration(class) => has_decorators(class),
            Statement::ExportDeclaration(export) => {
                matches!(&export.declaration, Declaration::ClassDeclaration(class) if has_decorators(class))
            }
            Statement::ExportDefaultDeclaration(export) => {
                matches!(&export.declaration, ExportDefaultDeclarationKind::ClassDeclaration(c) if has_decorators(c))
            }
            _ => false,
        };
        if !it.iter().any(decorated) {
            return;
        }
        let mut statements = ArenaVec::with_capacity_in(it.len(), &self.builder);
        for statement in it.take_in(&self.allocator) {
            match statement {
                Statement::ClassDeclaration(class) if has_decorators(&class) && !class.declare => {
                    let name = class.id.as_ref().map(|id| id.name.to_string()).unwrap_or_default();
                    statements.push(self.variable(&name, class.unbox()));
                }
                Statement::ExportDeclaration(mut export) if decorated_class(&export.declaration) => {
                    if let Declaration::ClassDeclaration(class) = export.declaration.take_in(&self.allocator) {
                        let name = class.id.as_ref().map(|id| id.name.to_string()).unwrap_or_default();
                        if let Statement::VariableDeclaration(variable) = self.variable(&name, class.unbox()) {
                            export.declaration = Declaration::VariableDeclaration(variable);
                        }
                    }
                    statements.push(Statement::ExportDeclaration(export));
                }
                Statement::ExportDefaultDeclaration(mut export) if matches!(&export.declaration, ExportDefaultDeclarationKind::ClassDeclaration(c) if has_decorators(c)) =>
                {
                    let declaration = std::mem::replace(
                        &mut export.declaration,
                        ExportDefaultDeclarationKind::from(self.expression("0", Vec::new())),
                    );
                    let ExportDefaultDeclarationKind::ClassDeclaration(class) = declaration else { continue };
                    match class.id.as_ref().map(|id| id.name.to_string()) {
                        Some(name) => {
                            statements.push(self.variable(&name, class.unbox()));
                            let export = format!("export {{ {name} as default }};");
                            statements.extend(self.statements(&export, Vec::new()));
                        }
                        None => {
                            let value = self.lower_class(class.unbox(), Some("default"));
                            export.declaration = ExportDefaultDeclarationKind::from(value);
                            statements.push(Statement::ExportDefaultDeclaration(export));
                        }
                    }
                }
                statement => statements.push(statement),
            }
        }
        *it = statements;
    }
}

fn decorated_class(declaration: &Declaration) -> bool {
    matches!(declaration, Declaration::ClassDeclaration(class) if has_decorators(class) && !class.declare)
}

/// `this` of static code, where the class it stands for was replaced.
struct ReplaceThis<'a> {
    allocator: &'a Allocator,
    with: String,
}

impl<'a> VisitMut<'a> for ReplaceThis<'a> {
    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        if matches!(it, Expression::ThisExpression(_)) {
            *it = quote::expression(self.allocator, &self.with, Vec::new());
        } else {
            walk_mut::walk_expression(self, it);
        }
    }

    fn visit_function(&mut self, _: &mut Function<'a>, _: ScopeFlags) {}
    fn visit_class(&mut self, _: &mut Class<'a>) {}
}
