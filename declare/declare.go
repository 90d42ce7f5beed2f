package declare

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/js/syntax"
	"github.com/pinfold-js/pinfold/schema"
)

// Tool is a tool that programs may call by ctx.callTool.
type Tool struct {
	Name, Description string
	Input, Output     json.RawMessage // JSON Schemas; Output may be empty
}

// Options say what is written. The zero value is what programs can use.
type Options struct {
	// All writes the functions too that aren't declared or granted.
	All bool
	// Granted replaces what the sandbox says of the capabilities that it grants; nil
	// doesn't.
	Granted []string
	// Tools are the tools of ctx.callTool.
	Tools []Tool
	// Types are declarations of the types that the host's own functions name, such as
	// "interface Order { id: string }".
	Types string
}

// File writes the declaration file. The error says which part of the options
// can't be taken.
func File(s *pinfold.Sandbox, opt Options) (string, error) {
	w, err := collect(s, opt)
	if err != nil {
		return "", err
	}
	return w.file(), nil
}

// Compact writes a line for each function and each type, for prompts.
func Compact(s *pinfold.Sandbox, opt Options) (string, error) {
	w, err := collect(s, opt)
	if err != nil {
		return "", err
	}
	return w.lines(), nil
}

// writer holds what is written.
type writer struct {
	around pinfold.Surroundings
	timers bool
	root   *member
	tools  []toolTypes
	types  string // the host's, and the tools'
	stubs  []string
	used   []helper
}

// member is a function, or an object of them.
type member struct {
	name    string
	forms   []form // of a function
	doc     string
	members []*member
}

// form is one way to call a function.
type form struct{ params, result, whole string }

type toolTypes struct {
	tool          Tool
	input, output string // names of types
	types         string
	compact       string
}

func collect(s *pinfold.Sandbox, opt Options) (*writer, error) {
	w := &writer{around: s.Surroundings(), root: &member{}}
	w.timers = slices.Contains(w.around.Globals, "setTimeout")
	if err := parses(opt.Types); err != nil {
		return nil, fmt.Errorf("declare: Types: %w", err)
	}
	w.types = strings.TrimSpace(opt.Types)
	var types strings.Builder
	for _, f := range s.Functions() {
		available := f.Available
		if opt.Granted != nil && f.Capability != "" {
			available = f.Declared && slices.Contains(opt.Granted, f.Capability)
		}
		if !available && !opt.All {
			continue
		}
		m := w.root.at(strings.Split(f.Name, "."))
		m.doc, m.forms = f.Doc, forms(f)
		for _, x := range m.forms {
			types.WriteString(x.whole + "\n")
		}
	}
	taken := map[string]bool{}
	for _, t := range opt.Tools {
		x, err := declareTool(t, taken)
		if err != nil {
			return nil, err
		}
		w.tools = append(w.tools, x)
	}
	w.used = helpersOf(types.String())
	known := map[string]bool{}
	for _, h := range w.used {
		known[h.name] = true
	}
	for _, m := range reTypeName.FindAllStringSubmatch(w.types, -1) {
		known[m[1]] = true
	}
	w.stubs = unknownTypes(types.String(), known)
	return w, nil
}

var reTypeName = regexp.MustCompile(`\b(?:interface|type|class|enum)\s+([A-Za-z_$][\w$]*)`)

// at finds or makes a member.
func (m *member) at(path []string) *member {
	for _, name := range path {
		i := slices.IndexFunc(m.members, func(x *member) bool { return x.name == name })
		if i < 0 {
			m.members = append(m.members, &member{name: name})
			i = len(m.members) - 1
		}
		m = m.members[i]
	}
	return m
}

// parses reports why a text isn't TypeScript.
func parses(text string) error {
	_, err := syntax.Parse("types.d.ts", text, syntax.Options{TypeScript: true, Goal: syntax.Script})
	return err
}

// forms returns the ways to call a function: as its declaration says, or, if it
// has none that is TypeScript, as its Go type does.
func forms(f pinfold.FunctionInfo) []form {
	var out []form
	for _, line := range strings.Split(f.Declaration, "\n") {
		line = strings.TrimSuffix(strings.TrimSpace(line), ";")
		if line == "" || parses("type T = "+line+";") != nil {
			continue
		}
		x := form{whole: line}
		x.params, x.result, _ = arrow(line)
		out = append(out, x)
	}
	if len(out) == 0 {
		out = []form{ofType(f)}
	}
	return out
}

