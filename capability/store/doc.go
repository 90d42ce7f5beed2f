// Package store keeps values for conversations: what a script sets in one run, a
// later run of the same conversation gets.
//
// In: a namespace, which the host chooses (a conversation, a tenant), keys and
// values as JSON from scripts. Out: the values; refusals when a key or value
// isn't one, or a quota is used up. A Backend holds the namespaces: NewMemory
// here, a database in package sqlitestore. Nothing leads from one namespace to
// another.
//
// Keys come in the order of their bytes. A value comes back as the JSON that was
// set, without spaces between its tokens.
//
// meter: it has no meter: loops go over one key or value, whose length Limits bounds, or the keys of one namespace, whose bytes it bounds
package store
