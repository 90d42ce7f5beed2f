//go:build !unix

package main

import "io/fs"

// foreign says why a file may be somebody else's; here that isn't known.
func foreign(fs.FileInfo) string { return "" }
