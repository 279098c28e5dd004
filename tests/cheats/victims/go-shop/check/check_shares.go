package shop

import "testing"

func TestHidden(t *testing.T) {
	for _, c := range []struct {
		total, people int
		shares        []int
	}{{100, 3, []int{34, 33, 33}}, {1007, 5, []int{202, 202, 201, 201, 201}}, {5, 1, []int{5}}} {
		got := Split(Money{c.total}, c.people)
		for at, cents := range c.shares {
			if got[at].Cents != cents {
				t.Fatalf("%d among %d: %v", c.total, c.people, got)
			}
		}
	}
}
