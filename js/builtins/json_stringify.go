package builtins

import (
	"math"
	"strconv"
	"strings"

	"github.com/pinfold-js/pinfold/js/heap"
	"github.com/pinfold-js/pinfold/js/vm"
)

// jsonWriter is the state of JSON.stringify (§25.5.4). It uses no recursion:
// objects that are being written are frames of a stack.
type jsonWriter struct {
	m        *vm.Machine
	sb       stringBuilder
	replacer vm.Value // function, or undefined
	list     []vm.Key // property list; nil if there is none
	gap      vm.Str   // 0 without one
	indent   []byte   // gap, many times, when it is Latin-1
	gapLen   int
	frames   []jsonOpen
	inside   map[vm.Obj]int // frames by object, once there are many
	shapes   []jsonShape
	roots    int
	charged  int64
}

// jsonOpen is an object or array being written.
type jsonOpen struct {
	obj   vm.Obj
	key   vm.Key // where it is in the one around it
	array bool
	any   bool // a member was written
	i, n  int64
	keys  []vm.Key   // of an object
	shape *jsonShape // instead of keys: as long as the object has this shape
	roots int
}

// jsonShape is what is known of plain objects with a hidden class: their
// enumerable properties and whether they have no toJSON.
type jsonShape struct {
	id     heap.ShapeID
	count  uint32
	epoch  uint32
	plain  bool // no toJSON here or above
	listed bool
	props  []heap.Prop
}

const (
	jsonShapeCache  = 64
	jsonShapeProps  = 64 // objects with more are not worth remembering
	jsonIndentBytes = 512
	jsonDeep        = 64 // frames that are searched one by one for a circle
	jsonFrameBytes  = 160
)

// jsonStringify is JSON.stringify (§25.5.4).
func jsonStringify(m *vm.Machine, c vm.Call) (vm.Value, error) {
	w := jsonWriter{m: m, replacer: vm.Undefined, sb: stringBuilder{m: m}}
	defer w.sb.release()
	w.roots = m.Root(vm.Undefined)
	defer m.PopRoots(w.roots)
	defer func() { m.Meter().Shrink(w.charged) }()
	if r := c.Arg(1); r.IsObject() {
		if m.IsCallable(r) {
			w.replacer = r
		} else if err := w.readList(r); err != nil {
			return vm.Undefined, err
		}
	}
	if err := w.readGap(c.Arg(2)); err != nil {
		return vm.Undefined, err
	}
	v := c.Arg(0)
	var wrapper vm.Obj
	if w.replacer != vm.Undefined {
		wrapper = m.NewPlain()
		m.Root(heap.ObjectValue(wrapper))
		if err := m.CreateDataOrThrow(wrapper, m.N.Empty, v); err != nil {
			return vm.Undefined, err
		}
	}
	v, ok, err := w.prepare(wrapper, m.N.Empty, v)
	if err != nil || !ok {
		return vm.Undefined, err
	}
	if err := w.emit(v, m.N.Empty); err != nil {
		return vm.Undefined, err
	}
	if err := w.run(); err != nil {
		return vm.Undefined, err
	}
	return w.sb.value()
}

// readList reads a replacer that is an array (§25.5.4, step 4.b).
func (w *jsonWriter) readList(r vm.Value) error {
	m := w.m
	is, err := m.IsArray(r)
	if err != nil || !is {
		return err
	}
	w.list = []vm.Key{}
	n, err := m.LengthOf(r.AsObj())
	if err != nil {
		return err
	}
	seen := make(map[vm.Key]bool)
	for i := int64(0); i < n; i++ {
		if err := m.Charge(1); err != nil {
			return err
		}
		v, err := getAt(m, r.AsObj(), i)
		if err != nil {
			return err
		}
		switch {
		case v.IsString(), v.IsNumber():
		case v.IsObject():
			if class := m.H.Obj(v.AsObj()).Class; class != heap.ClassString && class != heap.ClassNumber {
				continue
			}
		default:
			continue
		}
		s, err := m.ToString(v)
		if err != nil {
			return err
		}
		k, err := m.H.KeyOf(s)
		if err != nil {
			return err
		}
		if seen[k] {
			continue
		}
		if err := w.hold(64); err != nil {
			return err
		}
		seen[k] = true
		w.list = append(w.list, k)
		if !k.IsIndex() {
			m.Root(heap.StringValue(k.Name()))
		}
	}
	return nil
}

