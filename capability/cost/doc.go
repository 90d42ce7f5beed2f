// Package cost adds up what runs spend, exactly.
//
// In: amounts in US dollars as scripts give them, numbers or texts of decimals.
// Out: lines of a ledger and their exact total, or a refusal when an amount
// isn't one or a budget would be passed. It knows nothing of scripts and runs;
// the errors' reasons are fit for a script to read.
package cost
