package inspect

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/pinfold-js/pinfold/js/conv"
	"github.com/pinfold-js/pinfold/js/vm"
	"github.com/pinfold-js/pinfold/membrane"
)

// Options bound what is shown.
type Options struct {
	Depth    int // levels of objects; 4
	Items    int // elements, entries or properties of one object; 100
	MaxBytes int // of the whole text; 1 MiB
}

func (o Options) withDefaults() Options {
	if o.Depth <= 0 {
		o.Depth = 4
	}
	if o.Items <= 0 {
		o.Items = 100
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 1 << 20
	}
	return o
}

// ErrTooLong is returned when the text passes MaxBytes.
var ErrTooLong = errors.New("inspect: the text is too long")

// Args renders the arguments of a console method: format specifiers of the
// first, strings as they are, other values inspected, joined by spaces.
func Args(m *vm.Machine, args []vm.Value, opt Options) (string, error) {
	p := printer{m: m, opt: opt.withDefaults()}
	if len(args) == 1 && args[0].IsString() {
		s, err := p.text(args[0].AsStr(), p.opt.MaxBytes)
		return s, p.done(err)
	}
	var b strings.Builder
	rest := args
	if len(args) > 1 && args[0].IsString() {
		f, err := p.text(args[0].AsStr(), p.opt.MaxBytes)
		if err != nil {
			return "", p.done(err)
		}
		if rest, err = p.substitute(&b, f, args[1:]); err != nil {
			return "", p.done(err)
		}
		if len(rest) > 0 {
			b.WriteByte(' ')
		}
	}
	for i, a := range rest { //meter: argument charges for what it shows
		if i > 0 {
			b.WriteByte(' ')
		}
		s, err := p.argument(a)
		if err != nil {
			return "", p.done(err)
		}
		b.WriteString(s)
		if b.Len() > p.opt.MaxBytes {
			return "", p.done(ErrTooLong)
		}
	}
	return b.String(), p.done(nil)
}

// Value renders one value; strings are quoted.
func Value(m *vm.Machine, v vm.Value, opt Options) (string, error) {
	p := printer{m: m, opt: opt.withDefaults()}
	s, err := p.value(v, 0, true)
	return s, p.done(err)
}

// argument renders an argument: strings as they are.
func (p *printer) argument(v vm.Value) (string, error) {
	if v.IsString() {
		return p.text(v.AsStr(), p.opt.MaxBytes)
	}
	p.reset()
	return p.value(v, 0, true)
}

// substitute writes format with its specifiers replaced, and returns the
// arguments that are left.
func (p *printer) substitute(b *strings.Builder, format string, args []vm.Value) ([]vm.Value, error) {
	last := 0
	percents := strings.LastIndex(format, "%%")
	for i := 0; i+1 < len(format) && (len(args) > 0 || i <= percents); i++ { //meter: text charged its length
		if format[i] != '%' {
			continue
		}
		verb := format[i+1]
		if verb == '%' {
			b.WriteString(format[last : i+1])
			i++
			last = i + 1
			continue
		}
		if len(args) == 0 || !strings.ContainsRune("sdifjoOc", rune(verb)) {
			continue
		}
		b.WriteString(format[last:i])
		s, err := p.specifier(verb, args[0])
		if err != nil {
			return nil, err
		}
		b.WriteString(s)
		if b.Len() > p.opt.MaxBytes {
			return nil, ErrTooLong
		}
		args = args[1:]
		i++
		last = i + 1
	}
	b.WriteString(format[last:])
	return args, nil
}

func (p *printer) specifier(verb byte, v vm.Value) (string, error) {
	p.reset()
	switch verb {
	case 's':
		if v.IsObject() {
			q := *p
			q.opt.Depth = 1
			s, err := q.value(v, 0, true)
			p.charged = q.charged
			return s, err
		}
		return p.argument(v)
	case 'd', 'i', 'f':
		return p.numeric(verb, v)
	case 'j':
		t, err := membrane.Encode(p.m, v, "argument", membrane.Limits{Bytes: int64(p.opt.MaxBytes)})
		var e *membrane.Error
		switch {
		case errors.As(err, &e):
			return "[" + e.Error() + "]", nil
		case err != nil:
			return "", err
		case t.IsUndefined():
			return "undefined", nil
		}
		return t.String(), nil
	case 'c':
		return "", nil
	}
	return p.value(v, 0, true)
}

func (p *printer) numeric(verb byte, v vm.Value) (string, error) {
	if v.IsBigInt() {
		return p.value(v, 0, true)
	}
	f := math.NaN()
	switch {
	case v.IsNumber():
		f = v.AsFloat()
	case v.IsString():
		s, err := p.text(v.AsStr(), 1000)
		if err != nil {
			return "", err
		}
		if verb == 'd' {
			if g, ok := conv.ParseNumber([]byte(s)); ok {
				f = g
			}
		} else if f, err = conv.ParseFloatPrefix(p.m.Meter(), []byte(s)); err != nil {
			return "", err
		}
	case v.IsBool() && verb == 'd', v.IsNull() && verb == 'd':
		f = 0
		if v == vm.True {
			f = 1
		}
	}
	if verb == 'i' && f == f {
		f = math.Trunc(f)
	}
	return number(f), nil
}

func number(f float64) string {
	if f == 0 && math.Signbit(f) {
		return "-0"
	}
	return string(conv.FormatNumber(nil, f))
}

