//! Distances between nodes, in `distances2` (version 2) or in `distances` of the machine (version 1).

use super::super::Node;
use super::{WrittenNode, span};
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::shorten;
use roxmltree::Node as Element;

/// Bit of `kind` that marks a matrix of latencies.
const LATENCY: u64 = 1 << 2;

/// Reads distances in the order of `nodes`; `None` without distances between nodes.
pub(super) fn read(
    root: Element<'_, '_>,
    written: &[WrittenNode],
    nodes: &[Node],
    errors: &mut Vec<Diagnostic>,
) -> Option<Vec<Vec<f64>>> {
    let (element, order, values) = second(root, written, errors).or_else(|| first(root, written, errors))?;
    let count = order.len();
    if values.len() != count * count {
        let message = format!("{} distances between {count} nodes", values.len());
        errors.push(Diagnostic::new(span(element), message, format!("expected {}", count * count)));
        return None;
    }
    if values.iter().any(|value| !numalab_base::is_sensible(*value) || *value < 0.0) {
        errors.push(Diagnostic::new(span(element), "a distance is no number", "expected numbers from 0"));
        return None;
    }
    // Without a row for every node, there are no distances at all.
    let places: Vec<usize> = nodes
        .iter()
        .map(|node| order.iter().position(|number| *number == node.number))
        .collect::<Option<_>>()?;
    Some(places.iter().map(|&a| places.iter().map(|&b| values[a * count + b]).collect()).collect())
}

type Matrix<'a, 'input> = (Element<'a, 'input>, Vec<u32>, Vec<f64>);

fn second<'a, 'input>(
    root: Element<'a, 'input>,
    written: &[WrittenNode],
    errors: &mut Vec<Diagnostic>,
) -> Option<Matrix<'a, 'input>> {
    let of_nodes = |element: &Element<'_, '_>| {
        let kind = element.attribute("kind").and_then(|kind| kind.parse::<u64>().ok()).unwrap_or(LATENCY);
        element.has_tag_name("distances2")
            && element.attribute("type") == Some("NUMANode")
            && kind & LATENCY != 0
    };
    let element = root.children().find(of_nodes)?;
    let ids = numbers::<u64>(element, "indexes", errors)?;
    let by_id = element.attribute("indexing") == Some("gp");
    let of = |id: &u64| {
        let same =
            |node: &&WrittenNode| if by_id { node.id == Some(*id) } else { u64::from(node.number) == *id };
        written.iter().find(same).map(|node| node.number)
    };
    let order: Vec<u32> = ids.iter().map(of).collect::<Option<_>>()?;
    Some((element, order, numbers(element, "u64values", errors)?))
}

/// Numbers in all children with the name `name`.
fn numbers<T: std::str::FromStr>(
    element: Element<'_, '_>,
    name: &str,
    errors: &mut Vec<Diagnostic>,
) -> Option<Vec<T>> {
    let mut all = Vec::new();
    for part in element.children().filter(|child| child.has_tag_name(name)) {
        for word in part.text().unwrap_or_default().split_whitespace() {
            let Ok(number) = word.parse() else {
                let message = format!("`{}` is no whole number", shorten(word));
                errors.push(Diagnostic::new(span(part), message, "expected numbers"));
                return None;
            };
            all.push(number);
        }
    }
    Some(all)
}

/// Reads version 1: multiples of a base, nodes in the order of the document.
fn first<'a, 'input>(
    root: Element<'a, 'input>,
    written: &[WrittenNode],
    errors: &mut Vec<Diagnostic>,
) -> Option<Matrix<'a, 'input>> {
    let number = |element: Element<'_, '_>, name| {
        let value = element.attribute(name).and_then(|text| text.parse::<f64>().ok());
        value.filter(|value| numalab_base::is_sensible(*value) && *value >= 0.0)
    };
    let count = written.len().to_string();
    let machine = root.children().find(|child| child.has_tag_name("object"))?;
    let of_nodes = |child: &Element<'_, '_>| {
        child.has_tag_name("distances") && child.attribute("nbobjs") == Some(count.as_str())
    };
    let element = machine.children().find(of_nodes)?;
    let base = number(element, "latency_base").unwrap_or(1.0);
    let latencies = element.children().filter(|child| child.has_tag_name("latency"));
    let values: Option<Vec<f64>> = latencies.map(|child| Some(number(child, "value")? * base)).collect();
    let Some(values) = values else {
        errors.push(Diagnostic::new(span(element), "a latency has no value", "expected numbers"));
        return None;
    };
    Some((element, written.iter().map(|node| node.number).collect(), values))
}
