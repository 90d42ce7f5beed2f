//go:build linux && !amd64

package worker

var allowedHere []uintptr
