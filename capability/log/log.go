package log

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Level is how much a record matters.
type Level string

// The levels.
const (
	LevelDebug Level = "debug"
	LevelInfo  Level = "info"
	LevelWarn  Level = "warn"
	LevelError Level = "error"
)

// Record is what a script wrote.
type Record struct {
	Seq     int             `json:"seq"` // from 1, in this Logger
	Level   Level           `json:"level"`
	Message string          `json:"message"`
	Fields  json.RawMessage `json:"fields,omitempty"` // an object, in the script's order
	Source  string          `json:"source,omitempty"` // the tool
	CallID  string          `json:"callId,omitempty"`
}

// Sink takes records. It must be safe for use by many goroutines.
type Sink interface {
	Write(ctx context.Context, r Record) error
}

// Limits are the caps of a Logger. A zero field means its default.
type Limits struct {
	Message int   // bytes of a message; more is cut; 8 KiB
	Fields  int   // bytes of the fields; more is refused; 16 KiB
	Records int   // records; 1000
	Bytes   int64 // of all messages and fields; 256 KiB
}

func (l Limits) withDefaults() Limits {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&l.Message, 8<<10)
	def(&l.Fields, 16<<10)
	def(&l.Records, 1000)
	if l.Bytes <= 0 {
		l.Bytes = 256 << 10
	}
	return l
}

// Logger passes on the records of one run. It is safe for use by many
// goroutines.
type Logger struct {
	sink   Sink
	limits Limits
	source string
	callID string

	mu      sync.Mutex
	records int
	bytes   int64
	refused int
}

// New makes a Logger for the run of a tool.
func New(sink Sink, limits Limits, source, callID string) *Logger {
	return &Logger{sink: sink, limits: limits.withDefaults(), source: source, callID: callID}
}

// Log passes on a record. fields is nil or the JSON of an object. A message that
// is too long is cut, with a mark that says by how much. The error is an
// *Error.
func (l *Logger) Log(ctx context.Context, level Level, message string, fields json.RawMessage) error {
	switch level {
	case LevelDebug, LevelInfo, LevelWarn, LevelError:
	case "":
		level = LevelInfo
	default:
		return fail(BadArgument, "bad argument: level, which must be debug, info, warn or error")
	}
	if fields = bytes.TrimSpace(fields); len(fields) > 0 {
		if len(fields) > l.limits.Fields {
			return fail(TooLarge, fmt.Sprintf("too large (limit %d bytes of fields)", l.limits.Fields))
		}
		if fields[0] != '{' || !json.Valid(fields) {
			return fail(BadArgument, "bad argument: fields, which must be an object")
		}
	}
	message = cut(strings.ToValidUTF8(message, "\uFFFD"), l.limits.Message)
	l.mu.Lock()
	size := int64(len(message) + len(fields))
	if l.records >= l.limits.Records || l.bytes+size > l.limits.Bytes {
		l.refused++
		l.mu.Unlock()
		if l.records >= l.limits.Records {
			return fail(TooMany, fmt.Sprintf("too many records (limit %d)", l.limits.Records))
		}
		return fail(TooMany, fmt.Sprintf("too many bytes of records (limit %d)", l.limits.Bytes))
	}
	l.records++
	l.bytes += size
	r := Record{Seq: l.records, Level: level, Message: message, Source: l.source, CallID: l.callID}
	l.mu.Unlock()
	if len(fields) > 0 {
		r.Fields = bytes.Clone(fields)
	}
	if err := l.sink.Write(ctx, r); err != nil {
		return &Error{Code: Unavailable, Reason: "the record could not be written", cause: err}
	}
	return nil
}

// Refused returns how many records were refused by the caps.
func (l *Logger) Refused() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.refused
}

// cut shortens a text to about max bytes.
func cut(s string, max int) string {
	if len(s) <= max {
		return s
	}
	n := max
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return fmt.Sprintf("%s… [%d more bytes left out]", s[:n], len(s)-n)
}

// Memory keeps records, for tests and for hosts that look at them after a run.
// The zero Memory is ready to use.
type Memory struct {
	mu      sync.Mutex
	records []Record
}

// Write keeps a record.
func (m *Memory) Write(_ context.Context, r Record) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.records = append(m.records, r)
	return nil
}

// Records returns a copy of the records.
func (m *Memory) Records() []Record {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.records)
}

// Slog passes records on to a logger of the host: the message as it is, the rest
// as the attributes source, callId, seq and fields. Nil discards all.
func Slog(l *slog.Logger) Sink {
	if l == nil {
		l = slog.New(slog.DiscardHandler)
	}
	return slogSink{l}
}

type slogSink struct{ l *slog.Logger }

func (s slogSink) Write(ctx context.Context, r Record) error {
	level := slog.LevelInfo
	switch r.Level {
	case LevelDebug:
		level = slog.LevelDebug
	case LevelWarn:
		level = slog.LevelWarn
	case LevelError:
		level = slog.LevelError
	}
	attrs := make([]slog.Attr, 0, 4)
	if r.Source != "" {
		attrs = append(attrs, slog.String("source", r.Source))
	}
	if r.CallID != "" {
		attrs = append(attrs, slog.String("callId", r.CallID))
	}
	attrs = append(attrs, slog.Int("seq", r.Seq))
	if r.Fields != nil {
		attrs = append(attrs, slog.Any("fields", fields(r.Fields)))
	}
	s.l.LogAttrs(ctx, level, r.Message, attrs...)
	return nil
}

// fields is JSON both for handlers that write JSON and for those that write
// text.
type fields json.RawMessage

func (f fields) MarshalJSON() ([]byte, error) { return f, nil }
func (f fields) String() string               { return string(f) }

// Code is the stable name of what went wrong. It is an error itself, for
// errors.Is.
type Code string

// The codes.
const (
	BadArgument Code = "bad_argument"
	TooLarge    Code = "too_large"
	TooMany     Code = "too_many"
	Unavailable Code = "unavailable"
)

// Error returns the code in words.
func (c Code) Error() string { return "log: " + string(c) }

// Error says why a record is refused. Code and Reason may be shown to a
// script.
type Error struct {
	Code   Code
	Reason string // "too many records (limit 1000)"

	cause error // the sink's
}

// Error returns the reason.
func (e *Error) Error() string { return e.Reason }

// Unwrap returns the sink's error.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether target is the error's code.
func (e *Error) Is(target error) bool {
	c, ok := target.(Code)
	return ok && c == e.Code
}

func fail(c Code, reason string) *Error { return &Error{Code: c, Reason: reason} }
