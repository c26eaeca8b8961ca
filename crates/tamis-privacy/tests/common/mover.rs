//! The earth mover's distance two slow ways, both exact: by the formula of each ground distance, and as a transport problem.

use tamis_privacy::{SensitiveFacts, TableFacts};

/// A ratio of integers; never reduced, the second part is positive.
pub(crate) type Ratio = (i128, i128);

/// What a class has of each value beyond its share, in units of 1 / (class rows times table rows), and that unit.
fn excess(counts: &[u32], totals: &[u64]) -> (Vec<i128>, i128) {
    let rows: i128 = totals.iter().map(|&total| i128::from(total)).sum();
    let size: i128 = counts.iter().map(|&count| i128::from(count)).sum();
    let excess = counts.iter().zip(totals).map(|(&f, &total)| i128::from(f) * rows - i128::from(total) * size);
    (excess.collect(), size * rows)
}

/// Half the sum of |p - q|.
pub(crate) fn equal(counts: &[u32], totals: &[u64]) -> Ratio {
    let (excess, unit) = excess(counts, totals);
    (excess.iter().map(|excess| excess.abs()).sum(), 2 * unit)
}

/// Sum over i of |sum over j up to i of (p - q)|, divided by m - 1.
pub(crate) fn ordered(counts: &[u32], totals: &[u64], order: &[u32]) -> Ratio {
    let (excess, unit) = excess(counts, totals);
    let mut sum = 0;
    for last in 0..order.len() {
        sum += order[..=last].iter().map(|&value| excess[value as usize]).sum::<i128>().abs();
    }
    (sum, unit * (order.len().max(2) as i128 - 1))
}

/// Node by node: what its children have too much and too little of meets there, at the cost of the node's level.
pub(crate) fn hierarchical(counts: &[u32], totals: &[u64], tree: &[Vec<u32>]) -> Ratio {
    let (leaves, unit) = excess(counts, totals);
    let height = tree.len() - 1;
    let mut cost = 0;
    // (label, extra) of the nodes one level down, each once.
    let mut below: Vec<(u32, i128)> = leaves.iter().enumerate().map(|(leaf, &extra)| (leaf as u32, extra)).collect();
    for level in 1..=height {
        let parent = |label: u32| {
            let leaf = tree[level - 1].iter().position(|&other| other == label).unwrap();
            tree[level][leaf]
        };
        let mut labels: Vec<u32> = tree[level].clone();
        labels.sort_unstable();
        labels.dedup();
        below = labels
            .into_iter()
            .map(|label| {
                let children = below.iter().filter(|&&(child, _)| parent(child) == label);
                let (mut pos, mut neg) = (0, 0);
                for &(_, extra) in children {
                    pos += extra.max(0);
                    neg += (-extra).max(0);
                }
                cost += level as i128 * pos.min(neg);
                (label, pos - neg)
            })
            .collect();
    }
    (cost, unit * height.max(1) as i128)
}

/// The lowest level on which two values have the same label.
pub(crate) fn meeting_level(tree: &[Vec<u32>], left: usize, right: usize) -> i128 {
    tree.iter().position(|labels| labels[left] == labels[right]).unwrap() as i128
}

/// The cheapest way to move the class's distribution onto the table's, by shortest augmenting paths.
pub(crate) fn transport(counts: &[u32], totals: &[u64], price: impl Fn(usize, usize) -> i128, scale: i128) -> Ratio {
    let (values, rows) = (counts.len(), totals.iter().map(|&total| i128::from(total)).sum::<i128>());
    let size: i128 = counts.iter().map(|&count| i128::from(count)).sum();
    let mut supply: Vec<i128> = counts.iter().map(|&count| i128::from(count) * rows).collect();
    let mut demand: Vec<i128> = totals.iter().map(|&total| i128::from(total) * size).collect();
    let mut flow = vec![vec![0i128; values]; values];
    let far = i128::MAX / 4;
    let mut cost = 0;
    while supply.iter().any(|&left| left > 0) {
        // Bellman and Ford over sources (0..values) and sinks (values..).
        let mut distance: Vec<i128> =
            (0..2 * values).map(|node| if node < values && supply[node] > 0 { 0 } else { far }).collect();
        let mut before = vec![usize::MAX; 2 * values];
        for _ in 0..2 * values {
            for source in 0..values {
                for sink in 0..values {
                    let there = distance[source] + price(source, sink);
                    if distance[source] < far && there < distance[values + sink] {
                        distance[values + sink] = there;
                        before[values + sink] = source;
                    }
                    let back = distance[values + sink] - price(source, sink);
                    if flow[source][sink] > 0 && distance[values + sink] < far && back < distance[source] {
                        distance[source] = back;
                        before[source] = values + sink;
                    }
                }
            }
        }
        let end = (0..values).filter(|&sink| demand[sink] > 0).min_by_key(|&sink| distance[values + sink]).unwrap();
        let mut path = vec![values + end];
        while before[path[path.len() - 1]] != usize::MAX {
            path.push(before[path[path.len() - 1]]);
        }
        path.reverse();
        let mut amount = supply[path[0]].min(demand[end]);
        for step in path.windows(2).filter(|step| step[0] >= values) {
            amount = amount.min(flow[step[1]][step[0] - values]);
        }
        for step in path.windows(2) {
            if step[0] < values {
                flow[step[0]][step[1] - values] += amount;
            } else {
                flow[step[1]][step[0] - values] -= amount;
            }
        }
        supply[path[0]] -= amount;
        demand[end] -= amount;
        cost += amount * distance[values + end];
    }
    (cost, size * rows * scale)
}

/// A hierarchy over `values` values: `choices[i]` says where level i + 1 puts each label of level i; the last level is one label.
pub(crate) fn tree(values: usize, choices: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut levels = vec![(0..values as u32).collect::<Vec<_>>()];
    for choice in choices {
        let below = &levels[levels.len() - 1];
        let raw = below.iter().map(|&label| choice[label as usize % choice.len()]);
        let mut numbers: Vec<u32> = Vec::new();
        let level = raw.map(|raw| {
            numbers.iter().position(|&number| number == raw).unwrap_or_else(|| {
                numbers.push(raw);
                numbers.len() - 1
            }) as u32
        });
        levels.push(level.collect());
    }
    levels.push(vec![0; values]);
    levels
}

/// A table with one sensitive attribute.
pub(crate) fn facts(totals: &[u64], order: Vec<u32>, tree: Option<Vec<Vec<u32>>>) -> TableFacts {
    let sensitive = SensitiveFacts {
        name: "disease".to_owned(),
        offset: 0,
        totals: totals.to_vec(),
        listed: Some(order.clone()),
        order,
        tree,
        ..SensitiveFacts::default()
    };
    TableFacts { rows: totals.iter().sum(), has_population: false, sensitive: vec![sensitive], ..TableFacts::default() }
}
