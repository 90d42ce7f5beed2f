package vm

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/pinfold-js/pinfold/ajs/ast"
)

type undefinedType struct{}

// String returns undefined.
func (undefinedType) String() string { return "undefined" }

// MarshalJSON writes null: JSON has no undefined.
func (undefinedType) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// Undefined stands for undefined in data that crosses.
var Undefined any = undefinedType{}

// A crossError says why a value doesn't cross. A shape is one that JSON could
// not have made; it ends the run on its way in. A limit is one of size.
type crossError struct {
	shape  bool
	reason string
	bytes  float64 // walked
}

func (e *crossError) Error() string { return e.reason }

// An importer copies plain data of the host into guest values, counting bytes.
type importer struct {
	subject string
	budget  float64
	bytes   float64
	seen    map[reference]value
	poll    func(int) bool
}

// A reference is the identity of a host's container.
type reference struct {
	p uintptr
	n int
}

// bring copies a value of the host. subject names it in refusals.
func bring(v any, subject string, budget float64, poll func(int) bool) (value, float64, *crossError) {
	im := &importer{subject: subject, budget: budget, poll: poll}
	out, err := im.value(v, 0)
	if err != nil {
		err.bytes = im.bytes
		return value{}, err.bytes, err
	}
	return out, im.bytes, nil
}

func (im *importer) add(n float64) *crossError {
	if im.bytes += n; im.bytes > im.budget {
		return &crossError{reason: fmt.Sprintf("the value exceeds the %s-byte membrane budget", formatNumber(im.budget))}
	}
	if !im.poll(1) {
		return &crossError{reason: "the run is over"}
	}
	return nil
}

func (im *importer) shape(format string, args ...any) *crossError {
	im.bytes += 16 // it was looked at
	return &crossError{shape: true, reason: im.subject + " " + fmt.Sprintf(format, args...)}
}

func (im *importer) value(v any, depth int) (value, *crossError) {
	if depth > maxDepth {
		return value{}, &crossError{reason: "the value exceeds the membrane depth limit"}
	}
	nested := 0.0
	if depth > 0 {
		nested = 8
	}
	switch v := v.(type) {
	case nil:
		return nullValue, im.add(nested)
	case undefinedType:
		return undefinedValue, im.add(nested)
	case bool:
		return boolean(v), im.add(nested)
	case float64:
		return number(v), im.add(nested)
	case int:
		return number(float64(v)), im.add(nested)
	case int64:
		return number(float64(v)), im.add(nested)
	case json.Number:
		f, err := v.Float64()
		if err != nil {
			return value{}, im.shape("contains a number that is none")
		}
		return number(f), im.add(nested)
	case string:
		if err := im.add(nested); err != nil {
			return value{}, err
		}
		if n := float64(len(v)); n/3 > im.budget {
			// Too large whatever its characters are.
			return value{}, im.add(2 * n)
		}
		s := newStr(v)
		return stringOf(s), im.add(2 * float64(s.len()))
	case time.Time:
		return newDate(float64(v.UnixMilli())), im.add(48)
	case ast.Object:
		if v == nil {
			return nullValue, im.add(nested)
		}
		ref := reference{}
		if len(v) > 0 {
			ref = reference{reflect.ValueOf(v).Pointer(), len(v)}
			if old, ok := im.seen[ref]; ok {
				return old, im.add(8)
			}
		}
		if err := im.add(16); err != nil {
			return value{}, err
		}
		o := newObject(len(v))
		im.saw(ref, objectOf(o))
		for _, e := range v {
			if err := im.member(o, e.Key, e.Value, depth); err != nil {
				return value{}, err
			}
		}
		return objectOf(o), nil
	case map[string]any:
		if v == nil {
			return nullValue, im.add(nested)
		}
		ref := reference{reflect.ValueOf(v).Pointer(), -1}
		if old, ok := im.seen[ref]; ok {
			return old, im.add(8)
		}
		if err := im.add(16); err != nil {
			return value{}, err
		}
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		o := newObject(len(v))
		im.saw(ref, objectOf(o))
		for _, k := range keys {
			if err := im.member(o, k, v[k], depth); err != nil {
				return value{}, err
			}
		}
		return objectOf(o), nil
	case []any:
		if v == nil {
			return nullValue, im.add(nested)
		}
		ref := reference{}
		if len(v) > 0 {
			ref = reference{reflect.ValueOf(v).Pointer(), len(v)}
			if old, ok := im.seen[ref]; ok {
				return old, im.add(8)
			}
		}
		if err := im.add(16); err != nil {
			return value{}, err
		}
		a := &array{elems: make([]value, 0, min(len(v), 1<<16))}
		im.saw(ref, arrayOf(a))
		for _, e := range v {
			w, err := im.value(e, depth+1)
			if err != nil {
				return value{}, err
			}
			a.elems = append(a.elems, w)
		}
		return arrayOf(a), nil
	case json.RawMessage:
		d, err := ast.ParseData(v, ast.Limits{MaxBytes: 64 << 20, MaxDepth: maxDepth, MaxNodes: 1 << 24})
		if err != nil {
			return value{}, im.shape("contains JSON text that can't be read: %s", err)
		}
		return im.value(d, depth)
	case *ast.Program:
		if v != nil {
			d, err := v.Data()
			if err != nil {
				return value{}, im.shape("contains a program that can't be written: %s", err)
			}
			return im.value(d, depth)
		}
	case error:
		return value{}, im.shape("contains an Error; only plain data (and Date) crosses, and JSON cannot express an Error: pass { name, message }")
	}
	return im.reflected(v, depth)
}

