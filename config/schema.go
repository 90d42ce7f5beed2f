package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/pinfold-js/pinfold/membrane"
)

// Schema returns the JSON Schema 2020-12 of the file, for editors. It is the same
// each time, byte for byte.
func Schema() json.RawMessage {
	top := membrane.NewObject("$schema", "https://json-schema.org/draft/2020-12/schema", "title", Name)
	s := schemaOf(reflect.TypeFor[Config](), "What pinfold grants to programs and tools, and the limits that hold for them.")
	for i := range s.Len() {
		top.Set(s.At(i))
	}
	top.Set("required", []any{"version"})
	var b bytes.Buffer
	text, err := json.Marshal(top)
	if err == nil {
		err = json.Indent(&b, text, "", "  ")
	}
	if err != nil {
		panic(err) // a table of the source
	}
	b.WriteByte('\n')
	return b.Bytes()
}

func schemaOf(t reflect.Type, doc string) *membrane.Object {
	o := membrane.NewObject()
	if doc != "" {
		o.Set("description", doc)
	}
	switch t {
	case reflect.TypeFor[Size]():
		o.Set("anyOf", []any{
			membrane.NewObject("type", "integer", "minimum", 1),
			membrane.NewObject("type", "string", "pattern", `^[0-9.]+ *([KMGkmg]([Ii]?[Bb])?|[Bb])?$`),
		})
		return o
	case reflect.TypeFor[Duration]():
		o.Set("anyOf", []any{membrane.NewObject("type", "number", "exclusiveMinimum", 0), membrane.NewObject("type", "string")})
		return o
	case reflect.TypeFor[Secret]():
		o.Set("type", "string")
		o.Set("pattern", "^(env|file):.")
		return o
	}
	switch t.Kind() {
	case reflect.Pointer:
		s := schemaOf(t.Elem(), doc)
		s.Set("type", []any{"object", "null"})
		return s
	case reflect.Struct:
		o.Set("type", "object")
		props := membrane.NewObject()
		var required []any
		for i := range t.NumField() {
			f := t.Field(i)
			name := f.Tag.Get("yaml")
			if name == "" {
				continue
			}
			s := schemaOf(f.Type, f.Tag.Get("doc"))
			if name == "version" {
				s.Set("const", Version)
			}
			props.Set(name, s)
			if f.Tag.Get("required") != "" {
				required = append(required, name)
			}
		}
		o.Set("properties", props)
		if required != nil {
			o.Set("required", required)
		}
		o.Set("additionalProperties", false)
	case reflect.Map:
		o.Set("type", "object")
		o.Set("additionalProperties", schemaOf(t.Elem(), ""))
		names := make([]any, len(capabilities))
		for i, c := range capabilities {
			names[i] = c
		}
		o.Set("propertyNames", membrane.NewObject("enum", names))
	case reflect.Slice:
		o.Set("type", "array")
		o.Set("items", schemaOf(t.Elem(), ""))
	case reflect.String:
		o.Set("type", "string")
	case reflect.Bool:
		o.Set("type", "boolean")
	default:
		o.Set("type", "integer")
	}
	return o
}

// Tree returns what the configuration says as data, in the order of the
// documentation: what was not set is left out. Paths are absolute; secrets are the
// references to them.
func (c *Config) Tree() *membrane.Object {
	return c.treeOf(reflect.ValueOf(c).Elem(), "").(*membrane.Object)
}

// paths are the fields that name files and folders.
func isPath(field string) bool {
	return strings.HasSuffix(field, "].dir") || field == "store.file" || field == "tools.dir" || strings.HasPrefix(field, "files.protectDirs[")
}

func (c *Config) treeOf(v reflect.Value, field string) any {
	switch x := v.Interface().(type) {
	case Size:
		return x.String()
	case Duration:
		return x.String()
	}
	switch v.Kind() {
	case reflect.Pointer:
		return c.treeOf(v.Elem(), field)
	case reflect.Struct:
		o := membrane.NewObject()
		for i := range v.NumField() {
			name := v.Type().Field(i).Tag.Get("yaml")
			f := v.Field(i)
			if name == "" || f.IsZero() || f.Kind() == reflect.Slice && f.Len() == 0 {
				continue
			}
			o.Set(name, c.treeOf(f, strings.TrimPrefix(field+"."+name, ".")))
		}
		return o
	case reflect.Map:
		o := membrane.NewObject()
		for _, k := range sortedKeys(v.Interface().(map[string]Quota)) {
			o.Set(k, c.treeOf(v.MapIndex(reflect.ValueOf(k)), field+"."+k))
		}
		return o
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = c.treeOf(v.Index(i), fmt.Sprintf("%s[%d]", field, i))
		}
		return list
	case reflect.String:
		s := v.String()
		if isPath(field) && s != "" {
			return c.Path(s)
		}
		if rest, ok := strings.CutPrefix(s, "file:"); ok && v.Type() == reflect.TypeFor[Secret]() {
			return "file:" + c.Path(rest)
		}
		if v.Type() == reflect.TypeFor[Secret]() && !strings.HasPrefix(s, "env:") {
			return "" // it may be the secret itself
		}
		return s
	case reflect.Bool:
		return v.Bool()
	}
	return v.Int()
}

// YAML writes Tree as a file that says the same.
func (c *Config) YAML() ([]byte, error) {
	return yaml.Marshal(nodeOf(c.Tree()))
}

func nodeOf(x any) *yaml.Node {
	switch x := x.(type) {
	case *membrane.Object:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for i := range x.Len() {
			k, v := x.At(i)
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: k}, nodeOf(v))
		}
		return n
	case []any:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for _, v := range x {
			n.Content = append(n.Content, nodeOf(v))
		}
		return n
	case string:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: x}
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: fmt.Sprint(x)}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: fmt.Sprint(x)}
}
