package pinfold

import (
	"strings"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/internal/inspect"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// Bounds of a table.
const (
	maxTableRows    = 1000
	maxTableColumns = 50
)

// consoleTable prints an array or object of rows as a table; anything else is
// printed as log does.
func (r *run) consoleTable(args []vm.Value) error {
	if len(args) == 0 || !args[0].IsObject() || r.m.H.Obj(args[0].AsObj()).Class == heap.ClassProxy {
		return r.print("log", args)
	}
	rows, err := r.tableFields(args[0].AsObj())
	if err != nil {
		return err
	}
	if len(rows) > maxTableRows {
		return r.print("log", args)
	}
	var columns []vm.Key
	index := map[vm.Key]int{}
	values := false // some row is no object: it has a column of its own
	type row struct {
		name  string
		cells map[vm.Key]string
		value string
	}
	var table []row
	for _, f := range rows { //meter: at most maxTableRows
		name, err := r.keyText(f.key)
		if err != nil {
			return err
		}
		t := row{name: name, cells: map[vm.Key]string{}}
		if !f.val.IsObject() || r.m.H.Obj(f.val.AsObj()).Flags&heap.Callable != 0 || r.m.H.Obj(f.val.AsObj()).Class == heap.ClassProxy {
			values = true
			if t.value, err = r.cell(f.val); err != nil {
				return err
			}
			table = append(table, t)
			continue
		}
		cells, err := r.tableFields(f.val.AsObj())
		if err != nil {
			return err
		}
		for _, c := range cells { //meter: tableFields charged
			if _, known := index[c.key]; !known {
				if len(columns) == maxTableColumns {
					continue
				}
				index[c.key] = len(columns)
				columns = append(columns, c.key)
			}
			if t.cells[c.key], err = r.cell(c.val); err != nil {
				return err
			}
		}
		table = append(table, t)
	}
	grid := [][]string{{"(index)"}}
	for _, k := range columns { //meter: at most maxTableColumns
		name, err := r.keyText(k)
		if err != nil {
			return err
		}
		grid[0] = append(grid[0], name)
	}
	if values {
		grid[0] = append(grid[0], "Values")
	}
	for _, t := range table { //meter: at most maxTableRows
		line := []string{t.name}
		for _, k := range columns { //meter: at most maxTableColumns
			line = append(line, t.cells[k])
		}
		if values {
			line = append(line, t.value)
		}
		grid = append(grid, line)
	}
	if err := r.m.Charge(8 * len(grid) * len(grid[0])); err != nil {
		return err
	}
	return r.line("log", drawTable(grid))
}

type tableField struct {
	key vm.Key
	val vm.Value
}

// tableFields lists the own enumerable data properties of an object.
func (r *run) tableFields(o vm.Obj) ([]tableField, error) {
	keys, err := r.m.OwnKeys(o) // no proxy: runs no script
	if err != nil {
		return nil, err
	}
	var out []tableField
	for _, k := range keys {
		if err := r.m.Charge(4); err != nil {
			return nil, err
		}
		d, ok, err := r.m.GetOwnProperty(o, k)
		if err != nil {
			return nil, err
		}
		if ok && d.Attrs&heap.Enumerable != 0 && !k.IsSymbol() && !d.IsAccessor() {
			out = append(out, tableField{k, d.Value})
		}
	}
	return out, nil
}

func (r *run) keyText(k vm.Key) (string, error) {
	v, err := r.m.KeyValue(k)
	if err != nil {
		return "", err
	}
	return r.format([]vm.Value{v})
}

func (r *run) cell(v vm.Value) (string, error) {
	s, err := inspect.Value(r.m, v, inspect.Options{Depth: 1, Items: 10, MaxBytes: 4 << 10})
	if err == inspect.ErrTooLong {
		return "…", nil
	}
	return strings.ReplaceAll(s, "\n", " "), err
}

// drawTable draws a grid whose first row is the heading.
func drawTable(grid [][]string) string {
	widths := make([]int, len(grid[0]))
	for _, row := range grid { //meter: consoleTable charged
		for i, c := range row { //meter: at most maxTableColumns
			widths[i] = max(widths[i], utf8.RuneCountInString(c)+2)
		}
	}
	var b strings.Builder
	rule := func(left, mid, right string) {
		b.WriteString(left)
		for i, w := range widths { //meter: at most maxTableColumns
			if i > 0 {
				b.WriteString(mid)
			}
			b.WriteString(strings.Repeat("─", w)) //meter: as wide as the widest cell, which was charged for
		}
		b.WriteString(right)
	}
	rule("┌", "┬", "┐\n")
	for i, row := range grid { //meter: consoleTable charged
		for k, c := range row { //meter: at most maxTableColumns
			pad := widths[k] - utf8.RuneCountInString(c)
			b.WriteString("│" + strings.Repeat(" ", pad/2) + c + strings.Repeat(" ", pad-pad/2)) //meter: as wide as the widest cell, which was charged for
		}
		b.WriteString("│\n")
		if i == 0 {
			rule("├", "┼", "┤\n")
		}
	}
	rule("└", "┴", "┘")
	return b.String()
}
