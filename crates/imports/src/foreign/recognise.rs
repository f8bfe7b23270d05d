//! Recognition of the tool that printed a text.

use super::Tool;
use super::page::Page;
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::nearest::one_of;

/// Number of lines of an unknown text that are searched for hints.
const LOOKED_AT: usize = 2000;

/// Finds the tools whose output stands in the text; an error names the nearest tool.
pub fn tools(page: &Page<'_>) -> Result<Vec<Tool>, Vec<Diagnostic>> {
    let mut tools: Vec<Tool> = Tool::ALL.into_iter().filter(|tool| tool.printed(page)).collect();
    // A matrix of bare numbers beside another tool's output is part of that output.
    if tools.len() > 1 {
        let named = !tools.contains(&Tool::Mlc) && super::core_to_core::names_itself(page);
        tools.retain(|&tool| tool != Tool::CoreToCore || named);
    }
    // Its domains and groups look like lines of other tools.
    if tools.contains(&Tool::LikwidTopology) {
        tools.retain(|tool| !matches!(tool, Tool::CoreToCore | Tool::Lscpu | Tool::Slit));
    }
    if tools.is_empty() { Err(vec![unknown(page)]) } else { Ok(tools) }
}

fn unknown(page: &Page<'_>) -> Diagnostic {
    let Some(first) = page.lines.iter().find(|line| !line.is_empty()) else {
        return Diagnostic::new(
            page.end(),
            "the file is empty",
            "expected what a benchmark or lscpu printed",
        );
    };
    let start: String =
        page.lines.iter().take(LOOKED_AT).map(|line| line.text().to_lowercase() + "\n").collect();
    let score = |tool: &Tool| tool.signs().1.iter().filter(|sign| start.contains(*sign)).count();
    // The first tool wins a tie.
    let nearest = Tool::ALL.into_iter().rev().max_by_key(score).filter(|tool| score(tool) > 0);
    let Some(tool) = nearest else {
        let expected = format!("expected output of {}", one_of(Tool::NAMES));
        return Diagnostic::new(first.span(), "no known tool's output is recognised in this file", expected);
    };
    let message =
        format!("no known tool's output is recognised in this file; the nearest is {}", tool.output());
    Diagnostic::new(first.span(), message, format!("expected {}", tool.signs().0))
}
