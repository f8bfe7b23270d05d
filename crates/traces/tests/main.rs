//! Traces of other tools: archives of OTF2 as text, and Paraver's.

use numalab_lower::machine;
use numalab_machine::{Fabric, totals};
use numalab_replay::work::{Class as Work, Form};
use numalab_results::{Layout, TaskDistance};
use numalab_syntax::diagnostics::Source;
use numalab_traces::{Class, Otf2, Places, otf2, places, trace};

const DEFINITIONS: &str = r#"
=== Global Definitions =========================================================
CLOCK_PROPERTIES                          Ticks per Seconds: 1000000000, Global Offset: 0, Length: 0
LOCATION                               7  Name: "one" <5>, Type: CPU_THREAD, # Events: 0, Group: "process" <0>
LOCATION                               9  Name: "two" <6>, Type: CPU_THREAD, # Events: 0, Group: "process" <0>
LOCATION                              11  Name: "meter" <6>, Type: METRIC, # Events: 0, Group: "process" <0>
REGION                                 0  Name: "parallel" <7> (Aka. "parallel" <7>), Descr.: "" <0>, Role: PARALLEL, Paradigm: OPENMP, Flags: NONE, File: "src/a.c" <8>, Begin: 10, End: 20
REGION                                 1  Name: "a "quoted" task" <9> (Aka. "x" <9>), Descr.: "" <0>, Role: TASK, Paradigm: OPENMP, Flags: NONE, File: "src/a.c" <8>, Begin: 12, End: 14
REGION                                 2  Name: "taskwait" <12> (Aka. "x" <12>), Descr.: "" <0>, Role: TASK_WAIT, Paradigm: OPENMP, Flags: NONE, File: "src/a.c" <8>, Begin: 16, End: 0
REGION                                 3  Name: "loop" <12> (Aka. "x" <12>), Descr.: "" <0>, Role: LOOP, Paradigm: OPENMP, Flags: NONE, File: "src/a.c" <8>, Begin: 18, End: 0
REGION                                 4  Name: "barrier" <12> (Aka. "x" <12>), Descr.: "" <0>, Role: IMPLICIT_BARRIER, Paradigm: OPENMP, Flags: NONE, File: "" <0>, Begin: 0, End: 0
GROUP                                  1  Name: "x" <14>, Type: COMM_GROUP, Paradigm: OPENMP, Flags: NONE, 2 Members: 0 ("one" <7>), 1 ("two" <9>)
COMM                                   0  Name: "team" <15>, Group: "x" <1>, Parent: UNDEFINED, Flags: NONE
=== Events =====================================================================
Event                                   Location            Timestamp  Attributes
--------------------------------------------------------------------------------
"#;

/// Archive with `events`: kind, location, time, and the rest of the line.
fn archive(events: &[(&str, u64, u64, &str)]) -> String {
    let line = |(kind, location, time, said): &(&str, u64, u64, &str)| {
        let said = match (*kind, said.parse::<u64>()) {
            ("ENTER" | "LEAVE", Ok(region)) => format!("Region: \"x\" <{region}>"),
            ("THREAD_TEAM_BEGIN" | "THREAD_TEAM_END", _) => "Thread Team: \"team\" <0>".to_owned(),
            (_, Ok(task)) => format!(
                "Thread Team: \"team\" <0>, Creating Thread: 0 (\"one\" <7>), Generation Number: {task}"
            ),
            (_, Err(_)) => (*said).to_owned(),
        };
        format!("{kind:<40}{location:>6}{time:>20}  {said}\n")
    };
    format!("=== OTF2-PRINT ==={DEFINITIONS}{}", events.iter().map(line).collect::<String>())
}

fn read(text: String) -> Result<Otf2, String> {
    otf2(Source { name: "a.txt".to_owned(), text }).map_err(|error| error.render(false))
}

