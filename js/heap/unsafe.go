package heap

import "unsafe"

// The only use of unsafe in the engine: looking at a block of words as bytes,
// UTF-16 code units or BigInt limbs, and at a page of records as words. It is
// right because
//
//   - a block is a part of a Go slice of words, so it is aligned to 8 bytes,
//     which is the strictest alignment of the four element types;
//   - the length is computed from the slice, so a view never reaches past it;
//   - records are aligned to 8 bytes, which a field of theirs sees to, and are
//     whole words long, which a test looks at;
//   - none of the element types holds pointers, so the collector need not know
//     which view wrote a word;
//   - raw blocks are never read as values: pages of raw blocks and pages of
//     values are different pages.

func bytesOf(w []Value) []byte {
	if len(w) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(w))), len(w)*8)
}

func unitsOf(w []Value) []uint16 {
	if len(w) == 0 {
		return nil
	}
	return unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(w))), len(w)*4)
}

func limbsOf(w []Value) []uint64 {
	if len(w) == 0 {
		return nil
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(w))), len(w))
}

// recordWords is how many words a record has; wordsOf are those of a page.
func recordWords[T any]() int {
	var r T
	return int(unsafe.Sizeof(r) / 8)
}

func wordsOf[T any](p *[recordsPerPage]T) []Value {
	return unsafe.Slice((*Value)(unsafe.Pointer(p)), recordsPerPage*recordWords[T]())
}
