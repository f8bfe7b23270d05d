//! Words that a file states directly or through a parameter.

use super::Resolver;
use numalab_files::quantity::Text;
use numalab_syntax::nearest::hint;
use numalab_syntax::tree::shorten;

impl Resolver<'_, '_> {
    /// Value of a word: the word is one of the `known` names, or a parameter that chooses one of them.
    pub(super) fn named<T: Copy>(
        &mut self,
        path: &str,
        what: &str,
        text: &Text,
        known: &[(T, &'static str)],
    ) -> Option<T> {
        let find = |word: &str| known.iter().find(|(_, name)| *name == word).map(|(value, _)| *value);
        let names = || known.iter().map(|(_, name)| *name);
        if let Some(value) = find(&text.0) {
            return Some(value);
        }
        let Some((_, word)) = self.chosen.iter().find(|(name, _)| *name == text.0) else {
            let parameters = self.chosen.iter().map(|(name, _)| name.as_str());
            let label = hint(&text.0, names().chain(parameters));
            self.report.at(path, format!("unknown {what} \"{}\"", shorten(&text.0)), label);
            return None;
        };
        let found = find(word);
        if found.is_none() {
            let message = format!("{} is \"{}\", which is no {what}", shorten(&text.0), shorten(word));
            let label = hint(word, names());
            self.complain(path, message, label);
        }
        found
    }
}
