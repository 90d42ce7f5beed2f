package schema_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/schema"
)

// TestSuite runs the JSON Schema Test Suite where PINFOLD_JSON_SCHEMA_SUITE
// leads to a checkout of it. What Compile refuses is counted by the reason,
// everything else must agree.
func TestSuite(t *testing.T) {
	dir := os.Getenv("PINFOLD_JSON_SCHEMA_SUITE")
	if dir == "" {
		t.Skip("PINFOLD_JSON_SCHEMA_SUITE isn't set: it must lead to a checkout of github.com/json-schema-org/JSON-Schema-Test-Suite")
	}
	for draft, uri := range map[string]string{
		"draft2020-12": "", "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
		"draft7": "http://json-schema.org/draft-07/schema#", "draft6": "http://json-schema.org/draft-06/schema#",
	} {
		t.Run(draft, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join(dir, "tests", draft, "*.json"))
			if err != nil || len(files) == 0 {
				t.Fatalf("no tests for %s: %v", draft, err)
			}
			passed, checked, refused := 0, 0, map[string]int{}
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				var groups []struct {
					Description string
					Schema      json.RawMessage
					Tests       []struct {
						Description string
						Data        json.RawMessage
						Valid       bool
					}
				}
				if err := json.Unmarshal(text, &groups); err != nil {
					t.Fatal(err)
				}
				for _, g := range groups {
					name := filepath.Base(file) + "/" + g.Description
					source := g.Schema
					if uri != "" && source[0] == '{' && !strings.Contains(string(source), `"$schema"`) {
						source = json.RawMessage(`{"$schema":"` + uri + `",` + string(source[1:]))
						source = json.RawMessage(strings.Replace(string(source), ",}", "}", 1))
					}
					s, err := schema.Compile(source)
					if err != nil {
						_, reason, _ := strings.Cut(err.Error(), "): ")
						if i := strings.IndexAny(reason, `"#`); i > 0 {
							reason = reason[:i]
						}
						refused[reason] += len(g.Tests)
						if os.Getenv("PINFOLD_JSON_SCHEMA_SUITE_VERBOSE") != "" {
							t.Logf("%s: %v", name, err)
						}
						continue
					}
					for _, test := range g.Tests {
						err := s.Validate(test.Data)
						// Formats are checked here: see the package.
						if strings.HasSuffix(test.Description, "is only an annotation by default") && err != nil {
							checked++
							continue
						}
						if (err == nil) != test.Valid {
							t.Errorf("%s/%s: %s is %v, must be valid=%t\n%s", name, test.Description, test.Data, err, test.Valid, g.Schema)
							continue
						}
						passed++
					}
				}
			}
			total := 0
			for reason, n := range refused {
				t.Logf("%d refused: %s", n, reason)
				total += n
			}
			t.Logf("%d passed, %d refused by Compile, %d formats checked", passed, total, checked)
		})
	}
}
