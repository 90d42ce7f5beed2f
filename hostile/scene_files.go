package hostile

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/capability/files"
)

// AtEnd has f called when the scenario's sandboxes are closed.
func (s *Scene) AtEnd(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ends = append(s.ends, f)
}

// end calls what AtEnd was given, the last one first.
func (s *Scene) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range slices.Backward(s.ends) {
		f()
	}
}

// must says that the scene could not be set, and gives it up.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func check(err error) { must(0, err) }

// Folder makes a folder with what the map says: for each path a text, a folder
// if the path ends in "/", "-> target" for a symbolic link, "= path" for another
// name of a file of the folder, "|" for a pipe. DIR in targets is the folder.
func (s *Scene) Folder(what map[string]string) string {
	dir := must(filepath.EvalSymlinks(must(os.MkdirTemp("", "pinfold-scene"))))
	s.AtEnd(func() { _ = os.RemoveAll(dir) })
	s.Fill(dir, what)
	return dir
}

// Fill puts more into a folder.
func (s *Scene) Fill(dir string, what map[string]string) {
	for pass := range 2 { // names of files come after the files
		for _, name := range sortedKeys(what) {
			text, path := strings.ReplaceAll(what[name], "DIR", dir), filepath.Join(dir, filepath.FromSlash(name))
			from, hard := strings.CutPrefix(text, "= ")
			if hard != (pass == 1) {
				continue
			}
			if strings.HasSuffix(name, "/") {
				check(os.MkdirAll(path, 0o755))
				continue
			}
			check(os.MkdirAll(filepath.Dir(path), 0o755))
			to, link := strings.CutPrefix(text, "-> ")
			switch {
			case hard:
				check(os.Link(filepath.Join(dir, from), path))
			case link:
				check(os.Symlink(to, path))
			case text == "|":
				check(makePipe(path))
			default:
				check(os.WriteFile(path, []byte(text), 0o644))
			}
		}
	}
}

// Read returns what a file of the scene holds, "" if there is none.
func (s *Scene) Read(path ...string) string {
	b, _ := os.ReadFile(filepath.Join(path...))
	return string(b)
}

