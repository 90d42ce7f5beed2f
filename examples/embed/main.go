// Command embed shows how a Go program runs a script: limits, a host function,
// an input, the outcome.
//
//	go run ./examples/embed
package main

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/pinfold-js/pinfold"
)

const source = `
const lines = input.skus.map((sku: string) => ({ sku, price: price(sku) }));
console.log(lines.length, "lines");
return { lines, total: lines.reduce((sum, l) => sum + l.price, 0) };`

func main() {
	sandbox, err := pinfold.New(pinfold.Options{
		Limits:    pinfold.Limits{MemoryBytes: 32 << 20, Timeout: time.Second},
		Functions: []pinfold.Function{{Name: "price", Func: func(sku string) float64 { return 1.5 * float64(len(sku)) }}},
	})
	if err != nil {
		log.Fatal(err)
	}
	outcome := sandbox.Eval(context.Background(), "quote.ts", source, map[string]any{"skus": []string{"pen", "paper"}})
	if outcome.Failure != nil {
		log.Fatal(outcome.Failure.Report())
	}
	fmt.Println(outcome.Value, outcome.Console)
}
