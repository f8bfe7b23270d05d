use super::*;
use numalab_results::{Figures, MeasureValue, SCHEMA_VERSION};
use proptest::prelude::*;

fn key(number: u128) -> Key {
    Key::parse(format!("{number:032x}").as_bytes()).unwrap()
}

fn outcome(makespan_ps: u64) -> PointResult {
    let measures = vec![MeasureValue { name: "rate".into(), unit: "GB/s".into(), value: Some(0.1 + 0.2) }];
    let busiest_resource = Some("link \"a\"\nb".to_owned());
    PointResult {
        figures: Some(Figures { makespan_ps, busiest_resource, ..Figures::default() }),
        measures,
        error: None,
    }
}

/// Folder of a store with results 1 to `count`, written by one process; returns the path of its part file.
fn filled(folder: &Path, count: u64) -> PathBuf {
    let mut store = Store::open(folder, "all").unwrap();
    for number in 1..=count {
        store.add(key(number.into()), &outcome(number)).unwrap();
    }
    store.settle().unwrap();
    store.parts[0].clone()
}

#[test]
fn added_results_are_visible_to_all() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("new").join("store");
    let mut one = Store::open(&folder, "all").unwrap();
    let two = Store::open(&folder, "all").unwrap();
    one.add(key(1), &outcome(5)).unwrap();
    two.add(key(2), &PointResult::failed("no room".into())).unwrap();
    assert!(!one.has(key(1)));
    one.refresh().unwrap();
    let three = Store::open(&folder, "shard-1-of-2").unwrap();
    for store in [&one, &three] {
        let mut reader = store.reader();
        assert_eq!(reader.get(key(2)).unwrap().unwrap().error.as_deref(), Some("no room"));
        assert_eq!(reader.get(key(1)).unwrap().unwrap(), outcome(5));
        assert_eq!(reader.get(key(3)).unwrap(), None);
        assert_eq!((store.len(), store.damaged()), (2, &[][..]));
    }
}

#[test]
fn killed_process_leaves_at_most_one_torn_line() {
    let folder = tempfile::tempdir().unwrap();
    let part = filled(folder.path(), 3);
    let bytes = fs::read(&part).unwrap();
    let second = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).unwrap().0 + 1;
    for length in second..bytes.len() {
        fs::write(&part, &bytes[..length]).unwrap();
        let store = Store::open(folder.path(), "all").unwrap();
        assert_eq!((store.len(), store.damaged()), (2, &[][..]), "{length} of {}", bytes.len());
        // Missing results go to another file, not behind the incomplete line.
        store.add(key(3), &outcome(3)).unwrap();
        let again = Store::open(folder.path(), "all").unwrap();
        assert_eq!(again.len(), 3);
        fs::remove_file(again.parts.iter().find(|other| **other != part).unwrap()).unwrap();
    }
}

#[test]
fn damaged_lines_are_listed_and_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let part = filled(folder.path(), 3);
    let text = fs::read_to_string(&part).unwrap();
    fs::write(&part, text.replacen("\"makespan_ps\":2", "\"makespan_ps\":7", 1)).unwrap();
    let store = Store::open(folder.path(), "all").unwrap();
    assert_eq!(store.len(), 2);
    let [damage] = store.damaged() else { panic!("{:?}", store.damaged()) };
    assert_eq!((&damage.path, damage.line), (&part, 2));
    assert_eq!(damage.what, "the line is damaged; its point runs again");
}

#[test]
fn differing_results_of_one_key_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 2);
    filled(folder.path(), 2);
    assert_eq!(Store::open(folder.path(), "all").unwrap().damaged(), []);
    let store = Store::open(folder.path(), "other").unwrap();
    store.add(key(1), &outcome(77)).unwrap();
    let store = Store::open(folder.path(), "all").unwrap();
    let what = "the result differs from an earlier one of the same point; the earlier one is used";
    assert_eq!(store.damaged()[0].what, what);
}

#[test]
fn other_folders_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("thesis.tex"), "x").unwrap();
    assert!(matches!(Store::open(folder.path(), "all"), Err(StoreError::NoStore(_))));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let later = tempfile::tempdir().unwrap();
    let opened = |mark: &str| {
        fs::write(later.path().join(mark::NAME), mark).unwrap();
        Store::open(later.path(), "all").err()
    };
    for found in [1, 9] {
        let error = opened(&mark::text().replace(&SCHEMA_VERSION.to_string(), &found.to_string()));
        assert!(matches!(error, Some(StoreError::Version(_, OtherVersion { found: told })) if told == found));
    }
    assert!(matches!(opened("a store of books\n"), Some(StoreError::Mark(_))));
    assert!(opened(&mark::text()[..10]).is_none(), "whoever marks it has not written all yet");
    let file = folder.path().join("thesis.tex");
    assert!(matches!(Store::open(&file, "all"), Err(StoreError::System(..))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever bytes of the file are damaged, every result that is read was written.
    #[test]
    fn only_written_results_are_read(cut in 0usize..4000, at in 0usize..4000, byte: u8) {
        let folder = tempfile::tempdir().unwrap();
        let part = filled(folder.path(), 4);
        let mut bytes = fs::read(&part).unwrap();
        bytes.truncate(cut);
        if let Some(old) = bytes.get_mut(at) {
            *old = byte;
        }
        fs::write(&part, &bytes).unwrap();
        let store = Store::open(folder.path(), "all").unwrap();
        let mut reader = store.reader();
        for number in 1..=4_u64 {
            let read = reader.get(key(number.into())).unwrap();
            prop_assert!(read.is_none_or(|read| read == outcome(number)));
        }
    }
}
