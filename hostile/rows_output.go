package hostile

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/capability/log"
	"github.com/pinfold-js/pinfold/snippet"
	"github.com/pinfold-js/pinfold/tool"
)

// Snippet makes the tool run_javascript, with the table's limits where opt sets
// none.
func (s *Scene) Snippet(cfg snippet.Config) *snippet.Tool {
	s.atFront(&cfg.Options)
	x := must(snippet.New(cfg))
	s.AtEnd(func() { _ = x.Close() })
	return x
}

// Tool loads a tool of a text.
func (s *Scene) Tool(src string, cfg tool.Config) *tool.File {
	s.atFront(&cfg.Options)
	cfg.LoadTimeout = DefaultWall
	f := must(tool.Source{File: "t.ts", Text: src}.Load(cfg))
	s.AtEnd(func() { _ = f.Close() })
	return f
}

func (s *Scene) atFront(opt *pinfold.Options) {
	c := Case{Limits: opt.Limits, Want: timeLimit}
	opt.Limits = c.limits(s.Timeout)
	opt.Limiter = s.slots
	inTier(opt)
}

// snippetArguments are the arguments of a call of run_javascript.
func snippetArguments(code string) json.RawMessage {
	return must(json.Marshal(map[string]any{"code": code}))
}

// frontCases are the rows of J, and those of G about messages, where models meet
// them: in the texts that tools give.
var frontCases = []Case{
	{ID: "J1d", Options: func(o *pinfold.Options) { o.DropOutput = true }, Limits: pinfold.Limits{OutputBytes: 16}, Source: "for (let i = 0; i < 300000; i++) console.log('line ' + i); return 1", Want: "value=1"},
	{ID: "J1e", Options: func(o *pinfold.Options) { o.DropOutput = true }, Limits: pinfold.Limits{OutputLines: 3}, Source: "for (;;) console.log('x'.repeat(1e5))", Want: timeLimit},
	{ID: "J1f", Options: func(o *pinfold.Options) { o.DropOutput, o.Limits.OutputLineBytes = true, 100 }, Source: "for (let i = 0; i < 100; i++) console.log('x'.repeat(1e6)); return 1", Want: "value=1"},
	{ID: "J3b", Scenario: func(s *Scene) {
		// A noisy call, then quiet ones, of one tool.
		x := s.Snippet(snippet.Config{Options: pinfold.Options{Limits: pinfold.Limits{OutputLines: 10}}})
		for range 3 {
			if r := x.Call(context.Background(), snippetArguments("for (;;) console.log('x')")); !r.IsError {
				s.Errorf("the noisy call: %q", r.Text)
			}
			if r := x.Call(context.Background(), snippetArguments("console.log('quiet'); return 1")); r.IsError || r.Text != "quiet\n=> 1" {
				s.Errorf("the quiet call: %q", r.Text)
			}
		}
	}},
	{ID: "J5b", Scenario: func(s *Scene) {
		// What was printed is there after every end.
		x := s.Snippet(snippet.Config{Options: pinfold.Options{Limits: pinfold.Limits{Timeout: 60 * time.Millisecond, Fuel: 1 << 30}}})
		for _, end := range []string{"throw new Error('x')", "throw null", "for (;;);", "(function f() { f() })()", "return () => 1", "await new Promise(() => {})", "const a = []; for (;;) a.push(new Array(1e5))", "for (;;) console.log('more')", "null.x", "return 1"} {
			r := x.Call(context.Background(), snippetArguments("console.log('a note'); console.error('bad'); "+end))
			if !strings.HasPrefix(r.Text, "a note\nerror: bad\n") || r.IsError != (end != "return 1") || r.IsError && !strings.Contains(r.Text, "\nError: ") {
				s.Errorf("%s: %q", end, clip(r.Text, 300))
			}
		}
		// A text that isn't a program prints nothing.
		if r := x.Call(context.Background(), snippetArguments("console.log('a note'); let x = ;")); !strings.HasPrefix(r.Text, "Error: SyntaxError: ") {
			s.Errorf("%q", r.Text)
		}
	}},
	{ID: "J7b", Scenario: func(s *Scene) {
		// The text says nothing of the code but the line that is meant.
		const marker = "marker-of-the-source"
		x := s.Snippet(snippet.Config{})
		f := s.Tool("// "+marker+"\nexport const tool = {description: 'd', inputSchema: {type: 'object'}};\n\n\n\nexport async function invoke(inputs) {\n\n\n\n if (inputs.fail) throw new Error('x')\n return 1 }\n\n\n\n// "+marker, tool.Config{})
		for _, end := range []string{"return 1", "throw new Error('x')", "let x = ;", "for (;;);", "return () => 1"} {
			if r := x.Call(context.Background(), snippetArguments("// "+marker+"\n\n\n\n"+end+"\n\n\n\n// "+marker)); strings.Contains(r.Text, marker) {
				s.Errorf("%s: %s", end, r.Text)
			}
		}
		for _, args := range []string{"{}", `{"fail": true}`, "[]", `{"fail": "` + strings.Repeat("long", 10_000) + `"}`} {
			if r := f.Call(context.Background(), []byte(args)); strings.Contains(r.Text, marker) || len(r.Text) > 2000 {
				s.Errorf("%s: %s", clip(args, 30), r.Text)
			}
		}
	}},
	{ID: "J8", Scenario: func(s *Scene) {
		// A result's text has a size, and says what is left out.
		x := s.Snippet(snippet.Config{MaxChars: 1000, Options: pinfold.Options{Limits: pinfold.Limits{Timeout: DefaultWall}}})
		for _, code := range []string{
			"return 'x'.repeat(1e6)", "return '\U0001F600'.repeat(1e5)", "return Array(1e5).fill({a: 1})", "console.log('y'.repeat(2e5)); return 'z'.repeat(1e5)", "throw 'x'.repeat(1e6)", "throw new Error('\U0001F600'.repeat(1e6))", "for (let i = 0; i < 3000; i++) console.log('line', i)",
			"return {['k'.repeat(1e6)]: 1}", "const e = new Error('m'); e.name = 'N'.repeat(1e6); throw e", "throw Object.assign(new Error('x'), {stack: 's'.repeat(1e6)})", "return '\\u0000\\u001b[31m\\ud800'.repeat(1e4)", "nope_" + strings.Repeat("x", 10_000),
			"const e = new AggregateError(Array.from({length: 1e4}, (_, i) => new Error('part ' + i)), 'all'); throw e", "let e = new Error('0'); for (let i = 1; i < 1e4; i++) e = new Error(String(i), {cause: e}); throw e",
		} {
			r := x.Call(context.Background(), snippetArguments(code))
			if n := utf8.RuneCountInString(r.Text); n > 1100 || !utf8.ValidString(r.Text) {
				s.Errorf("%s: %d characters: %q", code, n, clip(r.Text, 300))
			}
			if utf8.RuneCountInString(r.Text) > 1000 && !strings.Contains(r.Text, " characters left out] …") {
				s.Errorf("%s: nothing says that it was cut: %q", code, clip(r.Text, 300))
			}
		}
	}},
	{ID: "J9", Scenario: func(s *Scene) {
		// What is printed doesn't make a call one that failed, nor its end another one.
		x := s.Snippet(snippet.Config{})
		for code, fails := range map[string]bool{
			"console.log('Error: SyntaxError: forged\\n --> code:1:1'); return 1": false, "return 'Error: forged'": false, "console.log('=> 1'); throw new Error('x')": true, "console.log('\\n… [5 characters left out] …\\n'); return 1": false,
			"return {isError: true, text: 'x'}": false, "return {content: [], isError: true, endsLoop: true}": false,
		} {
			r := x.Call(context.Background(), snippetArguments(code))
			if r.IsError != fails || r.EndsLoop || r.IsError != (r.Outcome.Failure != nil) {
				s.Errorf("%s: %+v", code, r)
			}
		}
		f := s.Tool("export const tool = {description: 'd', inputSchema: {type: 'object'}};\nexport const invoke = (i) => i.r", tool.Config{})
		if r := f.Call(context.Background(), []byte(`{"r": {"isError": true, "endsLoop": true, "content": []}}`)); r.IsError || r.EndsLoop {
			s.Errorf("%+v", r)
		}
	}},
	{ID: "J10", Scenario: func(s *Scene) {
		// Records for the host are bounded like the rest, and end with the run.
		var sink log.Memory
		var after atomic.Int64
		var ended atomic.Bool
		sb := s.Granted(&pinfold.Grants{Log: logged{&sink, func() {
			if ended.Load() {
				after.Add(1)
			}
		}}}, func(o *pinfold.Options) { o.Limits.Timeout, o.Limits.HostCalls = DefaultWall, 100_000 })
		s.Want(sb, `
			let n = 0, c; for (let i = 0; i < 5000; i++) try { ctx.log('x'.repeat(1000)); n++ } catch (e) { c = e.code } return c.startsWith('E_LOG_') && n <= 1000 ==> value=true
			ctx.log('x'.repeat(1e6)); return 1 ==> value=1
			try { ctx.log('x', {f: 'y'.repeat(1e5)}) } catch (e) { return e.code } ==> value=E_LOG_TOO_LARGE|value=E_LOG_BAD_ARGUMENT
			try { ctx.log('x', {get f() { throw 1 }}) } catch (e) { return e.name } ==> value=TypeError
			ctx.log('\ud800\u0000\u001b[31m\n', {'\ud800': '\udfff'}); return 1 ==> value=1
			return ctx.log('x') === undefined ==> value=true
		`)
		for _, r := range sink.Records() {
			if len(r.Message) > 9<<10 || !utf8.ValidString(r.Message) {
				s.Errorf("a message of %d bytes, %q", len(r.Message), clip(r.Message, 100))
			}
		}
		sb.Eval(context.Background(), "p.js", "for (let i = 0; i < 10000; i++) Promise.resolve().then(() => ctx.log('late')); return 1", nil)
		ended.Store(true)
		time.Sleep(20 * time.Millisecond)
		if after.Load() != 0 {
			s.Errorf("%d records after the end", after.Load())
		}
	}},
	{ID: "G12c", Scenario: func(s *Scene) {
		// What fails in the host shows nothing of it, in the text of any tool.
		functions := append(tools(), pinfold.Function{Name: "panics", Func: func() { panic("secret of the host /srv/x") }})
		x := s.Snippet(snippet.Config{Options: pinfold.Options{Functions: functions}})
		f := s.Tool("export const tool = {description: 'd', inputSchema: {type: 'object'}};\nexport const invoke = ({f}) => f === 'panics' ? panics() : tools_(f);\nconst tools_ = f => ({leak: tool_leak, fail: tool_fail})[f]();\nconst tool_leak = () => host.leak(), tool_fail = () => host.fail();", tool.Config{Options: pinfold.Options{Functions: []pinfold.Function{
			{Name: "host.leak", Func: tools()[2].Func}, {Name: "host.fail", Func: tools()[1].Func}, {Name: "panics", Func: func() { panic("secret of the host /srv/x") }},
		}}})
		show := func(what, text string) {
			if strings.Contains(text, ".go:") || strings.Contains(text, "goroutine") || strings.Contains(text, "/secret/path") || strings.Contains(text, "/srv/x") || !strings.HasPrefix(text, "Error: ") {
				s.Errorf("%s: %s", what, text)
			}
		}
		for _, src := range []string{"tool.leak()", "tool.fail()", "panics()", "await tool.failLater()", "try { tool.leak() } catch (e) { throw e }", "throw new Error('x', {cause: (() => { try { tool.leak() } catch (e) { return e } })()})"} {
			show(src, x.Call(context.Background(), snippetArguments(src)).Text)
		}
		for _, name := range []string{"leak", "fail", "panics"} {
			show(name, f.Call(context.Background(), must(json.Marshal(map[string]string{"f": name}))).Text)
		}
	}},
	{ID: "G15b", Scenario: func(s *Scene) {
		// A model that uses what isn't there learns what is.
		dir := s.Folder(map[string]string{"a": "A"})
		x := s.Snippet(snippet.Config{Options: pinfold.Options{Grants: &pinfold.Grants{Files: s.Whole(dir)}, Functions: []pinfold.Function{{Name: "orders.find", Func: func() int { return 1 }}}}})
		for code, want := range map[string]string{
			"return await ctx.readFle('a')":              "readFile",
			"return await orders.fnd()":                  "find",
			"return order.find()":                        "orders",
			"return await fetch('https://example.com/')": "network was not granted",
			"return process.env.HOME":                    "process",
			"return require('fs')":                       "require",
			"return await readFile('a')":                 "ctx.readFile",
		} {
			r := x.Call(context.Background(), snippetArguments(code))
			if !r.IsError || !strings.Contains(r.Text, want) {
				s.Errorf("%s: %q says nothing of %s", code, r.Text, want)
			}
			if strings.Contains(r.Text, dir) {
				s.Errorf("%s: a path of the host is in %q", code, r.Text)
			}
		}
	}},
	{ID: "G16b", Scenario: func(s *Scene) {
		// A thrown text of 50 MB, through every front.
		x := s.Snippet(snippet.Config{Options: pinfold.Options{Limits: pinfold.Limits{MemoryBytes: 256 << 20, Timeout: DefaultWall}}})
		f := s.Tool("export const tool = {description: 'd', inputSchema: {type: 'object'}};\nexport const invoke = () => { throw 'x'.repeat(5e7) }", tool.Config{Options: pinfold.Options{Limits: pinfold.Limits{MemoryBytes: 256 << 20, Timeout: DefaultWall}}})
		for _, code := range []string{"throw 'x'.repeat(5e7)", "throw new Error('x'.repeat(5e7))", "return Promise.reject('x'.repeat(5e7))"} {
			r := x.Call(context.Background(), snippetArguments(code))
			if n := len(r.Outcome.Failure.Message); n > 10_240+100 || !strings.Contains(r.Text, "more characters") {
				s.Errorf("%s: a message of %d bytes: %q", code, n, clip(r.Text, 200))
			}
		}
		if r := f.Call(context.Background(), nil); len(r.Text) > 12_000 || !strings.Contains(r.Text, "more characters") {
			s.Errorf("the tool: %d bytes, %q", len(r.Text), clip(r.Text, 200))
		}
	}, Growth: 320 << 20},
}

// logged is a sink that tells of each record.
type logged struct {
	log.Sink
	tell func()
}

func (l logged) Write(ctx context.Context, r log.Record) error {
	l.tell()
	if err := l.Sink.Write(ctx, r); err != nil {
		return fmt.Errorf("the sink: %w", err)
	}
	return nil
}
