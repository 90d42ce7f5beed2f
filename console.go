package pinfold

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/internal/inspect"
	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/membrane"
	"github.com/pinfold-js/pinfold/meter"
)

// consoleState is what a run's console has taken.
type consoleState struct {
	lines   []ConsoleLine
	bytes   int64
	indent  string
	counts  map[string]int
	timers  map[string]float64
	dropped bool // lines were left out
}

// lineBytes is what a line is charged beside its text.
const lineBytes = 64

type consoleMethod struct {
	name string
	call func(r *run, args []vm.Value) error
}

// consoleMethods are the methods of console, in the order of its properties.
var consoleMethods = []consoleMethod{
	{"log", printer("log")},
	{"info", printer("info")},
	{"warn", printer("warn")},
	{"error", printer("error")},
	{"debug", printer("debug")},
	{"trace", (*run).consoleTrace},
	{"assert", (*run).consoleAssert},
	{"dir", func(r *run, args []vm.Value) error { return r.print("log", args[:min(len(args), 1)]) }},
	{"table", (*run).consoleTable},
	{"group", (*run).consoleGroup},
	{"groupCollapsed", (*run).consoleGroup},
	{"groupEnd", func(r *run, _ []vm.Value) error {
		r.console.indent = r.console.indent[:max(0, len(r.console.indent)-2)]
		return nil
	}},
	{"count", (*run).consoleCount},
	{"countReset", func(r *run, args []vm.Value) error {
		label, err := r.label(args)
		delete(r.console.counts, label)
		return err
	}},
	{"time", (*run).consoleTime},
	{"timeLog", func(r *run, args []vm.Value) error { return r.consoleTimeLog(args, false) }},
	{"timeEnd", func(r *run, args []vm.Value) error { return r.consoleTimeLog(args, true) }},
}

func printer(level string) func(r *run, args []vm.Value) error {
	return func(r *run, args []vm.Value) error { return r.print(level, args) }
}

// setupConsole makes the global console.
func setupConsole(b *vm.Builder) {
	o := b.Object(b.Intrinsic(vm.ObjectPrototype))
	for _, method := range consoleMethods { //meter: a table of the source
		f := b.Func(method.name, 0, func(m *vm.Machine, c vm.Call) (vm.Value, error) {
			return vm.Undefined, method.call(m.Options().Host.(*run), c.Args)
		})
		b.Prop(o, method.name, heap.ObjectValue(f), heap.DefaultAttrs)
	}
	b.GlobalValue("console", heap.ObjectValue(o), heap.HiddenAttrs)
}

func (r *run) print(level string, args []vm.Value) error {
	if r.console.dropped {
		return r.m.Charge(1)
	}
	text, err := r.format(args)
	if err != nil {
		return err
	}
	return r.line(level, text)
}

// format renders arguments. What would pass the limit of output isn't rendered
// to its end.
func (r *run) format(args []vm.Value) (string, error) {
	room := r.sb.limits.OutputBytes - r.console.bytes
	text, err := inspect.Args(r.m, args, inspect.Options{MaxBytes: int(max(1, min(room, 1<<30)))})
	if errors.Is(err, inspect.ErrTooLong) && r.sb.opt.DropOutput {
		if n := r.sb.limits.OutputLineBytes; n > 0 {
			return r.beginning(args, n)
		}
		r.console.dropped = true // and line drops this one
		return "", nil
	}
	if errors.Is(err, inspect.ErrTooLong) {
		return "", r.tooMuchOutput("the console's bytes", r.sb.limits.OutputBytes, r.sb.limits.OutputBytes+1)
	}
	return text, err
}

// beginning renders so much of arguments that are too large that a line is cut
// from it: of a text that stands alone its beginning, else only what kind of values
// they are.
func (r *run) beginning(args []vm.Value, n int) (string, error) {
	if err := r.m.Charge(n / 8); err != nil {
		return "", err
	}
	if len(args) == 1 && args[0].IsString() {
		s, err := r.m.H.Substring(args[0].AsStr(), 0, min(n+1, r.m.H.Len(args[0].AsStr())))
		if err != nil {
			return "", err
		}
		return cutLine(membrane.ValidString(r.m.H.GoString(s)), n), nil
	}
	var kinds []string
	for _, a := range args[:min(len(args), 8)] { //meter: at most eight
		kinds = append(kinds, "<"+membrane.Name(r.m, a)+">")
	}
	return cutLine(strings.Join(kinds, " "), n), nil
}

func (r *run) tooMuchOutput(what string, limit, used int64) error {
	return r.mt.Fail(&meter.LimitError{Kind: meter.Output, What: what, Limit: limit, Used: used})
}

