package tool

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/capability/files"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// The bounds on what a tool imports.
const (
	maxModules     = 200
	maxModuleBytes = 8 << 20 // together
)

// Source is a tool as texts.
type Source struct {
	// File is the file's name, such as convert.ts: it tells the language and, unless
	// the description has a name, the tool's name.
	File, Text string
	// YAML is the text of the description beside the file, "" if there is none.
	YAML string
	// Modules are the texts that may be imported, by their paths from the file's
	// folder on, such as lib/units.ts.
	Modules map[string]string
}

// opened is what loading works with.
type opened struct {
	file, text     string
	yamlFile, yaml string
	described      bool // there is a YAML file
	// read gives the text of a file in the tool's folder, by its path from there.
	read func(ctx context.Context, name string, max int64) (string, error)
}

// yamlName is the name of the description beside a file.
func yamlName(file string) string { return stem(file) + ".tool.yaml" }

// stem is a file's name without its extension.
func stem(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

// isToolFile reports whether a name is that of a file that can be a tool.
func isToolFile(name string) bool {
	ext := path.Ext(name)
	return (ext == ".js" || ext == ".ts") && !strings.HasSuffix(name, ".d.ts")
}

func (s Source) open() *opened {
	return &opened{
		file: s.File, text: s.Text, yamlFile: yamlName(s.File), yaml: s.YAML, described: s.YAML != "",
		read: func(_ context.Context, name string, _ int64) (string, error) {
			if text, ok := s.Modules[name]; ok {
				return text, nil
			}
			return "", fs.ErrNotExist
		},
	}
}

// openFile opens a tool of the host's own file system. The file and its
// description are read as the host reads them, since it is the host who chose
// them; what they import is read by the file guard, from the file's folder.
func openFile(name string, max int64) (o *opened, done func(), err error) {
	dir, file := split(name)
	o = &opened{file: file, yamlFile: yamlName(file)}
	if o.text, err = readRegular(os.DirFS(dir), file, file, max); err != nil {
		return nil, nil, err
	}
	switch o.yaml, err = readRegular(os.DirFS(dir), o.yamlFile, o.yamlFile, maxYAMLBytes); {
	case err == nil:
		o.described = true
	case !errors.Is(err, fs.ErrNotExist):
		return nil, nil, err
	}
	var guard *files.FS
	o.read = func(ctx context.Context, name string, max int64) (string, error) {
		if guard == nil {
			var err error
			if guard, err = files.New(files.Config{Roots: []files.Root{{Dir: dir, Read: []string{"**/*.js", "**/*.ts", "**/*.json"}}}, MaxFileBytes: max}); err != nil {
				return "", err
			}
		}
		b, err := guard.Read(ctx, name, files.ReadOptions{MaxBytes: max})
		return string(b), err
	}
	return o, func() {
		if guard != nil {
			_ = guard.Close()
		}
	}, nil
}

// openFS opens a tool of a file system.
func openFS(fsys fs.FS, name string, max int64) (o *opened, err error) {
	dir, file := path.Split(name)
	o = &opened{file: file, yamlFile: yamlName(file)}
	if o.text, err = readRegular(fsys, name, file, max); err != nil {
		return nil, err
	}
	switch o.yaml, err = readRegular(fsys, path.Join(dir, o.yamlFile), o.yamlFile, maxYAMLBytes); {
	case err == nil:
		o.described = true
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	o.read = func(_ context.Context, name string, max int64) (string, error) {
		text, err := readRegular(fsys, path.Join(dir, name), name, max)
		return text, err
	}
	return o, nil
}

// split splits a path of the host into folder and name.
func split(name string) (dir, file string) {
	dir, file = filepath.Split(name)
	if dir == "" {
		dir = "."
	}
	return filepath.Clean(dir), file
}

// readRegular reads a regular file. What the error says of it is its name alone.
func readRegular(fsys fs.FS, name, shown string, max int64) (string, error) {
	fail := func(cause error, format string, args ...any) error {
		return &LoadError{Code: Unreadable, File: shown, Message: fmt.Sprintf(format, args...), cause: cause}
	}
	why := func(err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return fail(fs.ErrNotExist, "there is no such file")
		case errors.Is(err, fs.ErrPermission):
			return fail(fs.ErrPermission, "the system doesn't allow to read the file")
		}
		return fail(nil, "the file can't be read")
	}
	// Asked before it is opened: opening a pipe would wait.
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return "", why(err)
	}
	if !info.Mode().IsRegular() {
		return "", fail(nil, "this is not a regular file")
	}
	f, err := fsys.Open(name)
	if err != nil {
		return "", why(err)
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", fail(nil, "this is not a regular file")
	}
	if info.Size() > max {
		return "", fail(nil, "the file has %d bytes, %d are allowed", info.Size(), max)
	}
	b, err := io.ReadAll(io.LimitReader(f, max+1))
	switch {
	case err != nil:
		return "", why(err)
	case int64(len(b)) > max:
		return "", fail(nil, "the file has more than %d bytes, %d are allowed", max, max)
	case !utf8.Valid(b):
		return "", fail(nil, "the file isn't UTF-8 text")
	}
	return string(b), nil
}

