package log_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/pinfold-js/pinfold/capability/log"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestLog(t *testing.T) {
	var sink log.Memory
	l := log.New(&sink, log.Limits{Message: 10, Fields: 20}, "tool", "call")
	tests := []struct {
		level   log.Level
		message string
		fields  string
		code    error
		want    string
	}{
		{"", "hello", "", nil, `{"seq":1,"level":"info","message":"hello","source":"tool","callId":"call"}`},
		{log.LevelWarn, "a", ` {"b":1,"a":2} `, nil, `{"seq":2,"level":"warn","message":"a","fields":{"b":1,"a":2},"source":"tool","callId":"call"}`},
		{log.LevelInfo, "12345678é90", "", nil, `{"seq":3,"level":"info","message":"12345678é… [2 more bytes left out]","source":"tool","callId":"call"}`},
		{log.LevelInfo, "123456789é0", "", nil, `{"seq":4,"level":"info","message":"123456789… [3 more bytes left out]","source":"tool","callId":"call"}`},
		{log.LevelInfo, "a\xffb", "", nil, `{"seq":5,"level":"info","message":"a�b","source":"tool","callId":"call"}`},
		{"fatal", "a", "", log.BadArgument, ""},
		{log.LevelInfo, "a", "[1]", log.BadArgument, ""},
		{log.LevelInfo, "a", "{", log.BadArgument, ""},
		{log.LevelInfo, "a", `{"a":"1234567890123456789"}`, log.TooLarge, ""},
	}
	for _, test := range tests {
		before := len(sink.Records())
		err := l.Log(t.Context(), test.level, test.message, json.RawMessage(test.fields))
		if !errors.Is(err, test.code) {
			t.Errorf("%q %s: %v, want %v", test.message, test.fields, err, test.code)
			continue
		}
		if test.want == "" {
			continue
		}
		got, _ := json.Marshal(sink.Records()[before])
		if string(got) != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
}

func TestCaps(t *testing.T) {
	var sink log.Memory
	l := log.New(&sink, log.Limits{Records: 50}, "", "")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 25 {
				if err := l.Log(context.Background(), log.LevelInfo, "x", nil); err != nil && err.Error() != "too many records (limit 50)" {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if len(sink.Records()) != 50 || l.Refused() != 50 {
		t.Errorf("%d records, %d refused", len(sink.Records()), l.Refused())
	}
	l = log.New(&sink, log.Limits{Bytes: 10}, "", "")
	for i, want := range []string{"", "too many bytes of records (limit 10)"} {
		err := l.Log(t.Context(), log.LevelInfo, "123456", nil)
		if got := fmt.Sprint(err); want == "" && err != nil || want != "" && got != want {
			t.Errorf("record %d: %v", i, err)
		}
	}
}

type broken struct{}

var errDisk = errors.New("disk")

func (broken) Write(context.Context, log.Record) error { return errDisk }

func TestBrokenSink(t *testing.T) {
	err := log.New(broken{}, log.Limits{}, "", "").Log(t.Context(), log.LevelInfo, "x", nil)
	if !errors.Is(err, log.Unavailable) || !errors.Is(err, errDisk) || err.Error() != "the record could not be written" {
		t.Error(err)
	}
}

func TestSlog(t *testing.T) {
	var out bytes.Buffer
	plain := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	opts := &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: plain}
	for _, h := range []slog.Handler{slog.NewTextHandler(&out, opts), slog.NewJSONHandler(&out, opts)} {
		l := log.New(log.Slog(slog.New(h)), log.Limits{}, "tool", "c1")
		for _, level := range []log.Level{log.LevelDebug, log.LevelError} {
			if err := l.Log(t.Context(), level, "a\nlevel=FORGED", json.RawMessage(`{"b":{"c":1},"a":"x\n"}`)); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := strings.Join([]string{
		`level=DEBUG msg="a\nlevel=FORGED" source=tool callId=c1 seq=1 fields="{\"b\":{\"c\":1},\"a\":\"x\\n\"}"`,
		`level=ERROR msg="a\nlevel=FORGED" source=tool callId=c1 seq=2 fields="{\"b\":{\"c\":1},\"a\":\"x\\n\"}"`,
		`{"level":"DEBUG","msg":"a\nlevel=FORGED","source":"tool","callId":"c1","seq":1,"fields":{"b":{"c":1},"a":"x\n"}}`,
		`{"level":"ERROR","msg":"a\nlevel=FORGED","source":"tool","callId":"c1","seq":2,"fields":{"b":{"c":1},"a":"x\n"}}`,
	}, "\n") + "\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	if err := log.New(log.Slog(nil), log.Limits{}, "", "").Log(t.Context(), log.LevelInfo, "x", nil); err != nil {
		t.Error(err)
	}
}

func Example() {
	handler := slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})
	logger := log.New(log.Slog(slog.New(handler)), log.Limits{Records: 1}, "search", "call-7")
	ctx := context.Background()
	fmt.Println(logger.Log(ctx, log.LevelWarn, "no results", json.RawMessage(`{"query":"x"}`)))
	fmt.Println(logger.Log(ctx, log.LevelWarn, "again", nil))
	// Output:
	// level=WARN msg="no results" source=search callId=call-7 seq=1 fields="{\"query\":\"x\"}"
	// <nil>
	// too many records (limit 1)
}
