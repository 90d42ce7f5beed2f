package files

import (
	"context"
	"encoding/hex"
	"strings"
	"time"
)

// Tidy removes the new files that killed processes left unfinished, below the folders
// in which something may be written, if they are older than age, and says how
// many. It looks at no more than MaxVisit names. It is for hosts: programs don't
// see these files.
func (f *FS) Tidy(ctx context.Context, age time.Duration) (int, error) {
	before := time.Now().Add(-age)
	n, err := do(orBackground(ctx), f.shared, func(c *call) (int, *Error) {
		removed, visit := 0, f.cfg.MaxVisit
		for _, t := range f.trees {
			if len(t.write) == 0 {
				continue
			}
			stack := [][]string{nil}
			for len(stack) > 0 && visit > 0 {
				names := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				below, n, e := f.tidyFolder(c, t, names, before, &visit)
				c.opened()
				removed += n
				if e != nil {
					if e := c.check(); e != nil {
						return removed, e
					}
					continue // it has gone, or the system keeps it closed
				}
				stack = append(stack, below...)
			}
		}
		return removed, nil
	})
	return n, f.finish(OpWrite, nil, "", "", err, nil)
}

// tidyFolder removes what is in a folder, and returns the folders in it.
func (f *FS) tidyFolder(c *call, t *tree, names []string, before time.Time, visit *int) (below [][]string, removed int, e *Error) {
	p, at, _, e := f.walk(c, t, names)
	if e != nil {
		return nil, 0, e
	}
	if at >= 0 {
		return nil, 0, errChanged()
	}
	defer p.close()
	if e := p.folder(); e != nil {
		return nil, 0, e
	}
	list, _, err := p.parent.names(*visit)
	if err != nil {
		return nil, 0, systemError(err)
	}
	*visit -= len(list)
	for _, name := range list {
		if e := c.check(); e != nil {
			return nil, removed, e
		}
		is, err := p.parent.lstat(name)
		switch {
		case err != nil:
		case is.kind == kindFile && isTemp(name) && is.mod.Before(before):
			if p.parent.remove(name) == nil {
				removed++
			}
		case is.kind == kindDir && len(names) < maxPathDepth-1:
			child := append(names[:len(names):len(names)], name)
			if _, e := f.permitBelow(OpWrite, t, child, len(names), wantFolder); e == nil {
				below = append(below, child)
			}
		}
	}
	return below, removed, nil
}

// isTemp reports whether tempName makes such names.
func isTemp(name string) bool {
	digits, ok := strings.CutPrefix(name, tempPrefix)
	digits, end := strings.CutSuffix(digits, tempSuffix)
	b, err := hex.DecodeString(digits)
	return ok && end && err == nil && len(b) == 8
}
