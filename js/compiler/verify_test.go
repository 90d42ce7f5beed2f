package compiler_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js/bytecode"
	"github.com/pinfold-js/pinfold/js/compiler"
	"github.com/pinfold-js/pinfold/js/syntax"
)

// How an operation uses A, B and C: w writes a register, W two registers, r
// reads one, R two, x reads and writes, o reads one that may be None, - no
// register.
var uses = map[bytecode.Op]string{
	bytecode.Nop: "---", bytecode.Fuel: "---", bytecode.LoadK: "w--", bytecode.LoadInt: "w--", bytecode.LoadUndef: "w--",
	bytecode.LoadNull: "w--", bytecode.LoadTrue: "w--", bytecode.LoadFalse: "w--", bytecode.LoadEmpty: "w--",
	bytecode.Move: "wr-", bytecode.LoadNewTarget: "w--", bytecode.LoadGlobalThis: "w--", bytecode.CheckTDZ: "r--",
	bytecode.CheckThis: "r--", bytecode.NewEnv: "wo-", bytecode.CopyEnv: "x--", bytecode.GetEnv: "wr-", bytecode.SetEnv: "rr-",
	bytecode.SetEnvCk: "rr-", bytecode.GetOuter: "w--", bytecode.SetOuter: "r--", bytecode.SetOuterCk: "r--",
	bytecode.OuterEnv: "w--", bytecode.GetGlobal: "w--", bytecode.GetGlobalSoft: "w--", bytecode.SetGlobal: "r--",
	bytecode.InitGlobalLex: "r--", bytecode.HasGlobal: "w--", bytecode.SetGlobalIf: "rr-", bytecode.SetGlobalVar: "r--", bytecode.DeleteGlobal: "w--",
	bytecode.DynHas: "wr-", bytecode.DynHasVar: "wr-", bytecode.EvalVarObj: "wr-", bytecode.WithObj: "wr-",
	bytecode.GetProp: "wr-", bytecode.SetProp: "rr-", bytecode.SetElem: "rrr", bytecode.GetMethod: "Wr-",
	bytecode.GetMethodElem: "Wrr", bytecode.GetLength: "wr-", bytecode.GetSuper: "wRr", bytecode.SetSuper: "rRr",
	bytecode.HomeProto: "wr-", bytecode.PrivateName: "w--", bytecode.SetPrivate: "rrr", bytecode.InitPrivate: "rrr",
	bytecode.InitPrivateMethod: "rrr", bytecode.InitPrivateGetter: "rrr", bytecode.InitPrivateSetter: "rrr",
	bytecode.NewObject: "w--", bytecode.NewArray: "w--", bytecode.ArrayPush: "rr-", bytecode.ArrayHole: "r--",
	bytecode.ArraySpread: "rr-", bytecode.InitField: "rr-", bytecode.InitElem: "rrr", bytecode.InitGetter: "rrr",
	bytecode.InitSetter: "rrr", bytecode.DefMethod: "rrr", bytecode.DefGetter: "rrr", bytecode.DefSetter: "rrr",
	bytecode.InitProto: "rr-", bytecode.CopyProps: "rr-", bytecode.SetFuncName: "rr-", bytecode.Closure: "w-o",
	bytecode.Class: "X-o", bytecode.RegExp: "w--", bytecode.Template: "w--", bytecode.CheckObjectCoercible: "r--",
	bytecode.AddI: "wr-", bytecode.SubI: "wr-", bytecode.MulI: "wr-", bytecode.BitAndI: "wr-", bytecode.BitOrI: "wr-",
	bytecode.ShlI: "wr-", bytecode.ShrI: "wr-", bytecode.UShrI: "wr-", bytecode.Jump: "---", bytecode.Loop: "---",
	bytecode.JumpTrue: "r--", bytecode.JumpFalse: "r--", bytecode.JumpUndef: "r--", bytecode.JumpNotUndef: "r--",
	bytecode.JumpNullish: "r--", bytecode.JumpNotNullish: "r--", bytecode.JumpEmpty: "r--", bytecode.Switch: "r--",
	bytecode.Ext: "---", bytecode.DynImport: "wro", bytecode.DynImportDefer: "wro", bytecode.DynImportSource: "wro", bytecode.ImportMeta: "w--", bytecode.Return: "r--",
	bytecode.ReturnDerived: "rr-", bytecode.Throw: "r--", bytecode.ThrowConst: "---", bytecode.ThrowError: "---",
	bytecode.Rest: "w--", bytecode.Arguments: "w--", bytecode.MappedArguments: "wr-", bytecode.BoxThis: "---",
	bytecode.GenStart: "---", bytecode.GetIter: "Wr-", bytecode.GetAsyncIter: "Wr-", bytecode.IterNext: "Yw-",
	bytecode.IterCallNext: "Ywo", bytecode.IterUnwrap: "Yx-", bytecode.IterClose: "r--", bytecode.IterCloseQuiet: "r--",
	bytecode.IterReturn: "row", bytecode.IterThrow: "rrw", bytecode.IterRest: "Yw-", bytecode.CheckObject: "r--",
	bytecode.ForInStart: "wr-", bytecode.ForInNext: "rw-", bytecode.GetImport: "w--", bytecode.DisposePush: "xr-",
	bytecode.DisposeRun: "rD-", bytecode.DisposeNext: "rDw", bytecode.DisposeError: "rD-", bytecode.Debugger: "---",
}

