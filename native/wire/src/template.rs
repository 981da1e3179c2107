//! Messages with named fields: `{name}` stands for the value of that field.
//!
//! Python writes the templates; the code that prints a message fills them in.

/// Replaces each field in `template` by its value. A brace that does not belong to a field stays as it is.
pub fn fill(template: &[u8], fields: &[(&str, &[u8])]) -> Vec<u8> {
    let mut filled = Vec::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some((first, after)) = rest.split_first() {
        let field = fields.iter().find_map(|(name, value)| {
            let behind = rest.strip_prefix(b"{")?.strip_prefix(name.as_bytes())?.strip_prefix(b"}")?;
            Some((value, behind))
        });
        match field {
            Some((value, behind)) => {
                filled.extend_from_slice(value);
                rest = behind;
            }
            None => {
                filled.push(*first);
                rest = after;
            }
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_replaced_and_nothing_else() {
        let fields: [(&str, &[u8]); 2] = [("name", b"{code}"), ("code", b"3")];
        assert_eq!(fill(b"{name} exited with code {code}\n", &fields), b"{code} exited with code 3\n");
        assert_eq!(fill(b"{{name}} {other} {", &fields), b"{{code}} {other} {");
        assert_eq!(fill(b"", &fields), b"");
    }
}
