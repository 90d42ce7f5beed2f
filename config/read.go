package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Version is that of the form.
const Version = 1

// Name is the usual name of the file.
const Name = "pinfold.yaml"

// The bounds on files.
const (
	maxBytes = 1 << 20
	maxDepth = 30
)

// place is where a part of a configuration comes from: a line and column of the
// file, or a flag.
type place struct {
	line, column int
	flag         string
}

// Problem is one thing that is wrong with a configuration. Code is stable.
type Problem struct {
	Code    string `json:"code"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"` // from 1; 0 is unknown
	Column  int    `json:"column,omitempty"`
	Flag    string `json:"flag,omitempty"`  // that is wrong, if it isn't the file
	Field   string `json:"field,omitempty"` // such as network.allow[0].hosts[1]
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// The codes of problems. Those of files are package files' own, such as
// E_FILES_PATTERN; those of networks are E_NETWORK_ and the code of package egress in
// upper case, such as E_NETWORK_HOST_PRIVATE.
const (
	ProblemRead    = "E_CONFIG_READ"    // the file can't be read
	ProblemYAML    = "E_CONFIG_YAML"    // the text isn't YAML, or uses what configurations may not
	ProblemVersion = "E_CONFIG_VERSION" // version is missing, or another one
	ProblemKey     = "E_CONFIG_KEY"     // an unknown key
	ProblemMissing = "E_CONFIG_MISSING" // a key that must be there
	ProblemType    = "E_CONFIG_TYPE"    // a value of another type
	ProblemValue   = "E_CONFIG_VALUE"   // a value that can't be
	ProblemSecret  = "E_CONFIG_SECRET"  // a reference to a secret that leads nowhere
	ProblemLimits  = "E_CONFIG_LIMITS"  // limits that contradict each other
	ProblemQuota   = "E_CONFIG_QUOTA"   // a quota of what isn't a capability, or isn't granted
	ProblemStore   = "E_CONFIG_STORE"   // the store can't be opened
)

// String returns place, message, hint and code.
func (p Problem) String() string {
	s := ""
	switch {
	case p.Flag != "":
		s = p.Flag + ": "
	case p.File != "" && p.Line > 0:
		s = fmt.Sprintf("%s:%d:%d: ", p.File, p.Line, p.Column)
	case p.File != "":
		s = p.File + ": "
	}
	s += p.Message
	if p.Hint != "" {
		s += "; " + p.Hint
	}
	return s + " (" + p.Code + ")"
}

// Error is all that is wrong with a configuration.
type Error struct{ Problems []Problem }

// Error lists the problems, one a line.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Has reports whether one of the problems has the code.
func (e *Error) Has(code string) bool {
	return slices.ContainsFunc(e.Problems, func(p Problem) bool { return p.Code == code })
}

// New returns an empty configuration, which grants nothing. Relative paths are
// from dir on.
func New(dir string) *Config {
	return &Config{Version: Version, dir: dir, places: map[string]place{}}
}

// Load reads a file and checks it. The error is an *Error.
func Load(path string) (*Config, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, &Error{[]Problem{{Code: ProblemRead, File: path, Message: "it can't be read"}}}
	}
	info, err := os.Stat(abs)
	var text []byte
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, &Error{[]Problem{{Code: ProblemRead, File: path, Message: "there is no such file"}}}
	case err == nil && !info.Mode().IsRegular():
		return nil, &Error{[]Problem{{Code: ProblemRead, File: path, Message: "it is no regular file"}}}
	case err == nil && info.Size() > maxBytes:
		return nil, &Error{[]Problem{{Code: ProblemRead, File: path, Message: fmt.Sprintf("it has %d bytes, %d are allowed", info.Size(), maxBytes)}}}
	case err == nil:
		text, err = os.ReadFile(abs)
	}
	if err != nil {
		var pe *os.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, &Error{[]Problem{{Code: ProblemRead, File: path, Message: err.Error()}}}
	}
	c, err := Parse(path, text)
	if c != nil {
		c.path = abs
	}
	return c, err
}