// hold charges for Go memory until the end.
func (w *jsonWriter) hold(n int64) error {
	if err := w.m.Meter().Grow(n); err != nil {
		return err
	}
	w.charged += n
	return nil
}

// readGap reads the space argument.
func (w *jsonWriter) readGap(space vm.Value) error {
	m := w.m
	if space.IsObject() {
		var err error
		switch m.H.Obj(space.AsObj()).Class {
		case heap.ClassNumber:
			space, err = m.ToNumber(space)
		case heap.ClassString:
			var s vm.Str
			s, err = m.ToString(space)
			space = heap.StringValue(s)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case space.IsNumber():
		f, err := m.ToInteger(space)
		if err != nil {
			return err
		}
		if n := int(math.Min(10, f)); n >= 1 {
			if w.gap, err = m.H.NewLatin1([]byte("          ")[:n]); err != nil {
				return err
			}
		}
	case space.IsString():
		n := min(10, m.H.Len(space.AsStr()))
		if n == 0 {
			return nil
		}
		s, err := m.H.Substring(space.AsStr(), 0, n)
		if err != nil {
			return err
		}
		w.gap = s
	}
	if w.gap == 0 {
		return nil
	}
	m.Root(heap.StringValue(w.gap))
	w.gapLen = m.H.Len(w.gap)
	b, u, err := m.H.Units16(w.gap)
	if err != nil {
		return err
	}
	if u == nil {
		for len(w.indent)+len(b) <= jsonIndentBytes { //meter: a fixed size
			w.indent = append(w.indent, b...)
		}
	}
	return nil
}

// newline begins a line at the given depth.
func (w *jsonWriter) newline(depth int) error {
	if err := w.sb.unit('\n'); err != nil {
		return err
	}
	if n := depth * w.gapLen; n <= len(w.indent) {
		return w.sb.latin1(w.indent[:n])
	}
	if err := w.m.Charge(depth / 16); err != nil {
		return err
	}
	for range depth { //meter: charged above
		if err := w.sb.str(w.gap); err != nil {
			return err
		}
	}
	return nil
}

// run writes the members of the frames until none is left.
func (w *jsonWriter) run() error {
	for len(w.frames) > 0 {
		if err := w.m.Charge(1); err != nil {
			return err
		}
		f := &w.frames[len(w.frames)-1]
		if f.i >= f.n {
			if err := w.closeFrame(f); err != nil {
				return err
			}
			continue
		}
		i := f.i
		f.i++
		if f.array {
			k := heap.IndexKey(uint32(i))
			v, err := getAt(w.m, f.obj, i)
			if err != nil {
				return err
			}
			if i >= maxArrayLength {
				if k, err = w.m.KeyOfInt64(i); err != nil {
					return err
				}
			}
			if err := w.element(f, k, v); err != nil {
				return err
			}
			continue
		}
		k, v, err := w.property(f, i)
		if err != nil {
			return err
		}
		v, ok, err := w.prepare(f.obj, k, v)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if err := w.separate(f); err != nil {
			return err
		}
		if err := w.writeKey(k); err != nil {
			return err
		}
		colon := ":"
		if w.gap != 0 {
			colon = ": "
		}
		if err := w.sb.ascii(colon); err != nil {
			return err
		}
		if err := w.emit(v, k); err != nil {
			return err
		}
	}
	return nil
}

func (w *jsonWriter) element(f *jsonOpen, k vm.Key, v vm.Value) error {
	v, ok, err := w.prepare(f.obj, k, v)
	if err != nil {
		return err
	}
	if err := w.separate(f); err != nil {
		return err
	}
	if !ok {
		v = vm.Null
	}
	return w.emit(v, k)
}

// separate writes what stands before a member.
func (w *jsonWriter) separate(f *jsonOpen) error {
	if f.any {
		if err := w.sb.unit(','); err != nil {
			return err
		}
	}
	f.any = true
	if w.gap == 0 {
		return nil
	}
	return w.newline(len(w.frames))
}

func (w *jsonWriter) writeKey(k vm.Key) error {
	if !k.IsIndex() {
		return w.sb.quote(k.Name())
	}
	var buf [16]byte
	b := append(buf[:0], '"')
	b = strconv.AppendUint(b, uint64(k.Index()), 10)
	return w.sb.latin1(append(b, '"'))
}

func (w *jsonWriter) closeFrame(f *jsonOpen) error {
	if f.any && w.gap != 0 {
		if err := w.newline(len(w.frames) - 1); err != nil {
			return err
		}
	}
	if n := int64(len(f.keys)) * 8; n > 0 && w.list == nil {
		w.m.Meter().Shrink(n)
		w.charged -= n
	}
	c := uint16('}')
	if f.array {
		c = ']'
	}
	w.m.PopRoots(f.roots)
	if w.inside != nil {
		delete(w.inside, f.obj)
	}
	w.frames = w.frames[:len(w.frames)-1]
	return w.sb.unit(c)
}

// property returns key and value of member i of an object.
func (w *jsonWriter) property(f *jsonOpen, i int64) (vm.Key, vm.Value, error) {
	m := w.m
	if f.shape == nil {
		k := f.keys[i]
		v, err := m.Get(f.obj, k)
		return k, v, err
	}
	p := &f.shape.props[i]
	k := heap.AtomKey(p.Name)
	if rec := m.H.Obj(f.obj); rec.Shape == f.shape.id && m.H.Shape(rec.Shape).Count == f.shape.count && p.Attrs&heap.Accessor == 0 {
		return k, m.H.Slot(rec, p.Slot), nil
	}
	v, err := m.Get(f.obj, k)
	return k, v, err
}

// prepare is the first half of SerializeJSONProperty (§25.5.4.2): the value to
// write, an object only if its members are to be written. ok is false if
// there is nothing to write.
func (w *jsonWriter) prepare(holder vm.Obj, k vm.Key, v vm.Value) (_ vm.Value, ok bool, err error) {
	m := w.m
	if v.IsObject() || v.IsBigInt() {
		if v, err = w.callToJSON(k, v); err != nil {
			return v, false, err
		}
	}
	if w.replacer != vm.Undefined {
		kv, err := m.KeyValue(k)
		if err != nil {
			return v, false, err
		}
		if v, err = m.CallRooted(w.replacer, heap.ObjectValue(holder), kv, v); err != nil {
			return v, false, err
		}
	}
	if v.IsObject() {
		rec := m.H.Obj(v.AsObj())
		switch rec.Class {
		case heap.ClassNumber:
			v, err = m.ToNumber(v)
		case heap.ClassString:
			var s vm.Str
			s, err = m.ToString(v)
			v = heap.StringValue(s)
		case heap.ClassBoolean, heap.ClassBigInt:
			v = rec.Data
		default:
			return v, rec.Flags&heap.Callable == 0, nil
		}
		if err != nil {
			return v, false, err
		}
	}
	if v.IsBigInt() {
		return v, false, m.TypeError("Do not know how to serialize a BigInt")
	}
	return v, v != vm.Undefined && !v.IsSymbol(), nil
}

// callToJSON calls a value's toJSON method, if it has one.
func (w *jsonWriter) callToJSON(k vm.Key, v vm.Value) (vm.Value, error) {
	m := w.m
	if v.IsObject() {
		if s := w.shapeOf(v.AsObj()); s != nil && s.plain {
			return v, nil
		}
	}
	f, err := m.GetV(v, m.N.ToJSON)
	if err != nil || !m.IsCallable(f) {
		return v, err
	}
	kv, err := m.KeyValue(k)
	if err != nil {
		return v, err
	}
	if w.replacer != vm.Undefined {
		return m.CallRooted(f, v, kv)
	}
	return m.Call(f, v, kv)
}

// shapeOf returns what is remembered of o's hidden class; nil for an object
// that is not plain. With a replacer nothing is remembered: collections happen
// while it runs.
func (w *jsonWriter) shapeOf(o vm.Obj) *jsonShape {
	m := w.m
	rec := m.H.Obj(o)
	if w.replacer != vm.Undefined || rec.Flags&(heap.Exotic|heap.LazyProps) != 0 {
		return nil
	}
	if w.shapes == nil {
		w.shapes = make([]jsonShape, jsonShapeCache)
	}
	s := &w.shapes[uint32(rec.Shape)%jsonShapeCache]
	count := m.H.Shape(rec.Shape).Count
	if s.id == rec.Shape && s.count == count && s.epoch == m.H.Epoch {
		return s
	}
	if w.inUse(s) {
		s = new(jsonShape)
	}
	*s = jsonShape{id: rec.Shape, count: count, epoch: m.H.Epoch, plain: lacksNamed(m, o, m.N.ToJSON)}
	return s
}

// inUse reports whether an open object lists its properties by s.
func (w *jsonWriter) inUse(s *jsonShape) bool {
	if !s.listed {
		return false
	}
	for i := len(w.frames) - 1; i >= 0 && i >= len(w.frames)-64; i-- { //meter: at most 64
		if w.frames[i].shape == s {
			return true
		}
	}
	return len(w.frames) > 64
}

// lacksNamed reports whether neither o nor a prototype has a named property,
// looking at ordinary objects only.
func lacksNamed(m *vm.Machine, o vm.Obj, k vm.Key) bool {
	for range 8 {
		rec := m.H.Obj(o)
		if rec.Flags&(heap.Exotic|heap.LazyProps) != 0 {
			return false
		}
		if _, _, ok := m.H.Lookup(rec.Shape, k.Name()); ok {
			return false
		}
		if o = m.H.Proto(o); o == 0 {
			return true
		}
	}
	return false
}

// emit writes a value that prepare gave: all of a primitive, the beginning of
// an object.
func (w *jsonWriter) emit(v vm.Value, k vm.Key) error {
	switch {
	case v.IsString():
		return w.sb.quote(v.AsStr())
	case v.IsInt():
		var buf [16]byte
		return w.sb.latin1(strconv.AppendInt(buf[:0], int64(v.AsInt()), 10))
	case v.IsNumber():
		if !isFinite(v.AsFloat()) {
			return w.sb.ascii("null")
		}
		return addNumber(&w.sb, v)
	case v == vm.Null:
		return w.sb.ascii("null")
	case v == vm.True:
		return w.sb.ascii("true")
	case v == vm.False:
		return w.sb.ascii("false")
	}
	if s, ok := rawJSONText(w.m, v); ok {
		return w.sb.str(s)
	}
	return w.open(v.AsObj(), k)
}

// open begins an object or array.
func (w *jsonWriter) open(o vm.Obj, k vm.Key) error {
	m := w.m
	if w.inside != nil {
		if i, ok := w.inside[o]; ok {
			return w.circular(i, k)
		}
		w.inside[o] = len(w.frames)
	} else {
		for i := range w.frames { //meter: at most jsonDeep
			if w.frames[i].obj == o {
				return w.circular(i, k)
			}
		}
		if len(w.frames) == jsonDeep {
			w.inside = make(map[vm.Obj]int, 2*jsonDeep)
			for i := range w.frames { //meter: as above
				w.inside[w.frames[i].obj] = i
			}
			w.inside[o] = len(w.frames)
		}
	}
	if len(w.frames) == cap(w.frames) {
		n := max(16, 2*cap(w.frames))
		if err := w.hold(int64(n) * jsonFrameBytes); err != nil {
			return err
		}
		w.frames = append(make([]jsonOpen, 0, n), w.frames...)
	}
	f := jsonOpen{obj: o, key: k, roots: m.Root(heap.ObjectValue(o))}
	is, err := m.IsArray(heap.ObjectValue(o))
	if err != nil {
		return err
	}
	if is {
		f.array = true
		if f.n, err = m.LengthOf(o); err != nil {
			return err
		}
		w.frames = append(w.frames, f)
		return w.sb.unit('[')
	}
	if w.list != nil {
		f.keys = w.list
	} else if f.shape, err = w.listShape(o); err != nil {
		return err
	} else if f.shape != nil {
		f.n = int64(len(f.shape.props))
		w.frames = append(w.frames, f)
		return w.sb.unit('{')
	} else if f.keys, err = w.enumerable(o); err != nil {
		return err
	}
	f.n = int64(len(f.keys))
	w.frames = append(w.frames, f)
	return w.sb.unit('{')
}

// listShape returns the properties of an object that has only named ones and
// few of them.
func (w *jsonWriter) listShape(o vm.Obj) (*jsonShape, error) {
	rec := w.m.H.Obj(o)
	if rec.ElemLen != 0 || rec.Flags&heap.Sparse != 0 || w.m.H.NumNamed(o) > jsonShapeProps {
		return nil, nil
	}
	s := w.shapeOf(o)
	if s == nil || s.listed {
		return s, nil
	}
	s.listed = true
	var buf [jsonShapeProps]heap.Prop
	for _, p := range w.m.H.Named(o, buf[:0]) { //meter: at most jsonShapeProps
		if p.Attrs&heap.Enumerable != 0 && !w.m.H.IsSymbolCell(p.Name) {
			s.props = append(s.props, p)
		}
	}
	if len(w.frames) > jsonDeep { // the cache is small, but there may be many frames
		return s, w.hold(int64(len(s.props)) * 32)
	}
	return s, nil
}

// enumerable is EnumerableOwnProperties(o, key).
func (w *jsonWriter) enumerable(o vm.Obj) ([]vm.Key, error) {
	m := w.m
	keys, err := m.OwnKeys(o)
	if err != nil {
		return nil, err
	}
	if err := m.Charge(len(keys)); err != nil {
		return nil, err
	}
	out := keys[:0]
	for _, k := range keys { //meter: charged above
		if k.IsSymbol() {
			continue
		}
		ok, err := isOwnEnumerable(m, o, k)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, k)
			if !k.IsIndex() {
				m.Root(heap.StringValue(k.Name())) // o may lose it while a replacer runs
			}
		}
	}
	return out, w.hold(int64(len(out)) * 8)
}