// line takes a line.
func (r *run) line(level, text string) error {
	c := &r.console
	if r.replay != nil {
		return nil
	}
	if c.indent != "" {
		text = c.indent + strings.ReplaceAll(text, "\n", "\n"+c.indent)
	}
	if n := r.sb.limits.OutputLineBytes; n > 0 && len(text) > n {
		text = cutLine(text, n)
	}
	if r.sb.opt.DropOutput && (c.dropped || len(c.lines) >= r.sb.limits.OutputLines || c.bytes+int64(len(text))+1 > r.sb.limits.OutputBytes) {
		c.dropped = true
		return r.m.Charge(1)
	}
	if n := int64(len(c.lines)) + 1; n > int64(r.sb.limits.OutputLines) {
		return r.tooMuchOutput("the number of console lines", int64(r.sb.limits.OutputLines), n)
	}
	n := c.bytes + int64(len(text)) + 1
	if n > r.sb.limits.OutputBytes {
		return r.tooMuchOutput("the console's bytes", r.sb.limits.OutputBytes, n)
	}
	if err := r.m.Charge(8 + len(text)/16); err != nil {
		return err
	}
	if err := r.mt.Grow(lineBytes + int64(len(text))); err != nil {
		return err
	}
	c.bytes = n
	l := ConsoleLine{Level: level, Text: text}
	c.lines = append(c.lines, l)
	if r.sb.opt.Console != nil && (r.waiting == nil || r.again == nil) { // a replay tells nothing twice
		return r.tell(l)
	}
	return nil
}

// lineCut marks where a line was cut.
const lineCut = "… [cut]"

// cutLine marks a line as cut, and cuts it to n bytes with the mark, between
// characters.
func cutLine(text string, n int) string {
	if n = max(0, n-len(lineCut)); n < len(text) {
		for n > 0 && !utf8.RuneStart(text[n]) { //meter: at most three bytes
			n--
		}
		text = text[:n]
	}
	return text + lineCut
}

// tell passes a line on as it comes.
func (r *run) tell(l ConsoleLine) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = r.panicked("Options.Console", p, debug.Stack())
		}
	}()
	r.sb.opt.Console(l)
	return nil
}

// label is the first argument of count and time.
func (r *run) label(args []vm.Value) (string, error) {
	if len(args) == 0 || args[0].IsUndefined() {
		return "default", nil
	}
	s, err := r.format(args[:1])
	if len(s) > 200 {
		s = membrane.ValidString(s[:200])
	}
	return s, err
}

// maxLabels is how many labels count and time remember.
const maxLabels = 1000

func (r *run) consoleCount(args []vm.Value) error {
	label, err := r.label(args)
	if err != nil {
		return err
	}
	c := &r.console
	if c.counts == nil {
		c.counts = map[string]int{}
	}
	if _, known := c.counts[label]; !known && len(c.counts) >= maxLabels {
		return r.m.RangeError("console.count: more than %d labels", maxLabels)
	}
	c.counts[label]++
	return r.line("log", label+": "+strconv.Itoa(c.counts[label]))
}

// now is the run's clock in milliseconds, for timers.
func (r *run) now() float64 {
	if r.replay != nil {
		return 0
	}
	if r.sb.now != nil {
		return r.sb.now()
	}
	return float64(time.Now().UnixMicro()) / 1000
}

func (r *run) consoleTime(args []vm.Value) error {
	label, err := r.label(args)
	if err != nil {
		return err
	}
	c := &r.console
	if c.timers == nil {
		c.timers = map[string]float64{}
	}
	if len(c.timers) >= maxLabels {
		return r.m.RangeError("console.time: more than %d labels", maxLabels)
	}
	if _, running := c.timers[label]; !running {
		c.timers[label] = r.now()
	}
	return nil
}

func (r *run) consoleTimeLog(args []vm.Value, end bool) error {
	label, err := r.label(args)
	if err != nil {
		return err
	}
	from, running := r.console.timers[label]
	if !running {
		return nil
	}
	if end {
		delete(r.console.timers, label)
	}
	text := fmt.Sprintf("%s: %.3fms", label, r.now()-from)
	if len(args) > 1 && !end {
		rest, err := r.format(args[1:])
		if err != nil {
			return err
		}
		text += " " + rest
	}
	return r.line("log", text)
}

func (r *run) consoleAssert(args []vm.Value) error {
	if len(args) > 0 && r.m.ToBoolean(args[0]) {
		return nil
	}
	text := "Assertion failed"
	if len(args) > 1 {
		rest, err := r.format(args[1:])
		if err != nil {
			return err
		}
		text += ": " + rest
	}
	return r.line("warn", text)
}

func (r *run) consoleTrace(args []vm.Value) error {
	text, err := r.format(args)
	if err != nil {
		return err
	}
	head := "Trace"
	if text != "" {
		head += ": " + text
	}
	at, _ := r.m.CaptureFrames(vm.Undefined)
	return r.line("error", head+r.m.FormatStack(heap.ObjectValue(at)))
}

// maxGroups is how deep groups indent.
const maxGroups = 50

func (r *run) consoleGroup(args []vm.Value) error {
	if len(args) > 0 {
		if err := r.print("log", args); err != nil {
			return err
		}
	}
	if len(r.console.indent) < 2*maxGroups {
		r.console.indent += "  "
	}
	return nil
}
