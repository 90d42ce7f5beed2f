package compiler_test

import (
	"os"
	"testing"

	"github.com/pinfold-js/pinfold/js/compiler"
	"github.com/pinfold-js/pinfold/js/syntax"
)

func TestDump(t *testing.T) {
	src := os.Getenv("SRC")
	if src == "" {
		t.Skip()
	}
	goal := syntax.Script
	switch os.Getenv("GOAL") {
	case "module":
		goal = syntax.Module
	case "body":
		goal = syntax.FunctionBody
	}
	p, err := syntax.Parse("x.js", src, syntax.Options{Goal: goal})
	if err != nil {
		t.Fatal(err)
	}
	prog, err := compiler.Compile(p, compiler.Options{Completion: os.Getenv("COMPL") != ""})
	if err != nil {
		t.Fatal(err)
	}
	prog.Disassemble(os.Stdout)
}
