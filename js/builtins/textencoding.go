package builtins

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/text"
	"github.com/pinfold-js/pinfold/js/url"
	"github.com/pinfold-js/pinfold/js/vm"
)

// setupTextEncoding makes TextEncoder and TextDecoder (Encoding Standard §7).
func setupTextEncoding(b *vm.Builder) {
	proto := b.Set(vm.TextEncoderPrototype, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	ctor := webCtor(b, "TextEncoder", 0, encoderConstructor, proto, 0)
	b.Tag(proto, "TextEncoder")
	utf8Name := b.String("utf-8")
	webGetter(b, proto, "encoding", func(m *vm.Machine, c vm.Call) (vm.Value, error) {
		_, err := thisWeb(m, &c, webEncoder)
		return utf8Name, err
	}, nil)
	webMethod(b, proto, "encode", 0, encoderEncode)
	webMethod(b, proto, "encodeInto", 2, encoderEncodeInto)
	b.GlobalObj("TextEncoder", ctor)

	proto = b.Set(vm.TextDecoderPrototype, b.Object(b.Intrinsic(vm.ObjectPrototype)))
	ctor = webCtor(b, "TextDecoder", 0, decoderConstructor, proto, 0)
	b.Tag(proto, "TextDecoder")
	webMethod(b, proto, "decode", 0, decoderDecode)
	for _, a := range []struct {
		name string
		get  func(m *vm.Machine, d decoder) (vm.Value, error)
	}{
		{"encoding", func(m *vm.Machine, d decoder) (vm.Value, error) { return m.NewString(d.name()) }},
		{"fatal", func(_ *vm.Machine, d decoder) (vm.Value, error) { return heap.Bool(d.fatal), nil }},
		{"ignoreBOM", func(_ *vm.Machine, d decoder) (vm.Value, error) { return heap.Bool(d.ignoreBOM), nil }},
	} { //meter: a table
		webGetter(b, proto, a.name, func(m *vm.Machine, c vm.Call) (vm.Value, error) {
			o, err := thisWeb(m, &c, webDecoder)
			if err != nil {
				return vm.Undefined, err
			}
			return a.get(m, decoderOf(m, o))
		}, nil)
	}
	b.GlobalObj("TextDecoder", ctor)
}

// Encodings -------------------------------------------------------------------

// labelText has a line for each encoding: its name, a colon, and its labels
// (Encoding Standard §4.2). The multi-byte encodings of East Asia are not
// there: their tables would be larger than the rest of the engine.
//
//go:embed data/labels.txt
var labelText string

// singleBytes are the single-byte encodings (§9).
var singleBytes = map[string]*charmap.Charmap{
	"ibm866": charmap.CodePage866, "iso-8859-2": charmap.ISO8859_2, "iso-8859-3": charmap.ISO8859_3, "iso-8859-4": charmap.ISO8859_4,
	"iso-8859-5": charmap.ISO8859_5, "iso-8859-6": charmap.ISO8859_6, "iso-8859-7": charmap.ISO8859_7, "iso-8859-8": charmap.ISO8859_8,
	"iso-8859-8-i": charmap.ISO8859_8, "iso-8859-10": charmap.ISO8859_10, "iso-8859-13": charmap.ISO8859_13,
	"iso-8859-14": charmap.ISO8859_14, "iso-8859-15": charmap.ISO8859_15, "iso-8859-16": charmap.ISO8859_16, "koi8-r": charmap.KOI8R,
	"koi8-u": charmap.KOI8U, "macintosh": charmap.Macintosh, "windows-874": charmap.Windows874, "windows-1250": charmap.Windows1250,
	"windows-1251": charmap.Windows1251, "windows-1252": charmap.Windows1252, "windows-1253": charmap.Windows1253,
	"windows-1254": charmap.Windows1254, "windows-1255": charmap.Windows1255, "windows-1256": charmap.Windows1256,
	"windows-1257": charmap.Windows1257, "windows-1258": charmap.Windows1258, "x-mac-cyrillic": charmap.MacintoshCyrillic,
}

// encodings are the names by number, and the numbers by label.
var encodings = sync.OnceValues(func() ([]string, map[string]int32) {
	var names []string
	labels := map[string]int32{}
	for line := range strings.Lines(labelText) { //meter: an embedded table
		name, list, _ := strings.Cut(line, ":")
		for _, l := range strings.Fields(list) { //meter: likewise
			labels[l] = int32(len(names))
		}
		names = append(names, name)
	}
	return names, labels
})

// decoder is the state of a TextDecoder. Its block has these words; between
// two calls of decode with the option stream, the last bytes of an unfinished
// character wait in pending.
type decoder struct {
	encoding  int32
	fatal     bool
	ignoreBOM bool
	bomSeen   bool
	stream    bool // do not flush
	pending   []byte
}

const (
	decEncoding = iota
	decFlags    // bits: fatal, ignoreBOM, bomSeen, stream
	decPending  // up to three bytes, the first lowest
	decCount
	decWords
)

func (d *decoder) name() string {
	names, _ := encodings()
	return names[d.encoding]
}

func decoderOf(m *vm.Machine, o vm.Obj) decoder {
	flags := webWord(m, o, decFlags).AsInt()
	d := decoder{
		encoding: webWord(m, o, decEncoding).AsInt(),
		fatal:    flags&1 != 0, ignoreBOM: flags&2 != 0, bomSeen: flags&4 != 0, stream: flags&8 != 0,
	}
	p := webWord(m, o, decPending).AsInt()
	for i := range webWord(m, o, decCount).AsInt() { //meter: at most three
		d.pending = append(d.pending, byte(p>>(8*i)))
	}
	return d
}

func (d *decoder) save(m *vm.Machine, o vm.Obj) {
	flags := int32(0)
	for i, f := range [...]bool{d.fatal, d.ignoreBOM, d.bomSeen, d.stream} { //meter: four
		if f {
			flags |= 1 << i
		}
	}
	p := int32(0)
	for i, b := range d.pending { //meter: at most three
		p |= int32(b) << (8 * i)
	}
	setWebWord(m, o, decEncoding, heap.Int(d.encoding))
	setWebWord(m, o, decFlags, heap.Int(flags))
	setWebWord(m, o, decPending, heap.Int(p))
	setWebWord(m, o, decCount, heap.Int(int32(len(d.pending))))
}

// decoderConstructor is TextDecoder(label, options).
func decoderConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := newWeb(m, &c, webDecoder, vm.TextDecoderPrototype, decWords)
	if err != nil {
		return vm.Undefined, err
	}
	var d decoder
	if c.Arg(0) != vm.Undefined {
		s, err := m.ToString(c.Arg(0))
		if err != nil {
			return vm.Undefined, err
		}
		label := m.Describe(heap.StringValue(s)) // cut, if it is long
		if m.H.Len(s) <= maxLabel {
			label = m.H.GoString(s)
		}
		_, labels := encodings()
		n, ok := labels[strings.ToLower(strings.Trim(label, "\t\n\f\r "))]
		if !ok || strings.ToLower(label) != asciiLower(label) {
			return vm.Undefined, nodeError(m, vm.RangeErrorPrototype, "ERR_ENCODING_NOT_SUPPORTED", "The \""+label+"\" encoding is not supported")
		}
		d.encoding = n
	}
	if opt := c.Arg(1); opt.IsObject() {
		if d.fatal, err = flagOption(m, opt.AsObj(), "fatal"); err != nil {
			return vm.Undefined, err
		}
		if d.ignoreBOM, err = flagOption(m, opt.AsObj(), "ignoreBOM"); err != nil {
			return vm.Undefined, err
		}
	} else if !opt.IsNullish() {
		return vm.Undefined, ArgumentTypeError(m, "options", "of type object", opt)
	}
	d.save(m, o)
	return heap.ObjectValue(o), nil
}

