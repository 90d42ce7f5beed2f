package compiler_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js/compiler"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// TestLarge compiles sources that are deep, long or wide.
func TestLarge(t *testing.T) {
	rep := strings.Repeat
	numbered := func(n int, format string) string {
		var b strings.Builder
		for i := 0; i < n; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for name, src := range map[string]string{
		"sum":            "x" + rep("+x", 19000),
		"strings":        "x = 'a'" + rep("+'b'+y", 9000),
		"and":            "x" + rep("&&x", 19000),
		"or value":       "y = x" + rep("||x", 19000),
		"members":        "x" + rep(".y", 19000),
		"calls":          "x" + rep(".y()", 9000),
		"curried":        "x" + rep("()", 19000),
		"optional":       "x" + rep("?.y()", 9000),
		"else if":        rep("if (x) y(); else ", 900) + "z()",
		"nested arrays":  rep("[", 900) + rep("]", 900),
		"nested objects": "x = " + rep("{a:", 900) + "1" + rep("}", 900),
		"nested funcs":   rep("x = function(){", 300) + rep("}", 300),
		"arrows":         rep("a=>", 900) + "a",
		"blocks":         rep("{let a;", 900) + rep("}", 900),
		"array":          "x = [" + rep("1,", 100000) + "]",
		"object":         "x = {" + numbered(70000, "a%d:1,") + "}",
		"switch":         "switch(x){" + numbered(20000, "case 'a%d':y();break;") + "}",
		"switch ints":    "switch(x){" + numbered(20000, "case %d:y();break;") + "}",
		"long loop":      "for (let i = 0; i < 5; i++) { if (i) continue; if (x) break;" + rep("x();", 30000) + "}",
		"long if":        "if (x < 1) {" + rep("x();", 30000) + "}",
		"lets":           numbered(30000, "{let a%d=1} "),
		"many args":      "f(" + rep("1,", 50000) + "2)",
		"template":       "`" + rep("${x}a", 20000) + "`",
		"many functions": numbered(20000, "function f%d(){} "),
		"commas":         "x" + rep(",x", 100000),
		"closures":       "x = function(){" + numbered(3000, "let a%d=1; f(()=>a%[1]d);") + "}",
		"eval":           "x = function(){" + rep("eval('1');", 3000) + numbered(3000, "var a%d;") + "}",
		"labels":         numbered(900, "a%d:") + ";",
		"try":            rep("try{x()}finally{y()}", 5000),
		"nested try":     rep("try{", 400) + "x()" + rep("}finally{y()}", 400),
		"spread":         "f(" + rep("...x,", 20000) + "1)",
		"destructuring":  "[" + rep("[", 400) + "a" + rep("]", 400) + "]=x",
	} {
		p, err := syntax.Parse(name, src, syntax.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		prog, err := compiler.Compile(p, compiler.Options{Completion: true})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(src) < 6000 {
			for _, e := range verify(prog) {
				t.Errorf("%s: %s", name, e)
			}
		}
	}
}

// TestTooLarge checks that what can't be compiled is an error.
func TestTooLarge(t *testing.T) {
	var b strings.Builder
	b.WriteString("f = function(){")
	for i := 0; i < 66000; i++ {
		fmt.Fprintf(&b, "let a%d;", i)
	}
	b.WriteString("}")
	p, err := syntax.Parse("x.js", b.String(), syntax.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compiler.Compile(p, compiler.Options{}); err == nil {
		t.Error("66000 variables of one function compile")
	} else if _, ok := err.(*syntax.SyntaxError); !ok {
		t.Errorf("%T", err)
	}
}
