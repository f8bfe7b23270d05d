//! Evaluates the parameters of a workload, and the words that they can choose.

use super::Resolver;
use numalab_files::Facts;
use numalab_files::workload_file::{ChoiceFile, ParameterFile, WorkloadFile};
use numalab_results::Run;
use numalab_syntax::expression;
use numalab_syntax::nearest::hint;
use numalab_syntax::tree::shorten;

impl Resolver<'_, '_> {
    /// Adds all parameters to the scope. Returns their names and texts.
    pub(super) fn parameters(&mut self, file: &WorkloadFile) -> Vec<(String, String)> {
        let names = self.report.root.keys_of("parameters");
        self.choices(file, &names);
        let mut written = Vec::new();
        for name in names {
            let path = format!("parameters.{name}");
            self.name(&path, &name, !file.measures.is_empty());
            let Some(parameter) = file.parameters.get(&name) else { continue };
            let (value, text) = match parameter {
                ParameterFile::Number(text) => (self.constant(&path, text), text.0.clone()),
                ParameterFile::Choice(choice) => (self.choice(&path, choice), choice.default.0.clone()),
            };
            if value.is_none() {
                self.report.repair(&path);
            }
            if let ParameterFile::Choice(choice) = parameter {
                self.chosen.push((name.clone(), choice.default.0.clone()));
            }
            self.scope.add(name.clone(), value.unwrap_or(1.0));
            written.push((name, text));
        }
        written
    }

    /// Reports the name of a parameter if it is invalid or has another meaning. With `measures`, names of outcomes
    /// have a meaning, too.
    fn name(&mut self, path: &str, name: &str, measures: bool) {
        let outcome = measures && Run::value_names().any(|known| known == name);
        if !expression::is_name(name) {
            let label = "expected letters, digits and _, not beginning with a digit";
            self.report.at(path, format!("`{}` cannot name a parameter", shorten(name)), label);
        } else if self.is_taken(name) || outcome {
            self.report.at(path, format!("`{name}` has a meaning in expressions"), "expected another name");
        } else if self.words.iter().any(|word| word == name) {
            let message = format!("`{name}` is a parameter and a word to choose");
            self.report.at(path, message, "expected another name");
        }
    }

    fn is_taken(&self, name: &str) -> bool {
        let matrix = self.scope.matrix.is_some() && super::matrix::NAMES.contains(&name);
        let rows = |(table, _): &(String, _)| name.strip_suffix("_rows") == Some(table.as_str());
        let table = self.scope.tables.iter().any(rows);
        expression::reserved().any(|reserved| reserved == name)
            || Facts::NAMES.contains(&name)
            || matrix
            || table
    }

    /// Gives every word that a parameter can choose a value. Equal words of several parameters have equal values.
    fn choices(&mut self, file: &WorkloadFile, names: &[String]) {
        for name in names {
            let choices = file.parameters.get(name).map_or(&[][..], ParameterFile::choices);
            for (index, word) in choices.iter().enumerate() {
                let path = format!("parameters.{name}.choices[{index}]");
                if self.is_taken(&word.0) {
                    let message = format!("`{}` has a meaning in expressions", word.0);
                    self.report.at(&path, message, "expected another word");
                } else if choices[..index].contains(word) {
                    self.report.at(&path, format!("`{}` is here twice", shorten(&word.0)), "");
                }
                if !self.words.contains(&word.0) {
                    self.words.push(word.0.clone());
                    if expression::is_name(&word.0) {
                        self.scope.add(word.0.clone(), self.words.len() as f64);
                    }
                }
            }
        }
    }

    /// Value of a word in expressions; `None` if no parameter can choose the word.
    pub(super) fn word(&self, word: &str) -> Option<f64> {
        self.words.iter().position(|known| known == word).map(|at| (at + 1) as f64)
    }

    fn choice(&mut self, path: &str, choice: &ChoiceFile) -> Option<f64> {
        let word = &choice.default.0;
        if !choice.choices.contains(&choice.default) {
            let label = hint(word, choice.choices.iter().map(|word| word.0.as_str()));
            self.report.at(
                &format!("{path}.default"),
                format!("{path} cannot be \"{}\"", shorten(word)),
                label,
            );
            return None;
        }
        self.word(word)
    }
}