/// Task 1 begins on thread one, creates task 2 and waits for it. Task 2 runs on thread one; then task 1 resumes on
/// thread two. Before that, thread one works on a loop for 100 ns and thread two for 60.
fn moving() -> String {
    archive(&[
        ("ENTER", 7, 1000, "0"),
        ("THREAD_FORK", 7, 1000, "Model: OPENMP, # Requested Threads: 2"),
        ("THREAD_TEAM_BEGIN", 7, 1000, ""),
        ("THREAD_TEAM_BEGIN", 9, 1000, ""),
        ("ENTER", 7, 1000, "3"),
        ("ENTER", 9, 1000, "3"),
        ("METRIC", 11, 1010, "Metric: 3"),
        ("LEAVE", 9, 1060, "3"),
        ("ENTER", 9, 1060, "4"),
        ("LEAVE", 7, 1100, "3"),
        ("THREAD_TASK_CREATE", 7, 1100, "1"),
        ("ENTER", 7, 1100, "4"),
        ("THREAD_TASK_SWITCH", 7, 1200, "1"),
        ("ENTER", 7, 1200, "1"),
        ("THREAD_TASK_CREATE", 7, 1230, "2"),
        ("ENTER", 7, 1230, "2"),
        ("THREAD_TASK_SWITCH", 7, 1240, "2"),
        ("ENTER", 7, 1240, "1"),
        ("THREAD_TASK_SWITCH", 9, 1250, "1"),
        ("LEAVE", 9, 1260, "2"),
        ("LEAVE", 9, 1265, "1"),
        ("THREAD_TASK_COMPLETE", 9, 1265, "1"),
        ("LEAVE", 9, 1270, "4"),
        ("LEAVE", 7, 1290, "1"),
        ("THREAD_TASK_COMPLETE", 7, 1290, "2"),
        ("LEAVE", 7, 1300, "4"),
        ("THREAD_TEAM_END", 7, 1300, ""),
        ("THREAD_TEAM_END", 9, 1300, ""),
        ("THREAD_JOIN", 7, 1300, "Model: OPENMP"),
        ("LEAVE", 7, 1300, "0"),
    ])
}

fn lines(otf2: &Otf2, places: &Places) -> (Vec<String>, String) {
    let mut bytes = Vec::new();
    otf2.write(&otf2.nested(places).unwrap(), places, &mut bytes).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let events = text.lines().filter(|line| line.starts_with(['+', '-'])).map(str::to_owned).collect();
    (events, text)
}

#[test]
fn a_suspended_task_is_left_and_entered_again_where_it_goes_on() {
    let otf2 = read(moving()).unwrap();
    let places = Places::default();
    let (events, text) = lines(&otf2, &places);
    let expected = [
        "+ 0 1000 0",
        "+ 0 1000 1",
        "+ 1 1000 1",
        "- 1 1060 1",
        "+ 1 1060 2",
        "- 0 1100 1",
        "+ 0 1100 2",
        // Task 1, until it waits: left from the inside out; then task 2.
        "+ 0 1200 3",
        "+ 0 1230 4",
        "- 0 1240 4",
        "- 0 1240 3",
        "+ 0 1240 3",
        // Task 1 on the other thread: entered from the outside in, as the task of another thread.
        "+ 1 1250 5",
        "+ 1 1250 4",
        "- 1 1260 4",
        "- 1 1265 5",
        "- 1 1270 2",
        "- 0 1290 3",
        "- 0 1300 2",
        "- 0 1300 0",
    ];
    assert_eq!(events, expected, "{text}");
    assert!(text.contains("region\t3\tTASK\tOPENMP\t12\tcreator\tsrc/a.c\ta \"quoted\" task\n"), "{text}");
    assert!(text.contains("region\t5\tTASK\tOPENMP\t12\tanother thread\tsrc/a.c\t"), "{text}");
    let nested = otf2.nested(&places).unwrap();
    assert_eq!(nested.suspended, 1);
    // 40 ns of task 1 and 50 of task 2 by the creator, 15 of task 1 elsewhere; both began by their creator.
    let own = Class::Known(TaskDistance::Creator);
    assert_eq!(nested.classes.into_iter().collect::<Vec<_>>(), [(own, (2, 90)), (Class::Elsewhere, (0, 15))]);
}

