package hostile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/capability/clock"
	"github.com/pinfold-js/pinfold/capability/cost"
	"github.com/pinfold-js/pinfold/capability/egress"
	"github.com/pinfold-js/pinfold/capability/files"
	"github.com/pinfold-js/pinfold/capability/llm"
	"github.com/pinfold-js/pinfold/capability/log"
	"github.com/pinfold-js/pinfold/capability/store"
	"github.com/pinfold-js/pinfold/capability/toolcall"
	"github.com/pinfold-js/pinfold/snippet"
	"github.com/pinfold-js/pinfold/tool"
)

// Here makes a sandbox in this process in either tier: runs that can wait have no
// other.
func (s *Scene) Here(opt pinfold.Options) *pinfold.Sandbox {
	c := Case{Limits: opt.Limits, Want: timeLimit}
	opt.Limits, opt.Limiter = c.limits(DefaultWall), s.slots
	sb := must(pinfold.New(opt))
	s.AtEnd(func() { _ = sb.Close() })
	return sb
}

// every grants all that there is.
func (s *Scene) every() *pinfold.Grants {
	dir := s.Folder(map[string]string{"a": "A", "data/d": "D"})
	backend := store.NewMemory(store.Limits{})
	s.AtEnd(func() { _ = backend.Close() })
	return &pinfold.Grants{
		Files: s.Whole(dir), Network: must(egress.New(policy(&names{}, []*server{s.Serve(here, nil, none)}, "a.example.com"))), Store: must(backend.Namespace("c")),
		Cost: cost.NewLedger(cost.Options{}), Log: &log.Memory{}, Clock: clock.System(), MaxDelay: time.Second,
		LLM: &llm.Canned{Answer: func(*llm.Request) (*llm.Response, error) {
			return &llm.Response{Content: "x", StopReason: llm.StopEnd}, nil
		}},
		Tools: &toolcall.Canned{Answers: map[string]func(toolcall.Call) (*toolcall.Result, error){
			"add": func(c toolcall.Call) (*toolcall.Result, error) { return toolcall.JSONResult(c.Input), nil },
			"fails": func(toolcall.Call) (*toolcall.Result, error) {
				r := toolcall.TextResult("it broke")
				r.IsError = true
				return r, nil
			},
			"parts": func(toolcall.Call) (*toolcall.Result, error) {
				return &toolcall.Result{Parts: []toolcall.Part{{Type: toolcall.Text, Text: "one"}, {Type: toolcall.JSON, JSON: []byte(`{"two":2}`)}, {Type: toolcall.Blob, Data: []byte{255}, MIME: "image/png"}}}, nil
			},
			"nothing": func(toolcall.Call) (*toolcall.Result, error) { return &toolcall.Result{}, nil },
			"nil":     func(toolcall.Call) (*toolcall.Result, error) { return nil, nil },
			"leaks": func(toolcall.Call) (*toolcall.Result, error) {
				return nil, errors.New("open /srv/secret/path: no such file")
			},
			"panics": func(toolcall.Call) (*toolcall.Result, error) { panic("/srv/secret/path") },
			"bad":    func(toolcall.Call) (*toolcall.Result, error) { return toolcall.JSONResult([]byte(`{"a":`)), nil },
			"pollute": func(toolcall.Call) (*toolcall.Result, error) {
				return toolcall.JSONResult([]byte(`{"__proto__":{"admin":true},"then":1}`)), nil
			},
		}},
	}
}

