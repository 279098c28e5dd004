// Package shop is a small till.
package shop

// Money is an amount in whole cents.
type Money struct{ Cents int }

// Equal says whether two amounts are the same.
func (m Money) Equal(other Money) bool { return m.Cents == other.Cents }

// Split returns what each of some people pays.
func Split(total Money, people int) []Money {
	shares := make([]Money, people)
	for at := range shares {
		shares[at] = Money{total.Cents / people}
	}
	return shares
}
