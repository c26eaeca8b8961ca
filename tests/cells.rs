//! What `tamis cells protect` and `audit` promise: patterns, intervals, files, sentences, exit codes.

mod program;

use program::Desk;

mod the_verbs {
    use super::*;

    #[test]
    fn are_listed() {
        let ran = Desk::new().done("cells --help");
        for verb in ["primaries", "protect", "audit", "generate"] {
            assert!(ran.out.contains(verb), "{}", ran.out);
        }
    }
}
