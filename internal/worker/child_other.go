//go:build !unix

package worker

func inherited(int) bool { return false }

func pollable(int) {}
