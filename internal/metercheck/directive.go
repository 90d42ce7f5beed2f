package metercheck

import (
	"bytes"
	"go/ast"
	"go/token"
	"strings"
)

// directives are the //meter: comments of a file.
type directives struct {
	fset  *token.FileSet
	lines map[int]bool // lines that one is on; true if nothing else is
	pkg   string       // of the package clause, for its loops, allocations and errors
	depth string       // of the package clause, for its recursion
}

// readDirectives reads the directives of a file, whose text is src.
func readDirectives(fset *token.FileSet, f *ast.File, src []byte) *directives {
	d := &directives{fset: fset, lines: map[int]bool{}}
	for _, g := range f.Comments {
		for _, c := range g.List {
			if reason(c.Text) != "" {
				p := fset.Position(c.Pos())
				d.lines[p.Line] = len(bytes.TrimSpace(src[p.Offset-(p.Column-1):p.Offset])) == 0
			}
		}
	}
	d.pkg, d.depth = docReason(f.Doc), docDepth(f.Doc)
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
		if r := reason(strings.Replace(c.Text, "// meter:", "//meter:", 1)); r != "" && !strings.HasPrefix(r, "depth:") {
			return r
		}
	}
	return ""
}

// docDepth returns what a doc comment says of recursion.
func docDepth(doc *ast.CommentGroup) string {
	if doc == nil {
		return ""
	}
	for _, c := range doc.List {
		if r, ok := strings.CutPrefix(c.Text, "// meter: depth:"); ok {
			return strings.TrimSpace(r)
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

// on reports whether a directive speaks for a line: one on it, or one that
// stands alone above it.
func (d *directives) on(line int) bool {
	_, ok := d.lines[line]
	return ok || d.lines[line-1]
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
	if d.on(line) {
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
