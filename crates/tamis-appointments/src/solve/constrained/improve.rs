use super::board::Board;
use crate::solve::Patience;
use crate::vector::AnonymityVector;
use rand_chacha::ChaCha8Rng;
pub(super) fn improve<'a>(
    mut starts: Vec<Board<'a>>,
    _lower_bound: &AnonymityVector,
    _rng: &mut ChaCha8Rng,
    _patience: &Patience,
) -> Board<'a> {
    starts.swap_remove(0)
}
