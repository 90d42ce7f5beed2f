package membrane

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"sync"
	"time"
)

// Types that have a meaning of their own.
var (
	typeTime      = reflect.TypeFor[time.Time]()
	typeBig       = reflect.TypeFor[big.Int]()
	typeValue     = reflect.TypeFor[Value]()
	typeRaw       = reflect.TypeFor[json.RawMessage]()
	typeNumber    = reflect.TypeFor[json.Number]()
	typeObject    = reflect.TypeFor[Object]()
	typeMap       = reflect.TypeFor[Map]()
	typeSet       = reflect.TypeFor[Set]()
	typeBytes     = reflect.TypeFor[Bytes]()
	typeError     = reflect.TypeFor[ErrorValue]()
	typeUndefined = reflect.TypeFor[Undefined]()
	typeInvalid   = reflect.TypeFor[InvalidDate]()

	ifaceMarshal   = reflect.TypeFor[json.Marshaler]()
	ifaceUnmarshal = reflect.TypeFor[json.Unmarshaler]()
	ifaceText      = reflect.TypeFor[encoding.TextMarshaler]()
	ifaceUntext    = reflect.TypeFor[encoding.TextUnmarshaler]()
	ifaceError     = reflect.TypeFor[error]()
)

// special reports the types above that are looked at before their kind.
func special(t reflect.Type) bool {
	switch t {
	case typeTime, typeBig, typeValue, typeRaw, typeNumber, typeObject, typeMap, typeSet, typeBytes, typeError, typeUndefined, typeInvalid:
		return true
	}
	return false
}

// field is a property of a struct.
type field struct {
	name      string
	index     []int
	typ       reflect.Type
	omitEmpty bool
	omitZero  bool
	tagged    bool
}

type structInfo struct {
	fields []field
	byName map[string]int
	err    error
}

var structs sync.Map // reflect.Type → *structInfo: a cache of what is the same each time

// fieldsOf lists the properties of a struct type by encoding/json's rules.
func fieldsOf(t reflect.Type) *structInfo {
	if s, ok := structs.Load(t); ok {
		return s.(*structInfo)
	}
	s := readFields(t)
	structs.Store(t, s)
	return s
}

func readFields(t reflect.Type) *structInfo {
	info := &structInfo{byName: map[string]int{}}
	best := map[string]int{} // name → position in all, -1 when nobody wins
	var all []field
	for _, f := range reflect.VisibleFields(t) { //meter: the fields of a Go type
		tag := f.Tag.Get("json")
		if tag == "-" {
			continue
		}
		name, opts, _ := strings.Cut(tag, ",")
		ft := f.Type
		if f.Anonymous && name == "" {
			if ft.Kind() == reflect.Pointer {
				ft = ft.Elem()
			}
			if ft.Kind() == reflect.Struct && !special(ft) {
				continue // its own fields are visible
			}
		}
		if !f.IsExported() || hiddenBehind(t, f.Index) {
			continue
		}
		fd := field{name: name, index: f.Index, typ: f.Type, tagged: name != ""}
		if name == "" {
			fd.name = f.Name
		}
		for o := range strings.SplitSeq(opts, ",") { //meter: the options of a struct tag
			switch o {
			case "omitempty":
				fd.omitEmpty = true
			case "omitzero":
				fd.omitZero = true
			case "string":
				info.err = fmt.Errorf("%s.%s: the json tag's option \"string\" is not supported", t, f.Name)
			}
		}
		at, dup := best[fd.name]
		switch {
		case !dup:
			best[fd.name] = len(all)
		case at >= 0 && len(all[at].index) > len(fd.index):
			best[fd.name] = len(all)
		case at >= 0 && len(all[at].index) == len(fd.index) && fd.tagged != all[at].tagged:
			if fd.tagged {
				best[fd.name] = len(all)
			}
		case at >= 0 && len(all[at].index) == len(fd.index):
			best[fd.name] = -1
		}
		all = append(all, fd)
	}
	for i, f := range all { //meter: the fields of a Go type
		if best[f.name] == i {
			info.byName[f.name] = len(info.fields)
			info.fields = append(info.fields, f)
		}
	}
	return info
}

// hiddenBehind reports a promoted field whose embedded struct is an ordinary
// property because of its tag, or is left out.
func hiddenBehind(t reflect.Type, index []int) bool {
	for i := 1; i < len(index); i++ { //meter: the depth of embedding in a Go type
		f := t.FieldByIndex(index[:i])
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			return true
		}
		if f.Type.Kind() == reflect.Pointer && !f.IsExported() {
			return true // can't be made
		}
	}
	return false
}

// Direction says which way the values of a type cross.
type Direction int

// The directions.
const (
	ToScript Direction = iota
	FromScript
)

// CheckType reports why values of a Go type can't cross, so that a host
// function is refused when it is registered rather than when it is called.
func CheckType(t reflect.Type, d Direction) error {
	return checkType(t, d, map[reflect.Type]bool{})
}

func checkType(t reflect.Type, d Direction, seen map[reflect.Type]bool) error { //meter: each Go type once
	if seen[t] || special(t) {
		return nil
	}
	seen[t] = true
	if d == ToScript && (t.Implements(ifaceMarshal) || t.Implements(ifaceText)) ||
		d == FromScript && (reflect.PointerTo(t).Implements(ifaceUnmarshal) || reflect.PointerTo(t).Implements(ifaceUntext)) {
		return nil
	}
	switch t.Kind() {
	case reflect.Chan, reflect.Func, reflect.UnsafePointer, reflect.Complex64, reflect.Complex128, reflect.Uintptr:
		return fmt.Errorf("a %s can't cross into or out of a script", t)
	case reflect.Interface:
		if t.NumMethod() > 0 && d == FromScript {
			return fmt.Errorf("%s: of interfaces only any can take a script's value", t)
		}
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return checkType(t.Elem(), d, seen)
	case reflect.Map:
		switch t.Key().Kind() {
		case reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
			reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		default:
			return fmt.Errorf("%s: the keys of a map must be strings or integers", t)
		}
		return checkType(t.Elem(), d, seen)
	case reflect.Struct:
		info := fieldsOf(t)
		if info.err != nil {
			return info.err
		}
		for _, f := range info.fields { //meter: the fields of a Go type
			if err := checkType(f.typ, d, seen); err != nil {
				return fmt.Errorf("field %s: %w", f.name, err)
			}
		}
	}
	return nil
}
