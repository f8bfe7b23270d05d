//! Complete configuration as text with sorted keys, on which its hash is computed. Most configurations are only
//! hashed, so no tree is built before it is needed.

use serde::Serialize;
use serde_json::Value as Json;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Complete configuration. Keys of every table are in byte order. The configuration of a file leaves out keys without
/// a value.
#[derive(Clone, PartialEq, Eq)]
pub struct ResolvedText(Arc<str>);

impl ResolvedText {
    /// Text of a value that serialises as a table.
    pub fn of(value: &impl Serialize) -> ResolvedText {
        ResolvedText(canonical(&serde_json::to_string(value).unwrap_or_default()).into())
    }

    /// Text of a tree, including keys without a value.
    pub fn whole(tree: &Json) -> ResolvedText {
        ResolvedText(tree.to_string().into())
    }

    /// BLAKE3 hash of the text, hexadecimal.
    pub fn hash(&self) -> String {
        blake3::hash(self.0.as_bytes()).to_hex().to_string()
    }

    /// Configuration as a tree.
    pub fn json(&self) -> Json {
        // The text was written from values, so it parses.
        serde_json::from_str(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for ResolvedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ResolvedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// JSON without spaces, with sorted keys, without keys that have no value.
fn canonical(text: &str) -> String {
    let mut writer = Canonical { text, at: 0, out: String::with_capacity(text.len()), entries: Vec::new() };
    writer.value();
    writer.out
}

/// Copies serialised text value by value.
struct Canonical<'t> {
    text: &'t str,
    at: usize,
    out: String,
    /// Entries of the open tables: the key, and the range of the entry in `out`.
    entries: Vec<(Cow<'t, str>, usize, usize)>,
}

impl<'t> Canonical<'t> {
    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn value(&mut self) {
        match self.next() {
            Some(b'{') => self.table(),
            Some(b'[') => self.list(),
            Some(b'"') => {
                let text = self.string();
                self.out.push_str(text);
            }
            _ => {
                let rest = &self.text[self.at..];
                let ends = |byte: u8| matches!(byte, b',' | b'}' | b']');
                let length = rest.bytes().position(ends).unwrap_or(rest.len());
                self.out.push_str(&rest[..length]);
                self.at += length;
            }
        }
    }

    /// Skips a string and returns the text of the string with its quotes.
    fn string(&mut self) -> &'t str {
        let bytes = self.text.as_bytes();
        let start = self.at;
        self.at += 1;
        while let Some(byte) = bytes.get(self.at) {
            self.at += match byte {
                b'\\' => 2,
                _ => 1,
            };
            if *byte == b'"' {
                break;
            }
        }
        &self.text[start..self.at]
    }

    fn list(&mut self) {
        self.out.push('[');
        self.at += 1;
        while let Some(byte) = self.next().filter(|byte| *byte != b']') {
            if byte == b',' {
                self.out.push(',');
                self.at += 1;
            }
            self.value();
        }
        self.out.push(']');
        self.at += 1;
    }

    fn table(&mut self) {
        let (opened, first) = (self.out.len(), self.entries.len());
        self.at += 1;
        while let Some(byte) = self.next().filter(|byte| *byte != b'}') {
            if byte == b',' {
                self.at += 1;
            }
            let begins = self.out.len();
            let key = self.string();
            self.out.push_str(key);
            self.out.push(':');
            self.at += 1;
            let value = self.out.len();
            self.value();
            if &self.out[value..] == "null" {
                self.out.truncate(begins);
                continue;
            }
            let bare = &key[1..key.len() - 1];
            let bare = match bare.contains('\\') {
                true => serde_json::from_str(key).map_or(Cow::Borrowed(bare), Cow::Owned),
                false => Cow::Borrowed(bare),
            };
            self.entries.push((bare, begins, self.out.len()));
        }
        self.at += 1;
        let written = self.out.split_off(opened);
        let mut entries = self.entries.split_off(first);
        entries.sort_by(|(one, ..), (other, ..)| one.cmp(other));
        self.out.push('{');
        for (place, (_, begins, ends)) in entries.iter().enumerate() {
            if place > 0 {
                self.out.push(',');
            }
            self.out.push_str(&written[begins - opened..ends - opened]);
        }
        self.out.push('}');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reference result of `canonical`, computed with a tree.
    fn plain(value: &Json) -> Json {
        match value {
            Json::Object(table) => {
                let mut entries: Vec<_> = table.iter().filter(|(_, value)| !value.is_null()).collect();
                entries.sort_by_key(|(key, _)| *key);
                entries.into_iter().map(|(key, value)| (key.clone(), plain(value))).collect()
            }
            Json::Array(items) => items.iter().map(plain).collect(),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => value.clone(),
        }
    }

    /// Tables in written order, which a JSON map need not keep.
    #[derive(Clone, Debug)]
    enum Tree {
        Leaf(Json),
        List(Vec<Tree>),
        Table(Vec<(String, Tree)>),
    }

    impl Serialize for Tree {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self {
                Tree::Leaf(value) => value.serialize(serializer),
                Tree::List(items) => serializer.collect_seq(items),
                Tree::Table(entries) => serializer.collect_map(entries.iter().map(|(key, tree)| (key, tree))),
            }
        }
    }

    /// Texts with all characters that can confuse a parser of strings.
    const TEXT: &str = "[ab\"\\\\{}\\[\\],:\n\u{1}é]{0,4}";

    fn trees() -> impl Strategy<Value = Tree> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::from),
            any::<u64>().prop_map(Json::from),
            any::<i64>().prop_map(Json::from),
            any::<f64>().prop_map(Json::from),
            TEXT.prop_map(Json::from),
        ];
        leaf.prop_map(Tree::Leaf).prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Tree::List),
                prop::collection::hash_map(TEXT, inner, 0..5)
                    .prop_map(|map| Tree::Table(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_text_is_that_of_the_sorted_tree(tree in trees()) {
            let by_tree = plain(&serde_json::to_value(&tree).unwrap());
            let resolved = ResolvedText::of(&tree);
            prop_assert_eq!(resolved.to_string(), by_tree.to_string());
            prop_assert_eq!(resolved.json(), by_tree);
        }
    }

    #[test]
    fn keys_are_compared_as_they_read() {
        // A quote sorts before a letter, although its escaped form does not.
        let tree = Tree::Table(vec![
            ("b".to_owned(), Tree::Leaf(1.into())),
            ("\"".to_owned(), Tree::Leaf(Json::Null)),
            ("Z".to_owned(), Tree::List(vec![Tree::Leaf(Json::Null)])),
            ("\n".to_owned(), Tree::Leaf("a,b".into())),
        ]);
        assert_eq!(ResolvedText::of(&tree).to_string(), r#"{"\n":"a,b","Z":[null],"b":1}"#);
    }
}
