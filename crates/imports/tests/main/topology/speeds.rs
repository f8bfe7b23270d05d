//! Memory attributes of hwloc's XML, and memory without processors of known and of unknown kind.

use numalab_base::{Bandwidth, Span};
use numalab_imports::topology::{Assumption, MachineSketch, topology_from_text};

/// Two packages with a node of memory and a memory-only node each.
fn xml(model: &str, kind: &str, attributes: &str) -> String {
    let package = |at: u64| {
        let (set, own, alone) = (format!("0x{:x}", 3 << (2 * at)), 10 + at, 20 + at);
        let pu = |number: u64| {
            format!(
                "<object type=\"Core\" os_index=\"{number}\" gp_index=\"{}\"><object type=\"PU\" os_index=\"{number}\" \
                 cpuset=\"0x{:x}\" gp_index=\"{}\"/></object>",
                100 + number,
                1 << number,
                200 + number
            )
        };
        format!(
            "<object type=\"Package\" os_index=\"{at}\" cpuset=\"{set}\" gp_index=\"{}\">\
             <info name=\"CPUModel\" value=\"{model}\"/>\
             <object type=\"NUMANode\" os_index=\"{at}\" cpuset=\"{set}\" gp_index=\"{own}\" local_memory=\"64000000000\"/>\
             <object type=\"NUMANode\" os_index=\"{}\" cpuset=\"{set}\" gp_index=\"{alone}\" local_memory=\"64000000000\"{kind}/>\
             {}{}</object>",
            1 + at,
            2 + at,
            pu(2 * at),
            pu(2 * at + 1)
        )
    };
    format!(
        "<topology version=\"2.0\"><object type=\"Machine\" cpuset=\"0xf\">{}{}</object>{attributes}</topology>",
        package(0),
        package(1)
    )
}

/// A memory attribute with values of target, initiator and amount.
fn attribute(name: &str, values: &[(u64, &str, u64)]) -> String {
    let value = |(target, initiator, amount): &(u64, &str, u64)| {
        format!(
            "<memattr_value target_obj_type=\"NUMANode\" target_obj_gp_index=\"{target}\" value=\"{amount}\" {initiator}/>"
        )
    };
    let values: Vec<String> = values.iter().map(value).collect();
    format!("<memattr name=\"{name}\" flags=\"5\">{}</memattr>", values.join(""))
}

fn sketch(text: &str) -> MachineSketch {
    topology_from_text("x.xml", text).unwrap().machine("here").unwrap()
}

fn assumed(text: &str) -> (MachineSketch, Vec<Assumption>) {
    let topology = topology_from_text("x.xml", text).unwrap();
    let mut sketch = topology.machine("here").unwrap();
    let said = sketch.assume(&topology);
    (sketch, said)
}

const MIB: f64 = 1_048_576.0;
const MODEL: &str = "Intel(R) Xeon(R) Platinum 8480+";

#[test]
fn stated_speeds_are_those_of_the_machine() {
    let first = "initiator_obj_gp_index=\"1\" initiator_obj_type=\"Package\"";
    let second = "initiator_cpuset=\"0xc\"";
    for (bandwidth, latency) in [("Bandwidth", "Latency"), ("ReadBandwidth", "ReadLatency")] {
        let attributes = attribute(
            bandwidth,
            &[
                (10, first, 65000),
                (10, second, 30000),
                (11, second, 64000),
                (20, first, 200_000),
                (21, second, 190_000),
            ],
        ) + &attribute(
            latency,
            &[(10, first, 90), (10, second, 150), (20, first, 130), (21, second, 135)],
        );
        let (sketch, said) = assumed(&xml(MODEL, " subtype=\"HBM\"", &attributes));
        let machine = &sketch.machine;
        // The slowest node stands for all of its kind.
        assert_eq!(machine.memory.bandwidth, Bandwidth(64000.0 * MIB));
        assert_eq!(machine.memory.latency, Span(90_000));
        assert_eq!(machine.memory.read_bandwidth, None);
        let link = &machine.links[0];
        assert_eq!((link.bandwidth, link.latency), (Bandwidth(30000.0 * MIB), Span(30_000)));
        let [hbm] = &machine.memory_only[..] else { panic!("{:?}", machine.memory_only) };
        assert_eq!(
            (&*hbm.name, hbm.bandwidth, hbm.latency),
            ("hbm", Bandwidth(190_000.0 * MIB), Span(135_000))
        );
        // Nothing that is stated is assumed.
        for path in
            ["memory.bandwidth", "memory.latency", "memory_only.hbm.bandwidth", "link.socket-link.latency"]
        {
            assert!(said.iter().all(|one| one.path != path), "{path}");
        }
        assert!(said.iter().any(|one| one.path == "core.outstanding"));
    }
}

#[test]
fn attributes_that_say_nothing_of_speed_change_nothing() {
    let plain = xml(MODEL, "", "");
    let whole = "initiator_cpuset=\"0xf\"";
    for attributes in [
        attribute("Capacity", &[(10, "", 64_000_000_000)]),
        attribute("Locality", &[(10, "", 2)]),
        attribute("Bandwidth", &[(10, whole, 0)]),
        attribute("Bandwidth", &[]),
    ] {
        assert_eq!(sketch(&xml(MODEL, "", &attributes)), sketch(&plain), "{attributes}");
    }
    for (attributes, message) in [
        (attribute("Bandwidth", &[(99, whole, 5)]), "no NUMA node"),
        (attribute("Latency", &[(10, whole, 2_000_000_000)]), "no bandwidth or latency"),
    ] {
        let error = topology_from_text("x.xml", &xml(MODEL, "", &attributes)).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn memory_in_the_package_is_known_by_the_processor() {
    let (sketch, _) = assumed(&xml("Intel(R) Xeon(R) CPU Max 9480", "", ""));
    let machine = &sketch.machine;
    let [hbm] = &machine.memory_only[..] else { panic!("{:?}", machine.memory_only) };
    assert_eq!((&*hbm.name, hbm.bandwidth), ("hbm", Bandwidth(820e9)));
    assert!(hbm.bandwidth.0 > 2.0 * machine.memory.bandwidth.0 && hbm.latency > machine.memory.latency);
    assert!(
        sketch.warnings.iter().any(|one| one.ends_with("taken for hbm: nodes 2, 3")),
        "{:?}",
        sketch.warnings
    );
}

/// Memory of unknown kind is named once, with what to type, and is not slower than that beside processors.
#[test]
fn memory_of_unknown_kind_has_no_invented_speed() {
    for (model, kind, name) in [
        (MODEL, "", "memory"),
        ("POWER9, altivec supported", " subtype=\"GPUMemory\"", "gpu"),
        ("Foo", "", "memory"),
    ] {
        let (sketch, _) = assumed(&xml(model, kind, ""));
        let machine = &sketch.machine;
        let [alone] = &machine.memory_only[..] else { panic!("{:?}", machine.memory_only) };
        assert_eq!((&*alone.name, alone.bandwidth), (name, machine.memory.bandwidth));
        assert_eq!(alone.latency, machine.memory.latency);
        let paths = ["bandwidth", "latency"].map(|field| format!("memory_only.{name}.{field}"));
        assert_eq!(sketch.unknown_memory, paths);
    }
}