// maxLabel is longer than any label with space around it that is meant.
const maxLabel = 1000

// asciiLower lowers ASCII letters only: no label has others that lower to it.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r | 0x20
		}
		return r
	}, s)
}

func flagOption(m *vm.Machine, o vm.Obj, name string) (bool, error) {
	k, err := m.H.KeyOfName(name)
	if err != nil {
		return false, err
	}
	v, err := m.Get(o, k)
	return m.ToBoolean(v), err
}

// bytesOf views the bytes of an ArrayBuffer or of a view of one.
func bytesOf(m *vm.Machine, v vm.Value) ([]byte, bool) {
	if !v.IsObject() {
		return nil, false
	}
	o := v.AsObj()
	switch m.H.Obj(o).Class {
	case heap.ClassArrayBuffer:
		return m.BufferBytes(o), true
	case heap.ClassTypedArray:
		return m.TypedBytes(o), true
	case heap.ClassDataView:
		n, ok := m.DataViewLength(o)
		if !ok {
			return nil, true
		}
		at := m.ViewOffset(o)
		return m.BufferBytes(m.ViewBuffer(o))[at : at+n], true
	}
	return nil, false
}

// decoderDecode is TextDecoder.prototype.decode.
func decoderDecode(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := thisWeb(m, &c, webDecoder)
	if err != nil {
		return vm.Undefined, err
	}
	if in := c.Arg(0); in != vm.Undefined {
		if _, ok := bytesOf(m, in); !ok {
			v, err := newNodeError(m, vm.TypeErrorPrototype, "ERR_INVALID_ARG_TYPE", `The "list" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.`, false)
			if err != nil {
				return vm.Undefined, err
			}
			return vm.Undefined, m.Throw(v)
		}
	}
	stream := false
	if opt := c.Arg(1); opt.IsObject() {
		if stream, err = flagOption(m, opt.AsObj(), "stream"); err != nil {
			return vm.Undefined, err
		}
	} else if !opt.IsNullish() {
		return vm.Undefined, ArgumentTypeError(m, "options", "of type object", opt)
	}
	in, _ := bytesOf(m, c.Arg(0)) // after the getter, which may have changed it
	d := decoderOf(m, o)
	if !d.stream {
		d.pending, d.bomSeen = nil, false
	}
	d.stream = stream
	w := decodeWriter{sb: stringBuilder{m: m}, fatal: d.fatal, bomSeen: d.bomSeen || d.ignoreBOM}
	defer w.sb.release()
	err = d.decode(&w, in, !stream)
	d.bomSeen = w.bomSeen
	if err == errInvalidData {
		d.pending, d.bomSeen, d.stream = nil, false, false
		d.save(m, o)
		v, err := newNodeError(m, vm.TypeErrorPrototype, "ERR_ENCODING_INVALID_ENCODED_DATA", "The encoded data was not valid for encoding "+d.name(), false)
		if err != nil {
			return vm.Undefined, err
		}
		return vm.Undefined, m.Throw(v)
	}
	if err != nil {
		return vm.Undefined, err
	}
	d.save(m, o)
	return w.sb.value()
}

