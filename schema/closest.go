package schema

import (
	"slices"
	"strings"
)

// closest returns up to three names that are likely meant, the nearest first.
func closest(name string, names []string) []string {
	if len(name) > 100 {
		return nil
	}
	allowed := 3
	switch {
	case len(name) <= 2:
		allowed = 0
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
	plain := bare(name)
	for _, n := range names[:min(len(names), 500)] {
		d := 0
		if bare(n) != plain || plain == "" {
			d = distance(name, n, allowed)
		}
		if d <= allowed && n != name {
			found = append(found, match{n, d})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return a.dist - b.dist })
	var out []string
	for _, m := range found[:min(len(found), 3)] {
		out = append(out, m.name)
	}
	return out
}

// bare is a name without what differs between the ways to write it: userName,
// user_name, User-Name.
func bare(s string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(s))
}

// distance is the number of letters to insert, delete, replace or swap with
// their neighbour to make b of a; limit+1 when it is more than limit.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			same := 1
			if a[i-1] == b[j-1] {
				same = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+same)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit+1)
}