#[test]
fn what_an_archive_tells_is_work() {
    let otf2 = read(moving()).unwrap();
    let work = &otf2.recording.work;
    let of = |form: Form| work.classes.iter().find(|class| class.form == form).unwrap();
    let costs = |class: &Work| class.chunks.iter().map(|chunk| chunk.cost_ns).collect::<Vec<_>>();
    let parts = of(Form::Loop);
    assert_eq!((parts.iterations, parts.team), (2, 2));
    assert_eq!(costs(parts), [100, 60]);
    // Task 1 before and after its wait, and task 2 that it created.
    let tasks = of(Form::Tasks);
    assert_eq!(costs(tasks), [30, 50]);
    assert_eq!(tasks.tasks.iter().map(|task| task.after_ns).collect::<Vec<_>>(), [5, 0]);
    assert_eq!(tasks.tasks.iter().map(|task| task.parent).collect::<Vec<_>>(), [None, Some(0)]);
    assert_eq!(otf2.recording.name(parts.site), "a.c:18");
}

/// The machine has eight processors: 0 and 1 are on one socket, 2 on another socket of the same board, 7 on the other
/// board.
#[test]
fn tasks_are_classed_by_where_threads_are() {
    let machine = machine("board:2 socket:2 core:2", &[]).unwrap();
    let fabric = Fabric::new(&machine.value).unwrap();
    let totals = totals(&machine.value);
    let layout = Layout {
        boards: totals.boards.unwrap_or(0),
        sockets: totals.sockets.unwrap_or(0),
        nodes: totals.nodes,
    };
    let folder = tempfile::tempdir().unwrap();
    let table = |text: &str| {
        let path = folder.path().join("bound.csv");
        std::fs::write(&path, text).unwrap();
        places(&path, &fabric, layout).map_err(|error| error.render(false))
    };
    let found = table("thread,processor\n0,0\n1,1\n2,2\n3,7\n").unwrap();
    assert_eq!(found.distance(0, 0), Some(TaskDistance::Creator));
    assert_eq!(found.distance(0, 1), Some(TaskDistance::Socket));
    assert_eq!(found.distance(0, 2), Some(TaskDistance::Board));
    assert_eq!(found.distance(3, 0), Some(TaskDistance::Remote));
    assert_eq!(found.distance(4, 0), None);
    for (text, part) in [
        ("", "there are no threads"),
        ("thread,cpu\n0,0\n", "expected the columns thread,processor"),
        ("thread,processor\n0,8\n", "the machine has processors 0 to 7"),
        ("thread,processor\n0,0\n0,1\n", "thread 0 is there twice"),
        ("thread,processor\n0\n", "expected two numbers"),
    ] {
        let error = table(text).unwrap_err();
        assert!(error.contains(part), "{error}");
    }
    let otf2 = read(moving()).unwrap();
    let classes = otf2.nested(&table("thread,processor\n0,0\n1,7\n").unwrap()).unwrap().classes;
    assert_eq!(classes[&Class::Known(TaskDistance::Remote)], (0, 15));
}

#[test]
fn what_is_no_archive_is_refused_with_its_line() {
    let refused = |events: &[(&str, u64, u64, &str)], parts: &[&str]| {
        let error = read(archive(events)).unwrap_err();
        for part in parts {
            assert!(error.contains(part), "expected {part} in {error}");
        }
    };
    refused(&[("ENTER", 7, 1, "99")], &["a.txt:17", "is no event"]);
    refused(&[], &["no events of threads"]);
    refused(&[("LEAVE", 7, 1, "0")], &["parallel is left and was not entered", "a.txt:17"]);
    refused(
        &[("ENTER", 7, 1, "0"), ("ENTER", 7, 2, "3"), ("LEAVE", 7, 3, "0")],
        &["parallel is left while loop is open", "a.txt:19"],
    );
    refused(
        &[
            ("THREAD_TASK_CREATE", 7, 1, "1"),
            ("THREAD_TASK_SWITCH", 7, 2, "1"),
            ("THREAD_TASK_SWITCH", 9, 3, "1"),
        ],
        &["thread 0 has not left the task", "a.txt:19"],
    );
    refused(
        &[("THREAD_TASK_CREATE", 7, 1, "1"), ("THREAD_TASK_COMPLETE", 9, 2, "1")],
        &["that this thread does not execute"],
    );
}