// decodeWriter collects decoded text.
type decodeWriter struct {
	sb      stringBuilder
	fatal   bool
	bomSeen bool // whatever comes is no byte order mark any more
	n       int
	buf     [256]uint16
}

type decodeError string

func (e decodeError) Error() string { return string(e) }

// errInvalidData says that a fatal decoder met what is no text.
const errInvalidData = decodeError("invalid encoded data")

func (w *decodeWriter) flush() error {
	n := w.n
	w.n = 0
	return w.sb.units(w.buf[:n])
}

func (w *decodeWriter) put(r rune) error {
	if !w.bomSeen {
		w.bomSeen = true
		if r == 0xFEFF {
			return nil
		}
	}
	if w.n > len(w.buf)-2 {
		if err := w.flush(); err != nil {
			return err
		}
	}
	w.n += len(utf16.AppendRune(w.buf[w.n:w.n], r))
	return nil
}

func (w *decodeWriter) bad() error {
	if w.fatal {
		return errInvalidData
	}
	return w.put(utf8.RuneError)
}

// decode decodes what was pending and in. Without flush, an unfinished
// character at the end becomes pending.
func (d *decoder) decode(w *decodeWriter, in []byte, flush bool) error {
	run := d.decodeBytes
	switch name := d.name(); name {
	case "utf-8":
		run = decodeUTF8
	case "utf-16le":
		run = decodeUTF16(0, 1)
	case "utf-16be":
		run = decodeUTF16(1, 0)
	}
	if len(d.pending) > 0 {
		// The characters that begin in pending end in the next few bytes.
		const ahead = 8
		joined := append(d.pending, in[:min(len(in), ahead)]...)
		all := len(in) <= ahead
		n, err := run(w, joined, flush && all)
		if err != nil {
			return err
		}
		if all {
			d.pending = append([]byte(nil), joined[n:]...)
			return w.flush()
		}
		in = in[n-len(d.pending):]
		d.pending = nil
	}
	n, err := run(w, in, flush)
	if err != nil {
		return err
	}
	d.pending = append([]byte(nil), in[n:]...)
	return w.flush()
}

