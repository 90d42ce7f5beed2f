package ajs_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"os"

	"github.com/pinfold-js/pinfold/ajs"
	"github.com/pinfold-js/pinfold/ajs/ast"
	"github.com/pinfold-js/pinfold/ajs/vm"
)

type forecastIn struct {
	City string `ajs:"city" doc:"name of a city"`
	Days int    `ajs:"days,optional" doc:"how far ahead"`
}

type forecastOut struct {
	City string    `ajs:"city"`
	Temp []float64 `ajs:"temp"`
}

func forecast(c *vm.Call, in forecastIn) (forecastOut, error) {
	if in.City == "Atlantis" {
		return forecastOut{}, errors.New("no such city")
	}
	return forecastOut{City: in.City, Temp: []float64{3, 5}[:max(in.Days, 1)]}, nil
}

const source = `
/**
 * Says what the weather will be like.
 * @param city - where
 */
function weather({ city: 'Oslo', days = 2 }): { city: '', text: '' } {
  const f = forecast({ city, days })
  const warm = f.temp.filter(t => t > 4).length
  const text = llmPredict({ prompt: ` + "`One line: ${JSON.stringify(f)}, ${warm} warm days`" + ` })
  return { city, text }
}`

// A complete host: an atom of its own, a model, an agent, and what comes out.
func Example() {
	// A VM has the core atoms and the host's own.
	atom, err := vm.Define("forecast", forecast, vm.Describe("the forecast for a city"), vm.Cost(2), vm.Timeout(5*time.Second))
	if err != nil {
		panic(err)
	}
	machine, err := vm.New(atom)
	if err != nil {
		panic(err)
	}

	// Parsing happens here, once. The error says what to write instead.
	agent, err := ajs.CreateAgent(source, machine,
		vm.WithFuel(500), vm.WithTimeout(30*time.Second), vm.WithQuota("llmPredict", 3),
		vm.WithCapabilities(vm.Capabilities{
			LLM: vm.LLMFunc(func(ctx context.Context, prompt string, options ast.Object) (any, error) {
				return "Cold, then milder.", nil
			}),
		}))
	if err != nil {
		panic(err)
	}

	// What the agent does is in the result, its failures too.
	ctx := context.Background()
	for _, city := range []any{"Oslo", "Atlantis", 5} {
		res := agent.Run(ctx, map[string]any{"city": city})
		if res.Err != nil {
			fmt.Printf("%s failed (%s): %s\n", res.Err.Op, res.Err.Kind, res.Err.Message)
			continue
		}
		text, _ := res.JSON()
		fmt.Printf("%s, fuel %.1f\n", text, res.FuelUsed)
	}

	// The program is JSON: another process runs it without a parser.
	program, err := agent.Program.MarshalJSON()
	if err != nil {
		panic(err)
	}
	res, err := machine.RunJSON(ctx, program, map[string]any{"city": "Rome", "days": 1}, vm.WithFuel(20))
	if err != nil {
		panic(err) // no program at all
	}
	fmt.Println(res.Err)

	// What a model is told of the agent.
	tools := ajs.GetToolDefinitions(ajs.Tool{Name: "weather", Signature: agent.Signature})
	text, _ := ast.AppendData(nil, tools)
	fmt.Printf("%s\n", text)

	// Output:
	// {"city":"Oslo","text":"Cold, then milder."}, fuel 104.4
	// forecast failed (capability): no such city
	// vm.run failed (input): Input validation failed: args do not match expected schema
	// AgentError[llmPredict]: Out of Fuel
	// [{"type":"function","function":{"name":"weather","description":"Says what the weather will be like.","parameters":{"type":"object","properties":{"city":{"type":"string","description":"where"},"days":{"type":"integer"}},"required":["city"]}}}]
}

// The page shows the example as it runs.
func TestPageShowsTheExample(t *testing.T) {
	page, err := os.ReadFile("../docs/AJS.md")
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, block := range strings.Split(string(page), "```go\n")[1:] {
		code, _, _ := strings.Cut(block, "```")
		n++
		for _, line := range strings.Split(code, "\n") {
			if line = strings.TrimSpace(line); !strings.Contains(string(own), line) {
				t.Errorf("the page has a line that the example has not: %s", line)
			}
		}
	}
	if n == 0 {
		t.Error("the page shows no example")
	}
}
