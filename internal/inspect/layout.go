package inspect

import (
	"math"
	"strings"
	"unicode/utf8"
)

// breakLength is the width that a line should not pass, compact how many levels
// of objects may share a line.
const (
	breakLength = 80
	compact     = 3
)

func width(s string) int { return utf8.RuneCountInString(s) }

// join puts the parts of an object together: on one line if it is short and
// holds few levels, else one part a line.
func (p *printer) join(parts []string, base, open, end string, level int, list, more bool) (string, error) {
	n := len(parts)
	if list && n > 6 {
		parts = p.columns(parts, more)
	}
	size := 0
	for _, s := range parts { //meter: each part was charged
		size += len(s) + 4 + p.indent
	}
	if err := p.spend(size); err != nil {
		return "", err
	}
	if base != "" {
		base += " "
	}
	if p.current-level < compact && n == len(parts) {
		start := len(parts) + p.indent + len(open) + len(base) + 10
		if base != "" {
			start--
		}
		if p.short(parts, start) && !strings.Contains(base, "\n") {
			line := strings.Join(parts, ", ")
			if !strings.Contains(line, "\n") {
				return base + open + " " + line + " " + end, nil
			}
		}
	}
	nl := "\n" + strings.Repeat(" ", p.indent)
	return base + open + nl + "  " + strings.Join(parts, ","+nl+"  ") + nl + end, nil
}

// short reports whether the parts fit on a line.
func (p *printer) short(parts []string, start int) bool {
	total := len(parts) + start
	if total+len(parts) > breakLength {
		return false
	}
	for _, s := range parts { //meter: each part was charged
		if total += width(s); total > breakLength {
			return false
		}
	}
	return true
}

// columns arranges many short elements in columns. more says that the last
// part tells how many were left out.
func (p *printer) columns(parts []string, more bool) []string {
	items := parts
	if more {
		items = parts[:len(parts)-1]
	}
	const gap = 2 // ", "
	total, longest := 0, 0
	widths := make([]int, len(items))
	for i, s := range items { //meter: at most Options.Items
		widths[i] = width(s)
		total += widths[i] + gap
		longest = max(longest, widths[i])
	}
	cell := longest + gap
	if cell*3+p.indent >= breakLength || float64(total)/float64(cell) <= 5 && longest > 6 {
		return parts
	}
	// Wide cells are taken to be narrower by how much their widths differ, so
	// that the block comes out about two and a half times as wide as it is high.
	bias := math.Sqrt(float64(cell) - float64(total)/float64(len(parts)))
	narrowed := math.Max(float64(cell)-3-bias, 1)
	n := min(
		int(math.Floor(math.Sqrt(2.5*narrowed*float64(len(items)))/narrowed+0.5)),
		(breakLength-p.indent)/cell,
		compact*4,
		15,
	)
	if n <= 1 {
		return parts
	}
	var cells []int
	for i := range n { //meter: at most 15
		w := 0
		for j := i; j < len(items); j += n { //meter: at most Options.Items
			w = max(w, widths[j])
		}
		cells = append(cells, w+gap)
	}
	var out []string
	for i := 0; i < len(items); i += n { //meter: at most Options.Items
		var b strings.Builder
		stop := min(i+n, len(items))
		for j := i; j < stop; j++ { //meter: at most 15
			s, w := items[j], cells[j-i]
			last := j == stop-1
			if !last {
				s += ", "
			} else {
				w -= gap
			}
			pad := strings.Repeat(" ", max(0, w-width(s))) //meter: the width of a column: at most that of a part
			switch {
			case p.alignRight:
				b.WriteString(pad + s)
			case last:
				b.WriteString(s)
			default:
				b.WriteString(s + pad)
			}
		}
		out = append(out, b.String())
	}
	if more {
		out = append(out, parts[len(parts)-1])
	}
	return out
}