// decodeUTF8 is the UTF-8 decoder (§8.1.1). It returns how many bytes it took.
func decodeUTF8(w *decodeWriter, in []byte, flush bool) (int, error) {
	i := 0
	for i < len(in) {
		if err := w.sb.m.Charge(1); err != nil {
			return i, err
		}
		stop := min(len(in), i+chunk)
		n := i
		for n < stop && in[n] < utf8.RuneSelf { //meter: charged by stringBuilder
			n++
		}
		if n > i+16 {
			if err := w.flush(); err != nil {
				return i, err
			}
			w.bomSeen = true
			if err := w.sb.latin1(in[i:n]); err != nil {
				return i, err
			}
			i = n
			continue
		}
		if err := w.sb.m.Charge(16); err != nil {
			return i, err
		}
		for end := min(len(in), i+64); i < end; { //meter: charged above
			r, size := utf8.DecodeRune(in[i:])
			if r == utf8.RuneError && size == 1 {
				if !flush && !utf8.FullRune(in[i:]) {
					return i, nil
				}
				size = url.InvalidPrefix(in[i:])
				if err := w.bad(); err != nil {
					return i, err
				}
			} else if err := w.put(r); err != nil {
				return i, err
			}
			i += size
		}
	}
	return i, nil
}

// decodeUTF16 is the shared UTF-16 decoder (§14.2.1), lo and hi being where
// the bytes of a unit are.
func decodeUTF16(lo, hi int) func(w *decodeWriter, in []byte, flush bool) (int, error) {
	return func(w *decodeWriter, in []byte, flush bool) (int, error) {
		i, next := 0, 0
		for i+1 < len(in) {
			if i >= next {
				if err := w.sb.m.Charge(chunk / 4); err != nil {
					return i, err
				}
				next = i + chunk
			}
			u := uint16(in[i+lo]) | uint16(in[i+hi])<<8
			var err error
			switch {
			case !text.IsLead(u) && !text.IsTrail(u):
				err = w.put(rune(u))
			case text.IsTrail(u):
				err = w.bad()
			case i+3 >= len(in):
				if !flush {
					return i, nil
				}
				// One error for all that is left: the odd byte goes with it.
				return len(in), w.bad()
			default:
				if t := uint16(in[i+2+lo]) | uint16(in[i+2+hi])<<8; text.IsTrail(t) {
					err = w.put(rune(text.Pair(u, t)))
					i += 2
				} else {
					err = w.bad()
				}
			}
			if err != nil {
				return i, err
			}
			i += 2
		}
		if i < len(in) && flush {
			return len(in), w.bad()
		}
		return i, nil
	}
}

// decodeBytes is the single-byte decoder (§9.1).
func (d *decoder) decodeBytes(w *decodeWriter, in []byte, _ bool) (int, error) {
	cm := singleBytes[d.name()]
	w.bomSeen = true
	for i, c := range in {
		if i%chunk == 0 {
			if err := w.sb.m.Charge(min(len(in)-i, chunk) / 2); err != nil {
				return i, err
			}
		}
		r := cm.DecodeByte(c)
		if r == utf8.RuneError && c < 0xA0 {
			r = rune(c) // the standard's indexes have the C1 controls where there is nothing else
		}
		err := error(nil)
		if r == utf8.RuneError {
			err = w.bad()
		} else {
			err = w.put(r)
		}
		if err != nil {
			return i, err
		}
	}
	return len(in), nil
}

// TextEncoder -----------------------------------------------------------------

func encoderConstructor(m *vm.Machine, c vm.Call) (vm.Value, error) {
	o, err := newWeb(m, &c, webEncoder, vm.TextEncoderPrototype, 1)
	return heap.ObjectValue(o), err
}