const PARAVER: &str = "\
#Paraver (01/01/2024 at 10:00):2000_ns:1(2):1:1(2:1)
1:1:1:1:1:0:100:1
1:2:1:1:2:0:150:0
2:1:1:1:1:100:60000018:5
1:1:1:1:1:100:700:1
2:2:1:1:2:150:60000018:5
1:2:1:1:2:150:350:1
1:2:1:1:2:350:700:5
2:2:1:1:2:700:60000018:0
1:1:1:1:1:700:900:5
2:1:1:1:1:800:60000018:0:60000001:0
1:1:1:1:1:900:1500:1
3:1:1:1:1:0:0:2:1:1:2:0:0:8:1
1:2:1:1:2:700:2000:0
";

/// Thread 1 runs for 600 of the function's 700 ns and thread 2 for 200; outside, thread 1 runs for 100 ns before and 600
/// after, which is too short for a part of its own.
#[test]
fn regions_of_paraver_are_what_their_threads_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.prv");
    std::fs::write(&path, PARAVER).unwrap();
    let legend = "EVENT_TYPE\n0    60000018    Function\nVALUES\n0      End\n5      solve [lb.c:7]\n";
    std::fs::write(folder.path().join("a.pcf"), legend).unwrap();
    let imported = trace(&path, None).unwrap();
    let recording = imported.recording();
    let [class] = &recording.work.classes[..] else { panic!("{:?}", recording.work) };
    assert_eq!(
        (class.form, class.team, recording.name(class.site).as_str()),
        (Form::Loop, 2, "solve [lb.c:7]")
    );
    assert_eq!(class.chunks.iter().map(|chunk| chunk.cost_ns).collect::<Vec<_>>(), [600, 200]);
    assert_eq!(recording.work.order.left_out_ns, 700);
    // Regions by another type of event, which has no name in the legend.
    std::fs::write(&path, PARAVER.replace("60000018", "42")).unwrap();
    let error = trace(&path, None).unwrap_err().render(false);
    assert!(error.contains("no event of a known type") && error.contains("42"), "{error}");
    let by_type = trace(&path, Some(42)).unwrap();
    assert_eq!(by_type.recording().name(by_type.recording().work.classes[0].site), "42:5");
    for (line, part) in [
        ("1:1:1:1:1:100:0:1\n", "is no record"),
        ("1:1:1:2:1:0:100:1\n", "records of several processes"),
        ("7:1:1:1:1:0\n", "is no record"),
        ("2:1:1:1:1:0\n", "is no record"),
        ("2:1:1:1:99999999:0:1:1\n", "is no record"),
    ] {
        std::fs::write(&path, format!("{PARAVER}{line}")).unwrap();
        let error = trace(&path, None).unwrap_err().render(false);
        assert!(error.contains(part) && error.contains("a.prv:15"), "{error}");
    }
}

/// Two tasks of thread 2 within a region of both threads.
#[test]
fn tasks_of_paraver_are_those_of_their_region() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.prv");
    let text = "\
#Paraver (01/01/2024 at 10:00):9000_ns:1(2):1:1(2:1)
2:1:1:1:1:0:60000018:5
2:2:1:1:2:0:60000018:5
2:2:1:1:2:1000:60000023:7
2:2:1:1:2:3000:60000023:0
2:2:1:1:2:4000:60000023:7
2:2:1:1:2:4500:60000023:0
2:1:1:1:1:9000:60000018:0
2:2:1:1:2:9000:60000018:0
";
    std::fs::write(&path, text).unwrap();
    let imported = trace(&path, None).unwrap();
    let classes = &imported.recording().work.classes;
    let tasks = classes.iter().find(|class| class.form == Form::Tasks).unwrap();
    assert_eq!(tasks.chunks.iter().map(|chunk| chunk.cost_ns).collect::<Vec<_>>(), [2000, 500]);
    let body = classes.iter().find(|class| class.form == Form::Loop).unwrap();
    assert_eq!(body.chunks.iter().map(|chunk| chunk.cost_ns).collect::<Vec<_>>(), [9000, 6500]);
}
