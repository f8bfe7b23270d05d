use super::*;
use numalab_files::{Kind, catalogue};
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