// toolCases are the rows of K that need neither approvals that wait nor a gateway,
// and those of A and F that are about policies and tools.
var toolCases = []Case{
	{ID: "A22", Scenario: func(s *Scene) {
		// Contradictions in what a host configures are errors that name them.
		dir := s.Folder(map[string]string{"a": "A"})
		g := s.every()
		for name, opt := range map[string]pinfold.Options{
			"mail":       {Grants: g, Requires: []pinfold.Requirement{{Capability: "mail"}}},
			"FileRead":   {Grants: g, Requires: []pinfold.Requirement{{Capability: "FileRead"}}},
			"[":          {Grants: g, Requires: []pinfold.Requirement{{Capability: pinfold.FileRead, Scope: []string{"["}}}},
			"\"*\"":      {Grants: g, Requires: []pinfold.Requirement{{Capability: pinfold.Network, Scope: []string{"*"}}}},
			"Quotas":     {Grants: g, Quotas: map[string]pinfold.Quota{"mail": {}}},
			"negative":   {Grants: g, Quotas: map[string]pinfold.Quota{pinfold.Network: {Calls: -1}}},
			"KeepCalls":  {KeepCalls: -1},
			"twice":      {Functions: []pinfold.Function{{Name: "a", Func: func() {}}, {Name: "a", Func: func() {}}}},
			"a.b":        {Functions: []pinfold.Function{{Name: "a", Func: func() {}}, {Name: "a.b", Func: func() {}}}},
			"readFile":   {Grants: g, Functions: []pinfold.Function{{Name: "ctx.readFile", Func: func() {}}}},
			"Cancel":     {Functions: []pinfold.Function{{Name: "a", Func: func() {}, Async: true}}},
			"Timeout":    {Functions: []pinfold.Function{{Name: "a", Func: func() {}, Timeout: time.Second}}},
			"ResultByte": {Limits: pinfold.Limits{ResultBytes: -1}},
		} {
			if _, err := pinfold.New(opt); err == nil || !strings.Contains(err.Error(), name) {
				s.Errorf("%s: %v", name, err)
			}
		}
		for name, cfg := range map[string]files.Config{
			"E_FILES_NO_DIR": {Roots: []files.Root{{Read: everything}}}, "E_FILES_NOT_DIR": {Roots: []files.Root{{Dir: filepath.Join(dir, "a"), Read: everything}}}, "E_FILES_NOTHING": {Roots: []files.Root{{Dir: dir}}},
			"E_FILES_DUPLICATE": {Roots: []files.Root{{Dir: dir, Read: everything}, {Dir: dir, Write: everything}}}, "E_FILES_PATTERN": {Roots: []files.Root{{Dir: dir, Read: []string{"../**"}}}}, "E_FILES_NAME": {Roots: []files.Root{{Name: "../x", Dir: dir, Read: everything}}},
			"E_FILES_LIMIT": {MaxFileBytes: -1, Roots: []files.Root{{Dir: dir, Read: everything}}}, "E_FILES_PROTECTED": {Roots: []files.Root{{Dir: dir, Read: []string{".env"}}}},
		} {
			if _, err := files.New(cfg); err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), dir) {
				s.Errorf("%s: %v", name, err)
			}
		}
	}},
	{ID: "A23", Scenario: func(s *Scene) {
		// There is no way to ask for everything.
		g := s.every()
		for _, name := range []string{"*", "all", "", "file*", "fileRead,fileWrite", "any", "true", "ctx"} {
			if _, err := pinfold.New(pinfold.Options{Grants: g, Requires: []pinfold.Requirement{{Capability: name}}}); err == nil {
				s.Errorf("%q is a capability", name)
			}
			ctx := pinfold.WithCaller(context.Background(), pinfold.Caller{Capabilities: []string{name}})
			if got := s.EvalContext(ctx, s.Granted(g), "return ctx.readFile('a').catch(e => e.code)", nil); got != "value=E_NOT_GRANTED" {
				s.Errorf("a caller that has %q: %s", name, got)
			}
		}
	}},
	{ID: "A28b", Scenario: func(s *Scene) {
		// What snippets can't reach, tools and their descriptions can't either.
		g := s.every()
		const climb = `const seen = []; const out = f => { try { const r = f(); seen.push(typeof r === 'string' ? r : typeof r) } catch (e) { seen.push(e.name) } };
			for (const x of [globalThis, ctx, ctx.readFile, ctx.store, ctx.store.get, ctx.capabilities, ctx.remainingMs, console.log, invokeInput]) {
				out(() => x.constructor?.constructor?.('return typeof process + typeof require + typeof Deno')());
				out(() => Object.getPrototypeOf(x)?.constructor?.constructor?.('return typeof process + typeof require + typeof Deno')());
			}
			const bad = seen.filter(s => !/^(undefined)+$|Error$/.test(s)); if (bad.length) return bad.join();
			return 'nothing';`
		x := s.Snippet(snippet.Config{Options: pinfold.Options{Grants: g}})
		if r := x.Call(context.Background(), snippetArguments("const invokeInput = input; "+climb)); r.Text != `=> "nothing"` {
			s.Errorf("the snippet: %s", r.Text)
		}
		f := s.Tool("export const tool = {description: 'd', inputSchema: {type: 'object'}, requires: ['fileRead', 'store']};\nexport async function invoke(invokeInput, ctx) {"+climb+"}", tool.Config{Options: pinfold.Options{Grants: g}})
		if r := f.Call(context.Background(), []byte(`{"a": [1]}`)); r.Text != "nothing" {
			s.Errorf("the tool: %s", r.Text)
		}
		// A description is made with nothing granted, and stays what it was.
		f = s.Tool("let d = 'none'; try { d = typeof ctx + typeof fetch + typeof process } catch (e) { d = e.name }\nexport const tool = {description: d, inputSchema: {type: 'object'}};\nexport const invoke = () => { tool.description = 'changed'; tool.requires = ['network']; tool.endsLoop = true; return tool.description }", tool.Config{Options: pinfold.Options{Grants: g}})
		before := must(json.Marshal(f.Definition()))
		for range 2 {
			f.Call(context.Background(), nil)
		}
		if after := must(json.Marshal(f.Definition())); !bytes.Equal(before, after) || f.Definition().EndsLoop {
			s.Errorf("the description is %s and was %s", after, before)
		}
	}},
	{ID: "A29b", Scenario: func(s *Scene) {
		// ctx is a record of functions that lead nowhere, at every depth.
		sb := s.Granted(s.every())
		const walk = `const bad = []; const go = (o, path) => {
			if (Object.getPrototypeOf(o) !== null) bad.push(path + ' inherits'); if (!Object.isFrozen(o)) bad.push(path + ' is not frozen');
			for (const k of Reflect.ownKeys(o)) { const v = o[k]; const p = path + '.' + String(k);
				if (typeof v === 'function') { const extra = Reflect.ownKeys(v).filter(k => k !== 'name' && k !== 'length'); if (extra.length) bad.push(p + ' has ' + extra.join()); if ('prototype' in v) bad.push(p + ' constructs') }
				else if (Array.isArray(v)) { if (!Object.isFrozen(v)) bad.push(p + ' is not frozen') } else if (v !== null && typeof v === 'object') go(v, p) } };
			go(ctx, 'ctx'); return bad.join() || 'nothing'`
		s.Check(sb, walk, nil, "value=nothing")
		s.Want(sb, `
			'use strict'; try { ctx.readFile = 1 } catch (e) { return e.name } ==> value=TypeError
			try { Object.defineProperty(ctx, 'x', {value: 1}) } catch (e) { return e.name } ==> value=TypeError
			try { ctx.store.get = 1 } catch (e) { return e.name } ==> value=TypeError
			try { ctx.capabilities.push('all') } catch (e) { return e.name } ==> value=TypeError
			try { Object.setPrototypeOf(ctx, {}) } catch (e) { return e.name } ==> value=TypeError
			return delete globalThis.ctx, typeof ctx ==> value=object|value=undefined
			ctx.readFile.then = 1; return [...await Promise.all([ctx.readFile('a')])].join() ==> value=A|throw:TypeError
		`)
	}},
	{ID: "A31", Scenario: func(s *Scene) {
		// A tool that is called by code is admitted as one that is called by the model.
		var approved atomic.Int64
		f := s.Tool("export const tool = {description: 'd', requiresApproval: true, inputSchema: {type: 'object', properties: {n: {type: 'integer'}}, required: ['n'], additionalProperties: false}};\nexport const invoke = ({n}) => n + 1", tool.Config{Approver: tool.ApproverFunc(func(_ context.Context, q tool.Question) (tool.Answer, error) {
			approved.Add(1)
			return tool.Answer{Approved: !strings.Contains(string(q.Arguments), "13"), Reason: "not this one"}, nil
		})})
		bridge := &toolcall.Canned{Answers: map[string]func(toolcall.Call) (*toolcall.Result, error){"t": func(c toolcall.Call) (*toolcall.Result, error) {
			r := f.Call(context.Background(), c.Input)
			out := toolcall.TextResult(r.Text)
			out.IsError = r.IsError
			return out, nil
		}}}
		sb := s.Granted(&pinfold.Grants{Tools: bridge})
		for args, fails := range map[string]bool{`{"n":1}`: false, `{"n":13}`: true, `{"n":"1"}`: true, `{"n":1,"m":2}`: true, `{}`: true, `{"n":1.5}`: true} {
			direct := f.Call(context.Background(), []byte(args))
			byCode := s.value(sb, "return ctx.callTool('t', JSON.parse(input)).then(v => String(v), e => e.message)", args)
			if direct.IsError != fails || strings.TrimPrefix(byCode, "t: ") != direct.Text {
				s.Errorf("%s: %q (error: %v), by code %q", args, direct.Text, direct.IsError, byCode)
			}
		}
		if approved.Load() != 4 {
			s.Errorf("%d questions for 4 calls with good arguments", approved.Load())
		}
		// The same capability is refused in the same words to both.
		x := s.Snippet(snippet.Config{})
		if r := x.Call(context.Background(), snippetArguments("return ctx.callTool('t').catch(e => e.code)")); r.Text != `=> "E_NOT_GRANTED"` {
			s.Errorf("%s", r.Text)
		}
	}},
	{ID: "F11", Scenario: func(s *Scene) {
		// What tools give: errors are errors, all parts are there, and none is code.
		s.Want(s.Granted(s.every()), `
			return ctx.callTool('fails').catch(e => e.name + e.code + e.message) ==> value=ErrorE_TOOLfails: it broke
			return JSON.stringify(await ctx.callTool('parts')) ==> value=["one",{"two":2},{"mimeType":"image/png","data":"/w=="}]
			return String(await ctx.callTool('nothing')) ==> value=null
			return ctx.callTool('nil').then(v => v, e => e.code) ==> value=E_TOOL_FAILED
			return ctx.callTool('leaks').catch(e => e.message.includes('secret') || e.stack.includes('secret') || JSON.stringify(e.data ?? '').includes('secret')) ==> value=false
			return ctx.callTool('bad').then(v => JSON.stringify(v), e => e.code) ==> value=null|value=E_HOST
			const r = await ctx.callTool('pollute'); return [r.admin, {}.admin, r.then].join() ==> value=,,1
			return ctx.callTool('constructor').catch(e => e.code) ==> value=E_TOOL_UNKNOWN_TOOL
			return ctx.callTool('__proto__').catch(e => e.code) ==> value=E_TOOL_UNKNOWN_TOOL|value=E_TOOL_BAD_ARGUMENT
			return ctx.callTool('').catch(e => e.code) ==> value=E_TOOL_UNKNOWN_TOOL|value=E_TOOL_BAD_ARGUMENT|value=E_TOOL_BAD_CALL
			return ctx.callTool('add', [1]).catch(e => e.code) ==> value=E_TOOL_BAD_ARGUMENT|value=E_TOOL_BAD_INPUT|value=E_TOOL_BAD_CALL
			return ctx.callTool('add', {a: new Map()}).catch(e => e.data.hint) ==> value=input.a is a Map: use Object.fromEntries(x)
			const o = {}; o.o = o; return ctx.callTool('add', o).catch(e => e.code ?? e.name) ==> value=TypeError|value=E_ARGUMENT
			const o = {a: 1}; const p = ctx.callTool('add', o); o.a = 2; return (await p).a ==> value=1
			return JSON.stringify(await ctx.callTool('add', {a: NaN, b: undefined, c: -0})) ==> value={"a":null,"c":0}|value={"a":null,"c":-0}
			return Promise.all(Array.from({length: 50}, (_, i) => ctx.callTool('add', {i}))).then(l => l.every((x, i) => x.i === i)) ==> value=true
		`)
		if got := describeOnly(s.Granted(s.every()), "return ctx.callTool('panics').catch(e => e.message)"); got != "fault" && got != "value" {
			s.Errorf("a tool that panics: %s", got)
		}
	}},
	{ID: "K1", Scenario: func(s *Scene) {
		// Chance and time before a pause are the same when the run is replayed; a
		// journal that says otherwise is noticed.
		sb := s.Here(pinfold.Options{Functions: []pinfold.Function{{Name: "ask", Deferred: true}}})
		p := must(sb.Compile("p.js", "const r = Math.random(), t = Date.now(), u = crypto.randomUUID(); const a = r < 0.5 ? await ask('low', r, t) : await ask('high', r, t); return [r, t, u, a, Math.random(), Date.now() >= t]"))
		for range 10 {
			x := sb.Start(context.Background(), p, nil)
			text := journalOf(x)
			want := x.Pending()
			y, err := sb.Replay(context.Background(), p, bytes.NewReader(text), pinfold.ReplayOptions{})
			if err != nil {
				s.Errorf("%v", err)
				return
			}
			got := y.Pending()
			if len(got) != 1 || len(want) != 1 || fmt.Sprint(got[0].Arguments) != fmt.Sprint(want[0].Arguments) || got[0].IdempotencyKey != want[0].IdempotencyKey {
				s.Errorf("it asks %v, and asked %v", got, want)
			}
			check(errors.Join(x.Answer(1, "yes", nil), y.Answer(1, "yes", nil)))
			if a, b := s.words(x.Outcome()), s.words(y.Outcome()); a != b {
				s.Errorf("%s\nand %s", a, b)
			}
		}
		x := sb.Start(context.Background(), p, nil)
		for _, change := range [][2]string{{`"low"`, `"other"`}, {`"high"`, `"other"`}} {
			text := bytes.Replace(journalOf(x), []byte(change[0]), []byte(change[1]), 1)
			if bytes.Equal(text, journalOf(x)) {
				continue
			}
			var d *pinfold.DivergenceError
			if _, err := sb.Replay(context.Background(), p, bytes.NewReader(text), pinfold.ReplayOptions{}); !errors.As(err, &d) && !errors.Is(err, pinfold.ErrJournal) || errors.As(err, &d) && (!strings.Contains(d.Error(), "other") || !strings.Contains(d.Error(), "1")) {
				s.Errorf("%v", err)
			}
		}
		x.Cancel()
	}},
	{ID: "K2", Scenario: func(s *Scene) {
		// Calls side by side have their numbers in program order, whatever the order of
		// their answers.
		sb := s.Here(pinfold.Options{Functions: []pinfold.Function{{Name: "ask", Deferred: true}}})
		p := must(sb.Compile("p.js", "const log = []; const l = await Promise.all(['a', 'b', 'c'].map(async x => { const v = await ask(x); log.push(x); const w = await ask(x + v); log.push(x + x); return w })); return [l, log]"))
		run := func(replayed bool) string {
			x := sb.Start(context.Background(), p, nil)
			for _, id := range []int64{3, 1, 2, 5, 6, 4} {
				calls := x.Pending()
				i := slices.IndexFunc(calls, func(c pinfold.PendingCall) bool { return c.ID == id })
				if i < 0 {
					return fmt.Sprintf("no call %d among %v", id, calls)
				}
				check(x.Answer(id, fmt.Sprint(id), nil))
				if replayed && x.Outcome() == nil {
					text := journalOf(x)
					x.Cancel()
					x = must(sb.Replay(context.Background(), p, bytes.NewReader(text), pinfold.ReplayOptions{}))
				}
			}
			return s.words(x.Outcome())
		}
		if plain, replayed := run(false), run(true); plain != replayed || !strings.HasPrefix(plain, "value=[[") {
			s.Errorf("%s\nreplayed %s", plain, replayed)
		}
	}},
	{ID: "K3", Scenario: func(s *Scene) {
		// A pause is nothing that a program notices: it neither catches it nor cleans up
		// after it, and calls nothing meanwhile.
		var touches atomic.Int64
		sb := s.Here(pinfold.Options{Functions: []pinfold.Function{{Name: "ask", Deferred: true}, {Name: "touched", Func: func() { touches.Add(1) }}}})
		for _, src := range []string{
			"try { await ask(1) } catch { touched() } finally { touched() }", "ask(1).catch(touched).finally(touched); await new Promise(() => {})", "await Promise.race([ask(1)]).then(touched, touched)", "for await (const x of (async function*() { try { yield ask(1) } finally { touched() } })()) touched()",
			"await using x = {[Symbol.asyncDispose]() { touched() }}; await ask(1)", "const r = new FinalizationRegistry(touched); (() => r.register({}, 1))(); await ask(1)", "await Promise.any([ask(1), ask(2)]).catch(touched)",
		} {
			for _, end := range []func(x *pinfold.Run){func(x *pinfold.Run) { check(x.Suspend(io.Discard)) }, func(x *pinfold.Run) { x.Cancel() }} {
				x := sb.Start(context.Background(), must(sb.Compile("p.js", src)), nil)
				if len(x.Pending()) == 0 {
					s.Errorf("%s: it doesn't wait: %v", src, x.Outcome())
					continue
				}
				end(x)
				if n := touches.Load(); n != 0 {
					s.Errorf("%s: the script got control %d times", src, n)
				}
			}
		}
	}},
	{ID: "K5", Scenario: func(s *Scene) {
		// The process ends between a call and its record: what became of it is unknown, and
		// it isn't made again.
		var made atomic.Int64
		var written bytes.Buffer
		sb := s.Here(pinfold.Options{
			Functions: []pinfold.Function{{Name: "ask", Deferred: true}, {Name: "pay", Func: func(n int) int { made.Add(1); return n }}},
			Journal:   func(string) (io.Writer, error) { written.Reset(); return &written, nil },
		})
		p := must(sb.Compile("p.js", "const n = pay(5); return [n, await ask(n)]"))
		x := sb.Start(context.Background(), p, nil)
		text := bytes.Clone(written.Bytes())
		x.Cancel()
		at := bytes.Index(text, []byte(`"name":"pay"`))
		end := at + bytes.IndexByte(text[at:], '\n') + 1
		var unknown *pinfold.UnknownOutcomeError
		if _, err := sb.Replay(context.Background(), p, bytes.NewReader(text[:end]), pinfold.ReplayOptions{}); !errors.As(err, &unknown) || unknown.Call.Name != "pay" || unknown.Call.IdempotencyKey == "" {
			s.Errorf("%v", err)
		}
		y, err := sb.Replay(context.Background(), p, bytes.NewReader(text[:end]), pinfold.ReplayOptions{Unknown: func(c pinfold.PendingCall) (any, error) { return 5, nil }})
		if err != nil {
			s.Errorf("%v", err)
			return
		}
		check(y.Answer(2, "yes", nil))
		if got := s.words(y.Outcome()); got != `value=[5,"yes"]` || made.Load() != 1 {
			s.Errorf("%s, and %d calls", got, made.Load())
		}
	}},
	{ID: "K6", Scenario: func(s *Scene) {
		// A large result is whole in the replay.
		big := strings.Repeat("0123456789", 300_000)
		var made atomic.Int64
		sb := s.Here(pinfold.Options{Functions: []pinfold.Function{{Name: "ask", Deferred: true}, {Name: "big", Func: func() string { made.Add(1); return big }}}})
		p := must(sb.Compile("p.js", "const b = big(); await ask(b.length); return b.length + b.slice(-3)"))
		x := sb.Start(context.Background(), p, nil)
		text := journalOf(x)
		x.Cancel()
		y := must(sb.Replay(context.Background(), p, bytes.NewReader(text), pinfold.ReplayOptions{}))
		check(y.Answer(2, nil, nil))
		if got := s.words(y.Outcome()); got != "value=3000000789" || made.Load() != 1 {
			s.Errorf("%s, %d calls", got, made.Load())
		}
		for _, cut := range []int{len(text) / 2, len(text) - 10, 10, 0} {
			if z, err := sb.Replay(context.Background(), p, bytes.NewReader(text[:cut]), pinfold.ReplayOptions{}); err == nil {
				z.Cancel()
			}
		}
		if made.Load() != 1 {
			s.Errorf("a call was made again")
		}
	}, Growth: 200 << 20},
	{ID: "K7", Scenario: func(s *Scene) {
		// A tool that needs approval is there, and isn't run without a yes to exactly what
		// is run.
		const src = "export const tool = {description: 'pays', requiresApproval: true, costHint: '0.5', requires: ['store'], inputSchema: {type: 'object', properties: {to: {type: 'string'}}}};\nexport async function invoke({to}, ctx) { await ctx.store.set('paid', to); return 'paid ' + to }"
		g := s.every()
		paid := func() string {
			v, ok, _ := g.Store.Get(context.Background(), "paid")
			return fmt.Sprintf("%s %v", v, ok)
		}
		var asked []tool.Question
		ask := func(a tool.Answer, err error) tool.Approver {
			return tool.ApproverFunc(func(_ context.Context, q tool.Question) (tool.Answer, error) {
				asked = append(asked, q)
				if len(q.Arguments) > 0 {
					q.Arguments[len(q.Arguments)-2] = '!' // its own copy
				}
				return a, err
			})
		}
		for name, approver := range map[string]tool.Approver{
			"nobody": nil, "no": ask(tool.Answer{Reason: "too much"}, nil), "failing": ask(tool.Answer{Approved: true}, errors.New("/srv/secret/path")), "panicking": tool.ApproverFunc(func(context.Context, tool.Question) (tool.Answer, error) { panic("/srv/secret/path") }),
		} {
			f := s.Tool(src, tool.Config{Options: pinfold.Options{Grants: g}, Approver: approver})
			if !f.Definition().RequiresApproval || f.Definition().Name != "t" {
				s.Errorf("%+v", f.Definition())
			}
			if r := f.Call(context.Background(), []byte(`{"to": "eve"}`)); !r.IsError || strings.Contains(r.Text, "/srv") || paid() != " false" {
				s.Errorf("%s: %q, paid: %s", name, r.Text, paid())
			}
		}
		f := s.Tool(src, tool.Config{Options: pinfold.Options{Grants: g}, Approver: ask(tool.Answer{Approved: true}, nil)})
		if r := f.Call(context.Background(), []byte(` {"to": "eve"} `)); r.IsError || r.Text != "paid eve" || paid() != `"eve" true` {
			s.Errorf("%q, paid: %s", r.Text, paid())
		}
		last := asked[len(asked)-1]
		if last.Tool != "t" || last.Hash == "" || last.CostHint != "0.5" || !strings.Contains(string(last.Arguments), "to") || len(last.Requires) != 1 {
			s.Errorf("%+v", last)
		}
		ctx, cancel := context.WithCancel(context.Background())
		f = s.Tool(src, tool.Config{Options: pinfold.Options{Grants: g}, Approver: tool.ApproverFunc(func(ctx context.Context, _ tool.Question) (tool.Answer, error) {
			cancel()
			return tool.Answer{Approved: true}, nil // too late
		})})
		if r := f.Call(ctx, []byte(`{"to": "mallory"}`)); !r.IsError || paid() != `"eve" true` {
			s.Errorf("a yes after the end: %q, paid: %s", r.Text, paid())
		}
	}},
	{ID: "K8", Scenario: func(s *Scene) {
		// What a run can do is what its program declared, its host granted, and its
		// caller has: never more than each.
		g := s.every()
		part := *g
		part.Files = s.Files(files.Config{Roots: []files.Root{{Dir: s.Folder(map[string]string{"a": "A", "data/d": "D"}), Read: []string{"data/**"}}}})
		part.Network = nil
		const probe = `const c = p => p.then(() => 'ok', e => e.code); return [ctx.capabilities.join('+'), await c(ctx.readFile('a')), await c(ctx.readFile('data/d')), await c(ctx.writeFile('data/new', '')), await c(fetch('http://b.example.com/')), await c(ctx.store.get('k'))].join()`
		const out, no, undeclared = outside, "E_NOT_GRANTED", "E_NOT_DECLARED"
		for _, t := range []struct {
			requires []pinfold.Requirement
			caller   []string
			want     string
		}{
			{nil, nil, "fileRead+llm+store+tool," + strings.Join([]string{out, "ok", no, no, "ok"}, ",")},
			{[]pinfold.Requirement{}, nil, "," + strings.Join([]string{undeclared, undeclared, undeclared, undeclared, undeclared}, ",")},
			{[]pinfold.Requirement{{Capability: "fileRead", Scope: []string{"**"}}, {Capability: "network", Scope: []string{"b.example.com"}}}, nil, "fileRead," + strings.Join([]string{out, "ok", undeclared, no, undeclared}, ",")},
			{[]pinfold.Requirement{{Capability: "fileRead", Scope: []string{}}}, nil, "fileRead," + strings.Join([]string{out, out, undeclared, undeclared, undeclared}, ",")},
			{nil, []string{"store", "network", "mail"}, "store," + strings.Join([]string{no, no, no, no, "ok"}, ",")},
			{nil, []string{}, "," + strings.Join([]string{no, no, no, no, no}, ",")},
			{[]pinfold.Requirement{{Capability: "store"}}, []string{"fileRead"}, "," + strings.Join([]string{undeclared, undeclared, undeclared, undeclared, no}, ",")},
		} {
			sb := s.Granted(&part, func(o *pinfold.Options) { o.Requires = t.requires })
			got := s.EvalContext(pinfold.WithCaller(context.Background(), pinfold.Caller{Capabilities: t.caller}), sb, probe, nil)
			if got != "value="+t.want {
				s.Errorf("declared %v, the caller has %v:\n%s\nwant %s", t.requires, t.caller, got, t.want)
			}
		}
		// Programs can't declare, grant or be others.
		s.Want(s.Granted(&part, func(o *pinfold.Options) { o.Requires = []pinfold.Requirement{} }), `
			globalThis.requires = ['fileRead']; globalThis.tool = {requires: ['fileRead']}; return ctx.readFile('data/d').catch(e => e.code) ==> value=E_NOT_DECLARED
			globalThis.ctx = {readFile: () => 'mine'}; return fetch('http://a.example.com/').catch(e => e.code) ==> value=E_NOT_DECLARED
			try { ctx.capabilities[0] = 'fileRead' } catch {} return ctx.readFile('data/d').catch(e => e.code) ==> value=E_NOT_DECLARED
		`)
	}},
	{ID: "K9", Scenario: func(s *Scene) {
		// Two tools of one name are an error that names both; none is left out in silence.
		const one = "export const tool = {name: 'same', description: 'd', inputSchema: {type: 'object'}}; export const invoke = () => 1"
		dir := s.Folder(map[string]string{"first.js": one, "second.js": one, "other.js": strings.Replace(one, "same", "other", 1)})
		opt := pinfold.Options{}
		s.atFront(&opt)
		if _, err := tool.LoadDir(dir, tool.Config{Options: opt, LoadTimeout: DefaultWall}); err == nil || !strings.Contains(err.Error(), "first.js") || !strings.Contains(err.Error(), "second.js") || !strings.Contains(err.Error(), "same") || strings.Contains(err.Error(), dir) {
			s.Errorf("%v", err)
		}
		f := s.Tool("export const tool = {description: 'd', requiresApproval: false, parallelSafe: false, endsLoop: false, inputSchema: {type: 'object'}}; export const invoke = () => 'ran'", tool.Config{})
		if r := f.Call(context.Background(), nil); r.Text != "ran" || r.EndsLoop {
			s.Errorf("false isn't no: %+v", r)
		}
	}},
	{ID: "K10", Scenario: func(s *Scene) {
		for _, name := range []string{
			"Promise", "console", "setTimeout", "constructor", "__proto__", "then", "prototype", "globalThis", "eval", "undefined", "NaN", "arguments", "await", "class", "input", "Object", "JSON", "fetch.x.constructor", "a.__proto__", "a.then", "a.constructor.b", "this", "new", "yield", "let", "static", "async.then",
			"", ".", "a.", ".a", "a..b", "a b", "a-b", "1a", "é\u200d", "a\x00", "a.b.c.d.e", "toString()", "a[0]",
		} {
			if _, err := pinfold.New(pinfold.Options{Timers: true, Functions: []pinfold.Function{{Name: name, Func: func() {}}}}); err == nil {
				s.Errorf("a function %q is accepted", name)
			}
		}
		opt := pinfold.Options{}
		s.atFront(&opt)
		for _, name := range []string{"constructor", "__proto__", "", "a b", "x\n", "../x", strings.Repeat("n", 1000), "\u202ename"} {
			src := "export const tool = {name: " + string(must(json.Marshal(name))) + ", description: 'd', inputSchema: {type: 'object'}}; export const invoke = () => 1"
			f, err := tool.Source{File: "t.js", Text: src}.Load(tool.Config{Options: opt, LoadTimeout: DefaultWall})
			if err == nil {
				_ = f.Close()
				if name != "constructor" && name != "__proto__" { // names of tools are data
					s.Errorf("a tool named %q is accepted", name)
				}
			}
		}
	}},
	{ID: "K11", Scenario: func(s *Scene) {
		// The same tools, the same bytes.
		g := s.every()
		var functions []pinfold.Function
		for i := range 30 {
			functions = append(functions, pinfold.Function{Name: fmt.Sprintf("f%d.g", i), Func: func() int { return i }, Declaration: "() => number"})
		}
		modules := map[string]string{}
		for i := range 30 {
			modules[fmt.Sprint("m", i)] = "export default 1"
		}
		src := "export const tool = {description: 'd', requires: ['fileRead', 'network', 'store'], inputSchema: {type: 'object', properties: {z: {}, a: {}, m: {}}}, outputSchema: {type: 'object'}}; export const invoke = () => 1"
		var first string
		for range 20 {
			x := s.Snippet(snippet.Config{Options: pinfold.Options{Grants: g, Functions: functions, Modules: modules, Isolation: pinfold.InProcess}})
			f := s.Tool(src, tool.Config{Options: pinfold.Options{Grants: g}})
			text := string(must(json.Marshal(x.Definition()))) + string(must(json.Marshal(f.Definition()))) + f.Hash() + fmt.Sprint(g.Capabilities(), g.Missing([]pinfold.Requirement{{Capability: "x"}, {Capability: "a"}}))
			if first == "" {
				first = text
			}
			if text != first {
				s.Errorf("%s\nand before %s", text, first)
				return
			}
		}
	}},
	{ID: "K14", Scenario: func(s *Scene) {
		// Waiting takes no fuel: a script with little of it outlasts a long tool.
		sb := s.Granted(s.every(), func(o *pinfold.Options) {
			o.Limits.Fuel = 100_000
			o.Functions = []pinfold.Function{{Name: "build", Async: true, Cancel: pinfold.Cooperative, Func: func(ctx context.Context, ms int) string {
				select {
				case <-ctx.Done():
					return "cancelled"
				case <-time.After(time.Duration(ms) * time.Millisecond):
					return "built"
				}
			}}}
		})
		one := sb.Eval(context.Background(), "p.js", "return build(1)", nil)
		long := sb.Eval(context.Background(), "p.js", "return build(300)", nil)
		if s.words(long) != "value=built" || long.Usage.Fuel != one.Usage.Fuel {
			s.Errorf("%s, fuel %d, of a short one %d", s.words(long), long.Usage.Fuel, one.Usage.Fuel)
		}
		s.Check(sb, "return Promise.all([build(100), build(100), ctx.delay(100)]).then(l => l.length)", nil, "value=3")
	}},
	{ID: "K15", Scenario: func(s *Scene) {
		// A run that is cancelled as it ends has one end, and each of its calls one record.
		var calls, twice atomic.Int64
		sb := s.Granted(&pinfold.Grants{Clock: clock.System(), MaxDelay: time.Second}, func(o *pinfold.Options) {
			o.KeepCalls = 100
			o.Audit = func(c pinfold.HostCall) { calls.Add(1) }
		})
		s.Check(sb, "return 1", nil, "value=1")
		ends := map[string]int{}
		for i := range 150 {
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(time.Duration(i*20)*time.Microsecond, cancel)
			o := sb.Eval(ctx, "p.js", "const l = [ctx.delay(1), ctx.delay(1), ctx.delay(2)]; await Promise.all(l); return 'done'", nil)
			got := s.words(o)
			ends[got]++
			if got != "value=done" && got != "cancelled" || (o.Failure != nil) == (got == "value=done") || o.Failure != nil && !o.Value.IsUndefined() {
				s.Errorf("it ended as %s: %+v", got, o)
			}
			seen := map[int64]bool{}
			for _, c := range o.Calls {
				if seen[c.ID] {
					twice.Add(1)
				}
				seen[c.ID] = true
			}
			cancel()
		}
		if twice.Load() != 0 {
			s.Errorf("%d calls have two records", twice.Load())
		}
		// A run that waits, answered and cancelled at once.
		here := s.Here(pinfold.Options{Functions: []pinfold.Function{{Name: "ask", Deferred: true}}})
		p := must(here.Compile("p.js", "return ask(1)"))
		for range 100 {
			x := here.Start(context.Background(), p, nil)
			var wg sync.WaitGroup
			var answered, again error
			wg.Go(func() { answered = x.Answer(1, "yes", nil) })
			wg.Go(func() { again = x.Answer(1, "no", nil) })
			wg.Go(func() { x.Cancel() })
			wg.Wait()
			got, then := s.words(x.Outcome()), s.words(x.Cancel())
			if got != then || answered == nil && again == nil || answered != nil && again != nil && got != "cancelled" || got != "cancelled" && got != "value=yes" && got != "value=no" {
				s.Errorf("it ended as %s, then %s; answers: %v, %v", got, then, answered, again)
			}
		}
	}},
	{ID: "K16-tool", Scenario: func(s *Scene) {
		// Nothing of one call of a tool is there in the next, of the same file or another.
		const src = "export const tool = {description: 'd', inputSchema: {type: 'object'}}; let n = 0; const kept = []; export async function invoke(inputs, ctx) { n++; kept.push(inputs); const seen = [n, kept.length, typeof globalThis.left, typeof [].patched, typeof Object.prototype.deep, Math.max(1, 2), typeof ctx.mine]; globalThis.left = 1; Array.prototype.patched = 1; Object.prototype.deep = 1; Math.max = () => 7; try { ctx.mine = 1 } catch {} Promise.prototype.then; new Promise(() => {}); return seen.join() }"
		opt := tool.Config{Options: pinfold.Options{Grants: s.every()}}
		a, b := s.Tool(src, opt), s.Tool(src, opt)
		x := s.Snippet(snippet.Config{Options: opt.Options})
		for range 3 {
			for _, f := range []*tool.File{a, b} {
				if r := f.Call(context.Background(), []byte(`{"k": 1}`)); r.Text != "1,1,undefined,undefined,undefined,2,undefined" {
					s.Errorf("%s", r.Text)
				}
			}
			if r := x.Call(context.Background(), snippetArguments("const seen = [typeof globalThis.left, typeof [].patched, typeof Object.prototype.deep]; globalThis.left = 1; Array.prototype.patched = 1; Object.prototype.deep = 1; return seen.join()")); r.Text != `=> "undefined,undefined,undefined"` {
				s.Errorf("%s", r.Text)
			}
		}
	}},
}

// journalOf returns the journal of a run.
func journalOf(x *pinfold.Run) []byte {
	var b bytes.Buffer
	check(x.Journal(&b))
	return b.Bytes()
}
