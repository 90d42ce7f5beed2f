package limiter

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// model is the rule written down as simply as possible.
type model struct {
	c       Config
	held    []key
	waiting []modelWaiter // in the order in which they came
}

type modelWaiter struct {
	key
	id int
}

func (m *model) count(f func(key) bool) (n int) {
	for _, k := range m.held {
		if f(k) {
			n++
		}
	}
	return n
}

// may is the predicate of admission.
func (m *model) may(k key) bool {
	n, a := m.c.MaxConcurrentRuns, len(m.held)
	own := m.count(func(h key) bool { return h == k })
	class := m.count(func(h key) bool { return h.class == k.class })
	if a >= n {
		return false
	}
	switch k.class {
	case Tool:
		return class < n-m.c.ReservedForInterceptors && own < m.c.MaxRunsPerCaller
	case Hook:
		return own < m.c.MaxInterceptorsPerOwner && (a != n-1 || own == 0)
	}
	return own < m.c.MaxRunsPerDecider && class < n/2 && a < n-1
}

// settle admits who may be admitted, and returns who was.
func (m *model) settle() (admitted []int) {
again:
	for _, c := range []Class{Hook, Decider, Tool} {
		for i, w := range m.waiting {
			if w.class == c && m.may(w.key) {
				m.held = append(m.held, w.key)
				m.waiting = slices.Delete(m.waiting, i, i+1)
				admitted = append(admitted, w.id)
				goto again
			}
		}
	}
	return admitted
}

func drawConfig(t *rapid.T) Config {
	reserved := rapid.IntRange(1, 4).Draw(t, "reserved")
	c := Config{
		ReservedForInterceptors: reserved, MaxConcurrentRuns: reserved + rapid.IntRange(2, 8).Draw(t, "more slots"),
		MaxRunsPerCaller: rapid.IntRange(1, 5).Draw(t, "per caller"), MaxInterceptorsPerOwner: rapid.IntRange(1, 4).Draw(t, "per owner"),
		MaxRunsPerDecider: rapid.IntRange(1, 4).Draw(t, "per decider"),
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	return c
}

// The admission does what the model does, whatever comes, and in the same
// order.
func TestAdmissionIsTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawConfig(t)
		m := model{c: c}
		a := newAdmission(c)
		tickets := map[int]*ticket{}
		settle := func(what string) {
			var got []int
			for x := a.next(); x != nil; x = a.next() {
				for id, y := range tickets {
					if x == y {
						got = append(got, id)
						delete(tickets, id)
					}
				}
				a.hold(x.group)
				a.dequeue(x)
			}
			if want := m.settle(); !slices.Equal(got, want) {
				t.Fatalf("%s: admitted %v, the model %v", what, got, want)
			}
			if a.held != len(m.held) || a.waiting != len(m.waiting) || len(tickets) != len(m.waiting) {
				t.Fatalf("%s: %d held, %d wait; the model: %d, %d", what, a.held, a.waiting, len(m.held), len(m.waiting))
			}
			for _, w := range m.waiting {
				if a.refusal(tickets[w.id].group) == "" {
					t.Fatalf("%s: %v waits without a reason", what, w)
				}
			}
			keys := map[key]bool{}
			for _, k := range m.held {
				keys[k] = true
			}
			for _, w := range m.waiting {
				keys[w.key] = true
			}
			if len(a.groups) != len(keys) {
				t.Fatalf("%s: %d groups are kept for %d keys", what, len(a.groups), len(keys))
			}
		}
		for id := range rapid.IntRange(1, 200).Draw(t, "steps") {
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0, 1, 2, 3, 4:
				k := key{Class(rapid.IntRange(0, int(classes)-1).Draw(t, "class")), fmt.Sprint(rapid.IntRange(0, 4).Draw(t, "name"))}
				g := a.group(k)
				if may := m.may(k); may != (a.refusal(g) == "") {
					t.Fatalf("%v: the model says %v, refused: %q", k, may, a.refusal(g))
				} else if may {
					a.hold(g)
					m.held = append(m.held, k)
				} else {
					tickets[id] = &ticket{}
					a.enqueue(g, tickets[id])
					m.waiting = append(m.waiting, modelWaiter{k, id})
				}
				settle(fmt.Sprintf("%v came", k))
			case 5, 6, 7:
				if len(m.held) > 0 {
					i := rapid.IntRange(0, len(m.held)-1).Draw(t, "ends")
					k := m.held[i]
					m.held = slices.Delete(m.held, i, i+1)
					a.release(a.groups[k])
					settle(fmt.Sprintf("%v ended", k))
				}
			default:
				if len(m.waiting) > 0 {
					i := rapid.IntRange(0, len(m.waiting)-1).Draw(t, "gives up")
					w := m.waiting[i]
					m.waiting = slices.Delete(m.waiting, i, i+1)
					a.dequeue(tickets[w.id])
					delete(tickets, w.id)
					settle(fmt.Sprintf("%v gave up", w))
				}
			}
		}
	})
}

