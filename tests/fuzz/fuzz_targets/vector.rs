//! Any text is a vector or a clear error; a vector can be printed and read again, measured and placed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_appointments::AnonymityVector;
use tamis_appointments::vector::{Measures, Ranking, VectorJson, VectorOrder, positions};

/// Few enough to rank exactly many times a second.
const FEW: u64 = 400;

fuzz_target!(|text: &str| {
    let Ok(vector) = text.parse::<AnonymityVector>() else { return };
    assert_eq!(vector.to_string().parse(), Ok(vector.clone()));
    let measures = Measures::of(&vector, 5).expect("people were counted when it was read");
    assert!(measures.mean_crowd.is_finite() && measures.entropy_bits.is_finite());
    let _ = VectorJson::from(&vector);
    let placed = positions(&[&vector], Some(Ranking::Logarithmic)).expect("any number of people");
    assert!(placed.iter().all(|position| !position.log_gap().is_nan() && !position.share().is_nan()));
    if vector.people() <= FEW {
        let order = VectorOrder::of_people(vector.people()).expect("few enough");
        let index = order.index(&vector).expect("as many people");
        assert_eq!(order.unrank(&index), Ok(vector));
    }
});