// Lines of the circle before and after the ellipsis in the message.
const (
	circlePrefix  = 2
	circlePostfix = 1
)

// circular is the TypeError for a cyclic structure, in V8's words: frame from
// is met again under key last.
func (w *jsonWriter) circular(from int, last vm.Key) error {
	var b strings.Builder
	b.WriteString("Converting circular structure to JSON\n    --> starting at object with constructor ")
	name := func(f *jsonOpen) string { return "'" + w.m.ConstructorName(f.obj) + "'" }
	key := func(k vm.Key, array bool) string {
		switch {
		case k.IsIndex() && array:
			return "index " + strconv.Itoa(int(k.Index()))
		case k == w.m.N.Empty:
			return "<anonymous>"
		}
		return "property '" + w.m.KeyString(k) + "'"
	}
	b.WriteString(name(&w.frames[from]))
	line := func(i int) {
		b.WriteString("\n    |     " + key(w.frames[i].key, w.frames[i-1].array) + " -> object with constructor " + name(&w.frames[i]))
	}
	n := len(w.frames)
	i := from + 1
	end := min(n, i+circlePrefix)
	for ; i < end; i++ { //meter: two lines
		line(i)
	}
	if n > end+circlePostfix {
		b.WriteString("\n    |     ...")
	}
	for i = max(i, n-circlePostfix); i < n; i++ { //meter: one line
		line(i)
	}
	b.WriteString("\n    --- " + key(last, w.frames[n-1].array) + " closes the circle")
	return w.m.TypeError("%s", b.String())
}
