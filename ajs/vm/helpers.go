package vm

// checkHelper checks the arguments of a helper that declares their types.
func (r *run) checkHelper(h *body, args []value) bool {
	o := newObject(len(args))
	for i, p := range h.params {
		if i < len(args) && args[i].kind != undefinedKind {
			o.set(p, args[i])
		}
	}
	holds, ok := r.validate(h.input, objectOf(o), "callLocal")
	if ok && !holds {
		return r.failf(KindInput, "", "Helper '%s': its arguments do not match the declared types", h.name)
	}
	return ok
}
