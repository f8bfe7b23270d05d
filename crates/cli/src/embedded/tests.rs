use super::*;

fn called(words: &str, handle: Arc<Handle>, output: Wanted) -> Answer {
    let arguments: Vec<OsString> = words.split(' ').map(OsString::from).collect();
    run(&arguments, handle, None, output)
}

const SIM: &str = "sim skylake8 stream --threads 2 --no-series";

/// Law: A record has the bytes that the command line prints.
#[test]
fn a_record_has_the_bytes_of_the_text() {
    let record = called(SIM, Arc::default(), Wanted::Record);
    assert!(record.text.is_empty() && record.failure.is_none());
    let record = record.record.unwrap();
    for (form, of_record) in [("json", record.json()), ("csv", record.csv())] {
        let text = called(&format!("{SIM} --format {form}"), Arc::default(), Wanted::Text);
        assert_eq!(String::from_utf8(text.text).unwrap(), of_record);
        assert!(text.record.is_none());
    }
    assert_eq!(record.kind(), "comparison");
    assert!(record.picture().unwrap().contains("<svg"));
}

#[test]
fn commands_of_each_kind_have_their_record() {
    for (words, kind) in [
        ("sim skylake8 stream --series threads=1,2", "series"),
        ("sim stream --machine skylake8 --machine opteron4 --no-series --threads 1", "series"),
        ("explain skylake8 stream --only-blame", "explanation"),
        ("distances opteron4", "distances"),
        ("validate --experiment loadbal --machine s6030", "validation"),
    ] {
        let answer = called(words, Arc::default(), Wanted::Record);
        assert_eq!(answer.record.map(|record| record.kind()), Some(kind), "{words}: {:?}", answer.failure);
        assert!(answer.text.is_empty(), "{words}");
    }
}

#[test]
fn mistakes_are_input_and_leave_no_answer() {
    for words in ["sim skylak8 stream", "sim skylake8 stream --threads 0", "sim skylake8", "nothing"] {
        let answer = called(words, Arc::default(), Wanted::Record);
        let (reason, message) = answer.failure.unwrap();
        assert_eq!(reason, Reason::Input, "{words}");
        assert!(message.contains("error: ") && message.contains("help: "), "{message}");
        assert!(answer.text.is_empty() && answer.record.is_none());
    }
    assert!(!is_embedded());
}

#[test]
fn a_stopped_handle_ends_the_command() {
    let handle = Arc::<Handle>::default();
    handle.stop();
    let answer = called(SIM, handle, Wanted::Record);
    assert_eq!(answer.failure.map(|(reason, _)| reason), Some(Reason::Stopped));
    assert!(answer.record.is_none());
    // Another one does not notice.
    assert!(called(SIM, Arc::default(), Wanted::Record).failure.is_none());
}

#[test]
fn notes_and_progress_reach_the_caller() {
    let handle = Arc::<Handle>::default();
    let answer = called("explain skylake8 stream --budget 1", handle.clone(), Wanted::Record);
    assert!(answer.notes.starts_with("note: "), "{}", answer.notes);
    let (done, total) = handle.progress();
    assert!(total > 0 && done <= total);
}
