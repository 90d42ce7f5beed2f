// Package heap is the memory of one run: values, records, garbage collection.
//
// In: requests for objects, strings, environments and blocks, and the roots
// when it is time to collect. Out: 32-bit handles and accessors. It runs no
// script and knows no built-in; property lookup along prototypes, getters and
// proxies are the interpreter's.
//
// # Layout
//
// The heap is a set of tables of fixed-size pages. A page holds 64 records of
// one type (objects, cells, shapes) or 512 words of blocks. Records hold no Go
// pointers: they refer to each other by handle, so Go's collector never looks
// inside a page.
//
//	Value   a NaN-boxed 64-bit word: number, special, or tagged handle
//	Obj     handle of an Object record
//	Str     handle of a Cell record: string, symbol or BigInt
//	ShapeID handle of a Shape record: hidden class
//	Block   handle of a run of words: slots, elements, environments, bytes
//
// # Reading and writing
//
// Obj and friends are read through h.Obj(o) and written through h.ObjW(o). A
// page may be shared with the realm template that the heap started from; the
// W accessor copies a shared page first. A pointer or slice from an accessor is
// good until the next call that allocates or writes; fetch it again after that.
//
// # Memory
//
// Memory is charged to the meter page by page, before a page is made. When a
// fixed-size record would pass the limit it is still handed out, and the
// meter's next charge fails; allocations whose size a script controls fail
// themselves. An allocation never collects: the heap asks for a collection by
// kicking the meter, and the interpreter collects at its next safepoint.
package heap
