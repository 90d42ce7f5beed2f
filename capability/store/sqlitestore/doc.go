// Package sqlitestore is a store.Backend in a SQLite database: one file that any
// number of processes of a machine can use at once.
//
// In: the path of the file, which the host chooses; quotas. Out: a Backend. A
// call has happened whole or not at all, whatever stops the process or the
// machine in the middle: writes are transactions that are on disk when the call
// returns. The file says of which version it is; a file of another version or of
// another program, and one that is damaged, is refused with an error that says
// so.
//
// It is a package of its own so that programs that don't import it don't link a
// database. On js/wasm Open always fails.
//
// meter: it has no meter: its loop goes over the rows of one answer, which the caller limits or the host asked for
package sqlitestore
