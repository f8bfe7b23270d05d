//! Finds the call that allocated memory: the innermost call on a stack that is not made by a wrapper.
//!
//! A wrapper is a function that returns the memory it allocates, a constructor, or a function in a header of a
//! compiler or a library. The purpose of the memory is known only to the wrapper's caller.

use crate::{source, variable};

/// A call in the source. An address has several calls if functions were inlined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    pub function: Option<String>,
    /// Path of the source file.
    pub file: Option<String>,
    /// Line of the call, from 1.
    pub line: Option<u32>,
    /// Column of the call, from 1.
    pub column: Option<u32>,
    /// True if the call is inside the OpenMP runtime's library.
    pub of_runtime: bool,
}

impl Frame {
    /// True if the call's source file is a system header. Other files under `/usr` can be user code.
    fn is_in_a_header(&self) -> bool {
        let in_usr = |file: &String| {
            file.starts_with("/usr/include/") || file.contains("/include/c++/") || file.contains("/c++/v1/")
        };
        self.file.as_ref().is_some_and(in_usr)
    }

    /// True if the function of the call is a constructor. For an inlined function, debug information may have only
    /// the last part of the name; then the source line of `caller` decides.
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

    /// All lines of the source file, the index of the call's line (from 0), and the byte of the call in that line.
    fn source(&self) -> Option<(Vec<String>, usize, usize)> {
        let lines = source::lines(self.file.as_ref()?)?;
        let (line, column) = (self.line?.checked_sub(1)? as usize, self.column?.checked_sub(1)? as usize);
        (line < lines.len()).then_some((lines, line, column))
    }

    /// True if the function returns the memory that it allocates, is a constructor, or is in a system header.
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

    /// True if the name contains `alloc`; used if the source is not available.
    fn has_the_name_of_a_wrapper(&self) -> bool {
        let function = self.function.as_deref().map(without_arguments).unwrap_or_default();
        function.to_lowercase().contains("alloc")
    }

    fn is_main(&self) -> bool {
        self.function.as_deref().is_some_and(|function| without_arguments(function) == "main")
    }
}

/// Index of the allocating call on a stack, which has the innermost call first.
pub fn asking(stack: &[Frame]) -> usize {
    let end = stack.iter().position(|frame| frame.of_runtime).unwrap_or(stack.len());
    let known: Vec<usize> = (0..end).filter(|at| stack[*at].line.is_some()).collect();
    let caller = |at: usize| known.get(at + 1).map(|at| &stack[*at]);
    let whose = |(number, at): &(usize, &usize)| {
        let frame = &stack[**at];
        frame.is_main() || !frame.is_wrapper(caller(*number))
    };
    // If all known calls are made by wrappers, the outermost known call is taken.
    known.iter().enumerate().find(whose).map(|(_, at)| at).or(known.last()).copied().unwrap_or(0)
}

/// The variable that the allocating call is assigned to.
pub fn variable(stack: &[Frame], asking: usize) -> Option<String> {
    let (lines, at, column) = stack.get(asking)?.source()?;
    let constructed =
        asking.checked_sub(1).is_some_and(|called| stack[called].constructs_for(stack.get(asking)));
    let declared = || if constructed { variable::declared(&lines[at], column) } else { None };
    variable::assigned(&lines[at], column).or_else(declared)
}

/// True if a nested C++ name ends in a constructor. Its mangled form is a list of names with their
/// lengths, then `C`, the kind of constructor and the end.
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

/// The name of a function without its arguments and template arguments.
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

    /// Stacks whose source files are not available.
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
        // Functions of the runtime allocate for themselves.
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
