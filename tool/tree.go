package tool

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"encoding/json"

	"go.yaml.in/yaml/v4"

	"github.com/pinfold-js/pinfold/membrane"
)

// The bounds on YAML texts.
const (
	maxYAMLBytes = 1 << 20
	maxYAMLDepth = 100
	maxYAMLNodes = 50_000
)

// position is a place in a text; the zero position is unknown.
type position struct{ line, column int }

// tree is data with the places that its parts have in a text.
type tree struct {
	file  string
	value any // nil, bool, json.Number, string, []any, *membrane.Object; of JavaScript, also what Value.Any returns
	// at finds the place of a part by its JSON pointer, or of the nearest part
	// around it.
	at func(pointer string) position
}

// pointer appends a key to a JSON pointer.
func pointer(p, key string) string {
	return p + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

func pointerAt(p string, i int) string { return p + "/" + strconv.Itoa(i) }

// parent takes the last key off.
func parent(p string) string { return p[:max(strings.LastIndexByte(p, '/'), 0)] }

// around finds the place of a part, or of the nearest around it.
func around(places map[string]position, p string) position {
	for {
		if at, ok := places[p]; ok || p == "" {
			return at
		}
		p = parent(p)
	}
}

// readYAML reads a YAML text of one document, and so JSON as well. It takes no
// aliases, anchors, tags, merges and several documents: what a reader sees is what
// there is.
func readYAML(file, text string, code Code) (*tree, error) {
	fail := func(at position, format string, args ...any) error {
		return &LoadError{Code: code, File: file, Line: at.line, Column: at.column, Message: fmt.Sprintf(format, args...)}
	}
	if len(text) > maxYAMLBytes {
		return nil, &LoadError{Code: Unreadable, File: file, Message: fmt.Sprintf("the file has %d bytes, %d are allowed", len(text), maxYAMLBytes)}
	}
	var docs []yaml.Node
	l, err := yaml.NewLoader(strings.NewReader(text))
	for err == nil && len(docs) < 2 {
		var n yaml.Node
		if err = l.Load(&n); err == nil {
			docs = append(docs, n)
		}
	}
	var bad *yaml.LoadError
	switch {
	case errors.As(err, &bad):
		return nil, fail(position{bad.Mark.Line, bad.Mark.Column}, "this isn't YAML: %s", oneLine(bad.Message))
	case err != nil && len(docs) == 0 && strings.TrimSpace(text) != "" && !strings.Contains(err.Error(), "EOF"):
		return nil, fail(position{}, "this isn't YAML: %s", oneLine(strings.TrimPrefix(err.Error(), "yaml: ")))
	case len(docs) == 0:
		return nil, fail(position{1, 1}, "the file is empty")
	case len(docs) > 1:
		return nil, fail(position{docs[1].Line, docs[1].Column}, "there is a second document: the file must have one")
	}
	t := &yamlTree{places: map[string]position{}, fail: fail}
	root := &docs[0]
	if root.Kind == yaml.DocumentNode {
		if len(root.Content) != 1 {
			return nil, fail(position{1, 1}, "the file is empty")
		}
		root = root.Content[0]
	}
	v, err := t.value(root, "", 0)
	if err != nil {
		return nil, err
	}
	return &tree{file: file, value: v, at: func(p string) position { return around(t.places, p) }}, nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

type yamlTree struct {
	places map[string]position
	nodes  int
	fail   func(at position, format string, args ...any) error
}

func (t *yamlTree) value(n *yaml.Node, p string, depth int) (any, error) {
	at := position{n.Line, n.Column}
	if _, known := t.places[p]; !known {
		t.places[p] = at
	}
	t.nodes++
	switch {
	case t.nodes > maxYAMLNodes:
		return nil, t.fail(at, "the file has more than %d values", maxYAMLNodes)
	case depth > maxYAMLDepth:
		return nil, t.fail(at, "values are nested deeper than %d", maxYAMLDepth)
	case n.Kind == yaml.AliasNode, n.Anchor != "":
		return nil, t.fail(at, "anchors and aliases (& and *) aren't allowed: write the value out")
	}
	switch n.Kind {
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for i, c := range n.Content {
			v, err := t.value(c, pointerAt(p, i), depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case yaml.MappingNode:
		o := membrane.NewObject()
		for i := 0; i+1 < len(n.Content); i += 2 {
			k := n.Content[i]
			keyAt := position{k.Line, k.Column}
			switch {
			case k.Kind != yaml.ScalarNode || k.Anchor != "":
				return nil, t.fail(keyAt, "a key must be a text")
			case k.ShortTag() == "!!merge":
				return nil, t.fail(keyAt, "merging (<<) isn't allowed: write the keys out")
			}
			if _, twice := o.Get(k.Value); twice {
				return nil, t.fail(keyAt, "the key %s is there twice", quote(k.Value))
			}
			q := pointer(p, k.Value)
			t.places[q] = keyAt
			v, err := t.value(n.Content[i+1], q, depth+1)
			if err != nil {
				return nil, err
			}
			o.Set(k.Value, v)
		}
		return o, nil
	case yaml.ScalarNode:
		return t.scalar(n, at)
	}
	return nil, t.fail(at, "this value isn't understood")
}

func (t *yamlTree) scalar(n *yaml.Node, at position) (any, error) {
	switch n.ShortTag() {
	case "!!str":
		return n.Value, nil
	case "!!null":
		return nil, nil
	case "!!bool":
		switch strings.ToLower(n.Value) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, t.fail(at, "write true or false instead of %s", quote(n.Value))
	case "!!int":
		s := strings.ReplaceAll(n.Value, "_", "")
		if json.Valid([]byte(s)) {
			return json.Number(s), nil
		}
		if i, err := strconv.ParseInt(s, 0, 64); err == nil {
			return json.Number(strconv.FormatInt(i, 10)), nil
		}
		return nil, t.fail(at, "the number %s can't be read: write it in decimal", quote(n.Value))
	case "!!float":
		s := strings.TrimPrefix(strings.ReplaceAll(n.Value, "_", ""), "+")
		if json.Valid([]byte(s)) {
			return json.Number(s), nil
		}
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return nil, t.fail(at, "the number %s can't be used: JSON has no such number", quote(n.Value))
		}
		return json.Number(strconv.FormatFloat(f, 'g', -1, 64)), nil
	case "!!timestamp":
		return n.Value, nil
	}
	return nil, t.fail(at, "the tag %s isn't allowed", n.ShortTag())
}

// quote quotes a text that stands in a message, cut if it is long.
func quote(s string) string {
	if r := []rune(s); len(r) > 80 {
		s = string(r[:80]) + "…"
	}
	return strconv.Quote(s)
}
