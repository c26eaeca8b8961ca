use tamis_appointments::laboratory::experiment::*;
use tamis_appointments::laboratory::generators::Norway;
fn main() {
    let what = std::env::args().nth(1).unwrap();
    let runs: u64 = std::env::args().nth(2).unwrap().parse().unwrap();
    let mut e = match what.as_str() {
        "10" => table_10(Runs::Given(runs)).unwrap(),
        "11" => table_11(&Norway { scale: 1.0, dates: runs as u32 }, 1).unwrap(),
        "7" => thesis_7(Runs::Given(runs)).unwrap(),
        _ => thesis_8(Runs::Given(runs)).unwrap(),
    };
    if let Some(arms) = std::env::args().nth(3) {
        e.arms.retain(|a| arms.contains(a.name()));
        let kept = e.arms.clone();
        e.comparisons.retain(|c| kept.contains(&c.of) && kept.contains(&c.over));
    }
    let o = e.run(&RunOptions { seed: 1, time_limit: None }, &|_| {}).unwrap();
    for r in &o.rows {
        print!("{:22}{:8.0}", r.label, r.people);
        for c in &r.comparisons {
            print!("  {} {:.2}±{:.2} [{:.1},{:.1}] ({:?})", c.comparison, c.improvement.mean * 100.0, c.improvement.standard_error * 100.0, c.improvement.minimum*100.0, c.improvement.maximum*100.0, c.published);
        }
        for a in &r.arms { print!("  {} k {:.2} ({:?}) {:.2}s", a.arm, a.k.mean, a.published_k, a.seconds); }
        println!();
    }
}
