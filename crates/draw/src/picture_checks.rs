//! Test helper: checks that all shapes of a picture are inside its page.

use crate::chart::shapes::text_width;
use roxmltree::{Document, Node};

/// Descriptions of the shapes that exceed the page; empty if all are inside.
pub(crate) fn outside(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).expect("a picture is XML");
    let root = document.root_element();
    let page: Vec<f64> =
        root.attribute("viewBox").unwrap().split(' ').map(|part| part.parse().unwrap()).collect();
    let inside = |(x, y): (f64, f64)| {
        x.is_finite()
            && y.is_finite()
            && (-0.5..=page[2] + 0.5).contains(&x)
            && (-0.5..=page[3] + 0.5).contains(&y)
    };
    let wrong = |node: &Node<'_, '_>| corners(node).into_iter().any(|corner| !inside(corner));
    let shown = document.descendants().filter(|node| node.is_element() && wrong(node));
    shown.map(|node| format!("{} {:?} {:?}", node.tag_name().name(), node.text(), corners(&node))).collect()
}

/// Texts of a picture, in document order.
pub(crate) fn texts(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).expect("a picture is XML");
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.filter_map(|node| Some(node.text()?.trim().to_owned())).collect()
}

/// Points of an element that must be inside the page: opposite corners, ends, or the centre of a disc.
fn corners(node: &Node<'_, '_>) -> Vec<(f64, f64)> {
    let value = |name: &str| node.attribute(name).map_or(0.0, |text| text.parse().unwrap_or(f64::NAN));
    match node.tag_name().name() {
        "rect" => vec![(value("x"), value("y")), (value("x") + value("width"), value("y") + value("height"))],
        "circle" => vec![(value("cx"), value("cy"))],
        "line" => vec![(value("x1"), value("y1")), (value("x2"), value("y2"))],
        "path" => along(node.attribute("d").unwrap_or_default()),
        "text" => written(node, value("x"), value("y"), value("font-size")),
        _ => Vec::new(),
    }
}

/// Ends of a text's baseline, rotated as its attribute says.
fn written(node: &Node<'_, '_>, x: f64, y: f64, size: f64) -> Vec<(f64, f64)> {
    let wide = text_width(node.text().unwrap_or_default().trim(), size);
    let from = match node.attribute("text-anchor") {
        Some("end") => -wide,
        Some("middle") => -wide / 2.0,
        _ => 0.0,
    };
    let turn = node.attribute("transform").and_then(|text| text.strip_prefix("rotate(")?.split(' ').next());
    let angle = turn.map_or(0.0, |degrees| degrees.parse::<f64>().unwrap().to_radians());
    [from, from + wide].map(|along| (x + along * angle.cos(), y + along * angle.sin())).to_vec()
}

/// Points of a path that consists of straight lines.
fn along(path: &str) -> Vec<(f64, f64)> {
    let mut at = (0.0, 0.0);
    let mut points = Vec::new();
    let mut rest = path;
    while let Some(command) = rest.chars().next() {
        let end =
            rest[1..].find(|c: char| c.is_ascii_alphabetic() && c != 'e').map_or(rest.len(), |end| end + 1);
        let numbers: Vec<f64> =
            rest[1..end].split_whitespace().map(|text| text.parse().unwrap_or(f64::NAN)).collect();
        match (command, &numbers[..]) {
            ('M' | 'L', [x, y]) => at = (*x, *y),
            ('H', [x]) => at.0 = *x,
            ('V', [y]) => at.1 = *y,
            ('Z', []) => {}
            _ => at = (f64::NAN, f64::NAN),
        }
        points.push(at);
        rest = &rest[end..];
    }
    points
}