// arrow takes a function type apart: "(a: A) => B" has the parts "(a: A)" and
// "B".
func arrow(s string) (params, result string, ok bool) {
	i, depth := 0, 0
	var quote byte
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '(' || c == '[' || c == '{' || c == '<':
			depth++
		case c == '=' && i+1 < len(s) && s[i+1] == '>':
			if depth == 0 {
				params, result = strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+2:])
				ok = strings.HasSuffix(params, ")") && (params[0] == '(' || params[0] == '<')
				// It must be a function as a whole, and none in a union.
				if !ok || parses("interface I { f"+params+": "+result+"; }") != nil {
					return "", "", false
				}
				return params, result, true
			}
			i++
		case c == ')' || c == ']' || c == '}' || c == '>':
			depth--
		}
	}
	return "", "", false
}

// doc writes a comment.
func doc(text, indent string) string {
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "*/", `*\/`)), " ")
	if text == "" {
		return ""
	}
	return indent + "/** " + text + " */\n"
}

// name writes the name of a property.
func name(s string) string {
	if reName.MatchString(s) {
		return s
	}
	return strconv.Quote(s)
}

var reName = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)

// property writes a member of an interface.
func (m *member) property(b *strings.Builder, indent string) {
	b.WriteString(doc(m.doc, indent))
	if m.forms == nil {
		b.WriteString(indent + "readonly " + name(m.name) + ": {\n")
		for _, x := range m.members {
			x.property(b, indent+"  ")
		}
		b.WriteString(indent + "};\n")
		return
	}
	for _, x := range m.forms {
		if x.params != "" {
			fmt.Fprintf(b, "%s%s%s: %s;\n", indent, name(m.name), x.params, x.result)
		} else {
			fmt.Fprintf(b, "%sreadonly %s: %s;\n", indent, name(m.name), x.whole)
			return // a property has one type
		}
	}
}

const head = `// What programs find beside ECMAScript. Written by pinfold: don't edit.

`

const fields = `  /** The capabilities that can be used. */
  readonly capabilities: readonly string[];
  /** The tool that the program is, its call, and the instance that it works for. */
  readonly toolName?: string;
  readonly callId?: string;
  readonly instanceId?: string;
  /** The milliseconds that are left. */
  remainingMs(): number;
`

func (w *writer) file() string {
	var b strings.Builder
	b.WriteString(head)
	for _, h := range w.used {
		b.WriteString(h.text + "\n")
	}
	if w.types != "" {
		b.WriteString(w.types + "\n\n")
	}
	for _, n := range w.stubs {
		fmt.Fprintf(&b, "/** The host doesn't describe it. */\ntype %s = any;\n\n", n)
	}
	for _, t := range w.tools {
		if t.types != "" {
			b.WriteString(t.types + "\n")
		}
	}
	var ctx *member
	for _, m := range w.root.members {
		if m.name == "ctx" {
			ctx = m
		}
	}
	if w.around.Ctx {
		b.WriteString("interface Context {\n")
		if ctx != nil {
			for _, m := range ctx.members {
				if m.name == "callTool" && len(w.tools) > 0 {
					w.overloads(&b) // these, and no others
					continue
				}
				m.property(&b, "  ")
			}
		}
		b.WriteString(fields + "}\n\n/** What the host grants. */\ndeclare const ctx: Context;\n")
		if ctx != nil && w.around.Fetch && ctx.has("fetch") {
			b.WriteString("/** ctx.fetch by the web's name. */\ndeclare const fetch: Context[\"fetch\"];\n")
		}
		b.WriteString("\n")
	}
	for _, m := range w.root.members {
		if m != ctx {
			m.declaration(&b)
		}
	}
	if len(w.tools) > 0 {
		b.WriteString("/** The tools by their names. */\ninterface Tools {\n")
		for _, t := range w.tools {
			fmt.Fprintf(&b, "%s  %s: { input: %s; output: %s };\n", doc(t.tool.Description, "  "), name(t.tool.Name), t.input, t.output)
		}
		b.WriteString("}\n\n")
	}
	b.WriteString(globals)
	if w.timers {
		b.WriteString(timers)
	}
	return b.String()
}