// Parse reads a text. Its paths are relative to the folder of the file of that
// name. The error is an *Error.
func Parse(file string, text []byte) (*Config, error) {
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		dir = filepath.Dir(file)
	}
	c := New(dir)
	c.Version, c.file = 0, file
	r := &reader{c: c}
	if root := r.document(text); root != nil {
		r.into(root, reflect.ValueOf(c).Elem(), "")
		if len(r.problems) == 0 || c.Version != 0 {
			r.version(root)
		}
	}
	if len(r.problems) > 0 {
		sortProblems(r.problems)
		return nil, &Error{r.problems}
	}
	return c, nil
}

func sortProblems(list []Problem) {
	slices.SortStableFunc(list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// reader reads YAML into a Config.
type reader struct {
	c        *Config
	problems []Problem
}

func (r *reader) fail(n *yaml.Node, field, code, hint, format string, args ...any) {
	r.problems = append(r.problems, Problem{Code: code, File: r.c.file, Line: n.Line, Column: n.Column, Field: field, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// document returns the top of the text's only document.
func (r *reader) document(text []byte) *yaml.Node {
	var docs []*yaml.Node
	at := &yaml.Node{Line: 1, Column: 1}
	l, err := yaml.NewLoader(bytes.NewReader(text))
	for err == nil && len(docs) < 2 {
		n := &yaml.Node{}
		if err = l.Load(n); err == nil {
			docs = append(docs, n)
		}
	}
	var bad *yaml.LoadError
	switch {
	case errors.As(err, &bad):
		at.Line, at.Column = max(1, bad.Mark.Line), max(1, bad.Mark.Column)
		r.fail(at, "", ProblemYAML, "", "this isn't YAML: %s", strings.Join(strings.Fields(bad.Message), " "))
	case len(docs) > 1:
		r.fail(docs[1], "", ProblemYAML, "", "there is a second document: the file must have one")
	case len(docs) == 0 || len(docs[0].Content) != 1:
		r.fail(at, "", ProblemYAML, "write version: 1", "the file is empty")
	default:
		return docs[0].Content[0]
	}
	return nil
}

func (r *reader) version(root *yaml.Node) {
	if r.c.Version == Version {
		return
	}
	n := root
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == "version" {
			n = root.Content[i+1]
		}
	}
	if n == root {
		r.fail(n, "version", ProblemVersion, "write version: 1 at the top", "the version is missing")
		return
	}
	r.fail(n, "version", ProblemVersion, "use the pinfold that the file was written for", "the version is %d, and this pinfold reads version %d", r.c.Version, Version)
}

// kind names what a node is, for messages.
func kind(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "an object"
	case yaml.SequenceNode:
		return "a list"
	}
	if n.ShortTag() == "!!null" {
		return "nothing"
	}
	return strconv.Quote(clip(n.Value))
}

func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// wanted names what a type wants.
func wanted(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[Size]():
		return "a size such as 64MiB"
	case reflect.TypeFor[Duration]():
		return "a time such as 2s"
	}
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}

// into reads a node into a value. field is its path.
func (r *reader) into(n *yaml.Node, v reflect.Value, field string) {
	if strings.Count(field, ".") > maxDepth {
		return
	}
	if _, known := r.c.places[field]; !known {
		r.c.places[field] = place{line: n.Line, column: n.Column}
	}
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		r.fail(n, field, ProblemYAML, "write the value out", "anchors and aliases (& and *) aren't allowed")
		return
	}
	null := n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
	t := v.Type()
	wrong := func() {
		r.fail(n, field, ProblemType, "", "%s must be %s, not %s", last(field), wanted(t), kind(n))
	}
	switch t.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		if null { // a key alone: the defaults of all that it has
			return
		}
		r.into(n, v.Elem(), field)
	case reflect.Struct:
		if n.Kind != yaml.MappingNode {
			wrong()
			return
		}
		r.object(n, v, field)
	case reflect.Map:
		if n.Kind != yaml.MappingNode {
			wrong()
			return
		}
		v.Set(reflect.MakeMap(t))
		r.pairs(n, field, func(k, x *yaml.Node) {
			e := reflect.New(t.Elem()).Elem()
			r.place(k, field+"."+k.Value)
			r.into(x, e, field+"."+k.Value)
			v.SetMapIndex(reflect.ValueOf(k.Value), e)
		})
	case reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			wrong()
			return
		}
		v.Set(reflect.MakeSlice(t, len(n.Content), len(n.Content)))
		for i, x := range n.Content {
			r.into(x, v.Index(i), fmt.Sprintf("%s[%d]", field, i))
		}
	default:
		if n.Kind != yaml.ScalarNode || null {
			wrong()
			return
		}
		r.scalar(n, v, field, wrong)
	}
}