// The rows of the rule, one by one.
func TestRefusals(t *testing.T) {
	tool := func(s string) key { return key{Tool, s} }
	hook := func(s string) key { return key{Hook, s} }
	decider := func(s string) key { return key{Decider, s} }
	sixTools := []key{tool("a"), tool("a"), tool("a"), tool("b"), tool("b"), tool("b")}
	tests := []struct {
		name string
		held []key
		ask  key
		want Cap
	}{
		{"nothing is held", nil, tool("a"), ""},
		{"a caller's third", []key{tool("a"), tool("a")}, tool("a"), ""},
		{"a caller's fourth", []key{tool("a"), tool("a"), tool("a")}, tool("a"), CapCaller},
		{"another caller's first", []key{tool("a"), tool("a"), tool("a")}, tool("b"), ""},
		{"a hook of the same name is somebody else", []key{tool("a"), tool("a"), tool("a")}, hook("a"), ""},
		{"the seventh tool", sixTools, tool("c"), CapReserve},
		{"a hook beside six tools", sixTools, hook("o"), ""},
		{"a decider beside six tools", sixTools, decider("d"), ""},
		{"the last slot for the owner's second hook", append([]key{hook("o")}, sixTools...), hook("o"), CapLastSlot},
		{"the last slot for another owner", append([]key{hook("o")}, sixTools...), hook("p"), ""},
		{"the last slot for a decider", append([]key{hook("o")}, sixTools...), decider("d"), CapLastSlot},
		{"an owner's third hook", []key{hook("o"), hook("o")}, hook("o"), CapOwner},
		{"all are held", append([]key{hook("o"), hook("p")}, sixTools...), hook("q"), CapSlots},
		{"all are held, a tool asks", append([]key{hook("o"), hook("p")}, sixTools...), tool("c"), CapSlots},
		{"a decider's third", []key{decider("d"), decider("d")}, decider("d"), CapDecider},
		{"the fifth of deciders", []key{decider("d"), decider("d"), decider("e"), decider("e")}, decider("f"), CapDeciders},
	}
	for _, tt := range tests {
		a := newAdmission(Config{}.WithDefaults())
		for _, k := range tt.held {
			a.hold(a.group(k))
		}
		if got := a.refusal(a.group(tt.ask)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	// Half of an odd number of slots is rounded down.
	a := newAdmission(Config{MaxConcurrentRuns: 5, MaxRunsPerDecider: 5}.WithDefaults())
	a.hold(a.group(decider("d")))
	a.hold(a.group(decider("d")))
	if got := a.refusal(a.group(decider("d"))); got != CapDeciders {
		t.Errorf("a third decider of 5 slots: %q", got)
	}
}

// Ten thousand runs of 64 callers, hooks and deciders among them, in simulated
// time: everybody is served, nobody who isn't held up by a cap of its own is
// overtaken by one of its class that came later, and no cap is passed.
func TestFloodInOrder(t *testing.T) {
	c := Config{}.WithDefaults()
	a := newAdmission(c)
	r := rand.New(rand.NewPCG(1, 2))
	const runs, callers = 10_000, 64
	type running struct {
		g    *group
		ends int
	}
	var held []running
	waiting := map[*ticket]bool{}
	served := map[key]int{}
	admit := func(g *group, now int) {
		a.hold(g)
		served[g.key]++
		held = append(held, running{g, now + 1 + r.IntN(20)})
	}
	came := map[key]int{}
	for now, left := 0, runs; left > 0 || a.waiting > 0 || a.held > 0; now++ {
		for n := r.IntN(40); n > 0 && left > 0; n-- {
			left--
			k := key{Tool, fmt.Sprint(r.IntN(callers))}
			switch r.IntN(10) {
			case 0:
				k.class = Hook
			case 1:
				k = key{Decider, fmt.Sprint(r.IntN(5))}
			}
			came[k]++
			if g := a.group(k); a.refusal(g) == "" {
				admit(g, now)
			} else {
				x := &ticket{}
				a.enqueue(g, x)
				waiting[x] = true
			}
		}
		for i := 0; i < len(held); i++ {
			if held[i].ends > now {
				continue
			}
			a.release(held[i].g)
			held = slices.Delete(held, i, i+1)
			i--
			for x := a.next(); x != nil; x = a.next() {
				if len(waiting) < 200 { // the check is quadratic
					for w := range waiting {
						if n, _ := a.own(w.group.class); w.seq < x.seq && w.group.class == x.group.class && w.group.held < n && w.group.held <= x.group.held {
							t.Fatalf("%v overtakes %v", x.group.key, w.group.key)
						}
					}
				}
				g := x.group
				admit(g, now)
				a.dequeue(x)
				delete(waiting, x)
			}
		}
		if a.held > c.MaxConcurrentRuns || a.held < 0 || a.byClass[Tool] > c.MaxConcurrentRuns-c.ReservedForInterceptors || a.byClass[Decider] > c.MaxConcurrentRuns/2 {
			t.Fatalf("%d held, by class %v", a.held, a.byClass)
		}
		for _, g := range a.groups {
			if n, _ := a.own(g.class); g.held > n || g.held < 0 {
				t.Fatalf("%v holds %d", g.key, g.held)
			}
		}
		if now > 100*runs {
			t.Fatalf("%d wait for ever", a.waiting)
		}
	}
	for k, n := range came {
		if served[k] != n {
			t.Errorf("%v: %d of %d were served", k, served[k], n)
		}
	}
	if len(a.groups) != 0 {
		t.Errorf("%d groups are left", len(a.groups))
	}
}
