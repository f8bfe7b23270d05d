//! Writes a machine as the tree of a machine file. Synthetic machines, which have no file, take overrides and enter
//! results this way.

use crate::machine_file::{ControllerFile, EdgeFile, InterconnectFile, LevelFile, MachineFile, ShapeWord};
use crate::origins::OriginsFile;
use crate::quantity::{NumberListText, NumberSequenceText, Quantity};
use crate::table::{Named, Table};
use numalab_machine::{Interconnect, LinkId, Machine, Shape, Sharing};
use numalab_syntax::tree::{Entry, Node, TextRange, Value};
use serde_json::Value as Json;

/// Tree of a machine, with `span` as the position of every value.
pub fn tree(machine: &Machine, span: TextRange) -> Node {
    let json = serde_json::to_value(file(machine)).unwrap_or_default();
    let mut root = node(&json, span);
    let origins = OriginsFile::of(&machine.origins);
    if let Value::Table(entries) = &mut root.value
        && !origins.is_empty()
    {
        // Left out of the JSON, which is hashed, since origins change no run.
        let node = node(&serde_json::to_value(origins).unwrap_or_default(), span);
        entries.push(Entry { key: "origins".to_owned(), key_span: span, node });
    }
    // Links, memory-only nodes and nodes with memory of their own keep the order of their tables.
    let link = |name: &str| machine.links.iter().position(|link| link.name == name);
    order(&mut root, "link", &link);
    let kind = |name: &str| machine.memory_only.iter().position(|kind| kind.name == name);
    order(&mut root, "memory_only", &kind);
    let some = |nodes: &str| machine.memory_at.iter().position(|some| some.nodes == nodes);
    order(&mut root, "memory_at", &some);
    root
}

/// Sorts the entries of the table `table` by `place` of their names.
fn order(root: &mut Node, table: &str, place: &dyn Fn(&str) -> Option<usize>) {
    if let Value::Table(entries) = &mut root.value
        && let Some(Value::Table(named)) =
            entries.iter_mut().find(|entry| entry.key == table).map(|entry| &mut entry.node.value)
    {
        named.sort_by_key(|entry| place(&entry.key));
    }
}

fn node(json: &Json, span: TextRange) -> Node {
    let value = match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Int(number),
            None => Value::Float(number.as_f64().unwrap_or_default()),
        },
        Json::String(text) => Value::Str(text.clone()),
        Json::Array(items) => Value::List(items.iter().map(|item| node(item, span)).collect()),
        Json::Object(table) => Value::Table(
            table
                .iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(key, value)| Entry { key: key.clone(), key_span: span, node: node(value, span) })
                .collect(),
        ),
    };
    Node { span, value }
}

pub fn file(machine: &Machine) -> MachineFile {
    MachineFile {
        name: machine.name.clone(),
        description: machine.description.clone(),
        numbering: Named(machine.numbering),
        processors: NumberSequenceText(machine.processors.clone()),
        offline: NumberListText(machine.offline.clone()),
        protocol: Named(machine.protocol),
        level: (0..).zip(&machine.levels).map(|(at, level)| self::level(machine, at, level)).collect(),
        link: machine.links.iter().map(|link| (link.name.clone(), Table(link.clone()))).collect(),
        core: Table(machine.core.clone()),
        cache: machine.caches.iter().cloned().map(Table).collect(),
        memory: Table(machine.memory.clone()),
        memory_at: machine.memory_at.iter().map(|some| (some.nodes.clone(), Table(some.clone()))).collect(),
        memory_only: machine
            .memory_only
            .iter()
            .map(|kind| (kind.name.clone(), Table(kind.clone())))
            .collect(),
        os: Table(machine.os.clone()),
        dsm: machine.dsm.clone().map(Table),
        runtime: machine.runtime.clone(),
        origins: OriginsFile::of(&machine.origins),
    }
}

fn level(machine: &Machine, at: usize, level: &numalab_machine::Level) -> LevelFile {
    LevelFile {
        kind: Named(level.kind),
        count: level.count,
        interconnect: level.interconnect.as_ref().map(|i| interconnect(machine, i)),
        controller: level.controller.as_ref().map(|controller| ControllerFile {
            link: name(machine, controller.link),
            requests: controller.requests,
            bandwidth: controller.bandwidth.map(Quantity),
            crowding: controller.crowding.0.clone(),
        }),
        port: level.port.clone().map(Table),
        core_to_core: level.core_to_core.map(Quantity),
        sharing: (at == 0 && machine.dsm.is_some()).then_some(Named(Sharing::Dsm)),
    }
}

fn name(machine: &Machine, link: LinkId) -> String {
    machine.links.get(link.0).map(|link| link.name.clone()).unwrap_or_default()
}

fn interconnect(machine: &Machine, interconnect: &Interconnect) -> InterconnectFile {
    let (mut dims, mut arity, mut edges) = (None, None, None);
    let shape = match &interconnect.shape {
        Shape::Mesh => ShapeWord::Mesh,
        Shape::Ring => ShapeWord::Ring,
        Shape::Hypercube => ShapeWord::Hypercube,
        Shape::Star => ShapeWord::Star,
        Shape::Torus(sizes) => {
            dims = Some(sizes.clone());
            ShapeWord::Torus
        }
        Shape::FatTree { arity: children } => {
            arity = Some(*children);
            ShapeWord::FatTree
        }
        Shape::Edges(listed) => {
            let edge = |edge: &numalab_machine::Edge| EdgeFile {
                from: edge.from,
                to: edge.to,
                link: Some(name(machine, edge.link)),
            };
            edges = Some(listed.iter().map(edge).collect());
            ShapeWord::Edges
        }
    };
    InterconnectFile { shape, link: Some(name(machine, interconnect.link)), dims, arity, edges }
}
