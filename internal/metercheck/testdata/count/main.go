// Command count compiles texts, and says how much work each was charged and how
// often the places ran that package tally counts. In come JSON values, a text
// each, out go as many.
package main

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"

	"github.com/pinfold-js/pinfold/internal/metercheck/testdata/tally"
	"github.com/pinfold-js/pinfold/js"
)

type text struct {
	Src              string
	TypeScript, Code bool
	Module           bool
}

type count struct {
	Units       int64
	Steps       int
	Most, Often int // the place that ran most
}

var errEnough = errors.New("enough")

func main() {
	log.SetFlags(0)
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var t text
		if err := in.Decode(&t); err == io.EOF {
			return
		} else if err != nil {
			log.Fatal(err)
		}
		var c count
		o := js.CompileOptions{TypeScript: t.TypeScript, Completion: true, Charge: func(n int64) error {
			if c.Units += n; c.Units > 100e6 {
				return errEnough
			}
			return nil
		}}
		if t.Code {
			o.NonErasable, o.LegacyDecorators = js.CompileNonErasable, true
		}
		if t.Module {
			o.Goal = js.Module
		}
		clear(tally.At[:])
		_, _ = js.Compile("text.js", t.Src, o) // what is wrong with it is of no interest
		for i, n := range tally.At {
			c.Steps += n
			if n > c.Often {
				c.Most, c.Often = i, n
			}
		}
		if err := out.Encode(c); err != nil {
			log.Fatal(err)
		}
	}
}
