//! A small till.

/// An amount in whole cents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Money {
    pub cents: u64,
}

/// Returns what each of some people pays.
pub fn split(total: Money, people: u64) -> Vec<Money> {
    let (share, left) = (total.cents / people, total.cents % people);
    (0..people).map(|at| Money { cents: share + u64::from(at < left) }).collect()
}
