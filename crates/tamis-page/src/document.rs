//! The frame both pages share: head, style sheet, sections, footer.

use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("style.css");

/// Browsers are told to load nothing and run nothing, whatever text ended up in the page.
const NOTHING_BUT_STYLE: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A whole document.
pub fn document(title: &str, version: &str, body: &Markup) -> String {
    styled_document(title, version, "", body)
}

/// A whole document with rules of its own after the common style sheet.
pub fn styled_document(title: &str, version: &str, style: &str, body: &Markup) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(NOTHING_BUT_STYLE);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content={ "Tamis " (version) };
                title { (title) }
                style { (PreEscaped(STYLE)) }
                @if !style.is_empty() { style { (PreEscaped(style)) } }
            }
            body {
                main { (body) }
                footer { p { "Made with Tamis" @if !version.is_empty() { " " (version) } ". This page is complete in itself and loads nothing." } }
            }
        }
    }
    .into_string()
}

/// A section with its heading and the plain-language paragraph under it.
pub fn section(id: &str, heading: &str, explanation: &str, content: &Markup) -> Markup {
    html! {
        section id=(id) aria-labelledby={ (id) "-heading" } {
            h2 id={ (id) "-heading" } { (heading) }
            @if !explanation.is_empty() { p class="explain" { (explanation) } }
            (content)
        }
    }
}

/// A drawing with its caption.
pub fn figure(caption: &str, drawing: &Markup) -> Markup {
    html! { figure { figcaption { (caption) } (drawing) } }
}

/// What the colours of a drawing mean: class of the swatch and its meaning.
pub fn legend(entries: &[(&str, &str)]) -> Markup {
    html! {
        ul class="legend" {
            @for (class, meaning) in entries { li { span class={ "swatch " (class) } aria-hidden="true" {} (meaning) } }
        }
    }
}

/// Remarks; nothing if there are none.
pub fn notes(notes: &[String]) -> Markup {
    html! {
        @if !notes.is_empty() {
            aside class="notes" aria-label="Notes" { h2 { "Notes" } ul { @for note in notes { li { (note) } } } }
        }
    }
}

/// Words as a list in a sentence: `a`, `a and b`, `a, b and c`.
pub fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