// encodedLen is the length of a string in UTF-8, lone surrogates being U+FFFD.
func encodedLen(m *vm.Machine, l []byte, u []uint16) (int, error) {
	n := len(l) + len(u)
	if err := m.Charge(n / 8); err != nil {
		return 0, err
	}
	for _, c := range l { //meter: charged above
		n += int(c >> 7)
	}
	for i := 0; i < len(u); i++ { //meter: charged above
		switch c := u[i]; {
		case c < 0x80:
		case c < 0x800:
			n++
		case text.IsLead(c) && i+1 < len(u) && text.IsTrail(u[i+1]):
			n += 2 // four bytes for two units
			i++
		default:
			n += 2
		}
	}
	return n, nil
}

// encodeSome writes as many characters as fit in dst, and returns how many
// units it read and bytes it wrote.
func encodeSome(m *vm.Machine, dst []byte, l []byte, u []uint16) (read, written int, err error) {
	if err := m.Charge(min(len(l)+len(u), len(dst)) / 4); err != nil {
		return 0, 0, err
	}
	for read < len(l) { //meter: charged above
		c := l[read]
		if c < 0x80 {
			if written == len(dst) {
				return read, written, nil
			}
			dst[written] = c
			written++
		} else {
			if written+2 > len(dst) {
				return read, written, nil
			}
			dst[written], dst[written+1] = 0xC0|c>>6, 0x80|c&0x3F
			written += 2
		}
		read++
	}
	for read < len(u) { //meter: charged above
		r, n := text.CodePointAt(u, read)
		size := utf8.RuneLen(rune(r))
		if size < 0 {
			r, size = utf8.RuneError, 3
		}
		if written+size > len(dst) {
			return read, written, nil
		}
		utf8.EncodeRune(dst[written:], rune(r))
		written += size
		read += n
	}
	return read, written, nil
}

// encoderEncode is TextEncoder.prototype.encode.
func encoderEncode(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if _, err := thisWeb(m, &c, webEncoder); err != nil {
		return vm.Undefined, err
	}
	s := m.N.StrEmpty
	if c.Arg(0) != vm.Undefined {
		var err error
		if s, err = m.ToString(c.Arg(0)); err != nil {
			return vm.Undefined, err
		}
	}
	l, u, err := m.H.Units16(s)
	if err != nil {
		return vm.Undefined, err
	}
	n, err := encodedLen(m, l, u)
	if err != nil {
		return vm.Undefined, err
	}
	o, err := typedOfLength(m, m.Intrinsic(vm.Uint8ArrayPrototype), vm.ElemUint8, float64(n))
	if err != nil {
		return vm.Undefined, err
	}
	if l, u, err = m.H.Units16(s); err != nil { // views: making the array may have moved them
		return vm.Undefined, err
	}
	_, _, err = encodeSome(m, m.TypedBytesW(o), l, u)
	return heap.ObjectValue(o), err
}

// encoderEncodeInto is TextEncoder.prototype.encodeInto.
func encoderEncodeInto(m *vm.Machine, c vm.Call) (vm.Value, error) {
	if _, err := thisWeb(m, &c, webEncoder); err != nil {
		return vm.Undefined, err
	}
	src, dest := c.Arg(0), c.Arg(1)
	if !src.IsString() {
		return vm.Undefined, ArgumentTypeError(m, "src", "of type string", src)
	}
	if !m.IsTypedArray(dest) || m.TypedElem(dest.AsObj()) != vm.ElemUint8 {
		return vm.Undefined, ArgumentTypeError(m, "dest", "an instance of Uint8Array", dest)
	}
	if m.IsImmutable(m.ViewBuffer(dest.AsObj())) {
		return vm.Undefined, immutableError(m, "TextEncoder.prototype.encodeInto")
	}
	l, u, err := m.H.Units16(src.AsStr())
	if err != nil {
		return vm.Undefined, err
	}
	read, written, err := encodeSome(m, m.TypedBytesW(dest.AsObj()), l, u)
	if err != nil {
		return vm.Undefined, err
	}
	o := m.NewPlain()
	for _, p := range []struct {
		name string
		n    int
	}{{"read", read}, {"written", written}} { //meter: two
		k, err := m.H.KeyOfName(p.name)
		if err != nil {
			return vm.Undefined, err
		}
		m.H.AddNamed(o, k.Name(), heap.Int(int32(p.n)), heap.DefaultAttrs)
	}
	return heap.ObjectValue(o), nil
}
