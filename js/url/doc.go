// Package url implements the URL Standard (url.spec.whatwg.org): the basic URL
// parser with its state overrides, hosts, the serializers, origins, and
// application/x-www-form-urlencoded.
//
// In: UTF-8 text without lone surrogates (scalar values: the caller has
// replaced them). Out: a URL record, or its serialization, which is ASCII. No
// heap and no interpreter: package builtins makes the classes URL and
// URLSearchParams of it.
//
// Where the standard has moved since node 20 was made, the record is the one
// that node 20 gives: a caret stays as it is in paths, spaces at the end of an
// opaque path go away with the query and fragment behind them, and domains with
// invalid Punycode are refused.
//
// Functions whose work can be long take a *meter.Meter, which may be nil, and
// charge it while they work; its error is passed up unchanged. The memory of
// results is at most ten times that of the input, for the caller to charge.
package url
