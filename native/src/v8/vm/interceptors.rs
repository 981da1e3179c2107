//! The global object of a `node:vm` context: every property is looked up in the sandbox first, as in Node.
//!
//! V8 calls these interceptors for properties of the global object. They answer from the sandbox (`YES`) or leave the
//! property to the global object (`NO`). Exceptions of the sandbox's getters and proxies are thrown at the access.
use super::tables::Tables;
use crate::v8::api::layout::{
    EMBEDDER_SANDBOX, INFO_HOLDER, INFO_RETURN_VALUE, INFO_SHOULD_THROW, INFO_THIS, PropertyHandler,
    WORDS_OF_DESCRIPTOR, maybe_bool, maybe_int, small_integer,
};
use crate::v8::api::{Handle, Isolate, Raw, v8};
use crate::v8::values::scope::calling;
use crate::v8::values::scope::{Global, Local, NO_HANDLE, Scope};
use crate::v8::values::value::literal;

type Intercepted = u8;
const NO: Intercepted = 0;
const YES: Intercepted = 1;

const READ_ONLY: i32 = 1;
const NOT_DELETABLE: i32 = 4;
const HAS_NO_SIDE_EFFECT: i32 = 1 << 2;
const NEW_SIGNATURES: i32 = 1 << 10;

/// `PropertyCallbackInfo`: words on V8's stack.
type Info = *mut usize;

/// The objects that an interceptor works with.
struct Place<'s> {
    scope: &'s Scope<'s>,
    context: Handle,
    sandbox: Local<'s>,
    global: Local<'s>,
    info: Info,
}

impl Place<'_> {
    fn answer(&self, value: usize) -> Intercepted {
        // SAFETY: the slot of the return value is writable until the callback returns.
        unsafe { *self.info.add(INFO_RETURN_VALUE) = value };
        YES
    }

    fn flag(&self, value: bool) -> usize {
        let roots = self.scope.state.inner().roots.get();
        if value { roots.yes } else { roots.no }
    }

    /// The attributes of `name` in `object` or its prototypes.
    fn attributes(&self, object: Local<'_>, name: Handle) -> Option<i32> {
        // SAFETY: the handles belong to this context.
        let answer = unsafe { (v8().object_real_attributes)(object.handle(), self.context, name) };
        maybe_int(answer)
    }

    /// Returns whether the sandbox's own property `name` has a getter or a setter.
    ///
    /// # Safety
    /// V8 passes a live name.
    unsafe fn has_accessor(&self, name: Handle) -> bool {
        // SAFETY: the handles belong to this context and are tested before use as objects.
        unsafe {
            let descriptor = (v8().object_own_descriptor)(self.sandbox.handle(), self.context, name);
            if descriptor.is_null() || !(v8().is_object)(descriptor) {
                return false;
            }
            ["get", "set"].iter().any(|part| {
                let part = literal(self.scope, part).handle();
                maybe_bool((v8().object_has_own)(descriptor, self.context, part)) == Some(true)
            })
        }
    }
}

