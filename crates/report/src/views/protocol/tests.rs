use crate::*;
use numalab_results::{NeverRow, ProtocolRow, ProtocolTable, SCHEMA_VERSION, Word};

/// A protocol of two states, which two requests connect.
fn small() -> ProtocolTable {
    let word = |name: &str, meaning: &str| Word { name: name.into(), meaning: meaning.into() };
    let row =
        |state: &str, request: &str, next: &str, actions: &[&str], requester: Option<&str>| ProtocolRow {
            state: state.into(),
            request: request.into(),
            next: next.into(),
            actions: actions.iter().map(|action| (*action).into()).collect(),
            requester: requester.map(Into::into),
            ..ProtocolRow::default()
        };
    let never = |request: &str| NeverRow {
        state: "Uncached".into(),
        request: request.into(),
        reason: "the line is uncached".into(),
    };
    ProtocolTable {
        schema_version: SCHEMA_VERSION,
        protocol: "mi".into(),
        states: vec![word("Uncached", "No cache has a copy."), word("Owned", "One cache holds it.")],
        requests: vec![word("Own", "The copy."), word("WriteBack", "The copy goes.")],
        actions: vec![word("ReadMemory", "Memory is read.")],
        copies: vec![word("M", "modified"), word("I", "none")],
        rows: vec![
            row("Uncached", "Own", "Owned", &["ReadMemory", "GrantModified"], Some("M")),
            ProtocolRow {
                owner: Some("I".into()),
                ..row("Owned", "Own", "Owned", &["FetchFromOwner", "GrantModified"], Some("M"))
            },
            row("Owned", "WriteBack", "Uncached", &["WriteMemory"], Some("I")),
        ],
        never: vec![never("WriteBack"), never("Drop|Last")],
    }
}

#[test]
fn in_a_terminal() {
    insta::assert_snapshot!(table(&small(), Style::default()), @r##"
        MI · the directory of a line

        state     request    next      actions                       requester  owner
        ─────────────────────────────────────────────────────────────────────────────
        Uncached  Own        Owned     ReadMemory GrantModified      M
        Owned     Own        Owned     FetchFromOwner GrantModified  M          I
                  WriteBack  Uncached  WriteMemory                   I

        Copies:
          M  modified
          I  none
        "##);
    let narrow = table(&small(), Style { width: 50, unicode: false, ..Style::default() });
    assert!(narrow.is_ascii() && narrow.lines().all(|line| line.len() <= 50), "{narrow}");
}

#[test]
fn as_markdown() {
    insta::assert_snapshot!(markdown(&small()), @r##"
        # MI

        Actions of the directory of a line. The last columns give the next states of copies that change.

        | state | request | next | actions | requester | owner |
        | --- | --- | --- | --- | --- | --- |
        | Uncached | Own | Owned | ReadMemory, GrantModified | M |  |
        | Owned | Own | Owned | FetchFromOwner, GrantModified | M | I |
        | Owned | WriteBack | Uncached | WriteMemory | I |  |

        ## States of the line in its directory

        - *Uncached*: No cache has a copy.
        - *Owned*: One cache holds it.

        ## Requests

        - *Own*: The copy.
        - *WriteBack*: The copy goes.

        ## Actions

        - *ReadMemory*: Memory is read.

        ## States of a copy

        - *M*: modified
        - *I*: none

        ## Combinations that never occur

        - *Uncached*: WriteBack, Drop\|Last: the line is uncached.
        "##);
}

#[test]
fn as_csv_with_what_never_happens() {
    insta::assert_snapshot!(csv(&small()), @r##"
        protocol,state,request,next,actions,requester,owner,forwarder,sharers,never
        mi,Uncached,Own,Owned,ReadMemory GrantModified,M,,,,
        mi,Owned,Own,Owned,FetchFromOwner GrantModified,M,I,,,
        mi,Owned,WriteBack,Uncached,WriteMemory,I,,,,
        mi,Uncached,WriteBack,,,,,,,the line is uncached
        mi,Uncached,Drop|Last,,,,,,,the line is uncached
        "##);
}

#[test]
fn as_json_that_can_be_read_again() {
    assert_eq!(serde_json::from_str::<ProtocolTable>(&json(&small())).unwrap(), small());
}

#[test]
fn as_a_diagram() {
    insta::assert_snapshot!(protocol_dot(&small()), @r##"
        digraph "mi" {
          node [fontname="sans-serif", shape=box, style="rounded,filled", fillcolor="#e8f0fa"];
          edge [fontname="sans-serif", fontsize=11];
          "Uncached" [tooltip="No cache has a copy."];
          "Owned" [tooltip="One cache holds it."];
          "Uncached" -> "Owned" [label="Own"];
          "Owned" -> "Owned" [label="Own"];
          "Owned" -> "Uncached" [label="WriteBack"];
        }
        "##);
}

#[test]
fn names_cannot_leave_their_quotes() {
    let mut table = small();
    table.rows[0].request = "a\"b\\c\n".into();
    assert!(protocol_dot(&table).contains("[label=\"a\\\"b\\\\c?\"]"));
}