func usesOf(op bytecode.Op) string {
	if s, ok := uses[op]; ok {
		return s
	}
	if op >= bytecode.JLtI && op <= bytecode.JNGeI {
		return "r--"
	}
	if op >= bytecode.JLt && op < bytecode.JLtI {
		return "rr-"
	}
	switch op {
	case bytecode.ToKey, bytecode.ToNumeric, bytecode.ToNumber, bytecode.ToString, bytecode.ToObject, bytecode.Neg,
		bytecode.Not, bytecode.BitNot, bytecode.Inc, bytecode.Dec, bytecode.TypeOf, bytecode.Await, bytecode.Yield,
		bytecode.YieldRaw, bytecode.AsyncGenYieldStar, bytecode.SuperForward:
		return "wr-"
	}
	return "wrr"
}

func skipsNext(op bytecode.Op) bool {
	switch op {
	case bytecode.IterNext, bytecode.IterUnwrap, bytecode.IterReturn, bytecode.IterThrow, bytecode.ForInNext,
		bytecode.Yield, bytecode.YieldRaw, bytecode.AsyncGenYieldStar, bytecode.DisposeNext:
		return true
	}
	return false
}

// window returns how many registers a call reads from B on, 0 if it is none.
func window(in bytecode.Instr) int {
	switch in.Op {
	case bytecode.CallEval:
		if in.C == bytecode.None { // as CallSpread
			return 3
		}
		return 2 + int(in.C)
	case bytecode.Call, bytecode.New, bytecode.SuperCall:
		return 2 + int(in.C)
	case bytecode.CallSpread, bytecode.NewSpread, bytecode.SuperCallSpread:
		return 3
	}
	return 0
}

// A checker follows the code of a function and tells where a register is read
// that a call may have overwritten: a callee's window begins at its B.
type checker struct {
	f      *bytecode.Function
	states [][]bool // by instruction: which registers are stale
	work   []int
	errs   []string
}

func (c *checker) flow(pc int, s []bool) {
	if pc < 0 || pc >= len(c.f.Code) {
		c.errs = append(c.errs, fmt.Sprintf("code runs to %d", pc))
		return
	}
	old := c.states[pc]
	if old == nil {
		c.states[pc] = append([]bool(nil), s...)
		c.work = append(c.work, pc)
		return
	}
	changed := false
	for i, v := range s {
		if v && !old[i] {
			old[i] = true
			changed = true
		}
	}
	if changed {
		c.work = append(c.work, pc)
	}
}

