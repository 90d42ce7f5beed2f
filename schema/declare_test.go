package schema_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js/syntax"
	"github.com/pinfold-js/pinfold/schema"
)

var update = flag.Bool("update", false, "write the golden files")

// parses checks declarations with the parser of TypeScript.
func parses(t testing.TB, what, text string) {
	t.Helper()
	if _, err := syntax.Parse(what+".ts", text, syntax.Options{Goal: syntax.Module, TypeScript: true}); err != nil {
		t.Errorf("%s doesn't parse: %v\n%s", what, err, text)
	}
}

// all writes a schema in all its forms.
func all(s *schema.Schema, name string) string {
	return s.Declaration(name) + "\n// Type\ntype A = " + s.Type() + ";\n\n// Compact\ntype B = " + s.Compact(0) + ";\n"
}

// Each testdata/declare/NAME.json is a schema, NAME.d.ts what it is written as.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/declare/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no schemas: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, err := schema.Compile(text)
			if err != nil {
				t.Fatal(err)
			}
			got := all(s, name)
			golden := strings.TrimSuffix(file, ".json") + ".d.ts"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			parses(t, name, got)
			// The schema as it comes out is written the same.
			again, err := schema.Compile(s.JSON())
			if err != nil || all(again, name) != got {
				t.Errorf("compiled again it differs: %v", err)
			}
		})
	}
}

func TestNames(t *testing.T) {
	s := schema.MustCompile(`{"type":"object","properties":{"a":{"$ref":"#/$defs/string"},"b":{"$ref":"#/$defs/my thing"},"c":{"$ref":"#/$defs/my-thing"}},
		"$defs":{"string":{"type":"string"},"my thing":{"type":"number"},"my-thing":{"type":"null"}}}`)
	for name, want := range map[string]string{
		"Input": "interface Input {", "get-weather": "interface GetWeather {", "string": "interface String {", "class": "interface Class {",
		"": "interface T {", "1a": "interface T1a {", "../x": "interface X {", "$ok_1": "interface $ok_1 {", "日本": "interface T {",
		"x; evil()": "interface XEvil {",
	} {
		got := s.Declaration(name)
		if !strings.Contains(got, want) {
			t.Errorf("%q is %s, want %q", name, got, want)
		}
		parses(t, name, got)
	}
	got := s.Declaration("In")
	for _, want := range []string{"a?: InString;", "b?: InMyThing;", "c?: InMyThing2;", "type InMyThing2 = null;"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s has no %q", got, want)
		}
	}
}

// Nothing of a schema ends a comment or a text.
func TestNoEscape(t *testing.T) {
	evil := "*/ } declare const x: any; /* \u2028 // \r\n \u202e \" ' ` ${x} \\"
	s := schema.MustCompile(map[string]any{
		"type": "object", "description": evil,
		"properties": map[string]any{
			evil: map[string]any{"description": evil, "default": evil, "pattern": ".*/", "format": evil, "enum": []any{evil, map[string]any{evil: evil}}},
			"a":  map[string]any{"$ref": "#/$defs/d"},
		},
		"$defs": map[string]any{"d": map[string]any{"title": evil}},
	})
	for what, text := range map[string]string{"all": all(s, evil)} {
		parses(t, what, text)
		if strings.ContainsAny(text, "\u202e\u2028\r") {
			t.Errorf("%s has characters that hide others:\n%q", what, text)
		}
		prog, err := syntax.Parse("x.ts", text, syntax.Options{Goal: syntax.Module, TypeScript: true})
		if err != nil {
			continue
		}
		if n := len(prog.Body); n != 4 {
			t.Errorf("%s has %d statements, not 4:\n%s", what, n, text)
		}
	}
}

func TestBounded(t *testing.T) {
	var props strings.Builder
	for i := range 2000 {
		if i > 0 {
			props.WriteByte(',')
		}
		props.WriteString(`"p` + fmt.Sprint(i) + `":{"type":"string","description":"` + strings.Repeat("long ", 10) + `"}`)
	}
	s := schema.MustCompile(`{"type":"object","properties":{` + props.String() + `}}`)
	for what, text := range map[string]string{"Declaration": s.Declaration("T"), "Compact": "type T = " + s.Compact(1000)} {
		most := 66 << 10
		if what == "Compact" {
			most = 1300
		}
		if len(text) > most {
			t.Errorf("%s has %d bytes", what, len(text))
		}
		if !strings.Contains(text, "[key: string]: unknown") {
			t.Errorf("%s doesn't say that there is more", what)
		}
		parses(t, what, text)
	}
}