func last(field string) string { return field[strings.LastIndexByte(field, '.')+1:] }

func (r *reader) place(n *yaml.Node, field string) {
	r.c.places[field] = place{line: n.Line, column: n.Column}
}

// pairs goes through an object.
func (r *reader) pairs(n *yaml.Node, field string, each func(k, v *yaml.Node)) {
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		switch {
		case k.Kind != yaml.ScalarNode || k.Anchor != "" || k.ShortTag() == "!!merge":
			r.fail(k, field, ProblemYAML, "write the keys out", "a key must be a text")
		case seen[k.Value]:
			r.fail(k, field, ProblemYAML, "", "the key %s is there twice", clip(k.Value))
		default:
			seen[k.Value] = true
			each(k, n.Content[i+1])
		}
	}
}

func (r *reader) object(n *yaml.Node, v reflect.Value, field string) {
	t := v.Type()
	var known []string
	index := map[string]int{}
	for i := range t.NumField() {
		if name := t.Field(i).Tag.Get("yaml"); name != "" {
			known = append(known, name)
			index[name] = i
		}
	}
	prefix := field
	if prefix != "" {
		prefix += "."
	}
	seen := map[string]bool{}
	r.pairs(n, field, func(k, x *yaml.Node) {
		i, ok := index[k.Value]
		if !ok {
			r.fail(k, prefix+k.Value, ProblemKey, meant(k.Value, known), "unknown key %q", clip(k.Value))
			return
		}
		seen[k.Value] = true
		if x.Kind == yaml.ScalarNode && x.ShortTag() != "!!null" {
			r.place(x, prefix+k.Value)
		} else {
			r.place(k, prefix+k.Value)
		}
		r.into(x, v.Field(i), prefix+k.Value)
	})
	for i := range t.NumField() {
		if name := t.Field(i).Tag.Get("yaml"); t.Field(i).Tag.Get("required") != "" && !seen[name] {
			r.fail(n, prefix+name, ProblemMissing, "", "the key %s is missing", name)
		}
	}
}

func (r *reader) scalar(n *yaml.Node, v reflect.Value, field string, wrong func()) {
	tag := n.ShortTag()
	number := tag == "!!int" || tag == "!!float"
	switch v.Interface().(type) {
	case Size:
		s, err := ParseSize(strings.ReplaceAll(n.Value, "_", ""))
		if err != nil {
			r.fail(n, field, ProblemType, "", "%s: %v", last(field), err)
			return
		}
		v.SetInt(int64(s))
		return
	case Duration:
		d, err := parseDuration(n.Value)
		if err != nil {
			r.fail(n, field, ProblemType, "", "%s: %v", last(field), err)
			return
		}
		v.SetInt(int64(d))
		return
	}
	switch v.Kind() {
	case reflect.String:
		// Texts that look like times and versions are texts.
		if tag != "!!str" && tag != "!!timestamp" && !number {
			wrong()
			return
		}
		v.SetString(n.Value)
	case reflect.Bool:
		switch n.Value {
		case "true":
			v.SetBool(true)
		case "false":
		default:
			wrong()
		}
	default:
		i, err := strconv.ParseInt(strings.ReplaceAll(n.Value, "_", ""), 10, 64)
		if err != nil || v.OverflowInt(i) || tag != "!!int" {
			wrong()
			return
		}
		v.SetInt(i)
	}
}

// meant returns a hint with the known name that is closest to one that isn't, or
// the list of all.
func meant(name string, known []string) string {
	plain := func(s string) string {
		return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(s))
	}
	best, least := "", 3
	if len(name) <= 4 {
		least = 2
	}
	if len(name) <= 64 {
		for _, k := range known {
			if d := distance(plain(name), plain(k)); d < least {
				best, least = k, d
			}
		}
	}
	if best != "" {
		return "did you mean " + best + "?"
	}
	return "there are " + strings.Join(known, ", ")
}

// distance is the number of letters to insert, delete, replace or swap with
// their neighbour. Both texts are short.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			c := 1
			if x[i-1] == y[j-1] {
				c = 0
			}
			rows[i][j] = min(rows[i-1][j-1]+c, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}