// Names lists a folder, names divided by spaces.
func (s *Scene) Names(path ...string) string {
	entries, _ := os.ReadDir(filepath.Join(path...))
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// everything are the patterns that match all files.
var everything = []string{"**"}

// Files makes what a configuration grants.
func (s *Scene) Files(cfg files.Config) *files.FS {
	fs := must(files.New(cfg))
	s.AtEnd(func() { _ = fs.Close() })
	return fs
}

// Whole grants a folder to be read and written, all of it.
func (s *Scene) Whole(dir string) *files.FS {
	return s.Files(files.Config{Roots: []files.Root{{Dir: dir, Read: everything, Write: everything}}})
}

// Granted makes a sandbox for many calls, with grants.
func (s *Scene) Granted(g *pinfold.Grants, change ...func(*pinfold.Options)) *pinfold.Sandbox {
	opt := pinfold.Options{
		Grants: g, KeepCalls: 5000, Limits: pinfold.Limits{HostCalls: noLimit, Timeout: DefaultWall},
		Quotas: map[string]pinfold.Quota{pinfold.Network: {Calls: noLimit, Concurrent: 4}},
	}
	for _, f := range change {
		f(&opt)
	}
	return s.New(opt)
}

// The ways in which a program can use a path: those that need it to be read, and
// those that write.
const (
	reading  = "read bytes list find"
	writing  = "write append existing"
	allUses  = reading + " " + writing
	fileUses = `
const uses = {
	read: p => ctx.readFile(p),
	bytes: p => ctx.readFile(p, {encoding: 'base64', maxBytes: 1000}),
	list: async p => (await ctx.listFiles(p)).entries.map(e => e.path).sort().join(),
	find: async p => (await ctx.findFiles('**', {dir: p})).entries.map(e => e.path).sort().join(),
	write: async p => (await ctx.writeFile(p, 'X')).bytes,
	append: async p => (await ctx.writeFile(p, new Uint8Array([89]), {append: true})).bytes,
	existing: async p => (await ctx.writeFile(p, 'Z', {create: false})).bytes,
};
const out = [];
for (const [p, use] of input) out.push(await uses[use](p).then(v => ({ok: String(v)}), e => ({
	code: e.code, message: e.message, name: e.name, plain: Object.getPrototypeOf(e) === Error.prototype, own: Reflect.ownKeys(e).sort().join(), data: JSON.stringify(e.data) ?? '', path: e.data?.path ?? '', stack: e.stack,
})));
return out`
)

// use is what must come of a path: the outcome is a code or "=value".
type use struct{ path, uses, want, rule string }

// seen is what a program tells of a call.
type seen struct {
	OK, Code, Message, Name, Own, Data, Path, Stack string
	Plain                                           bool
}

// Uses has a program use paths, and says what comes out otherwise than it must;
// also what an error shows that it mustn't, and what the record of the call lacks.
func (s *Scene) Uses(sb *pinfold.Sandbox, dir string, list ...use) {
	input := [][2]string{}
	var wants []use
	for _, u := range list {
		for _, name := range strings.Fields(u.uses) {
			input = append(input, [2]string{u.path, name})
			wants = append(wants, use{u.path, name, u.want, u.rule})
		}
	}
	o := s.Check(sb, fileUses, input, "value")
	var got []seen
	if o.Failure != nil {
		return
	}
	check(json.Unmarshal(o.Value.JSON(), &got))
	if dir != "" && strings.Contains(o.Value.String(), dir) {
		s.Errorf("a path of the host is in %s", clip(o.Value.String(), 2000))
	}
	if len(o.Calls) != len(wants) {
		s.Errorf("%d records of %d calls", len(o.Calls), len(wants))
	}
	for i, w := range wants {
		g := got[i]
		what := fmt.Sprintf("%s of %q", w.uses, clip(w.path, 60))
		if value, ok := strings.CutPrefix(w.want, "="); ok {
			if g.Code != "" || g.OK != value && value != "*" {
				s.Errorf("%s: %q %s %s, want %q", what, g.OK, g.Code, g.Message, value)
			}
		} else if g.Code == pinfold.CodeNotGranted && w.want == outside {
			// No pattern lets anything be read, or written: the capability isn't granted.
		} else if !slices.Contains(strings.Split(w.want, "|"), g.Code) {
			s.Errorf("%s: %q %s %s, want %s", what, g.OK, g.Code, g.Message, w.want)
		} else {
			s.plainError(what, g)
			if g.Path != strings.ToValidUTF8(w.path, "\ufffd") {
				s.Errorf("%s: the error's path is %q", what, g.Path)
			}
		}
		rule := w.rule
		if rule == "grant" { // also when nothing at all is granted for writing
			rule = "grant|granted"
		}
		if i < len(o.Calls) && rule != "" && !slices.Contains(strings.Split(rule, "|"), o.Calls[i].Rule) {
			s.Errorf("%s: the rule is %q, want %s", what, o.Calls[i].Rule, w.rule)
		}
	}
}

// plainError says when an error isn't one of the script's own, with a short message,
// a code and data.
func (s *Scene) plainError(what string, e seen) {
	if !e.Plain || e.Name != "Error" || strings.Trim(strings.NewReplacer("code", "", "data", "", "message", "", "retryable", "", "stack", "", ",", "").Replace(e.Own), ",") != "" || !strings.HasPrefix(e.Message, "ctx.") || len(e.Message) > 300 {
		s.Errorf("%s: the error is %+v", what, e)
	}
	if strings.Contains(e.Stack, ".go:") || strings.Contains(e.Stack, "goroutine") {
		s.Errorf("%s: Go's stack is in %s", what, e.Stack)
	}
}

// value runs a program that must end with a value and returns it as text.
func (s *Scene) value(sb *pinfold.Sandbox, source string, input any) string {
	o := sb.Eval(context.Background(), "program.js", source, input)
	outcome, value, text := describe(o)
	if outcome != "value" {
		s.Errorf("%s\nended as %s %s", clip(source, 300), outcome, text)
	}
	return value
}
