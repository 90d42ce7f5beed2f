package snippet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/limiter"
	"github.com/pinfold-js/pinfold/tool"
)

// Name is the tool's name.
const Name = "run_javascript"

// DefaultMaxChars is how many characters a result's text has at most.
const DefaultMaxChars = 30_000

// Config configures the tool. The zero value is a tool that computes.
type Config struct {
	// Options are those of the sandbox that the code runs in. A nil Grants is an
	// empty one: ctx is there, and says what isn't granted. A nil Limiter is
	// limiter.Shared.
	Options pinfold.Options
	// Name replaces the tool's name, Description the first sentences of its
	// description.
	Name, Description string
	// MaxChars bounds a result's text, in characters: two thirds are kept of its
	// beginning, one third of its end. 0 is DefaultMaxChars; at least 300.
	MaxChars int
}

// Tool is the tool. It is immutable and safe for use by many goroutines.
type Tool struct {
	sandbox *pinfold.Sandbox
	def     tool.Definition
	max     int
}

var _ tool.Tool = (*Tool)(nil)

const inputSchema = `{"type":"object","properties":{` +
	`"code":{"type":"string","description":"JavaScript or TypeScript: the body of an async function, so await and return work at the top level"},` +
	`"input":{"description":"data that the code sees as the variable input"}},` +
	`"required":["code"],"additionalProperties":false}`

// New makes the tool. The error is that of pinfold.New, or names what is wrong.
func New(cfg Config) (*Tool, error) {
	if cfg.MaxChars == 0 {
		cfg.MaxChars = DefaultMaxChars
	}
	if cfg.MaxChars < 300 {
		return nil, fmt.Errorf("snippet: MaxChars is %d: it must be 300 or more (0 is the default, %d)", cfg.MaxChars, DefaultMaxChars)
	}
	opt := cfg.Options
	if opt.Grants == nil {
		opt.Grants = &pinfold.Grants{}
	}
	if opt.Limiter == nil {
		opt.Limiter = limiter.Shared()
	}
	s, err := pinfold.New(opt)
	if err != nil {
		return nil, fmt.Errorf("snippet: %w", err)
	}
	t := &Tool{sandbox: s, max: cfg.MaxChars}
	t.def = tool.Definition{
		Name: cfg.Name, Description: cfg.Description, InputSchema: json.RawMessage(inputSchema), ParallelSafe: true, Untrusted: true,
	}
	if t.def.Name == "" {
		t.def.Name = Name
	}
	if t.def.Description == "" {
		t.def.Description = "Runs JavaScript or TypeScript in a sandbox and returns what it printed and returned. Use it to compute, and to filter or reshape data, instead of doing that in your head. " +
			"The code is the body of an async function: use return for the result, and console.log for notes on the way. Each call begins anew: nothing is kept between calls."
	}
	t.def.Description += "\n" + t.world()
	return t, nil
}

// world tells what the code finds.
func (t *Tool) world() string {
	var b strings.Builder
	b.WriteString("There is no network, no file, no process and no require")
	var have, others []string
	for _, f := range t.sandbox.Functions() {
		if !f.Available {
			continue
		}
		s := f.Name
		if d, _, _ := strings.Cut(f.Declaration, "\n"); d != "" {
			s += d
		} else {
			s += "(…)"
		}
		if strings.HasPrefix(f.Name, "ctx.") {
			have = append(have, s)
		} else {
			others = append(others, s)
		}
	}
	if have = append(have, others...); len(have) > 0 {
		b.WriteString(" beside these functions:\n- " + strings.Join(have, "\n- "))
	} else {
		b.WriteString(".")
	}
	if m := t.sandbox.Modules(); len(m) > 0 {
		b.WriteString("\nModules that can be imported with await import(…): " + strings.Join(m, ", "))
	}
	l := t.sandbox.Limits()
	fmt.Fprintf(&b, "\nLimits: %v, %d MiB of memory.", l.Timeout, l.MemoryBytes>>20)
	return b.String()
}

// Definition returns what the model is told.
func (t *Tool) Definition() tool.Definition { return t.def }

// Close lets go of what the sandbox holds: see pinfold.Sandbox.Close.
func (t *Tool) Close() error { return t.sandbox.Close() }

// Call runs the code of one call.
func (t *Tool) Call(ctx context.Context, arguments json.RawMessage) *tool.Result {
	code, input, err := parse(arguments)
	if err != nil {
		return tool.Failed(err.Error())
	}
	if ctx == nil {
		ctx = context.Background()
	}
	return t.Run(ctx, code, input)
}

// Run runs code with an input, which is as for pinfold.Sandbox.Run.
func (t *Tool) Run(ctx context.Context, code string, input any) *tool.Result {
	o := t.sandbox.Eval(ctx, "code", code, input)
	r := &tool.Result{Outcome: o, IsError: o.Failure != nil}
	var b strings.Builder
	for _, l := range o.Console {
		if l.Level == "warn" || l.Level == "error" {
			b.WriteString(l.Level + ": ")
		}
		b.WriteString(l.Text + "\n")
	}
	switch {
	case o.Failure != nil:
		b.WriteString("Error: " + strings.TrimSuffix(o.Failure.Report(), "\n"))
	case !o.Value.IsUndefined():
		r.Value = o.Value
		b.WriteString("=> " + render(o.Value))
	case b.Len() == 0:
		b.WriteString("(no output)")
	}
	r.Text = Cut(strings.TrimSuffix(b.String(), "\n"), t.max)
	return r
}

// parse reads the arguments of a call.
func parse(arguments json.RawMessage) (code string, input any, err error) {
	d := json.NewDecoder(bytes.NewReader(arguments))
	var fields map[string]json.RawMessage
	if err := d.Decode(&fields); err != nil || fields == nil {
		return "", nil, errors.New(`the arguments must be an object: {"code": "return 1 + 1"}`)
	}
	for k := range fields {
		if k != "code" && k != "input" {
			return "", nil, fmt.Errorf("there is no argument %q: use code and input", k)
		}
	}
	raw, ok := fields["code"]
	if !ok {
		return "", nil, errors.New(`the argument code is missing: {"code": "return 1 + 1"}`)
	}
	if err := json.Unmarshal(raw, &code); err != nil {
		return "", nil, errors.New("the argument code must be a string")
	}
	if raw, ok := fields["input"]; ok {
		input = raw
	}
	return code, input, nil
}

// inline is how long the JSON of a value may be to stand on one line.
const inline = 120

// render writes a value as JSON: in one line if it is short, else indented.
func render(v pinfold.Value) string {
	text, err := v.Plain()
	if err != nil {
		text = v.JSON() // with tags for what JSON can't hold
	}
	if utf8.RuneCount(text) <= inline {
		return string(text)
	}
	var b bytes.Buffer
	if json.Indent(&b, text, "", "  ") != nil {
		return string(text)
	}
	return b.String()
}

// Cut keeps the first two thirds and the last third of max characters of a text
// that has more, and says between them how many were left out.
func Cut(s string, max int) string {
	if len(s) <= max {
		return s
	}
	r := []rune(s)
	if len(r) <= max {
		return s
	}
	head := max * 2 / 3
	tail := max - head
	return string(slices.Concat(r[:head], []rune(fmt.Sprintf("\n… [%d characters left out] …\n", len(r)-max)), r[len(r)-tail:]))
}
