//! Hierarchies as indented lines: the `.hrc` files of tau-Argus and the two-column form of sdcTable.

/// A label of a hierarchy file and the line of its total.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HrcLine {
    /// The label.
    pub label: String,
    /// The position in the list of what it is part of; none at the top.
    pub parent: Option<usize>,
    /// Its line in the file, from 1.
    pub line: u64,
}

/// Reads indented lines: each level below the top adds one leading string, `@` unless another is given.
///
/// tau-Argus leaves the total out and starts with labels without a leading string; sdcTable writes `@;Total`, `@@;North`, one
/// more string than level. Without any `@` in the file, the indentation of the first indented line is the leading string. Blank
/// lines are skipped. Linear in the text; the sentence names the line.
///
/// ```
/// use tamis_totals::parse_hrc;
/// let lines = parse_hrc("North\n@Oslo\n@Bodo\nSouth\n", None)?;
/// assert_eq!(lines[2].label, "Bodo");
/// assert_eq!(lines.iter().map(|line| line.parent).collect::<Vec<_>>(), [None, Some(0), Some(0), None]);
/// assert_eq!(parse_hrc("@;Total\n@@;North\n", None)?[1].parent, Some(0));
///
/// let deep = parse_hrc("North\n@@Oslo\n", None);
/// assert!(deep.is_err_and(|sentence| sentence.starts_with("line 2: `Oslo` is 2 levels below")));
/// # Ok::<(), String>(())
/// ```
pub fn parse_hrc(text: &str, lead: Option<&str>) -> Result<Vec<HrcLine>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lead = lead.filter(|lead| !lead.is_empty()).unwrap_or_else(|| found_lead(text));
    let mut lines: Vec<HrcLine> = Vec::new();
    // The position of the latest label on each level.
    let mut path: Vec<usize> = Vec::new();
    let mut top = None;
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let mut rest = line;
        let mut depth = 0usize;
        while let Some(shorter) = rest.strip_prefix(lead) {
            rest = shorter;
            depth += 1;
        }
        let label = label_in(rest, depth);
        if label.is_empty() {
            return Err(format!("line {number}: found no label behind `{}`; write one", line.trim_end()));
        }
        if lead.trim().is_empty() && rest.starts_with(char::is_whitespace) {
            let (wide, step) = (line.len() - line.trim_start().len(), lead.len());
            return Err(format!(
                "line {number}: `{label}` is indented by {wide} where a level takes {step}; indent by whole levels"
            ));
        }
        let top = *top.get_or_insert(depth);
        let Some(level) = depth.checked_sub(top) else {
            return Err(format!(
                "line {number}: `{label}` is above the level of the first line; put it on a level below"
            ));
        };
        if level > path.len() {
            let above = path.last().map_or("the top", |&above| lines[above].label.as_str());
            let below = level + 1 - path.len();
            return Err(format!(
                "line {number}: `{label}` is {below} levels below `{above}` above it; a label may be one level deeper at most"
            ));
        }
        path.truncate(level);
        let parent = path.last().copied();
        path.push(lines.len());
        lines.push(HrcLine { label: label.to_owned(), parent, line: number });
    }
    if lines.is_empty() {
        return Err("it has no lines; expected one label a line, parts below their total with a leading `@`".to_owned());
    }
    Ok(lines)
}

/// Whether a text is indented lines and not level columns: some lines begin with the leading string, and either not all lines have
/// columns or each has two, the leading strings and the label. Lines indented by blanks have no columns at all.
pub(super) fn is_indented(text: &str, lead: Option<&str>) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let has_columns = |line: &str| line.trim().contains([';', ',', '\t']);
    let lead = lead.filter(|lead| !lead.is_empty()).unwrap_or_else(|| found_lead(text));
    let stands_apart = |line: &str| {
        let rest = line.trim_start_matches(lead);
        rest.len() < line.len() && rest.starts_with([';', ',', '\t'])
    };
    if !lines().any(|line| line.starts_with(lead)) {
        return false;
    }
    if lead.trim().is_empty() {
        return !lines().any(has_columns);
    }
    !lines().all(has_columns) || lines().all(stands_apart)
}

/// The label behind the leading strings; sdcTable separates them.
fn label_in(rest: &str, depth: usize) -> &str {
    let rest = if depth > 0 { rest.strip_prefix([';', ',', '\t']).unwrap_or(rest) } else { rest };
    rest.trim()
}

/// The leading string of a file that nobody named one for.
fn found_lead(text: &str) -> &str {
    if text.lines().any(|line| line.starts_with('@')) {
        return "@";
    }
    let indent = |line: &'_ str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let indented = text.lines().filter(|line| !line.trim().is_empty()).find(|line| indent(line) > 0);
    indented.map_or("@", |line| &line[..indent(line)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str, lead: Option<&str>) -> Result<Vec<(String, Option<usize>)>, String> {
        Ok(parse_hrc(text, lead)?.into_iter().map(|line| (line.label, line.parent)).collect())
    }

    #[test]
    fn the_same_tree_is_read_from_every_form() {
        let argus = tree("A\n@a1\n@@a11\n@a2\nB\n", None);
        assert_eq!(argus.as_ref().map(Vec::len), Ok(5));
        assert_eq!(tree("A\r\n  a1\r\n    a11\r\n\r\n  a2\r\nB\r\n", None), argus);
        assert_eq!(tree("A\n\ta1\n\t\ta11\n\ta2\nB\n", None), argus);
        assert_eq!(tree("A\n--a1\n----a11\n--a2\nB\n", Some("--")), argus);
        assert_eq!(tree("@;A\n@@;a1\n@@@;a11\n@@;a2\n@;B\n", None), argus);
    }

    #[test]
    fn indented_lines_are_told_from_level_columns_by_their_content() {
        for text in ["A\n@a1\nB\n", "A\n  a1\nB\n", "@;A\n@@;a1\n", "A, the first\n@a1\n"] {
            assert!(is_indented(text, None), "{text}");
        }
        for text in ["a1;A;*\na2;A;*\n", "a1,A\n  a2,A\n", "@home;web;*\n@work;web;*\n", "a1\na2\n", ""] {
            assert!(!is_indented(text, None), "{text}");
        }
        assert!(is_indented("A\n--a1\n", Some("--")));
        assert!(!is_indented("a1;A;*\n", Some("--")));
    }

    #[test]
    fn broken_lines_are_named() {
        let sentence = |text| parse_hrc(text, None).expect_err("a broken file");
        assert_eq!(sentence("A\n@\n"), "line 2: found no label behind `@`; write one");
        assert!(sentence("@A\nB\n").starts_with("line 2: `B` is above the level of the first line"));
        assert!(sentence("A\n@B\n@@@@C\n").starts_with("line 3: `C` is 3 levels below `B`"));
        assert!(sentence("A\n  B\n   C\n").starts_with("line 3: `C` is indented by 3 where a level takes 2"));
        assert!(sentence(" \n\n").starts_with("it has no lines"));
    }
}
