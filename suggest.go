package pinfold

import (
	"slices"
	"strings"
)

// closest returns up to three names that are likely meant.
func closest(name string, names []string) []string {
	allowed := 3
	switch {
	case len(name) <= 4:
		allowed = 1
	case len(name) <= 8:
		allowed = 2
	}
	type match struct {
		name string
		dist int
	}
	var found []match
	for _, n := range names { //meter: names of the program and the host: some thousands
		d := 0
		if !strings.EqualFold(n, name) {
			d = distance(name, n, allowed)
		}
		if d <= allowed {
			found = append(found, match{n, d})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return a.dist - b.dist })
	var out []string
	for _, m := range found[:min(len(found), 3)] {
		if m.dist == found[0].dist {
			out = append(out, m.name)
		}
	}
	return out
}

// distance is the number of edits (insert, delete, replace, swap neighbours)
// between two names; limit+1 when it is more than limit.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit || len(a) > 100 {
		return limit + 1
	}
	far := limit + 1
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev { //meter: names of some hundred bytes
		prev[j] = min(j, far)
		cur[j], prev2[j] = far, far
	}
	// Beyond a few columns on both sides of the diagonal all is too far.
	for i := 1; i <= len(a); i++ { //meter: at most a hundred
		from, to := max(1, i-limit), min(len(b), i+limit)
		cur[from-1] = far
		if from == 1 {
			cur[0] = min(i, far)
		}
		least := cur[from-1]
		for j := from; j <= to; j++ { //meter: at most 2 × limit + 1
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost, far)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
			least = min(least, cur[j])
		}
		if to < len(b) {
			cur[to+1] = far
		}
		if least == far {
			return far
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}
