//! Collects processors, nodes and caches in one walk over the tree of objects.

use super::super::lists::{bitmap, number};
use super::super::{CacheUnit, Processor};
use super::{WrittenNode, span};
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::shorten;
use roxmltree::Node as Element;
use std::collections::BTreeSet;

/// Largest number of caches around a processor.
const MOST_CACHES: usize = 16;

/// Facts collected from the objects.
#[derive(Default)]
pub(super) struct Objects {
    pub model: Option<String>,
    pub vendor: Option<String>,
    pub clock: Option<f64>,
    pub page: Option<u64>,
    /// Bytes of memory of a machine without nodes (version 1).
    pub machine_memory: Option<u64>,
    /// Numbers of all processors, usable or not.
    pub complete: BTreeSet<u32>,
    pub processors: Vec<Processor>,
    pub nodes: Vec<WrittenNode>,
    pub caches: Vec<CacheUnit>,
    /// Processors by the kind of their cores.
    pub core_kinds: Vec<BTreeSet<u32>>,
    packages: u32,
    cores: u32,
}

/// Package, core and caches that enclose an object.
#[derive(Clone, Default)]
struct Around {
    package: Option<u32>,
    core: Option<u32>,
    caches: Vec<usize>,
}

impl Objects {
    /// Reads all objects in the order of the document. The stack is on the heap, since a document may be nested
    /// deeply.
    pub fn read(root: Element<'_, '_>, errors: &mut Vec<Diagnostic>) -> Objects {
        let mut objects = Objects::default();
        let mut stack = vec![(root, Around::default())];
        while let Some((element, mut around)) = stack.pop() {
            match element.tag_name().name() {
                "topology" => {}
                "object" => errors.extend(objects.object(element, &mut around).err()),
                "cpukind" => {
                    objects.info(element);
                    // Favoured cores with a higher clock are a kind for hwloc, and have no type.
                    let infos = element.children().filter(|child| child.has_tag_name("info"));
                    if infos.filter(|info| info.attribute("name") == Some("CoreType")).count() > 0 {
                        objects.core_kinds.extend(element.attribute("cpuset").and_then(bitmap));
                    }
                }
                _ => continue,
            }
            let inside = element.children().filter(Element::is_element).rev();
            stack.extend(inside.map(|child| (child, around.clone())));
        }
        objects
    }

    /// Reads an object; updates `around` for its children.
    fn object(&mut self, element: Element<'_, '_>, around: &mut Around) -> Result<(), Diagnostic> {
        match element.attribute("type") {
            Some("Machine" | "System") => {
                self.machine_memory = optional(element, "local_memory", |text| text.parse().ok())?;
                self.complete = element.attribute("complete_cpuset").and_then(bitmap).unwrap_or_default();
                self.info(element);
                self.pages(element)?;
            }
            Some("Package" | "Socket") => {
                around.package = Some(self.packages);
                self.packages += 1;
                self.info(element);
            }
            Some("Core") => {
                around.core = Some(self.cores);
                self.cores += 1;
            }
            Some("NUMANode") => {
                self.pages(element)?;
                self.nodes.push(WrittenNode {
                    number: required(element, "os_index", "a number below 65536", number)?,
                    id: optional(element, "gp_index", |text| text.parse().ok())?,
                    capacity: optional(element, "local_memory", |text| text.parse().ok())?.unwrap_or(0),
                    kind: element.attribute("subtype").map(str::to_owned),
                    near: required(element, "cpuset", "a bitmap, such as 0x0000000f", bitmap)?,
                });
            }
            Some("PU") => {
                let number = required(element, "os_index", "a number below 65536", number)?;
                self.processors.push(Processor { number, package: around.package, core: around.core });
                around.caches.iter().for_each(|&cache| self.caches[cache].processors.push(number));
            }
            Some(kind) if kind == "Cache" || kind.ends_with("Cache") => self.cache(element, around)?,
            _ => {}
        }
        Ok(())
    }

    fn cache(&mut self, element: Element<'_, '_>, around: &mut Around) -> Result<(), Diagnostic> {
        // Type 2 is an instruction cache. Caches beside memory are not on a core's way to its lines.
        if element.attribute("cache_type") == Some("2") || element.attribute("type") == Some("MemCache") {
            return Ok(());
        }
        if around.caches.len() >= MOST_CACHES {
            let message = format!("more than {MOST_CACHES} caches inside each other");
            return Err(Diagnostic::new(span(element), message, "expected those of one processor"));
        }
        let level = |text: &str| text.parse().ok().filter(|level: &u8| (1..=9).contains(level));
        let unit = CacheUnit {
            level: required(element, "depth", "a level from 1 to 9", level)?,
            size: optional(element, "cache_size", |text| text.parse().ok())?.unwrap_or(0),
            line: optional(element, "cache_linesize", |text| text.parse().ok())?.filter(|line| *line > 0),
            processors: Vec::new(),
        };
        around.caches.push(self.caches.len());
        self.caches.push(unit);
        Ok(())
    }

    fn info(&mut self, element: Element<'_, '_>) {
        let named = |name| {
            let infos = element.children().filter(|child| child.has_tag_name("info"));
            infos.filter(|info| info.attribute("name") == Some(name)).find_map(|info| info.attribute("value"))
        };
        if self.model.is_none() {
            self.model = named("CPUModel").map(|model| model.trim().to_owned());
        }
        self.vendor = self.vendor.take().or_else(|| named("CPUVendor").map(str::to_owned));
        if let Some(megahertz) = named("FrequencyMaxMHz").and_then(|text| text.parse::<f64>().ok()) {
            let clock = megahertz * 1e6;
            self.clock =
                Some(self.clock.unwrap_or(0.0).max(clock)).filter(|clock| *clock > 0.0 && clock.is_finite());
        }
    }

    fn pages(&mut self, element: Element<'_, '_>) -> Result<(), Diagnostic> {
        for page in element.children().filter(|child| child.has_tag_name("page_type")) {
            let size: Option<u64> =
                optional(page, "size", |text| text.parse().ok())?.filter(|size| *size > 0);
            self.page = [self.page, size].into_iter().flatten().min();
        }
        Ok(())
    }
}

/// Parses an attribute; a missing or malformed one is an error.
fn required<T>(
    element: Element<'_, '_>,
    name: &str,
    expected: &str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<T, Diagnostic> {
    match element.attribute(name) {
        None => {
            let message =
                format!("`{name}` is missing from a {}", element.attribute("type").unwrap_or("object"));
            Err(Diagnostic::new(span(element), message, format!("expected {expected}")))
        }
        Some(text) => parse(text).ok_or_else(|| refused(element, name, text, expected)),
    }
}

/// Parses an attribute; `None` if it is missing, an error if it is malformed.
fn optional<T>(
    element: Element<'_, '_>,
    name: &str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, Diagnostic> {
    match element.attribute(name) {
        None => Ok(None),
        Some(text) => parse(text).map(Some).ok_or_else(|| refused(element, name, text, "a whole number")),
    }
}

fn refused(element: Element<'_, '_>, name: &str, text: &str, expected: &str) -> Diagnostic {
    let range = element.attribute_node(name).map(|attribute| attribute.range_value()).unwrap_or_default();
    let place = numalab_syntax::tree::TextRange { source: 0, start: range.start, end: range.end };
    Diagnostic::new(place, format!("`{}` is no `{name}`", shorten(text)), format!("expected {expected}"))
}
