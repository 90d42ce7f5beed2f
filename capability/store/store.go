package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Backend holds the stores of all namespaces. It is safe for use by many
// goroutines.
type Backend interface {
	// Namespace returns the store of a namespace, which needn't exist: see
	// CheckNamespace for its name.
	Namespace(name string) (Store, error)
	// Namespaces lists those that hold something, in order.
	Namespaces(ctx context.Context) ([]string, error)
	// Drop deletes all that a namespace holds.
	Drop(ctx context.Context, name string) error
	// Close ends the use of the backend. Its stores fail with Closed then.
	Close() error
}

// Store is what a script sees of one namespace. Every call is atomic and its
// errors are *Error. It is safe for use by many goroutines.
type Store interface {
	// Get returns the value of a key and whether there is one.
	Get(ctx context.Context, key string) (json.RawMessage, bool, error)
	// Set makes or replaces a value.
	Set(ctx context.Context, key string, value json.RawMessage) error
	// Swap sets a value if the present one is equal to old byte by byte, as Get
	// returned it (nil: if there is none), and reports whether it did. A nil
	// value deletes.
	Swap(ctx context.Context, key string, old, value json.RawMessage) (bool, error)
	// Delete deletes a value and reports whether there was one.
	Delete(ctx context.Context, key string) (bool, error)
	// Keys returns keys that begin with prefix and come after the key after, at
	// most limit of them (0: 1000, and never more), in order.
	Keys(ctx context.Context, prefix, after string, limit int) ([]string, error)
	// Usage returns what the namespace holds.
	Usage(ctx context.Context) (Usage, error)
}

// Usage is what a namespace holds.
type Usage struct {
	Keys  int   `json:"keys"`
	Bytes int64 `json:"bytes"` // of keys and values
}

// Limits are the quotas of each namespace. A zero field means its default.
type Limits struct {
	KeyBytes   int   // of one key; 512
	ValueBytes int   // of one value; 256 KiB
	Keys       int   // 1000
	TotalBytes int64 // of all keys and values; 8 MiB
}

// MaxKeys is how many keys one call of Keys returns at most.
const MaxKeys = 1000

// maxDepth is how deep a value may nest.
const maxDepth = 100

// WithDefaults returns the limits with their defaults in the place of zeros.
func (l Limits) WithDefaults() Limits {
	if l.KeyBytes <= 0 {
		l.KeyBytes = 512
	}
	if l.ValueBytes <= 0 {
		l.ValueBytes = 256 << 10
	}
	if l.Keys <= 0 {
		l.Keys = 1000
	}
	if l.TotalBytes <= 0 {
		l.TotalBytes = 8 << 20
	}
	return l
}

// CheckNamespace says what is wrong with the name of a namespace: 1 to 256 bytes
// of UTF-8 without control characters.
func CheckNamespace(name string) error {
	if name == "" || len(name) > 256 || !cleanText(name) {
		return &Error{Code: BadNamespace, Reason: "the namespace must be 1 to 256 bytes of text without control characters"}
	}
	return nil
}

// CheckKey says what is wrong with a key: 1 to KeyBytes bytes of UTF-8 without
// control characters.
func (l Limits) CheckKey(key string) error {
	switch {
	case key == "":
		return &Error{Code: BadKey, Reason: "bad argument: key, which must not be empty"}
	case len(key) > l.KeyBytes:
		return &Error{Code: BadKey, Reason: fmt.Sprintf("bad argument: key, which is too large (limit %d bytes)", l.KeyBytes)}
	case !cleanText(key):
		return &Error{Code: BadKey, Reason: "bad argument: key, which has characters that can't be in a key"}
	}
	return nil
}

func cleanText(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7F })
}

// CheckValue checks a value and returns it as it is kept: one JSON text without
// spaces between its tokens.
func (l Limits) CheckValue(value json.RawMessage) (json.RawMessage, error) {
	// Spaces don't count, but nobody needs many.
	if len(value) > 2*l.ValueBytes+64 {
		return nil, l.tooLarge()
	}
	depth, inText := 0, false
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '[' || c == '{':
			if depth++; depth > maxDepth {
				return nil, &Error{Code: BadValue, Reason: fmt.Sprintf("bad argument: value, which is nested deeper than %d", maxDepth)}
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	var b bytes.Buffer
	if !utf8.Valid(value) || json.Compact(&b, value) != nil {
		return nil, &Error{Code: BadValue, Reason: "bad argument: value, which must be JSON"}
	}
	if b.Len() > l.ValueBytes {
		return nil, l.tooLarge()
	}
	return b.Bytes(), nil
}

func (l Limits) tooLarge() error {
	return &Error{Code: TooLarge, Reason: fmt.Sprintf("too large (limit %d bytes)", l.ValueBytes)}
}

// CheckUsage says whether a namespace may hold as much. What was there before
// may be more than the limits of today: it can be made smaller then.
func (l Limits) CheckUsage(before, after Usage) error {
	switch {
	case after.Keys > l.Keys && after.Keys > before.Keys:
		return &Error{Code: TooManyKeys, Reason: fmt.Sprintf("too many keys (limit %d); delete some", l.Keys)}
	case after.Bytes > l.TotalBytes && after.Bytes > before.Bytes:
		return &Error{Code: Full, Reason: fmt.Sprintf("the store is full (limit %d bytes); delete some keys", l.TotalBytes)}
	}
	return nil
}

// PageSize is how many keys a call of Keys with this limit returns at most.
func PageSize(limit int) int {
	if limit <= 0 || limit > MaxKeys {
		return MaxKeys
	}
	return limit
}

// PrefixEnd returns the first key behind all that begin with a prefix, "" if
// there is none.
func PrefixEnd(prefix string) string {
	b := []byte(prefix)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] < 0xFF {
			b[i]++
			return string(b[:i+1])
		}
	}
	return ""
}
