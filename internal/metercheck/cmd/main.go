// Command metercheck runs the meter check over packages.
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/pinfold-js/pinfold/internal/metercheck"
)

func main() { singlechecker.Main(metercheck.Analyzer) }
