package membrane

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"time"
)

// assign stores a tree (see Value.Any) in a Go variable.
func assign(x any, dst reflect.Value) error { //meter: as deep as the tree, whose depth was counted when it was made
	t := dst.Type()
	if t.Kind() == reflect.Interface && t.NumMethod() == 0 {
		if x == nil {
			dst.SetZero()
		} else {
			dst.Set(reflect.ValueOf(x))
		}
		return nil
	}
	if t == typeUndefined {
		if _, ok := x.(Undefined); ok {
			return nil
		}
		return mismatch(x, "undefined")
	}
	if _, ok := x.(Undefined); ok && t != typeValue {
		dst.SetZero() // an absent value
		return nil
	}
	if special(t) {
		return assignSpecial(x, dst)
	}
	if t.Kind() != reflect.Pointer && dst.CanAddr() {
		p := dst.Addr()
		if p.Type().Implements(ifaceUnmarshal) {
			text, err := treeJSON(x)
			if err != nil {
				return err
			}
			if err := p.Interface().(json.Unmarshaler).UnmarshalJSON(text); err != nil {
				return &Error{Reason: err.Error()}
			}
			return nil
		}
		if s, ok := x.(string); ok && p.Type().Implements(ifaceUntext) {
			if err := p.Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(s)); err != nil {
				return &Error{Reason: err.Error()}
			}
			return nil
		}
	}
	switch t.Kind() {
	case reflect.Pointer:
		if x == nil {
			dst.SetZero()
			return nil
		}
		if dst.IsNil() {
			dst.Set(reflect.New(t.Elem()))
		}
		return assign(x, dst.Elem())
	case reflect.Bool:
		b, ok := x.(bool)
		if !ok {
			return mismatch(x, "a boolean")
		}
		dst.SetBool(b)
	case reflect.String:
		s, ok := x.(string)
		if !ok {
			return mismatch(x, "a string")
		}
		dst.SetString(s)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		i, err := treeInt(x)
		if err != nil {
			return err
		}
		if dst.OverflowInt(i) {
			return refuse(strconv.FormatInt(i, 10) + " is out of the range of " + t.Kind().String())
		}
		dst.SetInt(i)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		u, err := treeUint(x)
		if err != nil {
			return err
		}
		if dst.OverflowUint(u) {
			return refuse(strconv.FormatUint(u, 10) + " is out of the range of " + t.Kind().String())
		}
		dst.SetUint(u)
	case reflect.Float32, reflect.Float64:
		f, ok := x.(float64)
		if !ok {
			return mismatch(x, "a number")
		}
		dst.SetFloat(f)
	case reflect.Slice:
		return assignSlice(x, dst)
	case reflect.Array:
		items, ok := x.([]any)
		if !ok {
			return mismatch(x, "an array")
		}
		if len(items) != t.Len() {
			return refuse(fmt.Sprintf("an array of %d elements is wanted, this one has %d", t.Len(), len(items)))
		}
		for i, it := range items { //meter: a tree that exists, on the host's time
			if err := assign(it, dst.Index(i)); err != nil {
				return underIndex(err, i)
			}
		}
	case reflect.Map:
		return assignMap(x, dst)
	case reflect.Struct:
		return assignStruct(x, dst)
	default:
		return refuse("a " + t.Kind().String() + " can't take a script's value")
	}
	return nil
}

// treeName names a tree's kind in a message.
func treeName(x any) string {
	switch x := x.(type) {
	case nil:
		return "null"
	case Undefined:
		return "undefined"
	case bool:
		return "a boolean"
	case float64:
		return "the number " + strconv.FormatFloat(x, 'g', -1, 64)
	case string:
		return "a string"
	case *big.Int:
		return "a BigInt"
	case time.Time, InvalidDate:
		return "a Date"
	case []byte, *Bytes:
		return "bytes"
	case []any:
		return "an array"
	case *Map:
		return "a Map"
	case *Set:
		return "a Set"
	case *ErrorValue:
		return "an error"
	case *Placeholder:
		return "a placeholder of what could not be copied"
	}
	return "an object"
}

func mismatch(x any, want string) error {
	return refuse(want + " is wanted, this is " + treeName(x))
}

func treeInt(x any) (int64, error) {
	switch x := x.(type) {
	case float64:
		if x != math.Trunc(x) || math.Abs(x) > 1<<63-1024 {
			return 0, mismatch(x, "an integer")
		}
		return int64(x), nil
	case *big.Int:
		if x.IsInt64() {
			return x.Int64(), nil
		}
		return 0, refuse("the BigInt is out of the range of int64")
	}
	return 0, mismatch(x, "an integer")
}

func treeUint(x any) (uint64, error) {
	switch x := x.(type) {
	case float64:
		if x != math.Trunc(x) || x < 0 || x > 1<<64-2048 {
			return 0, mismatch(x, "an integer from 0 on")
		}
		return uint64(x), nil
	case *big.Int:
		if x.IsUint64() {
			return x.Uint64(), nil
		}
		return 0, refuse("the BigInt is out of the range of uint64")
	}
	return 0, mismatch(x, "an integer from 0 on")
}

