//! Turns a machine file into a machine: names become indices, and values that do not fit together are reported.

use crate::origins;
use numalab_base::ValueOrigins;
use numalab_files::machine_file::{InterconnectFile, LevelFile, MachineFile, ShapeWord};
use numalab_files::quantity::Quantity;
use numalab_files::table::Named;
use numalab_machine::{
    Controller, Crowding, Dsm, Edge, Interconnect, Level, Link, LinkId, Machine, MemoryAt, MemoryOnly, Shape,
    Sharing,
};
use numalab_syntax::nearest::hint;
use numalab_syntax::report::Report;

/// Builds the machine of a file and checks the machine as a whole.
pub(crate) fn resolve(file: &MachineFile, report: &mut Report<'_>) -> Machine {
    let names = report.root.keys_of("link");
    let links = names.iter().filter_map(|name| {
        let link = file.link.get(name)?.0.clone();
        Some(Link { name: name.clone(), ..link })
    });
    let mut machine = Machine {
        name: file.name.clone(),
        description: file.description.clone(),
        links: links.collect(),
        levels: levels(file, &names, report),
        core: file.core.0.clone(),
        caches: file.cache.iter().map(|cache| cache.0.clone()).collect(),
        memory: file.memory.0.clone(),
        memory_at: memory_at(file, report),
        memory_only: memory_only(file, report),
        protocol: file.protocol.0,
        numbering: file.numbering.0,
        processors: file.processors.0.clone(),
        offline: file.offline.0.clone(),
        os: file.os.0.clone(),
        dsm: dsm(file, report),
        runtime: file.runtime.clone(),
        origins: ValueOrigins::default(),
    };
    machine.origins = origins::resolve(&file.origins, &machine.file_values(), report);
    check(&machine, report);
    machine
}

/// Nodes with memory of their own, in the order of the file.
fn memory_at(file: &MachineFile, report: &Report<'_>) -> Vec<MemoryAt> {
    let lists = report.root.keys_of("memory_at").into_iter();
    let some = |nodes: String| {
        let some = file.memory_at.get(&nodes)?.0.clone();
        Some(MemoryAt { nodes, ..some })
    };
    lists.filter_map(some).collect()
}

/// Memory-only nodes, numbered in the order of the file.
fn memory_only(file: &MachineFile, report: &Report<'_>) -> Vec<MemoryOnly> {
    let names = report.root.keys_of("memory_only").into_iter();
    let kind = |name: String| {
        let kind = file.memory_only.get(&name)?.0.clone();
        Some(MemoryOnly { name, ..kind })
    };
    names.filter_map(kind).collect()
}

/// Software-shared memory of the outermost level, with defaults if the file has no table `dsm`; `None` if that level
/// shares no memory in software.
fn dsm(file: &MachineFile, report: &mut Report<'_>) -> Option<Dsm> {
    let software =
        |level: &LevelFile| level.sharing.as_ref().is_some_and(|Named(word)| *word == Sharing::Dsm);
    for at in (1..file.level.len()).filter(|at| software(&file.level[*at])) {
        let path = format!("level[{at}].sharing");
        report.at(
            &path,
            "this level shares memory in software",
            "expected that of the outermost level alone",
        );
    }
    if file.level.first().is_some_and(software) {
        return Some(file.dsm.as_ref().map_or_else(Dsm::default, |table| table.0.clone()));
    }
    if file.dsm.is_some() {
        report.at("dsm", "no level shares memory in software", "expected `sharing = \"dsm\"` in level[0]");
    }
    None
}

/// Runs the machine's own checks and reports their errors at lines of the file.
fn check(machine: &Machine, report: &mut Report<'_>) {
    // After an override, the replaced value is the likely cause of an error.
    let sound = |path: &str| path.split(['.', '[']).next().unwrap_or(path).to_owned();
    for problem in machine.check() {
        let part = sound(&problem.path);
        if !report.is_repaired(&part) {
            report.at(&problem.path, format!("{}: {}", problem.path, problem.message), problem.expected);
        }
    }
}