// parse reads a module's text; a text that doesn't parse gives no program: the
// compiler says what is wrong with it.
func parse(ctx context.Context, name, text string) (*syntax.Program, error) {
	p, err := syntax.Parse(name, text, syntax.Options{
		Goal: syntax.Module, TypeScript: path.Ext(name) == ".ts",
		Check: func(int) error { return ctx.Err() },
	})
	if err != nil && ctx.Err() != nil {
		return nil, &LoadError{Code: BadTopLevel, File: name, Message: "reading the file takes too long", cause: ctx.Err()}
	}
	return p, nil
}

// graph collects the files that a tool imports.
type graph struct {
	o       *opened
	host    map[string]string // modules that the host gives
	max     int64             // bytes of a file
	texts   map[string]string
	bytes   int
	queue   []string
	missing map[string]bool
}

// imports finds the files that the program and what it imports need, by their
// paths from the tool's folder on.
func (g *graph) imports(ctx context.Context, main *syntax.Program) error {
	g.texts, g.missing = map[string]string{}, map[string]bool{}
	if err := g.requests(ctx, g.o.file, main); err != nil {
		return err
	}
	for len(g.queue) > 0 {
		name := g.queue[0]
		g.queue = g.queue[1:]
		if path.Ext(name) == ".json" {
			if err := checkJSON(name, g.texts[name]); err != nil {
				return err
			}
			continue
		}
		p, err := parse(ctx, name, g.texts[name])
		if err != nil {
			return err
		}
		if p != nil {
			if err := g.requests(ctx, name, p); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkJSON(name, text string) error {
	var x any
	err := json.Unmarshal([]byte(text), &x)
	var bad *json.SyntaxError
	if errors.As(err, &bad) {
		before := text[:min(int(max(bad.Offset-1, 0)), len(text))]
		line := strings.Count(before, "\n") + 1
		column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
		return &LoadError{Code: BadSyntax, File: name, Line: line, Column: column, Message: "this isn't JSON: " + bad.Error()}
	}
	return nil
}

// requests follows the imports of one file.
func (g *graph) requests(ctx context.Context, from string, p *syntax.Program) error {
	lines := p.Lines()
	for _, q := range p.Requests {
		at := lines.Position(q.Span.Start)
		if err := g.follow(ctx, from, q.Specifier, position{at.Line, at.UTF16Column}, false); err != nil {
			return err
		}
	}
	var err error
	syntax.Walk(p, func(n syntax.Node) bool {
		if x, ok := n.(*syntax.ImportExpression); ok && err == nil {
			if s, ok := x.Source.(*syntax.StringLiteral); ok {
				at := lines.Position(s.Start)
				err = g.follow(ctx, from, s.Value, position{at.Line, at.UTF16Column}, true)
			}
		}
		return err == nil
	})
	return err
}

// follow reads the file that an import names. A dynamic one that can't be had
// is left to reject when it is made.
func (g *graph) follow(ctx context.Context, from, specifier string, at position, dynamic bool) error {
	fail := func(cause error, hint, format string, args ...any) error {
		if dynamic {
			return nil
		}
		return &LoadError{Code: BadImport, File: from, Line: at.line, Column: at.column, Message: fmt.Sprintf(format, args...), Hint: hint, cause: cause}
	}
	if _, ok := g.host[specifier]; ok {
		return nil
	}
	if !strings.HasPrefix(specifier, "./") && !strings.HasPrefix(specifier, "../") {
		return fail(nil, g.instead(specifier), "%s can't be imported: a tool imports files of its own folder", quote(specifier))
	}
	name := path.Join(path.Dir(from), specifier)
	ext := path.Ext(name)
	switch _, known := g.texts[name]; {
	case name == g.o.file, known:
		return nil
	case name == ".." || strings.HasPrefix(name, "../"):
		return fail(nil, "", "%s leads out of the tool's folder", quote(specifier))
	case ext != ".js" && ext != ".ts" && ext != ".json":
		hint := "name a file that ends in .js, .ts or .json"
		for _, e := range []string{".js", ".ts"} {
			if _, err := g.o.read(ctx, name+e, g.max); err == nil {
				hint = "write " + quote(specifier+e)
				break
			}
		}
		return fail(nil, hint, "%s can't be imported", quote(specifier))
	case len(g.texts) >= maxModules:
		return fail(nil, "", "the tool imports more than %d files", maxModules)
	}
	if g.missing[name] && dynamic {
		return nil
	}
	text, err := g.o.read(ctx, name, g.max)
	if err != nil {
		g.missing[name] = true
		var f *files.Error
		var l *LoadError
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return fail(fs.ErrNotExist, "", "there is no file %s in the tool's folder", quote(name))
		case errors.As(err, &f):
			return fail(f, f.Hint, "%s can't be read: %s", quote(name), f.Reason)
		case errors.As(err, &l):
			return fail(l, "", "%s can't be read: %s", quote(name), l.Message)
		}
		return fail(nil, "", "%s can't be read", quote(name))
	}
	if !utf8.ValidString(text) {
		return fail(nil, "", "%s isn't UTF-8 text", quote(name))
	}
	if _, taken := g.host[name]; taken {
		return fail(nil, "rename the file", "%s has the name of a module that the host gives", quote(name))
	}
	if g.bytes += len(text); g.bytes > maxModuleBytes {
		return fail(nil, "", "the files that the tool imports have more than %d bytes together", maxModuleBytes)
	}
	g.texts[name] = text
	g.queue = append(g.queue, name)
	return nil
}

// instead says what to do about an import of something that isn't there.
func (g *graph) instead(specifier string) string {
	name := strings.TrimPrefix(specifier, "node:")
	switch name {
	case "fs", "fs/promises":
		return `use ctx.readFile and ctx.writeFile, with "fileRead" or "fileWrite" in requires`
	case "http", "https", "node-fetch", "axios", "undici":
		return `use ctx.fetch, with "network" in requires`
	}
	var have []string
	for k := range g.host {
		have = append(have, k)
	}
	slices.Sort(have)
	hint := "copy what it needs into a file, and import that by its relative path"
	if len(have) > 0 {
		hint += "; the host gives " + strings.Join(have, ", ")
	}
	return hint
}

// hashOf identifies everything that a tool is made of.
func hashOf(o *opened, modules map[string]string) string {
	var b bytes.Buffer
	add := func(s string) { fmt.Fprintf(&b, "%d:%s\n", len(s), s) }
	add("pinfold tool 1")
	add(o.file)
	add(o.text)
	if o.described {
		add(o.yamlFile)
		add(o.yaml)
	}
	var names []string
	for k := range modules {
		names = append(names, k)
	}
	slices.Sort(names)
	for _, k := range names {
		add(k)
		add(modules[k])
	}
	sum := sha256.Sum256(b.Bytes())
	return hex.EncodeToString(sum[:])
}

// places finds where the parts of the exported object tool stand: the object
// literal that its declaration has.
func places(p *syntax.Program) func(pointer string) position {
	found := map[string]position{}
	if p == nil {
		return func(string) position { return position{} }
	}
	lines := p.Lines()
	at := func(off int32) position {
		q := lines.Position(off)
		return position{q.Line, q.UTF16Column}
	}
	local := ""
	for _, e := range p.LocalExports {
		if e.ExportName == "tool" {
			local = e.LocalName
		}
	}
	var object func(n syntax.Node, ptr string)
	object = func(n syntax.Node, ptr string) { // as deep as the tree, which the parser bounds
		switch n := literal(n).(type) {
		case *syntax.ObjectExpression:
			for _, q := range n.Properties {
				key, ok := "", true
				switch k := q.Key.(type) {
				case *syntax.Identifier:
					key = k.Name
				case *syntax.StringLiteral:
					key = k.Value
				default:
					ok = false
				}
				if ok && !q.Computed {
					found[pointer(ptr, key)] = at(q.Start)
					object(q.Value, pointer(ptr, key))
				}
			}
		case *syntax.ArrayExpression:
			for i, e := range n.Elements {
				if e != nil {
					found[pointerAt(ptr, i)] = at(e.Range().Start)
					object(e, pointerAt(ptr, i))
				}
			}
		}
	}
	declared := func(n syntax.Node) {
		d, ok := n.(*syntax.VariableDeclaration)
		if !ok {
			return
		}
		for _, v := range d.Declarations {
			if id, ok := v.ID.(*syntax.Identifier); ok && id.Name == local {
				found[""] = at(v.Start)
				if v.Init != nil {
					object(v.Init, "")
				}
			}
		}
	}
	for _, s := range p.Body {
		if x, ok := s.(*syntax.ExportNamedDeclaration); ok {
			if x.Declaration != nil {
				declared(x.Declaration)
			}
			continue
		}
		declared(s)
	}
	return func(ptr string) position { return around(found, ptr) }
}

// literal finds the object or array literal that an expression is about: of
// `{…} satisfies Tool`, or of Object.freeze({…}).
func literal(n syntax.Node) syntax.Node {
	switch n.(type) {
	case *syntax.ObjectExpression, *syntax.ArrayExpression:
		return n
	case *syntax.FunctionExpression, *syntax.ArrowFunctionExpression, *syntax.ClassExpression:
		return nil
	}
	var found syntax.Node
	syntax.Walk(n, func(c syntax.Node) bool {
		switch c.(type) {
		case *syntax.ObjectExpression, *syntax.ArrayExpression:
			if found == nil {
				found = c
			}
			return false
		case *syntax.FunctionExpression, *syntax.ArrowFunctionExpression, *syntax.ClassExpression:
			return false
		}
		return found == nil
	})
	return found
}
