package pinfold_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pinfold-js/pinfold"
)

func Example() {
	sandbox, err := pinfold.New(pinfold.Options{
		Limits:    pinfold.Limits{Timeout: time.Second},
		Functions: []pinfold.Function{{Name: "price", Func: func(sku string) float64 { return float64(len(sku)) * 1.5 }}},
	})
	if err != nil {
		panic(err)
	}
	program := `return input.skus.map((sku: string) => ({ sku, price: price(sku) }));`
	outcome := sandbox.Eval(context.Background(), "quote.ts", program, map[string]any{"skus": []string{"pen", "paper"}})
	fmt.Println(outcome.Value, outcome.Err())
	// Output: [{"sku":"pen","price":4.5},{"sku":"paper","price":7.5}] <nil>
}

func ExampleSandbox_Run() {
	sandbox, err := pinfold.New(pinfold.Options{})
	if err != nil {
		panic(err)
	}
	program, err := sandbox.Compile("double.js", "export default (numbers) => numbers.map((n) => n * 2)")
	if err != nil {
		panic(err)
	}
	outcome := sandbox.Run(context.Background(), program, []int{1, 2, 3})
	if outcome.Failure != nil {
		fmt.Print(outcome.Failure.Report())
		return
	}
	var doubled []int
	if err := outcome.Value.Decode(&doubled); err != nil {
		panic(err)
	}
	fmt.Println(doubled)
	// Output: [2 4 6]
}

func ExampleSandbox_Compile() {
	sandbox, err := pinfold.New(pinfold.Options{})
	if err != nil {
		panic(err)
	}
	_, err = sandbox.Compile("broken.js", "const total = 1;\nretrun total;")
	var failure *pinfold.Failure
	if errors.As(err, &failure) {
		fmt.Print(failure.Report())
	}
	// Output:
	// SyntaxError: Unexpected identifier 'total'
	//  --> broken.js:2:8
	//   2 | retrun total;
	//     |        ^^^^^
	//  hint: did you mean return?
}

func ExampleFunction() {
	type Customer struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	}
	find := func(ctx context.Context, id int) (*Customer, error) {
		if id != 7 {
			return nil, &pinfold.Error{Code: "NOT_FOUND", Message: fmt.Sprintf("no customer %d", id)}
		}
		return &Customer{ID: 7, Name: "Ada"}, nil
	}
	sandbox, err := pinfold.New(pinfold.Options{
		Functions: []pinfold.Function{{Name: "customers.find", Func: find, Async: true, Cancel: pinfold.Cooperative}},
	})
	if err != nil {
		panic(err)
	}
	outcome := sandbox.Eval(context.Background(), "find.js", `
		const found = await customers.find(7);
		try {
			await customers.find(8);
		} catch (e) {
			return [found.name, e.code, e.message];
		}`, nil)
	fmt.Println(outcome.Value)
	// Output: ["Ada","NOT_FOUND","no customer 8"]
}

func ExampleKind() {
	sandbox, err := pinfold.New(pinfold.Options{Limits: pinfold.Limits{Fuel: 100_000}})
	if err != nil {
		panic(err)
	}
	outcome := sandbox.Eval(context.Background(), "loop.js", "try { for (;;); } catch { return 'caught' }", nil)
	fmt.Println(errors.Is(outcome.Err(), pinfold.ErrFuel), outcome.Failure.Limit)
	// Output: true 100000
}

func ExampleFailure_Report() {
	sandbox, err := pinfold.New(pinfold.Options{})
	if err != nil {
		panic(err)
	}
	outcome := sandbox.Eval(context.Background(), "emails.js", "const emails = input.map((row) => row.user.email);\nreturn emails;", []any{map[string]any{"usr": 1}})
	fmt.Print(outcome.Failure.Report())
	// Output:
	// TypeError: Cannot read properties of undefined (reading 'email')
	//  --> emails.js:1:44
	//   1 | const emails = input.map((row) => row.user.email);
	//     |                                            ^^^^^
	//  hint: row.user is undefined: missing key 'user' of input[0], which has the key usr; did you mean usr?
}

func ExampleOptions_deterministic() {
	sandbox, err := pinfold.New(pinfold.Options{Deterministic: true, Seed: 42})
	if err != nil {
		panic(err)
	}
	for range 2 {
		outcome := sandbox.Eval(context.Background(), "dice.js", "[new Date().toISOString(), Math.floor(Math.random() * 1000)]", nil)
		fmt.Println(outcome.Value)
	}
	// Output:
	// ["2000-01-01T00:00:00.000Z",83]
	// ["2000-01-01T00:00:00.000Z",83]
}

func ExampleNewObject() {
	sandbox, err := pinfold.New(pinfold.Options{})
	if err != nil {
		panic(err)
	}
	input := pinfold.NewObject("z", 1, "a", &pinfold.Map{Entries: [][2]any{{"k", "v"}}})
	outcome := sandbox.Eval(context.Background(), "keys.js", "[Object.keys(input), input.a.get('k')]", input)
	fmt.Println(outcome.Value)
	// Output: [["z","a"],"v"]
}
