use shop::{split, Money};

fn money(cents: &[u64]) -> Vec<Money> {
    cents.iter().map(|&cents| Money { cents }).collect()
}

#[test]
fn an_even_bill_is_shared_evenly() {
    assert_eq!(money(&[50, 50]), split(Money { cents: 100 }, 2));
}

#[test]
fn the_cents_left_over_go_to_the_first() {
    assert_eq!(money(&[34, 33, 33]), split(Money { cents: 100 }, 3));
}

#[test]
fn a_large_bill() {
    assert_eq!(money(&[251, 250, 250, 250]), split(Money { cents: 1001 }, 4));
}
