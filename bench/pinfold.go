package main

// pinfold returns the engine of this repository, nil if this build has none.
func pinfold() engine { return nil }
