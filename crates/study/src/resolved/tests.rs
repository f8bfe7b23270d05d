use super::*;
use numalab_files::{HeldText, Kind, catalogue};
use numalab_openmp::HwSubset;
use numalab_openmp::binding::{KmpValue, KmpWord};

/// Processors of a workload's threads on four places that are typed in an unusual order.
fn processors(workload: &str, spec: &RunSpec) -> Option<Vec<u32>> {
    let spec = RunSpec { workload: workload.to_owned(), series: false, ..spec.clone() };
    let run = spec.resolve(&Files::default()).ok()?;
    Some(run.team.members.iter().map(|member| member.processor).collect())
}

/// Ways to bind that are typed replace those of a workload: all shipped ones have the threads of `loadbal`, which
/// has no binding.
#[test]
fn typed_bindings_replace_those_of_workloads() {
    let typed = RunSpec { threads: Some(4), ..RunSpec::new("a64fx", "") };
    let places = |places: &str| RunSpec {
        binding: Binding::parse(Some(places), Some("close")).unwrap(),
        ..typed.clone()
    };
    let listed = |list: &str| RunSpec { processors: Some(list.parse().unwrap()), ..typed.clone() };
    let kmp = |text: &str| match KmpValue::parse(text).unwrap().word {
        KmpWord::Bound(binding) => RunSpec { binding, ..typed.clone() },
        other => panic!("{other:?}"),
    };
    let subset = RunSpec { subset: HwSubset::parse("2n@1,2c@3").ok(), ..typed.clone() };
    let ways = [
        listed("36,24,12,0"),
        listed("0-47:12,1-47:12"),
        places("{36},{24},{12},{0}"),
        places("threads"),
        kmp("compact,0,7"),
        kmp("scatter,0,3"),
        kmp("granularity=socket,balanced"),
        kmp("explicit,proclist=[{36,37},24,12,0]"),
        kmp("none"),
        RunSpec { binding: kmp("scatter,0,1").binding, ..subset.clone() },
        subset,
    ];
    for way in ways {
        let expected = processors("loadbal", &way).unwrap();
        let mut seen = 0;
        for item in catalogue().into_iter().filter(|item| item.kind == Kind::Workload) {
            let Some(found) = processors(&item.name, &way) else { continue };
            assert_eq!(found, expected, "{}", item.name);
            seen += 1;
        }
        assert!(seen > 30, "{seen}");
    }
}

/// Processors of the threads of the only phase, which has a team and a binding of its own, of a program for s6030 with 4
/// sockets of 8 cores.
fn processors_of_phase(binding: Binding) -> Vec<u32> {
    let text = "name: spread\nregions: { data: { size: 1 MB } }\nphases:\n  - name: read\n    measured: true\n    threads: 4\n    \
                binding: { places: cores, proc_bind: spread }\n    loop: { iterations: 4, touches: [{ region: data, \
                slice: { partition: 1 }, mode: read }] }\n";
    let held = HeldText::new(Kind::Workload, "spread over sockets", text);
    let spec = RunSpec { binding, series: false, threads: Some(8), ..RunSpec::new("s6030", held.name()) };
    let run = spec.resolve(&Files::default()).unwrap();
    run.experiment.workload.value.phases[0].team.as_ref().unwrap().processors.to_vec()
}

/// Law: A binding that is typed replaces that of a phase.
///
/// `close` on cores: the first four of a socket; spread over 4 sockets: their first cores, 8 apart; `close` on sockets: one
/// thread a socket.
#[test]
fn a_typed_binding_replaces_that_of_a_phase() {
    let typed = |places, proc_bind| processors_of_phase(Binding::parse(places, proc_bind).unwrap());
    assert_eq!(processors_of_phase(Binding::default()), [0, 8, 16, 24]);
    assert_eq!(typed(None, Some("close")), [0, 1, 2, 3]);
    assert_eq!(typed(Some("sockets"), Some("close")), [0, 8, 16, 24]);
    assert_eq!(typed(Some("{3},{1},{2},{0}"), Some("close")), [3, 1, 2, 0]);
}