// printer renders values.
type printer struct {
	m       *vm.Machine
	opt     Options
	charged int64 // bytes of Go memory charged until done

	open    []vm.Obj       // the objects around the current one
	refs    map[vm.Obj]int // the objects that are referred to from inside, and their numbers
	indent  int
	current int // level of the object formatted last: see join

	alignRight bool // of the list that is being laid out: its elements are numbers
}

// reset begins a new argument.
func (p *printer) reset() {
	p.open, p.refs, p.indent, p.current = p.open[:0], nil, 0, 0
}

// done gives the charged memory back.
func (p *printer) done(err error) error {
	p.m.Meter().Shrink(p.charged)
	p.charged = 0
	return err
}

// spend charges text that is being built.
func (p *printer) spend(n int) error {
	if err := p.m.Charge(1 + n/16); err != nil {
		return err
	}
	if p.charged += int64(n); p.charged > 4*int64(p.opt.MaxBytes) {
		p.charged -= int64(n)
		return ErrTooLong
	}
	if err := p.m.Meter().Grow(int64(n)); err != nil {
		p.charged -= int64(n)
		return err
	}
	return nil
}

// text returns at most max bytes worth of a string, as UTF-8.
func (p *printer) text(s vm.Str, max int) (string, error) {
	if n := p.m.H.Len(s); n > max {
		return "", ErrTooLong
	}
	if err := p.spend(p.m.H.Len(s)); err != nil {
		return "", err
	}
	b, err := p.m.H.AppendString(nil, s)
	if err != nil {
		return "", err
	}
	return strings.ToValidUTF8(string(b), "\uFFFD"), nil
}

// maxString is how many units of a string inside an object are shown.
const maxString = 10_000

// quoted renders a string inside an object.
func (p *printer) quoted(s vm.Str, top bool) (string, error) {
	n, more := p.m.H.Len(s), 0
	if n > maxString {
		var err error
		more = n - maxString
		if s, err = p.m.H.Substring(s, 0, maxString); err != nil {
			return "", err
		}
	}
	t, err := p.text(s, p.opt.MaxBytes)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if !top && len(t) > 16 && len(t) > breakLength-p.indent-4 && strings.Contains(strings.TrimSuffix(t, "\n"), "\n") {
		// One line of a long text a line.
		lines := strings.SplitAfter(t, "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		for i, l := range lines { //meter: text charged its length
			if i > 0 {
				b.WriteString(" +\n" + strings.Repeat(" ", p.indent+2)) //meter: the indentation is a few columns a level, and levels are limited
			}
			b.WriteString(quote(l))
		}
	} else {
		b.WriteString(quote(t))
	}
	if more > 0 {
		b.WriteString("... " + strconv.Itoa(more) + " more character")
		if more > 1 {
			b.WriteByte('s')
		}
	}
	return b.String(), p.spend(b.Len() - len(t))
}

// quote puts a text in quotes that it doesn't hold, if there are any.
func quote(s string) string {
	q := byte('\'')
	if strings.Contains(s, "'") {
		if !strings.Contains(s, `"`) {
			q = '"'
		} else if !strings.Contains(s, "`") && !strings.Contains(s, "${") {
			q = '`'
		}
	}
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte(q)
	for _, r := range s { //meter: text charged its length
		switch {
		case r == rune(q) || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\b':
			b.WriteString(`\b`)
		case r == '\f':
			b.WriteString(`\f`)
		case r == '\v':
			b.WriteString(`\v`)
		case r < ' ' || r >= 0x7F && r < 0xA0:
			b.WriteString(`\x`)
			b.WriteString(strings.ToUpper(strconv.FormatInt(int64(r)|0x100, 16)[1:]))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte(q)
	return b.String()
}

// primitive renders anything but objects.
func (p *printer) primitive(v vm.Value, top bool) (string, error) {
	switch {
	case v.IsString():
		return p.quoted(v.AsStr(), top)
	case v.IsInt():
		return strconv.Itoa(int(v.AsInt())), nil
	case v.IsNumber():
		return number(v.AsFloat()), nil
	case v.IsBool():
		return strconv.FormatBool(v == vm.True), nil
	case v.IsNull():
		return "null", nil
	case v.IsBigInt():
		s, err := p.m.BigIntToString(v, 10)
		if err != nil {
			return "", err
		}
		t, err := p.text(s, p.opt.MaxBytes)
		return t + "n", err
	case v.IsSymbol():
		return p.symbol(v.AsStr())
	}
	return "undefined", nil
}

func (p *printer) symbol(s vm.Str) (string, error) {
	d := p.m.H.Description(s)
	if d == 0 {
		return "Symbol()", nil
	}
	t, err := p.text(d, p.opt.MaxBytes)
	return "Symbol(" + t + ")", err
}

// key renders a property's name.
func (p *printer) key(k vm.Key) (string, error) {
	switch {
	case k.IsIndex():
		return "'" + strconv.FormatUint(uint64(k.Index()), 10) + "'", nil
	case k.IsSymbol():
		s, err := p.symbol(k.Name())
		return "[" + s + "]", err
	}
	t, err := p.text(k.Name(), p.opt.MaxBytes)
	if err != nil {
		return "", err
	}
	if isName(t) {
		return t, nil
	}
	return quote(t), nil
}

func isName(s string) bool {
	if s == "" {
		return false
	}
	for i := range len(s) { //meter: text charged its length
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || i > 0 && c >= '0' && c <= '9' {
			continue
		}
		return false
	}
	return true
}
