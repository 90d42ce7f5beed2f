package meter

// copyPiece is how many elements Copy copies between two looks at the clock.
const copyPiece = 1 << 18

// Copy copies src to the beginning of dst, which is at least as long. It looks at
// the clock in between: memory that is touched for the first time comes from
// the operating system page by page, and tens of mebibytes of it take tens of
// milliseconds. It uses no fuel: callers charge for what they copy. m may be
// nil.
func Copy[T any](m *Meter, dst, src []T) error {
	for m != nil && len(src) > copyPiece { //meter: the caller charged for what it copies
		copy(dst, src[:copyPiece])
		dst, src = dst[copyPiece:], src[copyPiece:]
		if err := m.Poll(); err != nil {
			return err
		}
	}
	copy(dst, src)
	return nil
}
