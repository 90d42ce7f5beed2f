package main

import (
	"fmt"
	"strings"
)

// Meta is the frontmatter of a test.
type Meta struct {
	Flags    []string
	Features []string
	Includes []string
	Negative *Negative
}

// Negative says what error a test must end with.
type Negative struct {
	Phase Phase
	Type  string // name of the error's constructor
}

// Has reports whether the test has a flag.
func (m *Meta) Has(flag string) bool {
	for _, f := range m.Flags {
		if f == flag {
			return true
		}
	}
	return false
}

// parseMeta reads the frontmatter of a test: the comment between /*--- and
// ---*/, in the part of YAML that the suite uses (scalars, block scalars, flow
// and block lists, one level of nested mapping).
func parseMeta(src string) (*Meta, error) {
	start := strings.Index(src, "/*---")
	if start < 0 {
		return nil, fmt.Errorf("no frontmatter")
	}
	end := strings.Index(src[start:], "---*/")
	if end < 0 {
		return nil, fmt.Errorf("the frontmatter has no end")
	}
	text := src[start+len("/*---") : start+end]
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	lines := strings.Split(text, "\n")
	margin := 0
	for _, l := range lines {
		if strings.TrimSpace(l) != "" {
			margin = indent(l)
			break
		}
	}
	m := &Meta{}
	for i := 0; i < len(lines); {
		key, value, ok := keyOf(lines[i])
		if !ok || indent(lines[i]) > margin {
			i++
			continue
		}
		// The entry's lines: all up to the next key at the margin. Items of a
		// block list may stand at the margin themselves.
		body := []string{value}
		for i++; i < len(lines); i++ {
			if _, _, isKey := keyOf(lines[i]); isKey && indent(lines[i]) <= margin {
				break
			}
			body = append(body, lines[i])
		}
		switch key {
		case "flags":
			m.Flags = listOf(body)
		case "features":
			m.Features = listOf(body)
		case "includes":
			m.Includes = listOf(body)
		case "negative":
			n := &Negative{}
			for _, l := range body[1:] {
				switch k, v, _ := keyOf(l); k {
				case "phase":
					n.Phase = Phase(unquote(v))
				case "type":
					n.Type = unquote(v)
				}
			}
			if n.Phase == "" || n.Type == "" {
				return nil, fmt.Errorf("negative without phase or type")
			}
			m.Negative = n
		}
	}
	return m, nil
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// keyOf splits "  key: value".
func keyOf(line string) (key, value string, ok bool) {
	line = strings.TrimSpace(line)
	key, value, ok = strings.Cut(line, ":")
	if !ok || key == "" || (value != "" && value[0] != ' ' && value[0] != '\t') {
		return "", "", false
	}
	for _, c := range key {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-') {
			return "", "", false
		}
	}
	return key, stripComment(strings.TrimSpace(value)), true
}

// listOf reads [a, b], over one line or several, or a block list.
func listOf(body []string) []string {
	var out []string
	add := func(s string) {
		if s = unquote(strings.TrimSpace(s)); s != "" {
			out = append(out, s)
		}
	}
	for i, l := range body {
		body[i] = stripComment(strings.TrimSpace(l))
	}
	if all := strings.Join(body, " "); strings.HasPrefix(strings.TrimSpace(all), "[") {
		inner, _, _ := strings.Cut(strings.TrimSpace(all)[1:], "]")
		for _, s := range strings.Split(inner, ",") {
			add(s)
		}
		return out
	}
	add(body[0])
	for _, l := range body[1:] {
		if strings.HasPrefix(l, "-") {
			add(l[1:])
		}
	}
	return out
}

func stripComment(s string) string {
	if strings.HasPrefix(s, "#") {
		return ""
	}
	if i := strings.Index(s, " #"); i >= 0 {
		return strings.TrimSpace(s[:i])
	}
	return s
}

func unquote(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
