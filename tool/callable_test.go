package tool_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/limiter"
	"github.com/pinfold-js/pinfold/tool"
)

// TestCallable has tools that call tools.
func TestCallable(t *testing.T) {
	onTiers(t, func(t *testing.T, opt pinfold.Options) {
		opt.Limits.Timeout = 20 * time.Second
		l, err := limiter.New(limiter.Config{MaxConcurrentRuns: 20, MaxRunsPerCaller: 15})
		if err != nil {
			t.Fatal(err)
		}
		opt.Limiter = l
		opt.Workers.Max = 20
		add := load(t, tool.Source{File: "add.js", Text: "export const tool = { description: 'adds', inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] } }; export const invoke = ({ a, b }, ctx) => a < 0 ? undefined : a === 0 ? '[\"text\"]' : { sum: a + b, who: ctx.toolName }"}, tool.Config{Options: opt, LoadTimeout: 20 * time.Second})
		pay := load(t, tool.Source{File: "pay.js", Text: "export const tool = { description: 'pays', requiresApproval: true }; export const invoke = () => 'paid'"}, tool.Config{Options: opt, LoadTimeout: 20 * time.Second})
		down := &later{name: "down"}
		all, err := tool.Callable(add, pay, down)
		if err != nil {
			t.Fatal(err)
		}
		opt.Grants = &pinfold.Grants{Tools: all}
		down.Tool = load(t, tool.Source{File: "down.js", Text: "export const tool = { description: 'goes down', requires: ['tool'] }; export const invoke = async (_, ctx) => 1 + await ctx.callTool('down').catch(e => e.message)"}, tool.Config{Options: opt, LoadTimeout: 20 * time.Second})
		call := codedTool(t, "{tool: ['add', 'pay', 'down', 'sub']}", opt)
		for code, want := range map[string]string{
			"return ctx.callTool('add', {a: 1, b: 2})":                                                   `{"sum":3,"who":"add"}`,
			"return [await ctx.callTool('add', {a: -1, b: 2}), await ctx.callTool('add', {a: 0, b: 2})]": `[null,"[\"text\"]"]`,
			"return ctx.callTool('add', {a: '1', b: 2}).catch(e => e.message)":                           "add: the arguments of add don't fit its inputSchema:\n- a: expected number",
			"return ctx.callTool('pay').catch(e => e.message)":                                           "pay: pay needs approval for each call",
			"return ctx.callTool('sub').catch(e => [e.code, e.message])":                                 `["E_TOOL_UNKNOWN_TOOL","ctx.callTool: there is no tool \"sub\"; `,
			"return (await ctx.listTools()).map(t => t.name)":                                            `["add","pay","down"]`,
			"return ctx.callTool('down')":                                                                "11111111ctx.callTool: tools call each other more than 8 deep",
		} {
			if r := call(code); !strings.HasPrefix(r.Text, want) {
				t.Errorf("%s\ngives %s\nwant  %s", code, r.Text, want)
			}
		}
		if _, err := tool.Callable(add, add); err == nil || err.Error() != "tool: there are two tools of the name add: rename one of them" {
			t.Error(err)
		}
	})
}

// later is a tool that is made later.
type later struct {
	tool.Tool
	name string
}

func (l *later) Definition() tool.Definition { return tool.Definition{Name: l.name} }
