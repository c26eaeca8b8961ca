//! What holds for every page.

/// No script, no resource from elsewhere, no number that is none, and every element closed.
pub(crate) fn assert_self_contained(page: &str) {
    assert!(page.starts_with("<!DOCTYPE html>"));
    for forbidden in
        ["<script", "http://", "https://", "url(", "@import", "<link", "<img", " onload", "src=", "NaN", "inf\""]
    {
        assert!(!page.contains(forbidden), "{forbidden} in the page");
    }
    assert!(page.matches("href=").count() == page.matches("href=\"#").count(), "a link that leaves the page");
    for element in
        ["svg", "g", "rect", "line", "text", "title", "table", "tr", "td", "th", "section", "figure", "main", "html"]
    {
        let opened = page.matches(&format!("<{element}>")).count() + page.matches(&format!("<{element} ")).count();
        assert_eq!(opened, page.matches(&format!("</{element}>")).count(), "<{element}> is not closed");
    }
}
