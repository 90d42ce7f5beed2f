package hostile

import (
	"github.com/pinfold-js/pinfold"
)

// fillers take most of a run's memory, each in another way: in objects, in one
// block that grows, in buffers, in strings, in code, in jobs that wait.
var fillers = []string{
	"const a = []; for (let i = 0; i < 5e5; i++) a.push({i}); return a.length ==> value=500000",
	"const a = []; for (let i = 0; i < 2.4e6; i++) a.push(i); return a.length ==> value=2400000",
	"const a = []; for (let i = 0; i < 50; i++) a.push(new Uint8Array(1 << 20).fill(i)); return a.length ==> value=50",
	"const a = []; for (let i = 0; i < 45; i++) a.push('x'.repeat(1 << 20).toUpperCase() + i); return a.length ==> value=45",
	"const m = new Map(); for (let i = 0; i < 4e5; i++) m.set(i, i); return m.size ==> value=400000",
	"const f = []; for (let i = 0; i < 4000; i++) f.push((0, eval)('() => ' + i)); return f.length ==> value=4000",
	"let n = 0; for (let i = 0; i < 1e5; i++) queueMicrotask(() => n++); await 0; return n ==> value=100000",
	"const u = new Uint8Array(50 << 20); u.fill(7); return u.length ==> value=52428800",
}

// fillInTurn runs the fillers one after the other, twice: in one sandbox, or in
// a new one each time.
func fillInTurn(s *Scene, anew bool) {
	opt := pinfold.Options{Limits: pinfold.Limits{Timeout: DefaultWall}}
	sb := s.New(opt)
	for range 2 {
		for _, f := range fillers {
			if anew {
				sb = s.New(opt)
			}
			s.Want(sb, f)
		}
	}
}
