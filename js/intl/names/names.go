package names

import (
	"embed"
	"strings"
	"sync"

	"github.com/pinfold-js/pinfold/js/intl/locale"
)

//go:embed data/*.txt
var files embed.FS

// Style is the length of a name.
type Style string

// The styles.
const (
	Long   Style = "long"
	Short  Style = "short"
	Narrow Style = "narrow"
)

// sections are a locale's names by section and key.
type sections map[string]map[string]string

var dataLocales = [...]string{"de", "en", "en-001", "en-GB", "es", "fr", "ja", "pt", "zh"}

var loaders = func() map[string]func() sections {
	m := map[string]func() sections{}
	for _, l := range dataLocales { //meter: once
		m[l] = sync.OnceValue(func() sections { return read(l) })
	}
	return m
}()

func read(l string) sections {
	text, err := files.ReadFile("data/" + l + ".txt")
	if err != nil {
		return sections{}
	}
	s := sections{}
	var cur map[string]string
	for line := range strings.Lines(string(text)) { //meter: embedded data, once
		line = strings.TrimSuffix(line, "\n")
		if line[0] == '[' {
			cur = map[string]string{}
			s[line[1:len(line)-1]] = cur
			continue
		}
		k, v, _ := strings.Cut(line, " ")
		cur[k] = v
	}
	return s
}

// Names are the names in one locale.
type Names struct {
	chain []sections // the locale and its parents
}

// For returns the names of a data locale.
func For(data string) *Names {
	n := &Names{}
	for ; data != ""; data = locale.Parent(data) { //meter: at most three
		if load, ok := loaders[data]; ok {
			n.chain = append(n.chain, load())
		}
	}
	return n
}

func (n *Names) find(section, key string) string {
	for _, s := range n.chain { //meter: at most three
		if v, ok := s[section][key]; ok {
			return v
		}
	}
	return ""
}

func (n *Names) styled(section, key string, st Style) string {
	if st != Long {
		if st == Narrow {
			if v := n.find(section, key+"/n"); v != "" {
				return v
			}
		}
		if v := n.find(section, key+"/s"); v != "" {
			return v
		}
	}
	return n.find(section, key)
}

// Region, Script, Currency, Calendar and Field return the name of a code in
// canonical form, "" if there is none.
func (n *Names) Region(code string, st Style) string { return n.styled("region", code, st) }
func (n *Names) Script(code string, st Style) string { return n.styled("script", code, st) }
func (n *Names) Currency(code string) string         { return n.find("currency", code) }
func (n *Names) Calendar(code string) string         { return n.find("calendar", code) }
func (n *Names) Field(code string, st Style) string  { return n.styled("field", code, st) }

// Language returns the name of a language tag (UTS #35, Locale Display Name
// Algorithm). dialect lets names of dialects stand for language and region.
// complete says that every part had a name; the others are their codes.
func (n *Names) Language(t *locale.Tag, st Style, dialect bool) (name string, complete bool) {
	script, region := t.Script, t.Region
	language := ""
	if dialect {
		switch {
		case script != "" && region != "":
			if language = n.styled("language", t.Language+"-"+script+"-"+region, st); language != "" {
				script, region = "", ""
			}
		case script != "":
			if language = n.styled("language", t.Language+"-"+script, st); language != "" {
				script = ""
			}
		case region != "":
			if language = n.styled("language", t.Language+"-"+region, st); language != "" {
				region = ""
			}
		}
	}
	complete = true
	named := func(name, code string) string {
		if name == "" {
			complete = false
			return code
		}
		return name
	}
	if language == "" {
		language = named(n.styled("language", t.Language, st), t.Language)
	}
	var more []string
	if script != "" {
		more = append(more, named(n.Script(script, st), script))
	}
	if region != "" {
		more = append(more, named(n.Region(region, st), region))
	}
	for _, v := range t.Variants { //meter: variants of a bounded string
		more = append(more, named(n.find("variant", v), strings.ToUpper(v)))
	}
	if len(more) == 0 {
		return language, complete
	}
	rest := more[0]
	for _, m := range more[1:] { //meter: variants of a bounded string
		rest = fill(n.find("pattern", "separator"), rest, m)
	}
	// A name with parentheses of its own inside gets brackets.
	rest = strings.NewReplacer("(", "[", ")", "]", "（", "［", "）", "］").Replace(rest)
	return fill(n.find("pattern", "locale"), language, rest), complete
}

func fill(pattern, a, b string) string {
	return strings.NewReplacer("{0}", a, "{1}", b).Replace(pattern)
}
