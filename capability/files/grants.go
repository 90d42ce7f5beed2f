package files

// Grants reports whether anything at all may be read, or written.
func (f *FS) Grants(op Op) bool {
	for _, t := range f.trees {
		if op == OpWrite && len(t.write) > 0 || op == OpRead && len(t.read) > 0 {
			return true
		}
	}
	return false
}
