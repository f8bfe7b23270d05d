//! Callers that ask for memory: of the calls on a stack the first that no wrapper makes.
//!
//! A wrapper returns what it asked for, or is a constructor, or stands in the headers of a compiler or a library. Whoever calls it
//! knows what the memory is for.

use crate::{source, variable};

/// A call as the source has it. An address has several where functions were inlined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The function that calls.
    pub function: Option<String>,
    /// Path of its source.
    pub file: Option<String>,
    /// The line of the call.
    pub line: Option<u32>,
    /// The column of the call.
    pub column: Option<u32>,
    /// Whether the call belongs to the runtime of OpenMP.
    pub of_runtime: bool,
}

impl Frame {
    /// Whether it stands in a header of the system. What lies elsewhere below `/usr` may be anybody's.
    fn is_in_a_header(&self) -> bool {
        let in_usr = |file: &String| {
            file.starts_with("/usr/include/") || file.contains("/include/c++/") || file.contains("/c++/v1/")
        };
        self.file.as_ref().is_some_and(in_usr)
    }

    /// Whether the function constructs an object for whoever calls it. Of what is inlined only the last part of the name may be
    /// known: then the line of the call says so.
    fn constructs_for(&self, caller: Option<&Frame>) -> bool {
        let Some(function) = &self.function else { return false };
        if let Some(mangled) = function.strip_prefix("_ZN") {
            return is_mangled_constructor(mangled);
        }
        let name = without_arguments(function);
        let mut parts = name.rsplit("::");
        match (parts.next(), parts.next()) {
            (Some(last), Some(class)) => last == class,
            (Some(last), None) => {
                caller.and_then(Frame::source).is_some_and(|(lines, at, _)| variable::makes(&lines[at], last))
            }
            (None, _) => false,
        }
    }

    /// The line of the call, counted from 0, with all others, and the byte of the call in it.
    fn source(&self) -> Option<(Vec<String>, usize, usize)> {
        let lines = source::lines(self.file.as_ref()?)?;
        let (line, column) = (self.line?.checked_sub(1)? as usize, self.column?.checked_sub(1)? as usize);
        (line < lines.len()).then_some((lines, line, column))
    }

    /// Whether the function only hands on what it asked for.
    fn is_wrapper(&self, caller: Option<&Frame>) -> bool {
        if self.is_in_a_header() || self.constructs_for(caller) {
            return true;
        }
        let Some((lines, at, column)) = self.source() else { return self.has_the_name_of_a_wrapper() };
        match variable::assigned(&lines[at], column) {
            Some(variable) => source::returns(&lines, at, &variable),
            None => lines[at].get(..column).is_some_and(|left| {
                left.trim_start().starts_with("return")
                    || left.contains(" return ")
                    || left.contains("{return ")
            }),
        }
    }

    /// Guesses where the source is not there.
    fn has_the_name_of_a_wrapper(&self) -> bool {
        let function = self.function.as_deref().map(without_arguments).unwrap_or_default();
        function.to_lowercase().contains("alloc")
    }

    fn is_main(&self) -> bool {
        self.function.as_deref().is_some_and(|function| without_arguments(function) == "main")
    }
}

/// The call that asked, of those on a stack, the innermost first.
pub fn asking(stack: &[Frame]) -> usize {
    let end = stack.iter().position(|frame| frame.of_runtime).unwrap_or(stack.len());
    let known: Vec<usize> = (0..end).filter(|at| stack[*at].line.is_some()).collect();
    let caller = |at: usize| known.get(at + 1).map(|at| &stack[*at]);
    let whose = |(number, at): &(usize, &usize)| {
        let frame = &stack[**at];
        frame.is_main() || !frame.is_wrapper(caller(*number))
    };
    // A wrapper that nobody known calls is better than nothing.
    known.iter().enumerate().find(whose).map(|(_, at)| at).or(known.last()).copied().unwrap_or(0)
}

/// The variable of the call that asked.
pub fn variable(stack: &[Frame], asking: usize) -> Option<String> {
    let (lines, at, column) = stack.get(asking)?.source()?;
    let constructed =
        asking.checked_sub(1).is_some_and(|called| stack[called].constructs_for(stack.get(asking)));
    let declared = || if constructed { variable::declared(&lines[at], column) } else { None };
    variable::assigned(&lines[at], column).or_else(declared)
}

/// Whether a nested name, as compilers of C++ write it, ends in a constructor: names with their lengths before them, then `C`, the
/// kind of constructor and the end.
fn is_mangled_constructor(mut name: &str) -> bool {
    while let Some(first) = name.chars().next() {
        if ["C1E", "C2E", "C3E", "C4E"].iter().any(|constructor| name.starts_with(constructor)) {
            return true;
        }
        let digits = name.find(|c: char| !c.is_ascii_digit()).unwrap_or(name.len());
        let length = name[..digits].parse().map_or(first.len_utf8(), |length: usize| digits + length);
        name = name.get(length..).unwrap_or_default();
    }
    false
}

/// The name of a function without arguments of it and of templates.
fn without_arguments(function: &str) -> String {
    let mut name = String::new();
    let mut depth = 0u32;
    for letter in function.chars() {
        match letter {
            '(' if depth == 0 => break,
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            letter if depth == 0 => name.push(letter),
            _ => {}
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(function: &str, file: &str) -> Frame {
        Frame {
            function: Some(function.into()),
            file: Some(file.into()),
            line: Some(1),
            column: Some(1),
            of_runtime: false,
        }
    }

    /// No source is there.
    #[test]
    fn wrappers_are_skipped() {
        let header = "/usr/include/c++/12/bits/stl_vector.h";
        let allocate = frame("std::__new_allocator<double>::allocate(unsigned long, void const*)", header);
        let vector = frame("std::vector<double, std::allocator<double> >::vector(unsigned long)", header);
        let field = frame("Field::Field(long)", "/home/me/field.cpp");
        let (solve, main) = (frame("solve(int)", "solve.cpp"), frame("main", "main.cpp"));
        let start = Frame::default();
        assert_eq!(
            asking(&[allocate.clone(), vector.clone(), field.clone(), solve.clone(), main.clone(), start]),
            3
        );
        assert_eq!(asking(&[frame("xmalloc", "x.c"), frame("make_allocation", "x.c"), main.clone()]), 2);
        assert_eq!(asking(&[solve.clone(), main.clone()]), 0);
        // Functions of the runtime ask for themselves, and on behalf of nobody.
        let runtime = Frame { of_runtime: true, ..Frame::default() };
        assert_eq!(asking(&[runtime.clone(), main.clone()]), 0);
        assert_eq!(asking(&[allocate.clone(), runtime, main]), 0);
        assert_eq!(asking(&[Frame::default(), allocate]), 1);
        assert_eq!(asking(&[]), 0);
    }

    #[test]
    fn constructors_are_recognised() {
        let is = |function: &str| frame(function, "").constructs_for(None);
        assert!(is("Field::Field(long)") && is("a::Field<int, b<c> >::Field(std::x::y)"));
        assert!(is("_ZN5FieldC2El") && is("_ZN5FieldC4El") && is("_ZNSt6vectorIdSaIdEEC2EmRKS0_"));
        assert!(!is("_ZNSt6vectorIdSaIdEE6resizeEm") && !is("_ZN4C2Ex3getEv") && !is("_ZN9999C1E"));
        assert!(!is("Field::fill(long)") && !is("Field") && !is("x::make(Field::Field)"));
    }
}
