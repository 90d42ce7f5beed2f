package schema

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The bounds on one regular expression.
const (
	maxPatternBytes = 2000
	maxPatternSteps = 2000 // instructions, repetitions written out
)

// pattern is a regular expression of a schema.
type pattern struct {
	source string
	re     *regexp.Regexp
	size   int // instructions: matching takes up to this for each byte
}

func (p *pattern) MatchString(s string) bool { return p.re.MatchString(s) }
func (p *pattern) String() string            { return p.source }

// compilePattern is the engine of regular expressions.
func compilePattern(source string) (jsonschema.Regexp, error) { return newPattern(source) }

func newPattern(source string) (*pattern, error) {
	if len(source) > maxPatternBytes {
		return nil, fmt.Errorf("it is longer than %d bytes", maxPatternBytes)
	}
	text, err := translate(source)
	if err != nil {
		return nil, err
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, explainPattern(source, err)
	}
	size := patternSize(parsed, 0)
	if size > maxPatternSteps {
		return nil, errors.New("it is too large with its repetitions written out; use maxLength for long repetitions")
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, explainPattern(source, err)
	}
	return &pattern{source: source, re: re, size: size}, nil
}

// explainPattern says what of a pattern isn't there in linear time.
func explainPattern(source string, err error) error {
	for _, look := range []string{"(?=", "(?!", "(?<=", "(?<!"} {
		if strings.Contains(source, look) {
			return fmt.Errorf("%s…) looks around, which takes more than linear time and isn't supported", look)
		}
	}
	var e *syntax.Error
	if errors.As(err, &e) {
		if e.Code == syntax.ErrInvalidEscape && len(e.Expr) == 2 && ('1' <= e.Expr[1] && e.Expr[1] <= '9' || e.Expr[1] == 'k') {
			return fmt.Errorf("%s refers back, which takes more than linear time and isn't supported", e.Expr)
		}
		if e.Code == syntax.ErrInvalidRepeatSize {
			return fmt.Errorf("%s repeats more than 1000 times, which isn't supported; use minLength and maxLength", clip(e.Expr, 80))
		}
		return fmt.Errorf("%s: %q", e.Code, clip(e.Expr, 80))
	}
	return errors.New("it isn't a regular expression")
}

// patternSize is about how many instructions a pattern has. The parser bounds
// its nesting.
func patternSize(re *syntax.Regexp, depth int) int {
	const far = 1 << 30
	if depth > 1000 {
		return far
	}
	n := 1
	switch re.Op {
	case syntax.OpLiteral:
		n = len(re.Rune)
	case syntax.OpCharClass:
		// A range is looked for by halving.
		n = 1 + len(re.Rune)/64
	}
	for _, sub := range re.Sub {
		n = min(far, n+patternSize(sub, depth+1))
	}
	if re.Op == syntax.OpRepeat {
		times := re.Max
		if times < 0 {
			times = re.Min + 1
		}
		n = min(far, n*max(times, 1))
	}
	return n
}

// ecmaSpace is what \s means in ECMA-262: WhiteSpace and LineTerminator.
const ecmaSpace = `\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`

// translate writes a pattern of ECMA-262 in the syntax of package regexp.
func translate(s string) (string, error) {
	var b strings.Builder
	class := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s):
			i++
			switch e := s[i]; e {
			case 's':
				if class {
					b.WriteString(ecmaSpace)
				} else {
					b.WriteString("[" + ecmaSpace + "]")
				}
			case 'S':
				if class {
					return "", errors.New(`\S inside [] isn't supported; write the class the other way round`)
				}
				b.WriteString("[^" + ecmaSpace + "]")
			case 'u':
				hex, n := hexEscape(s[i+1:])
				if n == 0 {
					return "", errors.New(`\u needs four hexadecimal digits`)
				}
				i += n
				b.WriteString(`\x{` + hex + `}`)
			case 'c':
				if i+1 >= len(s) || !isIdentifier(s[i+1:i+2]) {
					return "", errors.New(`\c needs a letter`)
				}
				i++
				fmt.Fprintf(&b, `\x{%x}`, s[i]%32)
			case '0':
				b.WriteString(`\x00`)
			case 'p', 'P':
				b.WriteByte('\\')
				b.WriteByte(e)
				if rest, ok := strings.CutPrefix(s[i+1:], "{"); ok {
					name, _, closed := strings.Cut(rest, "}")
					if closed {
						i += len(name) + 2
						b.WriteString("{" + propertyName(name) + "}")
					}
				}
			default:
				b.WriteByte('\\')
				b.WriteByte(e)
			}
		case class && c == '[':
			// In ECMA-262 a [ in a class is itself.
			b.WriteString(`\[`)
		case class && c == ']':
			class = false
			b.WriteByte(c)
		case !class && c == '[':
			switch {
			case strings.HasPrefix(s[i:], "[^]"):
				b.WriteString(`(?s:.)`)
				i += 2
			case strings.HasPrefix(s[i:], "[]"):
				return "", errors.New("[] matches nothing")
			default:
				class = true
				b.WriteByte(c)
				if i+1 < len(s) && s[i+1] == '^' {
					b.WriteByte('^')
					i++
				}
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), nil
}

// hexEscape reads what follows \u: four digits, or any number in braces.
func hexEscape(s string) (hex string, n int) {
	if rest, ok := strings.CutPrefix(s, "{"); ok {
		hex, _, ok = strings.Cut(rest, "}")
		n = len(hex) + 2
		if !ok || len(hex) == 0 || len(hex) > 6 {
			return "", 0
		}
	} else {
		if len(s) < 4 {
			return "", 0
		}
		hex, n = s[:4], 4
	}
	if strings.Trim(hex, "0123456789abcdefABCDEF") != "" {
		return "", 0
	}
	return hex, n
}

// propertyName is the name of a Unicode property as package regexp knows it.
func propertyName(name string) string {
	if key, value, ok := strings.Cut(name, "="); ok {
		switch key {
		case "Script", "sc", "Script_Extensions", "scx", "General_Category", "gc":
			name = value
		}
	}
	if short, ok := categoryNames[name]; ok {
		return short
	}
	return name
}

// categoryNames are the long names of the general categories that patterns use.
var categoryNames = map[string]string{
	"Letter": "L", "Lowercase_Letter": "Ll", "Uppercase_Letter": "Lu", "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm",
	"Other_Letter": "Lo", "Mark": "M", "Number": "N", "Decimal_Number": "Nd", "Letter_Number": "Nl", "Other_Number": "No",
	"Punctuation": "P", "Symbol": "S", "Currency_Symbol": "Sc", "Math_Symbol": "Sm", "Separator": "Z", "Space_Separator": "Zs",
	"Other": "C", "Control": "Cc",
}
