// Package limiter decides which of many runs may work now.
//
// In: requests for a slot, each with a class (tool, hook or decider) and with
// whom it is for; the end of runs; the bytes that runs take. Out: a Slot, or a
// *BusyError that says which cap refused, who holds the slots, and when to try
// again. A request waits for a bounded time, never for ever.
//
// # Who gets a slot
//
// There are MaxConcurrentRuns slots.
//
//   - Tools and snippets leave ReservedForInterceptors slots to the others, and one
//     caller holds at most MaxRunsPerCaller. A caller is the root of a tree of
//     instances: what an instance starts counts for its root.
//   - One owner's hooks hold at most MaxInterceptorsPerOwner slots. The last free slot
//     is only for an owner that holds none.
//   - One decider's logic holds at most MaxRunsPerDecider slots, that of all
//     deciders half of them, and never the last free one.
//   - Loading a file takes a slot of its class, like running it.
//
// Those who wait are served in the order in which they came, hooks before
// deciders before tools. Who waits because of a cap of its own holds up nobody
// else.
//
// # Bytes
//
// The runs that hold slots share MaxTotalBytes. A run takes bytes before it
// uses them; the one that would pass the budget is refused and ends. So the
// sum never passes the budget, and no run pays for what a neighbour does later.
//
// The package starts no goroutine. Time comes from a Clock.
package limiter