// saw remembers a container before its members are read, so that a cycle ends.
func (im *importer) saw(ref reference, v value) {
	if ref.p == 0 {
		return
	}
	if im.seen == nil {
		im.seen = map[reference]value{}
	}
	im.seen[ref] = v
}

func (im *importer) member(o *object, k string, v any, depth int) *crossError {
	if err := im.add(2*float64(len16(k)) + 8); err != nil {
		return err
	}
	w, err := im.value(v, depth+1)
	if err != nil {
		return err
	}
	o.set(k, w)
	return nil
}

// reflected takes the other types of Go that hold no more than JSON does, and
// says what to do with the rest.
func (im *importer) reflected(v any, depth int) (value, *crossError) {
	rv := reflect.ValueOf(v)
	nested := 0.0
	if depth > 0 {
		nested = 8
	}
	switch rv.Kind() {
	case reflect.Invalid:
		return nullValue, im.add(nested)
	case reflect.Bool:
		return boolean(rv.Bool()), im.add(nested)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return number(float64(rv.Int())), im.add(nested)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return number(float64(rv.Uint())), im.add(nested)
	case reflect.Float32, reflect.Float64:
		return number(rv.Float()), im.add(nested)
	case reflect.String:
		return im.value(rv.String(), depth)
	case reflect.Slice, reflect.Array:
		if rv.Kind() == reflect.Slice && rv.IsNil() {
			return nullValue, im.add(nested)
		}
		if rv.Type().Elem().Kind() == reflect.Uint8 {
			return value{}, im.shape("contains an ArrayBuffer; only plain data (and Date) crosses, and JSON cannot express an ArrayBuffer: use an array of numbers, or base64 text")
		}
		if err := im.add(16); err != nil {
			return value{}, err
		}
		a := &array{}
		for i := range rv.Len() {
			w, err := im.value(rv.Index(i).Interface(), depth+1)
			if err != nil {
				return value{}, err
			}
			a.elems = append(a.elems, w)
		}
		return arrayOf(a), nil
	case reflect.Map:
		if rv.Type().Key().Kind() != reflect.String {
			return value{}, im.shape("contains a Map; only plain data (and Date) crosses, and JSON cannot express a Map: use an object, or an array of [key, value] pairs")
		}
		if rv.IsNil() {
			return nullValue, im.add(nested)
		}
		if err := im.add(16); err != nil {
			return value{}, err
		}
		keys := rv.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int {
			if a.String() < b.String() {
				return -1
			}
			return 1
		})
		o := newObject(len(keys))
		for _, k := range keys {
			if err := im.member(o, k.String(), rv.MapIndex(k).Interface(), depth); err != nil {
				return value{}, err
			}
		}
		return objectOf(o), nil
	case reflect.Func:
		return value{}, im.alone(depth, "function")
	case reflect.Chan:
		return value{}, im.alone(depth, "channel")
	case reflect.Complex64, reflect.Complex128:
		return value{}, im.alone(depth, "complex number")
	}
	name := rv.Type().String()
	return value{}, im.shape("contains an instance of %s; only plain data (and Date) crosses, and what a Go type keeps in fields and methods would silently be lost — convert it to a plain object first", name)
}

