use super::*;

fn page() -> Page {
    let sheet = Sheet::of([1.5, 0.25])
        .words("name", "what\nit is", |value| format!("a_b *{value}*"))
        .number("percent", |value| (*value < 1.0).then(|| format!("{:.0}%", value * 100.0)))
        .file("exact", |value| exact(*value))
        .text("wide", |_| "wide ".repeat(12))
        .until(1)
        .verdict(|value| Some(*value < 1.0));
    Page::titled(["<title>".to_owned(), "fact".to_owned()]).table(sheet).below(Some("1 × more".to_owned()))
}

#[test]
fn column_is_dropped_without_room() {
    let text = page().terminal(&Style { unicode: false, ..Style::default() });
    insta::assert_snapshot!(text, @r"
    <title>, fact

    what
    it is       percent
    ------------------------
    a_b *1.5*         -  OFF
    a_b *0.25*      25%  ok
    1 x more
    ");
    assert!(page().terminal(&Style { width: 100, ..Style::default() }).contains("wide wide"));
}

#[test]
fn names_are_escaped() {
    let text = page().markdown().replace(&"wide ".repeat(12), "wide");
    insta::assert_snapshot!(text, @r"
    **\<title> · fact**

    | what it is | percent | wide |  |
    | --- | ---: | --- | --- |
    | a_b \*1.5\* | - | wide | ✗ |
    | a_b \*0.25\* | 25% | wide | ✓ |

    1 × more
    ");
}

#[test]
fn wide_table_is_split() {
    let row = |sheet: Sheet<u32>, name: &String| sheet.number(name, |row| row * 1_000_000);
    let names: Vec<String> = (0..9).map(|at| format!("column {at}")).collect();
    let sheet = Sheet::of([7u32]).text("key", |row| *row);
    let even = names.iter().fold(sheet.fold_evenly(), row);
    let text = Page::default().table(even).terminal(&Style { width: 50, ..Style::default() });
    let heads: Vec<&str> = text.lines().filter(|line| line.starts_with("key")).collect();
    assert_eq!(heads.len(), 3, "{text}");
    assert!(heads[0].ends_with("column 3") && heads[2].ends_with("column 8"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 50), "{text}");
}

/// As the page narrows, texts shrink to their longest word; then number columns move to several tables.
#[test]
fn words_stay_whole() {
    let row = |sheet: Sheet<u32>, name: &'static str| sheet.number(name, |row| row * 1_000_000);
    let named = || {
        Sheet::of([7u32])
            .text("loop", |_| "transposition of rows")
            .text("policy", |_| "tasks:locality-strict")
    };
    let names = ["first", "second", "third"];
    let wide = |width| {
        let sheet = names.iter().fold(named(), |sheet, name| row(sheet, name));
        Page::default().table(sheet).terminal(&Style { width, unicode: false, ..Style::default() })
    };
    // Two names of 21 characters, three numbers of 7 and four gaps of 2 make 71. Wrapped at words, the names need 13
    // and 15.
    for (width, tables) in [(71, 1), (57, 1), (56, 3)] {
        let text = wide(width);
        assert_eq!(text.lines().filter(|line| line.starts_with("loop")).count(), tables, "{width}: {text}");
        assert!(text.contains("transposition") && text.contains("locality-strict"), "{width}: {text}");
        assert!(text.lines().all(|line| line.chars().count() <= width), "{width}: {text}");
    }
}
