package vm

// Loops make new notes all the time that nothing refers to a moment later: of
// each word that is not in a table yet, of each sum that is NaN. They are
// forgotten when there are many.

const (
	compactFirst  = 20_000
	compactStress = 4 // new notes between two times under Options.Stress
)

// compactNext says at how many notes they are looked through the next time.
func (t *tracer) compactNext() int {
	if t.m.opt.Stress {
		return len(t.notes) + compactStress
	}
	return max(compactFirst, 2*len(t.notes))
}

// holders calls f with every origin that tracing holds. It must only be called
// between instructions: Go variables hold none then.
func (t *tracer) holders(f func(o *origin)) {
	frame := func(x *traceFrame) {
		for i := range x.regs { //meter: the registers of a function, on the stack that was paid for
			f(&x.regs[i])
		}
		for i := range x.org { //meter: fixed
			f(&x.org[i])
		}
		for i := range x.mapped { //meter: at most maxMapped
			f(&x.mapped[i].org)
		}
		f(&x.result.org)
		f(&x.cond.org)
	}
	for i := range t.live { //meter: the frames
		frame(&t.live[i])
	}
	for o, x := range t.idle { //meter: the detached frames; the order doesn't matter
		frame(&x)
		t.idle[o] = x
	}
	values(t.envs, f)
	values(t.props, f)
	values(t.made, f)
	values(t.promises, f)
	f(&t.passed.org)
	f(&t.yielded.org)
}

func values[K comparable](m map[K]origin, f func(o *origin)) {
	for k, o := range m { //meter: see compact; the order doesn't matter
		old := o
		if f(&o); o != old {
			m[k] = o
		}
	}
}

// compact forgets the notes, texts and lists that nothing refers to. Its work is
// in proportion to what was noted since the last time and to what is held, which
// was charged for.
func (t *tracer) compact() {
	keep := make([]bool, len(t.notes))
	keep[0] = true
	var work []origin
	t.holders(func(o *origin) {
		work = append(work, *o)
		for len(work) > 0 { //meter: each note once
			x := work[len(work)-1]
			work = work[:len(work)-1]
			if !keep[x] {
				keep[x] = true
				work = append(work, t.notes[x].prev, t.notes[x].owner)
			}
		}
	})
	texts, lists := make([]int32, len(t.texts)), make([]int32, len(t.lists))
	for i, k := range keep { //meter: the notes
		if n := &t.notes[i]; k {
			texts[n.text], texts[n.of], lists[n.list] = 1, 1, 1
		}
	}
	for _, id := range t.regOf { //meter: places of the source; the order doesn't matter
		texts[id] = 1
	}
	before := len(t.notes)
	var freed int64
	t.texts, freed = t.pack(texts)
	kept := t.lists[:1]
	lists[0] = 0
	for i := 1; i < len(lists); i++ { //meter: the lists
		if lists[i] != 0 {
			kept = append(kept, t.lists[i])
			lists[i] = int32(len(kept) - 1)
		} else {
			freed += int64(len(t.lists[i].keys))*32 + 64
		}
	}
	t.lists = kept
	clear(t.listOf)
	for k, id := range t.regOf { //meter: places of the source; the order doesn't matter
		t.regOf[k] = texts[id]
	}
	// What a note refers to is older than itself, so that one pass will do.
	moved := make([]origin, before) //meter: notes that were charged for, see compact
	notes := t.notes[:1]
	t.noteOf = make(map[note]origin, before/4) //meter: notes that were charged for, see compact
	for i := 1; i < before; i++ {              //meter: the notes
		if !keep[i] {
			continue
		}
		n := t.notes[i]
		n.text, n.of, n.list = texts[n.text], texts[n.of], lists[n.list]
		n.prev, n.owner = moved[n.prev], moved[n.owner]
		moved[i] = origin(len(notes))
		notes = append(notes, n)
		t.noteOf[n] = moved[i]
	}
	t.notes = notes
	t.holders(func(o *origin) { *o = moved[*o] })
	freed += int64(before-len(notes)) * noteBytes
	t.m.meter.Shrink(freed)
	t.compactAt = t.compactNext()
}

// pack keeps the marked texts and turns the marks into their new numbers.
func (t *tracer) pack(marks []int32) (texts []string, freed int64) {
	texts = t.texts[:1]
	marks[0] = 0
	t.textOf = map[string]int32{"": 0}
	for i := 1; i < len(marks); i++ { //meter: the texts
		s := t.texts[i]
		if marks[i] == 0 {
			freed += int64(len(s)) + 64
			continue
		}
		texts = append(texts, s)
		marks[i] = int32(len(texts) - 1)
		t.textOf[s] = marks[i]
	}
	clear(t.texts[len(texts):])
	return texts, freed
}
