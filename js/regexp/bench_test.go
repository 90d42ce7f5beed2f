package regexp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold/js/regexp"
)

func logLines(size int) []byte {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		level := [...]string{"INFO", "DEBUG", "WARN", "INFO", "ERROR"}[i%5]
		fmt.Fprintf(&b, "2024-05-%02dT12:%02d:%02d.%03dZ [%s] service-%d: request /api/v1/items/%d took %dms\n", i%28+1, i%60, i*7%60, i%1000, level, i%9, i, i*37%900)
	}
	return []byte(b.String())
}

func wide(b []byte) []uint16 {
	u := make([]uint16, len(b))
	for i, c := range b {
		u[i] = uint16(c)
	}
	return u
}

func benchAll(b *testing.B, pattern, flags string, input []byte) {
	f, _ := regexp.ParseFlags(flags)
	p, err := regexp.Compile(units(pattern), f, nil)
	if err != nil {
		b.Fatal(err)
	}
	caps := make([]int32, 2*p.NumCaptures)
	u := wide(input)
	var x regexp.Matcher
	for _, kind := range []string{"latin1", "utf16"} {
		b.Run(kind, func(b *testing.B) {
			b.SetBytes(int64(len(input)))
			b.ReportAllocs()
			n := 0
			m := &counter{limit: 1 << 60}
			for b.Loop() {
				n = 0
				for at := 0; at <= len(input); {
					var ok bool
					if kind == "latin1" {
						ok, _ = x.SearchLatin1(p, input, at, caps, m)
					} else {
						ok, _ = x.SearchUTF16(p, u, at, caps, m)
					}
					if !ok {
						break
					}
					n++
					at = int(caps[1])
					if caps[0] == caps[1] {
						at++
					}
				}
			}
			b.ReportMetric(float64(n), "matches")
			b.ReportMetric(float64(m.fuel)/float64(b.N)/float64(len(input)), "fuel/unit")
		})
	}
}

func BenchmarkLogLine(b *testing.B) {
	benchAll(b, `^(\d{4}-\d{2}-\d{2}T[\d:.]+Z) \[(\w+)\] ([^:]+): (.*)$`, "gm", logLines(1<<20))
}

func BenchmarkLiteral(b *testing.B)     { benchAll(b, `ERROR`, "g", logLines(1<<20)) }
func BenchmarkAlternation(b *testing.B) { benchAll(b, `ERROR|WARN|FATAL`, "g", logLines(1<<20)) }
func BenchmarkIgnoreCase(b *testing.B)  { benchAll(b, `\berror\b`, "gi", logLines(1<<20)) }
func BenchmarkWords(b *testing.B)       { benchAll(b, `\w+`, "g", logLines(1<<20)) }
func BenchmarkNumbers(b *testing.B)     { benchAll(b, `\d+(?:\.\d+)?ms`, "g", logLines(1<<20)) }
func BenchmarkDotStar(b *testing.B)     { benchAll(b, `.*took (\d+)ms`, "g", logLines(1<<20)) }
func BenchmarkSpaceEnd(b *testing.B) {
	benchAll(b, `\s+$`, "g", []byte(strings.Repeat(" ", 1<<16)+"x"))
}
func BenchmarkTokens(b *testing.B) {
	benchAll(b, `\s*(?:(\d+)|([A-Za-z_]\w*)|("(?:[^"\\]|\\.)*")|(.))`, "g", logLines(1<<20))
}

// BenchmarkCatastrophe shows what a step of an exponential pattern costs.
func BenchmarkCatastrophe(b *testing.B) {
	for _, pattern := range []string{`(a+)+$`, `^[A-Za-z]+\.([A-Za-z]+)*$`, `(?:a|a)*b`, `(a*)*b`, `(.*)\1x`} {
		b.Run(pattern, func(b *testing.B) {
			p, err := regexp.Compile(units(pattern), 0, nil)
			if err != nil {
				b.Fatal(err)
			}
			in := []byte("a." + strings.Repeat("a", 60) + "!")
			caps := make([]int32, 2*p.NumCaptures)
			var x regexp.Matcher
			steps := int64(0)
			for b.Loop() {
				m := &counter{limit: 1_000_000}
				_, _ = x.SearchLatin1(p, in, 0, caps, m)
				steps += m.fuel
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/fuel")
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	src := units(`^(\d{4}-\d{2}-\d{2}T[\d:.]+Z) \[(\w+)\] ([^:]+): (.*)$`)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = regexp.Compile(src, 0, nil)
	}
}

// BenchmarkSmall is the cost of one short match.
func BenchmarkSmall(b *testing.B) {
	p, _ := regexp.Compile(units(`^\d+$`), 0, nil)
	var x regexp.Matcher
	caps := make([]int32, 2)
	in := []byte("12345")
	b.ReportAllocs()
	for b.Loop() {
		_, _ = x.SearchLatin1(p, in, 0, caps, nil)
	}
}

// BenchmarkEmoji compiles the largest property of strings, and searches with it.
func BenchmarkEmoji(b *testing.B) {
	src := units(`\p{RGI_Emoji}`)
	b.Run("compile", func(b *testing.B) {
		m := &counter{limit: 1 << 60}
		for b.Loop() {
			_, _ = regexp.Compile(src, regexp.UnicodeSets, m)
		}
		b.ReportMetric(float64(m.fuel)/float64(b.N), "fuel/op")
		b.ReportMetric(float64(m.peak), "bytes")
	})
	benchAll(b, `\p{RGI_Emoji}`, "gv", []byte(strings.Repeat("no emoji at all 123 ", 1<<12)))
	p, _ := regexp.Compile(src, regexp.UnicodeSets, nil)
	in := utf16Of(strings.Repeat("text 👩‍👩‍👧‍👦 and 👍🏽 ", 1<<10))
	b.Run("found", func(b *testing.B) {
		b.SetBytes(int64(2 * len(in)))
		var x regexp.Matcher
		caps := make([]int32, 2)
		for b.Loop() {
			for at := 0; ; at = int(caps[1]) {
				if ok, _ := x.SearchUTF16(p, in, at, caps, nil); !ok {
					break
				}
			}
		}
	})
	b.Logf("%d bytes", p.Size())
}
