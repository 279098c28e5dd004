use shop::{split, Money};

#[test]
fn hidden() {
    for (total, people, shares) in [(100, 3, vec![34, 33, 33]), (1007, 5, vec![202, 202, 201, 201, 201])] {
        let got: Vec<u64> = split(Money { cents: total }, people).iter().map(|m| m.cents).collect();
        assert!(got == shares, "{got:?}");
    }
}
