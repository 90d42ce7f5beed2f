package tool

import (
	"slices"
	"strings"
)

// meant returns a hint with the known name that is closest to one that isn't, or
// the list of all.
func meant(name string, known []string) string {
	plain := func(s string) string {
		return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(s))
	}
	best, least := "", 3
	if len(name) <= 4 {
		least = 2
	}
	if len(name) <= 64 {
		for _, k := range known {
			if d := distance(plain(name), plain(k)); d < least {
				best, least = k, d
			}
		}
	}
	if best != "" {
		return "did you mean " + best + "?"
	}
	list := slices.Clone(known)
	return "there are " + strings.Join(list, ", ")
}

// distance is the number of letters to insert, delete, replace or swap with
// their neighbour. Both texts are short.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := [3][]int{make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := range x {
		before, last, row := rows[(i)%3], rows[(i+1)%3], rows[(i+2)%3]
		row[0] = i + 1
		for j := range y {
			c := 1
			if x[i] == y[j] {
				c = 0
			}
			row[j+1] = min(last[j]+c, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return rows[(len(x)+1)%3][len(y)]
}