func (c *checker) step(pc int) {
	f := c.f
	in := f.Code[pc]
	s := append([]bool(nil), c.states[pc]...)
	fail := func(format string, args ...any) {
		c.errs = append(c.errs, fmt.Sprintf("%d %v: ", pc, in.Op)+fmt.Sprintf(format, args...))
	}
	read := func(r int) {
		if r >= f.NumRegs {
			fail("r%d of %d", r, f.NumRegs)
		} else if s[r] && in.Op != bytecode.Throw {
			// (The Throw that ends a finally block isn't reached by jumps.)
			fail("reads stale r%d", r)
		}
	}
	var writes []int
	shape := usesOf(in.Op)
	n := window(in)
	if n > 0 {
		shape = "w--"
		for i := 0; i < n; i++ {
			read(int(in.B) + i)
		}
	}
	for i, r := range [3]uint16{in.A, in.B, in.C} {
		r := int(r)
		switch shape[i] {
		case 'w':
			writes = append(writes, r)
		case 'W':
			writes = append(writes, r, r+1)
		case 'r':
			read(r)
		case 'R':
			read(r)
			read(r + 1)
		case 'x':
			read(r)
			writes = append(writes, r)
		case 'X':
			read(r)
			writes = append(writes, r, r+1)
		case 'Y':
			read(r)
			read(r + 1)
			writes = append(writes, r)
		case 'D':
			read(r)
			writes = append(writes, r, r+1)
		case 'o':
			if r != bytecode.None {
				read(r)
			}
		}
	}
	if n > 0 {
		for i := int(in.B); i < len(s); i++ {
			s[i] = true
		}
	}
	for _, h := range f.Handlers {
		if int32(pc) >= h.From && int32(pc) < h.To {
			t := append([]bool(nil), s...)
			t[h.Reg] = false
			if in.Op == bytecode.IterNext || in.Op == bytecode.IterCallNext {
				t[in.A] = false
			}
			c.flow(int(h.Target), t)
		}
	}
	for _, r := range writes {
		if r >= f.NumRegs {
			fail("writes r%d of %d", r, f.NumRegs)
			continue
		}
		s[r] = false
	}
	if skipsNext(in.Op) {
		if pc+1 >= len(f.Code) || f.Code[pc+1].Op != bytecode.Jump && f.Code[pc+1].Op != bytecode.Loop {
			fail("no Jump behind it")
			return
		}
		c.flow(pc+1, s)
		c.flow(pc+2, s)
		return
	}
	switch in.Op {
	case bytecode.Return, bytecode.ReturnDerived, bytecode.Throw, bytecode.ThrowConst, bytecode.ThrowError:
		return
	case bytecode.Jump, bytecode.Loop:
		if (in.Op == bytecode.Loop) != (int(in.BC()) <= pc) {
			fail("wrong direction")
		}
		c.flow(int(in.BC()), s)
		return
	case bytecode.CallEval:
		c.flow(pc+1, s)
		return
	case bytecode.Switch:
		for _, t := range f.Switches[in.BC()] {
			c.flow(int(t), s)
		}
	}
	if in.Op >= bytecode.JLt && in.Op <= bytecode.JNGeI {
		c.flow(pc+1+int(int16(in.C)), s)
	} else if in.Op >= bytecode.JumpTrue && in.Op <= bytecode.JumpEmpty {
		c.flow(int(in.BC()), s)
	}
	c.flow(pc+1, s)
}

// verify checks a program's code for what would make an interpreter fail.
func verify(p *bytecode.Program) []string {
	var errs []string
	for i, f := range p.Funcs {
		if f == nil {
			errs = append(errs, fmt.Sprintf("f%d is missing", i))
			continue
		}
		c := &checker{f: f, states: make([][]bool, len(f.Code))}
		c.flow(0, make([]bool, f.NumRegs))
		for len(c.work) > 0 && len(c.errs) == 0 {
			pc := c.work[len(c.work)-1]
			c.work = c.work[:len(c.work)-1]
			c.step(pc)
		}
		for _, e := range c.errs {
			errs = append(errs, fmt.Sprintf("f%d %s: %s", i, f.Name, e))
		}
	}
	return errs
}

// TestVerifyTest262 compiles the tests of test262 and verifies the code.
// TEST262_DIR names a checkout.
func TestVerifyTest262(t *testing.T) {
	dir := os.Getenv("TEST262_DIR")
	if dir == "" {
		t.Skip("TEST262_DIR isn't set: name a checkout of test262 to run this test")
	}
	bad := 0
	for _, sub := range []string{"test/language", "test/annexB/language", "test/built-ins/Array"} {
		filepath.WalkDir(filepath.Join(dir, sub), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".js") {
				return err
			}
			if strings.Contains(path, "/decorator/") {
				return nil // refused
			}
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, goal := range []syntax.Goal{syntax.Script, syntax.Eval, syntax.Module} {
				p, err := syntax.Parse(path, string(src), syntax.Options{Goal: goal})
				if err != nil {
					continue
				}
				prog, err := compiler.Compile(p, compiler.Options{})
				if err != nil {
					bad++
					t.Errorf("%s: %v", path, err)
					continue
				}
				if errs := verify(prog); len(errs) > 0 {
					bad++
					t.Errorf("%s (%d): %s", path, goal, strings.Join(errs, "\n\t"))
				}
			}
			if bad > 30 {
				t.Fatal("too many")
			}
			return nil
		})
	}
}
