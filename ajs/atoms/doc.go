// Package atoms is the host's side of what atoms call: the network client that a
// run uses when its host has an allowlist but no fetch of its own, a store in
// memory, and answers written down beforehand, for tests and for trying a
// program out.
//
// In: requests that the policy of a run has admitted; answers as JSON data. Out:
// capabilities for vm.WithCapabilities.
//
// The client goes through capability/egress: what a name resolves to is checked
// where it is dialled, and redirects come back to the program as data.
//
// meter: loops go over headers, answers and bodies that the membrane or the client has bounded
// meter: depth: answers are as deep as their JSON was allowed to be
package atoms
