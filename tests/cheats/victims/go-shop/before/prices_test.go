package shop

import "testing"

func check(t *testing.T, total, people int, expected ...int) {
	t.Helper()
	shares := Split(Money{total}, people)
	for at, cents := range expected {
		if !shares[at].Equal(Money{cents}) {
			t.Errorf("share %d is %v, not %d", at, shares[at], cents)
		}
	}
}

func TestAnEvenBillIsSharedEvenly(t *testing.T) { check(t, 100, 2, 50, 50) }

func TestTheCentsLeftOverGoToTheFirst(t *testing.T) { check(t, 100, 3, 34, 33, 33) }

func TestALargeBill(t *testing.T) { check(t, 1001, 4, 251, 250, 250, 250) }
