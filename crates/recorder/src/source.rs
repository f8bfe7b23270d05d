//! Source files, if available: the line of a call, and the value that its function returns.

use std::fs;

/// Largest source file that is read, in bytes.
const MOST: u64 = 16 << 20;

/// Lines of a source file; `None` if the file is missing or larger than `MOST`.
pub fn lines(file: &str) -> Option<Vec<String>> {
    if !fs::metadata(file).is_ok_and(|file| file.is_file() && file.len() <= MOST) {
        return None;
    }
    let bytes = fs::read(file).ok()?;
    Some(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
}

/// True if the function around a line (counted from 0) returns a variable after that line.
pub fn returns(lines: &[String], at: usize, variable: &str) -> bool {
    lines[at.min(lines.len())..end_of_function(lines, at)].iter().any(|line| {
        let line = code(line);
        words(line).any(|(start, word)| word == "return" && returned(&line[start + word.len()..], variable))
    })
}

/// True if `behind`, the text after `return`, is the variable itself, possibly with a cast.
fn returned(behind: &str, variable: &str) -> bool {
    let value = behind.split(';').next().unwrap_or_default().trim();
    let value = value.rsplit(')').next().unwrap_or_default().trim();
    value == variable
}

/// Index of the line after the function that contains the line `at`.
fn end_of_function(lines: &[String], at: usize) -> usize {
    // One entry per open brace: true if the brace opens a function or a block inside a function.
    let mut open: Vec<bool> = Vec::new();
    // Text between the last statement and a brace.
    let mut head = String::new();
    for (number, line) in lines.iter().enumerate() {
        for letter in code(line).chars() {
            match letter {
                '{' => {
                    let encloses = words(&head).any(|(_, word)| {
                        matches!(word, "namespace" | "class" | "struct" | "union" | "extern")
                    }) && !head.contains('(');
                    open.push(!encloses);
                    head.clear();
                }
                '}' => {
                    let of_function = open.pop().unwrap_or(false);
                    head.clear();
                    if number >= at && of_function && !open.contains(&true) {
                        return number + 1;
                    }
                }
                ';' => head.clear(),
                letter => head.push(letter),
            }
        }
        head.push(' ');
    }
    lines.len()
}

/// A line without a trailing comment.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

/// Words of a line with their positions.
pub fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    line.split(move |c| !letter(c))
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - line.as_ptr() as usize, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_end_at_their_braces() {
        let text = "\
namespace outer {
class Field {
    double *make(long n) {
        double *p = new double[n];
        if (p == nullptr) {
            throw 1;
        }
        return (double *)p;
    }
    double *q() { return q; }
};
}
static void fill(struct grid *g) {
    g->q = malloc(8);
}
double *q(void) {
    return q;
}
";
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        assert!(returns(&lines, 3, "p"));
        // A `return q` in another function does not count.
        assert!(!returns(&lines, 3, "q") && !returns(&lines, 13, "q"));
        assert!(returns(&lines, 16, "q"));
        assert!(!returns(&["    return p->next;".to_owned()], 0, "p"));
        assert!(!returns(&lines, 99, "p"));
    }
}
