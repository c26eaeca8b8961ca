//! Progress bars on standard error, only where it is a terminal and work takes long.

use crate::shell::Shell;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};
use tamis_engine::Observer;
use tamis_source::Progress;

/// Shorter work is done before anyone could read a bar.
const PATIENCE: Duration = Duration::from_millis(400);

fn is_wanted(shell: &Shell) -> bool {
    !shell.is_quiet && std::io::stderr().is_terminal()
}

/// A bar over the bytes of a file; none where it is not wanted.
pub(crate) fn reading(shell: &Shell, path: &Path) -> Option<Progress> {
    bytes_read(shell, path).map(Progress::new)
}

/// The same over the bytes of a document with sealed fields, which may be read more than once.
pub(crate) fn reading_document(shell: &Shell, path: &Path) -> Option<tamis_ucrypt::operation::Progress> {
    bytes_read(shell, path).map(tamis_ucrypt::operation::Progress::new)
}

fn bytes_read(shell: &Shell, path: &Path) -> Option<impl Fn(u64) + Send + Sync + 'static> {
    let size = std::fs::metadata(path).ok()?.len();
    if !is_wanted(shell) || size < 20_000_000 {
        return None;
    }
    let style = ProgressStyle::with_template("reading {bar:30} {bytes}/{total_bytes} {eta}").ok()?;
    let bar = ProgressBar::with_draw_target(Some(size), ProgressDrawTarget::stderr()).with_style(style);
    Some(move |bytes| {
        if bytes < bar.position() {
            // From the beginning again.
            bar.reset();
        }
        bar.set_position(bytes);
        if bytes >= size && !bar.is_finished() {
            bar.finish_and_clear();
        }
    })
}

/// A bar over a number of equal pieces of work; none where it is not wanted.
pub(crate) fn counting(shell: &Shell, total: u64) -> Option<ProgressBar> {
    if !is_wanted(shell) {
        return None;
    }
    let style = ProgressStyle::with_template("running {bar:30} {human_pos}/{human_len} {elapsed} (left {eta})").ok()?;
    Some(ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr()).with_style(style))
}

/// A bar over the transformations of a lattice.
pub(crate) struct SearchBar {
    started: Instant,
    bar: Option<ProgressBar>,
    is_wanted: bool,
}

impl SearchBar {
    pub(crate) fn new(shell: &Shell) -> Self {
        Self { started: Instant::now(), bar: None, is_wanted: is_wanted(shell) }
    }
}

impl Observer for SearchBar {
    fn progress(&mut self, done: f64, of: f64, best: Option<f64>, bound: f64) {
        if !self.is_wanted || self.started.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::stderr());
            match ProgressStyle::with_template("searching {bar:30} {percent}% {elapsed} {msg}") {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            }
        });
        bar.set_position((done / of * 1000.0) as u64);
        let best = best.map_or_else(|| "nothing admissible yet".to_owned(), |best| format!("best {best:.6}"));
        bar.set_message(if bound > 0.0 { format!("{best}, proven {bound:.6}") } else { best });
    }
}

impl Drop for SearchBar {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A line over a search for a pattern of hidden cells: cost, bound, gap, cuts and nodes.
pub(crate) struct PatternLine {
    started: Instant,
    line: Option<ProgressBar>,
}

/// A line over a search for a pattern; none where it is not wanted.
pub(crate) fn searching_pattern(shell: &Shell) -> PatternLine {
    let line = is_wanted(shell).then(|| ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()));
    let style = ProgressStyle::with_template("searching {elapsed} {msg}");
    let line = line.map(|line| if let Ok(style) = style { line.with_style(style) } else { line });
    PatternLine { started: Instant::now(), line }
}

impl PatternLine {
    /// Shows where the search stands.
    pub(crate) fn show(&self, progress: &tamis_cells::protect::Progress) {
        let Some(line) = self.line.as_ref().filter(|_| self.started.elapsed() >= PATIENCE) else { return };
        let cost =
            if progress.cost.is_finite() { format!("best {}", brief(progress.cost)) } else { "nothing yet".to_owned() };
        line.set_message(format!(
            "{cost}, bound {}, gap {:.2}%, {} cuts, {} {} ({} open)",
            brief(progress.bound),
            progress.gap * 100.0,
            progress.cuts,
            progress.nodes,
            if progress.nodes == 1 { "node" } else { "nodes" },
            progress.open
        ));
        line.tick();
    }
}

/// A cost for a person: at most two digits behind the point.
fn brief(cost: f64) -> String {
    let text = format!("{cost:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Drop for PatternLine {
    fn drop(&mut self) {
        if let Some(line) = &self.line {
            line.finish_and_clear();
        }
    }
}