func (im *importer) alone(depth int, what string) *crossError {
	if depth == 0 {
		return &crossError{shape: true, reason: "a " + what + " cannot cross the capability boundary into guest state"}
	}
	return im.shape("contains a %s, which cannot cross into guest state", what)
}

// exportLimits bound what leaves.
type exportLimits struct {
	bytes     float64
	depth     int
	undefined bool // keep members that are undefined
}

// export copies a guest value into plain data: nil, bool, float64, string,
// []any, ast.Object, Undefined.
func (r *run) export(v value, lim exportLimits) (any, *crossError) {
	out, _, err := r.exportCounted(v, lim)
	return out, err
}

// exportCounted also returns the bytes that were walked.
func (r *run) exportCounted(v value, lim exportLimits) (any, float64, *crossError) {
	ex := exporter{r: r, lim: lim}
	out, err := ex.value(v, 0)
	if err != nil {
		err.bytes = ex.bytes
	}
	return out, ex.bytes, err
}

type exporter struct {
	r     *run
	lim   exportLimits
	bytes float64
	path  map[any]bool // arrays on the way: only they can contain themselves
	seen  map[any]exported
	// whole is the size with shared parts written out each time, as those who
	// write the copy as JSON will.
	whole float64
}

type exported struct {
	data  any
	whole float64
}

// repeat counts a container that was exported before.
func (ex *exporter) repeat(e exported) (any, *crossError) {
	if ex.whole += e.whole; ex.whole > max(ex.r.maxHeap, DefaultMaxHeapBytes) {
		return nil, &crossError{reason: "the value is too large once its shared parts are written out"}
	}
	return e.data, ex.add(8)
}

func (ex *exporter) add(n float64) *crossError {
	ex.whole += n
	if ex.bytes += n; ex.bytes > ex.lim.bytes {
		return &crossError{reason: fmt.Sprintf("the value exceeds the %s-byte membrane budget", formatNumber(ex.lim.bytes))}
	}
	if !ex.r.poll(1) {
		return &crossError{reason: "the run is over"}
	}
	return nil
}

func (ex *exporter) value(v value, depth int) (any, *crossError) {
	if depth > ex.lim.depth {
		return nil, &crossError{reason: "the value exceeds the membrane depth limit"}
	}
	nested := 0.0
	if depth > 0 {
		nested = 8
	}
	switch v.kind {
	case nullKind:
		return nil, ex.add(nested)
	case boolKind:
		return v.n != 0, ex.add(nested)
	case numberKind:
		return v.n, ex.add(nested)
	case stringKind:
		if err := ex.add(nested + 2*float64(v.str().len())); err != nil {
			return nil, err
		}
		return v.str().text(), nil
	case arrayKind:
		a := v.array()
		if ex.path[a] {
			return nil, &crossError{shape: true, reason: "the value contains itself"}
		}
		if old, ok := ex.seen[a]; ok {
			return ex.repeat(old)
		}
		start := ex.whole
		if err := ex.add(16); err != nil {
			return nil, err
		}
		if ex.path == nil {
			ex.path, ex.seen = map[any]bool{}, map[any]exported{}
		}
		ex.path[a] = true
		out := make([]any, len(a.elems))
		for i, e := range a.elems {
			d, err := ex.value(e, depth+1)
			if err != nil {
				return nil, err
			}
			out[i] = d
		}
		delete(ex.path, a)
		ex.seen[a] = exported{out, ex.whole - start}
		return out, nil
	case objectKind:
		o := v.object()
		if old, ok := ex.seen[o]; ok {
			return ex.repeat(old)
		}
		start := ex.whole
		if err := ex.add(16); err != nil {
			return nil, err
		}
		out := make(ast.Object, 0, len(o.keys))
		for i, k := range o.keys {
			if err := ex.add(2*float64(len16(k)) + 8); err != nil {
				return nil, err
			}
			d, err := ex.value(o.vals[i], depth+1)
			if err != nil {
				return nil, err
			}
			if o.vals[i].kind == undefinedKind && !ex.lim.undefined {
				continue
			}
			out = append(out, ast.Entry{Key: k, Value: d})
		}
		if depth > 0 {
			// The whole can't be inside of itself: objects are immutable.
			if ex.seen == nil {
				ex.path, ex.seen = map[any]bool{}, map[any]exported{}
			}
			ex.seen[o] = exported{out, ex.whole - start}
		}
		return out, nil
	}
	return Undefined, ex.add(nested)
}
