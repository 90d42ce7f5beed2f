package a

type walk struct{ nodeDepth int }

func (w *walk) into(n node) {
	if w.nodeDepth > 100 {
		return
	}
	w.nodeDepth++
	w.into(n.kids[0])
	w.nodeDepth--
}

// enter counts a level.
//
//meter:guards
func (w *walk) enter() bool { // want enter:"guards"
	w.nodeDepth++
	return w.nodeDepth < 100
}

func (w *walk) under(n node) { // want under:"guards"
	if !w.enter() {
		return
	}
	w.under(n.kids[0])
}
