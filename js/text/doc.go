// Package text holds string algorithms of ECMA-262 over the two forms that
// strings have: Latin-1 bytes and UTF-16 code units.
//
// In: []byte and []uint16. Out: the same, appended to a caller's buffer or in
// the narrower form as a Text. Nothing here knows of the heap or the
// interpreter.
//
// Functions whose work can be long take a *meter.Meter, which may be nil. They
// charge it while they work, about one unit for 16 code units, and pass its
// error up unchanged. The bytes of a large result are checked against the meter
// before they are made and given back before the function returns: who keeps a
// result accounts for it.
package text
