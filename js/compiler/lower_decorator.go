package compiler

import "github.com/pinfold-js/pinfold/js/syntax"

func hasDecorators(c *syntax.Class) bool {
	for _, m := range c.Members {
		switch m := m.(type) {
		case *syntax.MethodDefinition:
			if len(m.Decorators) > 0 {
				return true
			}
		case *syntax.PropertyDefinition:
			if len(m.Decorators) > 0 {
				return true
			}
		}
	}
	return false
}

// decorated reports whether a class or a member of it has decorators.
func decorated(c *syntax.Class) bool { return len(c.Decorators) > 0 || hasDecorators(c) }

func (l *lowerer) refuseDecorators(c *syntax.Class) {
	l.refuse(c.Span, "decorator")
}
