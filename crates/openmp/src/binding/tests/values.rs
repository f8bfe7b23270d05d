//! Values of `OMP_PROC_BIND` and `OMP_NUM_THREADS`, and their combination.

use super::super::{Binding, BindingError, ProcBind, proc_bind, thread_counts};

#[test]
fn policies() {
    use ProcBind::{Close, False, Primary, Spread, True};
    assert_eq!(proc_bind(" TRUE ").unwrap(), [True]);
    assert_eq!(proc_bind("false").unwrap(), [False]);
    assert_eq!(proc_bind("spread, spread,Close").unwrap(), [Spread, Spread, Close]);
    assert_eq!(proc_bind("master,primary").unwrap(), [Primary, Primary]);
    for (text, column, part) in [
        ("", 1, "the text ends"),
        ("close,", 7, "the text ends"),
        ("close,sprad", 7, "\"sprad\"; expected one of true, false"),
        ("true,close", 1, "must be the whole value"),
        ("close,false", 7, "must be the whole value"),
        ("close spread", 7, "\",\" or the end"),
        ("close;", 6, "found \";\""),
    ] {
        let error = proc_bind(text).unwrap_err();
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.message.contains(part), "{text}: {error}");
    }
}

#[test]
fn team_sizes() {
    assert_eq!(thread_counts(" 8 , 4 ").unwrap(), [8, 4]);
    for (text, column) in [("", 1), ("0", 1), ("8,0", 3), ("8,", 3), ("-1", 1), ("8 4", 3), ("5000000000", 1)]
    {
        assert_eq!(thread_counts(text).unwrap_err().column, column, "{text}");
    }
}

#[test]
fn the_last_policy_holds_for_all_deeper_levels() {
    let binding = Binding::parse(None, Some("spread,close")).unwrap();
    let policies = [0, 1, 2, 9].map(|level| binding.policy(level));
    assert_eq!(policies, [ProcBind::Spread, ProcBind::Close, ProcBind::Close, ProcBind::Close]);
}

#[test]
fn unset_variable_follows_from_the_other() {
    assert_eq!(Binding::parse(Some("cores"), None).unwrap().policy(0), ProcBind::True);
    assert_eq!(Binding::parse(Some("cores"), Some("false")).unwrap().policy(0), ProcBind::False);
    assert_eq!(Binding::default().policy(0), ProcBind::False);
    assert!(Binding::default().is_empty());
}

#[test]
fn each_variable_has_its_own_fallback() {
    let flags = Binding::parse(Some("sockets"), None).unwrap();
    let environment = Binding::parse(Some("cores"), Some("spread")).unwrap();
    assert_eq!(flags.or(environment), Binding::parse(Some("sockets"), Some("spread")).unwrap());
}

#[test]
fn an_error_says_which_variable() {
    let error = Binding::parse(Some("cores"), Some("x")).unwrap_err();
    assert!(matches!(error, BindingError::ProcBind(_)));
    assert!(error.to_string().starts_with("proc_bind, column 1: unknown name \"x\""));
    assert!(matches!(Binding::parse(Some("x"), None), Err(BindingError::Places(_))));
}
