package inspect

import (
	"strings"

	"github.com/pinfold-js/pinfold/js/builtins"
)

// web renders an object of a web standard as its own inspect method in node
// does, which leaves properties out that were added to it.
func (s *shown) web() (string, error) {
	p := s.p
	props, pairs, err := builtins.WebProperties(p.m, s.o)
	if err != nil {
		return "", err
	}
	if s.isParams() {
		return s.params(len(pairs))
	}
	var parts []string
	for _, x := range props { //meter: a fixed number
		t, err := s.nested(x.Value, 2)
		if err != nil {
			return "", err
		}
		parts = append(parts, x.Name+": "+t)
	}
	open := s.webName() + " {"
	if len(props) == 1 {
		open = "{" // node shows a TextEncoder as if it were a plain object
	}
	if len(parts) == 0 {
		return open + "}", nil
	}
	return p.join(parts, "", open, "}", s.level, false, false)
}

func (s *shown) isParams() bool { return builtins.IsSearchParams(&s.rec) }

// params renders the n/2 pairs of a URLSearchParams: on one line, or one a
// line with the brace behind the last.
func (s *shown) params(n int) (string, error) {
	p := s.p
	if n == 0 {
		return s.webName() + " {}", nil
	}
	var parts []string
	length := -2
	for i := 0; i < n; i += 2 {
		if len(parts) == maxProps*p.opt.Items {
			parts = append(parts, "... "+plural((n-i)/2, "more pair"))
			break
		}
		_, pairs, err := builtins.WebProperties(p.m, s.o) // a view
		if err != nil {
			return "", err
		}
		name, value := pairs[i], pairs[i+1]
		a, err := p.value(name, s.level+1, true)
		if err != nil {
			return "", err
		}
		b, err := p.value(value, s.level+1, true)
		if err != nil {
			return "", err
		}
		part := a + " => " + b
		length += width(part) + 2
		parts = append(parts, part)
	}
	if length > breakLength {
		nl := "\n" + strings.Repeat(" ", p.indent)
		if err := p.spend(length + len(parts)*(len(nl)+4)); err != nil {
			return "", err
		}
		return s.webName() + " {" + nl + "  " + strings.Join(parts, ","+nl+"  ") + " }", nil
	}
	return s.webName() + " { " + strings.Join(parts, ", ") + " }", nil
}

// webTooDeep is what is shown of one below Options.Depth.
func (s *shown) webTooDeep() string {
	if s.isParams() {
		return "[Object]"
	}
	return s.webName() + " {}"
}

// webName is the name of the constructor; it says all that the tag would.
func (s *shown) webName() string {
	if s.bare {
		return s.label("")
	}
	return s.ctor
}
