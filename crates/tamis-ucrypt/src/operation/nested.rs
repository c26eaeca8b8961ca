//! Cells inside of what is sealed.
//!
//! A cell that was sealed as a part of another one is out of sight: no rotation finds it, and its data key would be taken away. So nothing
//! is sealed that holds a cell, of whatever policy and name.

use memchr::{memchr, memmem};

/// Whether a piece of XML holds what may be a cell: a policy and a data key among the attributes of something, escaped or not.
pub(super) fn holds_cell(xml: &str) -> bool {
    // Nearly every text has no attribute at all.
    memchr(b'=', xml.as_bytes()).is_some() && gives(xml, "kid") && gives(xml, "pol")
}

fn gives(xml: &str, attribute: &str) -> bool {
    memmem::find_iter(xml.as_bytes(), attribute).any(|at| {
        let before = xml[..at].bytes().next_back();
        before.is_some_and(|byte| byte.is_ascii_whitespace())
            && xml[at + attribute.len()..].trim_ascii_start().starts_with('=')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_any_name_are_found_and_other_elements_are_not() {
        for xml in [
            "a<e><UCRYPT v='1' pol='p' kid='k'>A</UCRYPT></e>",
            "<e a=\"&lt;SEJF pol=&quot;p&quot; kid=&quot;k&quot;&gt;\"/>",
            "<n:X\nkid = 'k'\tpol\n='p'/>",
        ] {
            assert!(holds_cell(xml), "{xml}");
        }
        for xml in
            ["", "kid", "kid=pol=", "<a kid='1'/>", "<a pol='1'/>", "<e>the kid and the pol </e>", " akid= apol="]
        {
            assert!(!holds_cell(xml), "{xml}");
        }
    }
}
