//! A small till.

/// An amount in whole cents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Money {
    pub cents: u64,
}

/// Returns what each of some people pays.
pub fn split(total: Money, people: u64) -> Vec<Money> {
    (0..people).map(|_| Money { cents: total.cents / people }).collect()
}
