package metercheck

import (
	"go/ast"
	"go/token"
	"strings"
)

// directives are the //meter: comments of a file.
type directives struct {
	fset  *token.FileSet
	lines map[int]bool // lines that end in one, or that one stands alone on
	pkg   string       // of the package clause
}

func readDirectives(fset *token.FileSet, f *ast.File) *directives {
	d := &directives{fset: fset, lines: map[int]bool{}}
	for _, g := range f.Comments {
		for _, c := range g.List {
			if reason(c.Text) != "" {
				d.lines[fset.Position(c.Pos()).Line] = true
			}
		}
	}
	d.pkg = docReason(f.Doc)
	return d
}

// reason returns what a comment //meter: says, "" if it is none.
func reason(comment string) string {
	s, ok := strings.CutPrefix(comment, "//meter:")
	if !ok || s == "charges" || s == "guards" {
		return ""
	}
	return strings.TrimSpace(s)
}

// docReason returns the reason in a doc comment.
func docReason(doc *ast.CommentGroup) string {
	if doc == nil {
		return ""
	}
	for _, c := range doc.List {
		// gofmt puts a space in front of what it doesn't take for a directive.
		if r := reason(strings.Replace(c.Text, "// meter:", "//meter:", 1)); r != "" {
			return r
		}
	}
	return ""
}

// hasMark reports whether a doc comment has //meter:charges or //meter:guards.
func hasMark(doc *ast.CommentGroup, mark string) bool {
	if doc == nil {
		return false
	}
	for _, c := range doc.List {
		if c.Text == "//meter:"+mark {
			return true
		}
	}
	return false
}

// excused reports whether a directive speaks for the node at pos: on its line
// or the one above, or in the doc comment of a function around it or of the
// package.
func (c *checker) excused(pos token.Pos, stack []ast.Node) bool {
	if c.whole != "" {
		return true
	}
	d := c.files[c.pass.Fset.File(pos)]
	line := c.pass.Fset.Position(pos).Line
	if d.lines[line] || d.lines[line-1] {
		return true
	}
	for _, n := range stack {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if docReason(n.Doc) != "" {
				return true
			}
		}
	}
	return false
}
