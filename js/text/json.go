package text

import "github.com/pinfold-js/pinfold/meter"

const hexLow = "0123456789abcdef"

// jsonEscape holds, for units below 128, 0 for one that stands for itself, the
// letter of a short escape, or 'u'.
var jsonEscape = func() (t [128]byte) {
	for i := range 32 {
		t[i] = 'u'
	}
	t['\b'], t['\t'], t['\n'], t['\f'], t['\r'] = 'b', 't', 'n', 'f', 'r'
	t['"'], t['\\'] = '"', '\\'
	return
}()

// AppendQuoteJSON appends s as QuoteJSONString (§25.5.4.3) does, lone
// surrogates escaped. The result has the form of s.
func AppendQuoteJSON[C Char](m *meter.Meter, dst []C, s []C) ([]C, error) {
	if cap(dst)-len(dst) < len(s)+2 {
		var err error
		if dst, err = extend(m, dst, max(len(s)+len(s)/16+2, min(len(dst), 1<<26))); err != nil {
			return dst, err
		}
	}
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		end := min(i+chunk, len(s))
		if err := charge(m, (end-i)/16+1); err != nil {
			return dst, err
		}
		start := i
		for i < end { //meter: one chunk, charged above
			c := uint32(s[i])
			if c < 128 {
				if jsonEscape[c] == 0 {
					i++
					continue
				}
			} else if c&0xF800 != 0xD800 {
				i++
				continue
			} else if c < 0xDC00 && i+1 < len(s) && uint32(s[i+1])&0xFC00 == 0xDC00 {
				i += 2
				continue
			}
			dst = append(dst, s[start:i]...)
			if cap(dst)-len(dst) < len(s)-i+8 {
				var err error
				if dst, err = extend(m, dst, len(s)-i+8+min(len(dst)/2, 1<<26)); err != nil {
					return dst, err
				}
			}
			dst = append(dst, '\\')
			e := byte('u')
			if c < 128 {
				e = jsonEscape[c]
			}
			dst = append(dst, C(e))
			if e == 'u' {
				dst = append(dst, C(hexLow[c>>12]), C(hexLow[c>>8&15]), C(hexLow[c>>4&15]), C(hexLow[c&15]))
			}
			i++
			start = i
		}
		dst = append(dst, s[start:i]...)
	}
	return append(dst, '"'), nil
}
