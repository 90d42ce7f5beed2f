//go:build js || wasip1

package sqlitestore

import "github.com/pinfold-js/pinfold/capability/store"

// Open fails: there is no database on this system.
func Open(string, Options) (store.Backend, error) {
	return nil, &store.Error{Code: store.Unavailable, Reason: "there is no SQLite on this system"}
}