func assignSpecial(x any, dst reflect.Value) error {
	switch p := dst.Addr().Interface().(type) {
	case *time.Time:
		switch x := x.(type) {
		case time.Time:
			*p = x
			return nil
		case string:
			t, err := time.Parse(time.RFC3339Nano, x)
			if err == nil {
				*p = t
				return nil
			}
		}
		return mismatch(x, "a Date")
	case *big.Int:
		switch x := x.(type) {
		case *big.Int:
			p.Set(x)
			return nil
		case float64:
			if x == math.Trunc(x) && !math.IsInf(x, 0) {
				new(big.Float).SetFloat64(x).Int(p)
				return nil
			}
		}
		return mismatch(x, "a BigInt")
	case *Value:
		v, err := FromTree(x)
		*p = v
		return err
	case *json.RawMessage:
		text, err := treeJSON(x)
		*p = text
		return err
	case *json.Number:
		switch x := x.(type) {
		case float64:
			if _, special := specialNumber(x); !special || x == 0 {
				*p = json.Number(strconv.FormatFloat(x, 'g', -1, 64))
				return nil
			}
		case *big.Int:
			*p = json.Number(x.String())
			return nil
		}
		return mismatch(x, "a finite number")
	case *Object:
		if o, ok := x.(*Object); ok {
			*p = *o
			return nil
		}
		return mismatch(x, "an object")
	case *Map:
		if m, ok := x.(*Map); ok {
			*p = *m
			return nil
		}
		return mismatch(x, "a Map")
	case *Set:
		if s, ok := x.(*Set); ok {
			*p = *s
			return nil
		}
		return mismatch(x, "a Set")
	case *Bytes:
		switch x := x.(type) {
		case *Bytes:
			*p = *x
			return nil
		case []byte:
			*p = Bytes{Type: "Uint8Array", Data: x}
			return nil
		}
		return mismatch(x, "bytes")
	case *ErrorValue:
		if e, ok := x.(*ErrorValue); ok {
			*p = *e
			return nil
		}
		return mismatch(x, "an error")
	case *InvalidDate:
		if _, ok := x.(InvalidDate); ok {
			return nil
		}
	}
	return mismatch(x, "another value")
}

func assignSlice(x any, dst reflect.Value) error {
	t := dst.Type()
	if x == nil {
		dst.SetZero()
		return nil
	}
	if t.Elem().Kind() == reflect.Uint8 {
		switch x := x.(type) {
		case []byte:
			dst.SetBytes(x)
			return nil
		case *Bytes:
			dst.SetBytes(x.Data)
			return nil
		case string:
			b, err := base64.StdEncoding.DecodeString(x)
			if err != nil {
				return refuse("bytes are wanted: a Uint8Array, or a string of base64")
			}
			dst.SetBytes(b)
			return nil
		}
	}
	var items []any
	switch x := x.(type) {
	case []any:
		items = x
	case *Set:
		items = x.Items
	default:
		return mismatch(x, "an array")
	}
	s := reflect.MakeSlice(t, len(items), len(items))
	for i, it := range items { //meter: a tree that exists, on the host's time
		if err := assign(it, s.Index(i)); err != nil {
			return underIndex(err, i)
		}
	}
	dst.Set(s)
	return nil
}

func assignMap(x any, dst reflect.Value) error {
	t := dst.Type()
	if x == nil {
		dst.SetZero()
		return nil
	}
	m := reflect.MakeMap(t)
	put := func(key string, val any) error {
		k := reflect.New(t.Key()).Elem()
		switch {
		case k.Kind() == reflect.String:
			k.SetString(key)
		case k.CanInt():
			i, err := strconv.ParseInt(key, 10, 64)
			if err != nil || k.OverflowInt(i) {
				return underKey(refuse("the key is not an integer in range"), key)
			}
			k.SetInt(i)
		default:
			u, err := strconv.ParseUint(key, 10, 64)
			if err != nil || k.OverflowUint(u) {
				return underKey(refuse("the key is not an integer in range"), key)
			}
			k.SetUint(u)
		}
		v := reflect.New(t.Elem()).Elem()
		if err := assign(val, v); err != nil {
			return underKey(err, key)
		}
		m.SetMapIndex(k, v)
		return nil
	}
	switch x := x.(type) {
	case *Object:
		for i := range x.Len() { //meter: a tree that exists, on the host's time
			k, v := x.At(i)
			if err := put(k, v); err != nil {
				return err
			}
		}
	case *Map:
		for i, e := range x.Entries { //meter: a tree that exists, on the host's time
			var key string
			switch k := e[0].(type) {
			case string:
				key = k
			case float64:
				key = strconv.FormatFloat(k, 'f', -1, 64)
			default:
				return underIndex(mismatch(k, "a string as the key"), i)
			}
			if err := put(key, e[1]); err != nil {
				return err
			}
		}
	default:
		return mismatch(x, "an object")
	}
	dst.Set(m)
	return nil
}

func assignStruct(x any, dst reflect.Value) error {
	if x == nil {
		return nil
	}
	o, ok := x.(*Object)
	if !ok {
		return mismatch(x, "an object")
	}
	info := fieldsOf(dst.Type())
	if info.err != nil {
		return refuse(info.err.Error())
	}
	for i := range o.Len() { //meter: a tree that exists, on the host's time
		k, v := o.At(i)
		at, ok := info.byName[k]
		if !ok {
			continue
		}
		f, err := fieldByIndex(dst, info.fields[at].index)
		if err == nil {
			err = assign(v, f)
		}
		if err != nil {
			return underKey(err, k)
		}
	}
	return nil
}

// fieldByIndex finds a field, making the embedded pointers on the way.
func fieldByIndex(v reflect.Value, index []int) (reflect.Value, error) {
	for i, n := range index { //meter: the depth of embedding in a Go type
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				if !v.CanSet() {
					return v, refuse("an embedded pointer of an unexported type can't be set")
				}
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(n)
	}
	return v, nil
}
