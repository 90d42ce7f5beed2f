package heap

import "unsafe"

// The only use of unsafe in the engine: looking at a block of words as bytes,
// UTF-16 code units or BigInt limbs. It is right because
//
//   - a block is a part of a Go slice of words, so it is aligned to 8 bytes,
//     which is the strictest alignment of the four element types;
//   - the length is computed from the slice, so a view never reaches past it;
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