// overloads writes ctx.callTool for each tool.
func (w *writer) overloads(b *strings.Builder) {
	for _, t := range w.tools {
		fmt.Fprintf(b, "%s  callTool(name: %s, input: %s): Promise<%s>;\n", doc(t.tool.Description, "  "), strconv.Quote(t.tool.Name), t.input, t.output)
	}
}

func (m *member) has(name string) bool {
	return slices.ContainsFunc(m.members, func(x *member) bool { return x.name == name })
}

// declaration writes a global.
func (m *member) declaration(b *strings.Builder) {
	b.WriteString(doc(m.doc, ""))
	if m.forms == nil {
		b.WriteString("declare const " + m.name + ": {\n")
		for _, x := range m.members {
			x.property(b, "  ")
		}
		b.WriteString("};\n\n")
		return
	}
	for _, x := range m.forms {
		if x.params == "" {
			fmt.Fprintf(b, "declare const %s: %s;\n", m.name, x.whole)
			break
		}
		fmt.Fprintf(b, "declare function %s%s: %s;\n", m.name, x.params, x.result)
	}
	b.WriteString("\n")
}

// lines is the compact form.
func (w *writer) lines() string {
	var b strings.Builder
	for _, h := range w.used {
		b.WriteString(h.line() + "\n")
	}
	for _, l := range strings.Split(w.types, "\n\n") {
		if l = oneLine(l); l != "" {
			b.WriteString(l + "\n")
		}
	}
	var all func(m *member, prefix string)
	all = func(m *member, prefix string) { // at most four names deep
		for _, x := range m.members {
			if x.forms == nil {
				all(x, prefix+x.name+".")
				continue
			}
			if prefix+x.name == "ctx.callTool" && len(w.tools) > 0 {
				continue // each tool has its own line
			}
			for i, f := range x.forms {
				sig := ": " + f.whole
				if f.params != "" {
					sig = f.params + ": " + f.result
				}
				note := ""
				if d := strings.Join(strings.Fields(x.doc), " "); d != "" && i == 0 {
					note = " // " + d
				}
				b.WriteString(oneLine(prefix+x.name+sig) + note + "\n")
			}
		}
	}
	all(w.root, "")
	for _, t := range w.tools {
		b.WriteString(t.compact + "\n")
	}
	return b.String()
}

var reComment = regexp.MustCompile(`/\*\*.*?\*/`)

// oneLine writes a declaration on one line, without comments.
func oneLine(s string) string {
	return strings.Join(strings.Fields(reComment.ReplaceAllString(strings.ReplaceAll(s, "\n", " "), "")), " ")
}

// declareTool writes the types of a tool.
func declareTool(t Tool, taken map[string]bool) (toolTypes, error) {
	x := toolTypes{tool: t, input: "object", output: "unknown"}
	base := typeName(t.Name)
	for i := 2; taken[base]; i++ {
		base = typeName(t.Name) + strconv.Itoa(i)
	}
	taken[base] = true
	in, out := "object", "unknown"
	for _, p := range []struct {
		text    json.RawMessage
		suffix  string
		name    *string
		compact *string
	}{{t.Input, "Input", &x.input, &in}, {t.Output, "Output", &x.output, &out}} {
		if len(p.text) == 0 {
			continue
		}
		s, err := schema.Compile(p.text)
		if err != nil {
			return x, fmt.Errorf("declare: the tool %s: its %s: %w", t.Name, strings.ToLower(p.suffix), err)
		}
		*p.name = base + p.suffix
		x.types += s.Declaration(*p.name)
		*p.compact = s.Compact(0)
	}
	note := ""
	if d := strings.Join(strings.Fields(t.Description), " "); d != "" {
		note = " // " + d
	}
	x.compact = fmt.Sprintf("ctx.callTool(%s, input: %s): Promise<%s>%s", strconv.Quote(t.Name), oneLine(in), oneLine(out), note)
	return x, nil
}

// typeName makes the name of a type of a tool's name: "html_to-text" is
// HtmlToText.
func typeName(s string) string {
	var b strings.Builder
	up := true
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z' && up:
			b.WriteRune(r - 32)
			up = false
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' && b.Len() > 0:
			b.WriteRune(r)
			up = false
		default:
			up = true
		}
	}
	if b.Len() == 0 {
		return "Tool"
	}
	return b.String()
}
