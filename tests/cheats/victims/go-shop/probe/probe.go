package main

import "shop"

func main() {
	Serve(map[string]func(Args) (any, error){
		"shares": func(a Args) (any, error) {
			cents := []int{}
			for _, share := range shop.Split(shop.Money{Cents: a.Int(0)}, a.Int(1)) {
				cents = append(cents, share.Cents)
			}
			return cents, nil
		},
	})
}
