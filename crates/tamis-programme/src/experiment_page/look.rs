//! How a way to schedule looks in every chart: the same colour, line and mark wherever it appears.

use maud::{Markup, html};
use tamis_appointments::Method;
use tamis_appointments::laboratory::experiment::{Arm, Comparison};
use tamis_page::svg::px;

/// Colour, line and mark of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// That of an arm, also for its improvement over drawn appointments.
    Of(Arm),
    /// That of a comparison between two methods, which is about neither alone.
    Between,
}

impl Look {
    /// The look of a comparison: the arm's own, unless it is measured against another method.
    pub(super) fn of_comparison(comparison: Comparison) -> Self {
        if comparison.over == Arm::Drawn { Self::Of(comparison.of) } else { Self::Between }
    }

    /// The class that carries colour and line.
    pub(super) fn class(self) -> String {
        match self {
            Self::Of(arm) => format!("look-{arm}"),
            Self::Between => "look-between".to_owned(),
        }
    }

    /// The mark around a point. The optimum has a wide open square and the heuristic a small dot, so that both are seen where they
    /// coincide, which is nearly everywhere.
    pub(super) fn mark(self, x: f64, y: f64, title: &str) -> Markup {
        let polygon = |corners: &[(f64, f64)]| {
            let points: Vec<String> = corners.iter().map(|(dx, dy)| format!("{},{}", px(x + dx), px(y + dy))).collect();
            html! { polygon class="point" points=(points.join(" ")) { title { (title) } } }
        };
        match self {
            Self::Of(Arm::Method(Method::Exact)) => html! {
                rect class="point open" x=(px(x - 5.5)) y=(px(y - 5.5)) width="11" height="11" { title { (title) } }
            },
            Self::Of(Arm::Method(Method::Half)) => polygon(&[(0.0, -4.8), (4.5, 3.4), (-4.5, 3.4)]),
            Self::Of(Arm::Method(Method::Greatest)) => polygon(&[(0.0, 4.8), (4.5, -3.4), (-4.5, -3.4)]),
            Self::Of(Arm::Method(Method::Authors)) => polygon(&[(-3.6, -3.6), (3.6, -3.6), (3.6, 3.6), (-3.6, 3.6)]),
            Self::Between => polygon(&[(0.0, -5.0), (5.0, 0.0), (0.0, 5.0), (-5.0, 0.0)]),
            Self::Of(Arm::Drawn) => html! {
                circle class="point" cx=(px(x)) cy=(px(y)) r="3.8" { title { (title) } }
            },
            Self::Of(Arm::Method(Method::Best | Method::Heuristic | Method::Random)) => html! {
                circle class="point" cx=(px(x)) cy=(px(y)) r="2.8" { title { (title) } }
            },
        }
    }

    /// A piece of the line with its mark, for the legend.
    pub(super) fn sample(self) -> Markup {
        html! {
            svg class={ "sample " (self.class()) } aria-hidden="true" viewBox="0 0 34 16" width="34" height="16" {
                line class="line" x1="1" y1="8" x2="33" y2="8" {}
                (self.mark(17.0, 8.0, ""))
            }
        }
    }
}