/// Calls `work` with the context of `info`; `NO` while the context is being created.
///
/// # Safety
/// V8 passes `info`.
unsafe fn at(info: Info, work: impl FnOnce(&Place<'_>) -> Intercepted) -> Intercepted {
    // SAFETY: V8 is calling; the holder's slot is live, and contexts of `contexts` hold the sandbox in their data.
    unsafe {
        let scope = calling();
        if scope.state.slot::<Tables>().contexts_in_the_making.get() > 0 {
            return NO;
        }
        scope.nested(|scope| {
            let holder = info.add(INFO_HOLDER);
            let Some(context) = scope.local((v8().object_creation_context)(holder, scope.isolate)) else { return NO };
            let sandbox = scope.local((v8().context_embedder_data)(context.handle(), EMBEDDER_SANDBOX));
            let global = scope.local((v8().context_global)(context.handle()));
            let (Some(sandbox), Some(global)) = (sandbox, global) else { return NO };
            work(&Place { scope, context: context.handle(), sandbox, global, info })
        })
    }
}

unsafe extern "C" fn get(name: Handle, info: Info) -> Intercepted {
    // SAFETY: V8 passes live handles.
    unsafe {
        at(info, |place| {
            let mut value = (v8().object_get_real)(place.sandbox.handle(), place.context, name);
            if value.is_null() {
                value = (v8().object_get_real)(place.global.handle(), place.context, name);
            }
            match place.scope.local(value) {
                Some(value) if value.is(place.sandbox) => place.answer(place.global.word()),
                Some(value) => place.answer(value.word()),
                None => NO,
            }
        })
    }
}

unsafe extern "C" fn set(name: Handle, value: Handle, info: Info) -> Intercepted {
    // SAFETY: as in `get`.
    unsafe {
        at(info, |place| {
            let (global, sandbox) = (place.attributes(place.global, name), place.attributes(place.sandbox, name));
            // Whether the assignment is `x = 5` rather than `globalThis.x = 5`.
            let is_contextual = *info.add(INFO_THIS) as u32 != place.global.word() as u32;
            if [global, sandbox].iter().flatten().any(|attributes| attributes & READ_ONLY != 0) {
                if is_contextual && should_throw(info) {
                    throw_read_only(place.scope, name);
                    return YES;
                }
                return NO;
            }
            let is_declared = global.is_some() || sandbox.is_some();
            if !is_declared && should_throw(info) && is_contextual && !(v8().is_function)(value) {
                return NO; // strict code must not create a global by an assignment
            }
            if !is_declared && (v8().is_symbol)(name) {
                return NO;
            }
            if maybe_bool((v8().object_set)(place.sandbox.handle(), place.context, name, value)).is_none() {
                return NO;
            }
            // V8 then also sets what the global object declares, except for an accessor of the sandbox, which has been
            // called, and a new function, as created by a declaration.
            let is_new_function = !is_declared && (v8().is_function)(value);
            let is_global = global.is_some() && !(sandbox.is_some() && place.has_accessor(name));
            if is_global || is_new_function { NO } else { YES }
        })
    }
}

fn throw_read_only(scope: &Scope<'_>, name: Handle) {
    let (head, tail) = ("Cannot assign to read only property '", "' of object '[object Object]'");
    // SAFETY: V8 passes a live name, which is not a symbol if its text is written.
    unsafe {
        let name = if (v8().is_string)(name) { name } else { literal(scope, "[symbol]").handle() };
        let text = (v8().string_concat)(scope.isolate, literal(scope, head).handle(), name);
        let text = (v8().string_concat)(scope.isolate, text, literal(scope, tail).handle());
        (v8().throw)(scope.isolate, (v8().error_type)(text, NO_HANDLE));
    }
}

/// Returns whether the assignment is in strict code.
unsafe fn should_throw(info: Info) -> bool {
    const INFER: i32 = 2;
    const DO_NOT: i32 = 0;
    // SAFETY: V8 calls a setter, whose arguments include this slot.
    let mode = unsafe { small_integer(*info.add(INFO_SHOULD_THROW)) }.unwrap_or(DO_NOT);
    if mode == INFER {
        // SAFETY: V8 is calling.
        unsafe { (v8().should_throw)((v8().isolate_current)()) }
    } else {
        mode != DO_NOT
    }
}

unsafe extern "C" fn query(name: Handle, info: Info) -> Intercepted {
    // SAFETY: as in `get`.
    unsafe {
        at(info, |place| {
            for object in [place.sandbox, place.global] {
                match maybe_bool((v8().object_has_real)(object.handle(), place.context, name)) {
                    None => return NO,
                    Some(false) => continue,
                    Some(true) => {
                        let Some(attributes) = place.attributes(object, name) else { return NO };
                        return place.answer(*(v8().integer_new)(place.scope.isolate, attributes));
                    }
                }
            }
            NO
        })
    }
}

unsafe extern "C" fn delete(name: Handle, info: Info) -> Intercepted {
    // SAFETY: as in `get`.
    unsafe {
        at(info, |place| match maybe_bool((v8().object_delete)(place.sandbox.handle(), place.context, name)) {
            Some(true) => NO,
            _ => place.answer(place.flag(false)),
        })
    }
}

unsafe fn keys(info: Info, indices: i32) -> Intercepted {
    const OWN_ONLY: i32 = 0;
    const ALL: i32 = 0;
    const TO_STRINGS: i32 = 0;
    // SAFETY: as in `get`.
    unsafe {
        at(info, |place| {
            let sandbox = place.sandbox.handle();
            let keys = (v8().object_property_names)(sandbox, place.context, OWN_ONLY, ALL, indices, TO_STRINGS);
            if keys.is_null() { NO } else { place.answer(*keys) }
        })
    }
}

unsafe extern "C" fn enumerate(info: Info) -> Intercepted {
    const SKIP_INDICES: i32 = 1;
    // SAFETY: as in `get`.
    unsafe { keys(info, SKIP_INDICES) }
}

unsafe extern "C" fn enumerate_indices(info: Info) -> Intercepted {
    // SAFETY: as in `get`.
    unsafe {
        at(info, |place| {
            let (sandbox, context) = (place.sandbox.handle(), place.context);
            let keys = (v8().object_property_names)(sandbox, context, 0, 0, 0, 1);
            if keys.is_null() {
                return NO;
            }
            let count = (v8().array_length)(keys);
            let mut indices: Vec<Handle> = vec![];
            for at in 0..count {
                let key = (v8().object_get_index)(keys, context, at);
                if !key.is_null() && (v8().is_number)(key) {
                    indices.push(key);
                }
            }
            place.answer(*(v8().array_new)(place.scope.isolate, indices.as_ptr(), indices.len()))
        })
    }
}

unsafe extern "C" fn describe(name: Handle, info: Info) -> Intercepted {
    // SAFETY: as in `get`.
    unsafe {
        at(info, |place| {
            let (sandbox, context) = (place.sandbox.handle(), place.context);
            if maybe_bool((v8().object_has_own)(sandbox, context, name)) != Some(true) {
                return NO;
            }
            let descriptor = (v8().object_own_descriptor)(sandbox, context, name);
            if descriptor.is_null() { NO } else { place.answer(*descriptor) }
        })
    }
}

unsafe extern "C" fn define(name: Handle, descriptor: Raw, info: Info) -> Intercepted {
    // SAFETY: as in `get`; V8 owns the descriptor, which is only read; the copy is destroyed at the end.
    unsafe {
        at(info, |place| {
            if let Some(attributes) = place.attributes(place.global, name)
                && attributes & READ_ONLY != 0
                && attributes & NOT_DELETABLE != 0
            {
                return NO;
            }
            let mut words = [0usize; WORDS_OF_DESCRIPTOR];
            let copy = words.as_mut_ptr() as Raw;
            let undefined = place.scope.handle_for(place.scope.state.inner().roots.get().undefined).handle();
            let (has_get, has_set) = ((v8().descriptor_has_get)(descriptor), (v8().descriptor_has_set)(descriptor));
            let or_undefined = |has: bool, read: unsafe extern "C" fn(Raw) -> Handle| {
                if has { read(descriptor) } else { undefined }
            };
            if has_get || has_set {
                let getter = or_undefined(has_get, v8().descriptor_get);
                (v8().descriptor_of_accessors)(copy, getter, or_undefined(has_set, v8().descriptor_set));
            } else {
                let value = or_undefined((v8().descriptor_has_value)(descriptor), v8().descriptor_value);
                if (v8().descriptor_has_writable)(descriptor) {
                    (v8().descriptor_of_writable)(copy, value, (v8().descriptor_writable)(descriptor));
                } else {
                    (v8().descriptor_of_value)(copy, value);
                }
            }
            if (v8().descriptor_has_enumerable)(descriptor) {
                (v8().descriptor_set_enumerable)(copy, (v8().descriptor_enumerable)(descriptor));
            }
            if (v8().descriptor_has_configurable)(descriptor) {
                (v8().descriptor_set_configurable)(copy, (v8().descriptor_configurable)(descriptor));
            }
            (v8().object_define_property)(place.sandbox.handle(), place.context, name, copy);
            (v8().descriptor_end)(copy);
            NO // V8 then defines it in the global object as well
        })
    }
}

/// The name for an index.
unsafe fn name_of(index: u32) -> Handle {
    // SAFETY: V8 is calling.
    unsafe {
        let isolate: Isolate = (v8().isolate_current)();
        let number = (v8().integer_from_unsigned)(isolate, index);
        (v8().to_string)(number, (v8().isolate_context)(isolate))
    }
}

macro_rules! by_index {
    ($($indexed:ident = $named:ident($($argument:ident: $kind:ty),*);)*) => {
        $(unsafe extern "C" fn $indexed(index: u32, $($argument: $kind,)* info: Info) -> Intercepted {
            // SAFETY: as in `get`.
            unsafe { $named(name_of(index), $($argument,)* info) }
        })*
    };
}

by_index! {
    get_index = get();
    set_index = set(value: Handle);
    query_index = query();
    delete_index = delete();
    define_index = define(descriptor: Raw);
    describe_index = describe();
}

/// The engine's template for such global objects.
pub fn template(scope: &Scope<'_>) -> Handle {
    let tables = scope.state.slot::<Tables>();
    if tables.template.borrow().is_none() {
        let handler = |getter: Raw,
                       setter: Raw,
                       query: Raw,
                       deleter: Raw,
                       enumerator: Raw,
                       definer: Raw,
                       descriptor: Raw| {
            let flags = HAS_NO_SIDE_EFFECT | NEW_SIGNATURES;
            PropertyHandler { getter, setter, query, deleter, enumerator, definer, descriptor, data: NO_HANDLE, flags }
        };
        let named = handler(
            get as Raw,
            set as Raw,
            query as Raw,
            delete as Raw,
            enumerate as Raw,
            define as Raw,
            describe as Raw,
        );
        let indexed = handler(
            get_index as Raw,
            set_index as Raw,
            query_index as Raw,
            delete_index as Raw,
            enumerate_indices as Raw,
            define_index as Raw,
            describe_index as Raw,
        );
        // SAFETY: the scope proves the isolate current; V8 copies the structures.
        unsafe {
            let template = scope.local((v8().template_new)(scope.isolate, NO_HANDLE)).expect("a template");
            (v8().template_set_named)(template.handle(), &named);
            (v8().template_set_indexed)(template.handle(), &indexed);
            tables.template.replace(Some(Global::new(scope, template)));
        }
    }
    let template = tables.template.borrow();
    template.as_ref().and_then(|template| template.in_scope(scope).ok()).expect("just made").handle()
}
