//! The colours of the input. It is incomplete and often invalid while it is typed, and the parser yields no tokens then, so
//! a scanner of its own finds strings, templates, comments, numbers, regular expressions and words.

const KEYWORD: &str = "35";
const TEXT: &str = "32";
const NUMBER: &str = "33";
const PATTERN: &str = "31";
const COMMENT: &str = "2";

const KEYWORDS: &str = "abstract as async await break case catch class const continue debugger declare default delete do else \
    enum export extends finally for from function if implements import in instanceof interface let \
    namespace new of private protected public readonly return satisfies static super switch this throw \
    try type typeof using var void while with yield";
const CONSTANTS: &str = "false Infinity NaN null true undefined";

/// Returns `text` with colours; its width on the terminal stays the same.
pub fn colour(text: &str) -> String {
    let mut scanner = Scanner { text, at: 0, out: String::with_capacity(text.len() * 2), is_after_value: false };
    scanner.scan(false);
    scanner.out
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    out: String,
    /// The token before is a value, so that a slash divides.
    is_after_value: bool,
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn take(&mut self, length: usize, colour: &str) {
        let token = &self.text[self.at..self.at + length];
        self.out.push_str(&format!("\x1b[{colour}m{token}\x1b[0m"));
        self.at += length;
    }

    fn plain(&mut self, length: usize) {
        self.out.push_str(&self.text[self.at..self.at + length]);
        self.at += length;
    }

    /// Scans to the end, or to the brace that closes a part of a template.
    fn scan(&mut self, in_template: bool) {
        let mut depth = 0;
        while let Some(first) = self.rest().chars().next() {
            match first {
                '}' if in_template && depth == 0 => return,
                '\'' | '"' => {
                    self.take(end_of_string(self.rest(), first), TEXT);
                    self.is_after_value = true;
                }
                '`' => self.template(),
                '/' if self.rest().starts_with("//") => {
                    self.take(self.rest().find('\n').unwrap_or(self.rest().len()), COMMENT);
                }
                '/' if self.rest().starts_with("/*") => {
                    self.take(self.rest()[2..].find("*/").map_or(self.rest().len(), |end| end + 4), COMMENT);
                }
                '/' if !self.is_after_value => match end_of_pattern(self.rest()) {
                    Some(end) => {
                        self.take(end, PATTERN);
                        self.is_after_value = true;
                    }
                    None => self.plain(1),
                },
                _ if first.is_ascii_digit() => {
                    let is_part = |each: char| !(each.is_alphanumeric() || each == '.' || each == '_');
                    self.take(self.rest().find(is_part).unwrap_or(self.rest().len()), NUMBER);
                    self.is_after_value = true;
                }
                _ if is_part_of_word(first) => self.word(),
                _ => {
                    depth += match first {
                        '{' => 1,
                        '}' => -1,
                        _ => 0,
                    };
                    if !first.is_whitespace() {
                        self.is_after_value = matches!(first, ')' | ']' | '}');
                    }
                    self.plain(first.len_utf8());
                }
            }
        }
    }

    fn word(&mut self) {
        let length = self.rest().find(|each| !is_part_of_word(each)).unwrap_or(self.rest().len());
        let word = &self.rest()[..length];
        let is_member = self.text[..self.at].trim_end().ends_with('.');
        let is_keyword = !is_member && is_one_of(KEYWORDS, word);
        if is_keyword {
            self.take(length, KEYWORD);
        } else if !is_member && is_one_of(CONSTANTS, word) {
            self.take(length, NUMBER);
        } else {
            self.plain(length);
        }
        self.is_after_value = !is_keyword || word == "this" || word == "super";
    }

    /// A template: its text is coloured, the expressions in it as any other.
    fn template(&mut self) {
        let mut length = 1;
        loop {
            let rest = &self.rest()[length..];
            let Some(first) = rest.chars().next() else { break };
            if rest.starts_with("${") {
                self.take(length + 2, TEXT);
                self.is_after_value = false;
                self.scan(true);
                length = usize::from(!self.rest().is_empty());
                continue;
            }
            length += first.len_utf8();
            match first {
                '\\' => length += rest[1..].chars().next().map_or(0, char::len_utf8),
                '`' => break,
                _ => {}
            }
        }
        if length > 0 {
            self.take(length, TEXT);
        }
        self.is_after_value = true;
    }
}

fn is_one_of(words: &str, word: &str) -> bool {
    words.split(' ').any(|each| each == word)
}

fn is_part_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '$'
}

/// The length of the string at the start of `text`, which ends with its quote or with the line.
fn end_of_string(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' => return at,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of the regular expression at the start of `text`, with its flags; None if its line does not end it.
fn end_of_pattern(text: &str) -> Option<usize> {
    let (mut is_escaped, mut in_class) = (false, false);
    for (at, character) in text.char_indices().skip(1) {
        match character {
            '\n' => return None,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => {
                let flags = &text[at + 1..];
                return Some(at + 1 + flags.find(|each| !is_part_of_word(each)).unwrap_or(flags.len()));
            }
            _ => {}
        }
    }
    None
}