fn levels(file: &MachineFile, links: &[String], report: &mut Report<'_>) -> Vec<Level> {
    let mut levels = Vec::new();
    for (index, level) in file.level.iter().enumerate() {
        let path = format!("level[{index}]");
        let interconnect = level
            .interconnect
            .as_ref()
            .map(|i| interconnect(i, links, &format!("{path}.interconnect"), report));
        let controller = level.controller.as_ref().map(|controller| Controller {
            link: link(&controller.link, links, &format!("{path}.controller.link"), report),
            requests: controller.requests,
            bandwidth: controller.bandwidth.map(|most| most.0),
            crowding: Crowding(controller.crowding.clone()),
        });
        let core_to_core = level.core_to_core.map(|Quantity(span)| span);
        let port = level.port.as_ref().map(|table| table.0.clone());
        let (kind, count) = (level.kind.0, level.count);
        levels.push(Level { kind, count, interconnect, controller, port, core_to_core });
    }
    levels
}

/// Index of a link by name; 0 after an error, since the machine is then not used.
fn link(name: &str, links: &[String], path: &str, report: &mut Report<'_>) -> LinkId {
    if let Some(index) = links.iter().position(|known| known == name) {
        return LinkId(index);
    }
    let label = match links.is_empty() {
        true => "the file has no [link.NAME] table".to_owned(),
        false => hint(name, links.iter().map(String::as_str)),
    };
    report.at(path, format!("unknown link \"{}\"", numalab_syntax::tree::shorten(name)), label);
    report.repair(path);
    LinkId(0)
}

fn interconnect(
    file: &InterconnectFile,
    links: &[String],
    path: &str,
    report: &mut Report<'_>,
) -> Interconnect {
    let given = [
        ("dims", file.dims.is_some(), file.shape == ShapeWord::Torus),
        ("arity", file.arity.is_some(), file.shape == ShapeWord::FatTree),
        ("edges", file.edges.is_some(), file.shape == ShapeWord::Edges),
    ];
    for (key, given, wanted) in given {
        match (given, wanted) {
            (true, false) => {
                report.at(&format!("{path}.{key}"), format!("this shape has no `{key}`"), "remove it")
            }
            (false, true) => {
                report.at(path, format!("this shape needs `{key}`"), example(key));
                report.repair(&format!("{path}.{key}"));
            }
            _ => {}
        }
    }
    let common = file.link.as_ref().map(|name| link(name, links, &format!("{path}.link"), report));
    if common.is_none() && file.shape != ShapeWord::Edges {
        report.at(path, "missing key `link`", "expected the name of a link, as in `link = \"qpi\"`");
    }
    let shape = match file.shape {
        ShapeWord::Mesh => Shape::Mesh,
        ShapeWord::Ring => Shape::Ring,
        ShapeWord::Torus => Shape::Torus(file.dims.clone().unwrap_or_default()),
        ShapeWord::Hypercube => Shape::Hypercube,
        ShapeWord::FatTree => Shape::FatTree { arity: file.arity.unwrap_or(2) },
        ShapeWord::Star => Shape::Star,
        ShapeWord::Edges => Shape::Edges(edges(file, common, links, path, report)),
    };
    let first = match &shape {
        Shape::Edges(edges) => edges.first().map(|edge| edge.link),
        _ => None,
    };
    Interconnect { shape, link: common.or(first).unwrap_or(LinkId(0)) }
}

fn example(key: &str) -> &'static str {
    match key {
        "dims" => "expected for example `dims = [3, 6, 4]`",
        "arity" => "expected for example `arity = 8`",
        _ => "expected for example `edges = [{ from = 0, to = 1 }]`",
    }
}

fn edges(
    file: &InterconnectFile,
    common: Option<LinkId>,
    links: &[String],
    path: &str,
    report: &mut Report<'_>,
) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (index, edge) in file.edges.iter().flatten().enumerate() {
        let at = format!("{path}.edges[{index}]");
        let own = edge.link.as_ref().map(|name| link(name, links, &format!("{at}.link"), report));
        if own.or(common).is_none() {
            report.at(&at, "no link joins this edge", "expected `link` here or in the interconnect");
        }
        edges.push(Edge { from: edge.from, to: edge.to, link: own.or(common).unwrap_or(LinkId(0)) });
    }
    edges
}
