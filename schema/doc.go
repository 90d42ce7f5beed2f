// Package schema checks data against JSON Schemas, makes schemas of Go types,
// and writes schemas as TypeScript types.
//
// In: a schema (JSON text, a tree of Go data, or a Go type), which may come from
// somebody who isn't trusted, and values as package membrane hands them out.
// Out: nil or an *Error whose problems say what to write instead, since models
// read them; declarations whose bytes depend on the schema alone.
//
// # Schemas
//
// JSON Schema 2020-12; a "$schema" that names draft 6, draft 7 or 2019-09 is
// followed. References lead to places inside the schema only: nothing is ever
// loaded, from files or from the network. Size, nesting, the number of
// subschemas and the size of regular expressions are bounded, and so is the work
// of one check. Refused are keys that appear twice, references that lead to
// themselves without going deeper into the value, and $dynamicRef or
// $recursiveRef in a schema with several $id.
//
// Formats that are known are checked (date, date-time, time, duration, email,
// hostname, ipv4, ipv6, uri, uri-reference, uri-template, uuid, json-pointer,
// regex and a few others); unknown formats are notes for the reader, as the
// contentEncoding, contentMediaType and contentSchema of strings are. Patterns
// have the syntax of Go's package regexp, which takes linear time, with ECMA-262's
// meaning of \s, \uXXXX, \cX and [^]; patterns that look around or refer back
// are refused.
//
// # Values
//
// What JSON can hold, in the forms of Go and of package membrane: nil, bool,
// numbers, string, []any, map[string]any, *membrane.Object, membrane.Value,
// json.RawMessage, json.Number; anything else is taken as package json writes it.
// A property that is undefined is absent. Dates, BigInts, bytes, Maps, Sets,
// errors, NaN and the infinities are problems, with the way to write them.
//
// # Struct tags
//
// FromType reads the tags json and jsonschema. The tag jsonschema is either a
// description, as the Go SDK of MCP has it,
//
//	City string `json:"city" jsonschema:"the city, in English"`
//
// or a list of key=value, as most other generators have it:
//
//	Days int    `json:"days,omitempty" jsonschema:"description=how far ahead, in days,minimum=1,maximum=14,default=3"`
//	Unit string `json:"unit,omitempty" jsonschema:"enum=celsius|fahrenheit"`
//
// Keys are title, description, enum (values separated by |, or the key several
// times), default, example, const, format, pattern, minimum, maximum,
// exclusiveMinimum, exclusiveMaximum, multipleOf, minLength, maxLength, minItems,
// maxItems, uniqueItems, required, optional, nullable and deprecated. A comma is
// part of a value unless one of these keys follows it.
package schema
