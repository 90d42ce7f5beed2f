// Package cost adds up what runs spend, exactly.
//
// In: amounts in US dollars as scripts give them, numbers or texts of decimals.
// Out: lines of a ledger and their exact total, or a refusal when an amount
// isn't one or a budget would be passed. It knows nothing of scripts and runs;
// the errors' reasons are fit for a script to read.
//
// meter: its loop goes up the ledgers that a host has put inside each other
// meter: depth: a ledger adds to the one around it, which the host made; Of reads a json.Number as the text it is, once
package cost
