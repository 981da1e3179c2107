//! A piece of the document during a handler: reading it, inserting around it, and changing it.
use lol_html::html_content::{Comment, ContentType, Doctype, DocumentEnd, Element, EndTag, TextChunk};

/// The piece at which a rewriting has stopped.
pub enum Piece<'p> {
    Element(&'p mut Element<'static, 'static>),
    Text(&'p mut TextChunk<'static>),
    Comment(&'p mut Comment<'static>),
    Doctype(&'p mut Doctype<'static>),
    EndTag(&'p mut EndTag<'static>),
    DocumentEnd(&'p mut DocumentEnd<'static>),
}

pub enum Answer {
    Nothing,
    Is(bool),
    Text(String),
    Texts(Vec<String>),
}

impl From<Option<String>> for Answer {
    fn from(text: Option<String>) -> Self {
        text.map_or(Self::Nothing, Self::Text)
    }
}

/// The property `what` of the piece; for attributes of an element, the one called `name`.
pub fn ask(piece: Piece<'_>, what: &str, name: &str) -> Answer {
    match (piece, what) {
        (Piece::Element(element), "attribute") => element.get_attribute(name).into(),
        (Piece::Element(element), "hasAttribute") => Answer::Is(element.has_attribute(name)),
        (Piece::Element(element), "attributes") => {
            Answer::Texts(element.attributes().iter().flat_map(|each| [each.name(), each.value()]).collect())
        }
        (Piece::Element(element), "name") => Answer::Text(element.tag_name()),
        (Piece::Element(element), "namespace") => Answer::Text(element.namespace_uri().to_owned()),
        (Piece::Element(element), "selfClosing") => Answer::Is(element.is_self_closing()),
        (Piece::Element(element), "canHaveContent") => Answer::Is(element.can_have_content()),
        (Piece::Element(element), "removed") => Answer::Is(element.removed()),
        (Piece::Text(text), "text") => Answer::Text(text.as_str().to_owned()),
        (Piece::Text(text), "isLast") => Answer::Is(text.last_in_text_node()),
        (Piece::Text(text), "removed") => Answer::Is(text.removed()),
        (Piece::Comment(comment), "text") => Answer::Text(comment.text()),
        (Piece::Comment(comment), "removed") => Answer::Is(comment.removed()),
        (Piece::Doctype(doctype), "name") => doctype.name().into(),
        (Piece::Doctype(doctype), "publicId") => doctype.public_id().into(),
        (Piece::Doctype(doctype), "systemId") => doctype.system_id().into(),
        (Piece::Doctype(doctype), "removed") => Answer::Is(doctype.removed()),
        (Piece::EndTag(tag), "name") => Answer::Text(tag.name()),
        (Piece::EndTag(tag), "removed") => Answer::Is(tag.removed()),
        _ => Answer::Nothing,
    }
}

/// Inserts `content` at `place`: before, after, in place of the piece, or inside it.
pub fn insert(piece: Piece<'_>, place: &str, content: &str, is_html: bool) {
    let kind = if is_html { ContentType::Html } else { ContentType::Text };
    match (piece, place) {
        (Piece::Element(element), "before") => element.before(content, kind),
        (Piece::Element(element), "after") => element.after(content, kind),
        (Piece::Element(element), "prepend") => element.prepend(content, kind),
        (Piece::Element(element), "append") => element.append(content, kind),
        (Piece::Element(element), "replace") => element.replace(content, kind),
        (Piece::Element(element), "inner") => element.set_inner_content(content, kind),
        (Piece::Text(text), "before") => text.before(content, kind),
        (Piece::Text(text), "after") => text.after(content, kind),
        (Piece::Text(text), "replace") => text.replace(content, kind),
        (Piece::Comment(comment), "before") => comment.before(content, kind),
        (Piece::Comment(comment), "after") => comment.after(content, kind),
        (Piece::Comment(comment), "replace") => comment.replace(content, kind),
        (Piece::EndTag(tag), "before") => tag.before(content, kind),
        (Piece::EndTag(tag), "after") => tag.after(content, kind),
        (Piece::EndTag(tag), "replace") => tag.replace(content, kind),
        (Piece::DocumentEnd(end), "append") => end.append(content, kind),
        _ => {}
    }
}

/// Change the piece. Returns what is wrong with the new value, if anything.
pub fn change(piece: Piece<'_>, what: &str, name: &str, value: &str) -> Option<String> {
    match (piece, what) {
        (Piece::Element(element), "attribute") => {
            return element.set_attribute(name, value).err().map(|problem| problem.to_string());
        }
        (Piece::Element(element), "name") => {
            return element.set_tag_name(value).err().map(|problem| problem.to_string());
        }
        (Piece::Element(element), "removeAttribute") => element.remove_attribute(name),
        (Piece::Element(element), "remove") => element.remove(),
        (Piece::Element(element), "unwrap") => element.remove_and_keep_content(),
        (Piece::Text(text), "remove") => text.remove(),
        (Piece::Comment(comment), "remove") => comment.remove(),
        (Piece::Comment(comment), "text") => {
            return comment.set_text(value).err().map(|problem| problem.to_string());
        }
        (Piece::Doctype(doctype), "remove") => doctype.remove(),
        (Piece::EndTag(tag), "remove") => tag.remove(),
        (Piece::EndTag(tag), "name") => tag.set_name_str(value.to_owned()),
        _ => {}
    }
    None
}
