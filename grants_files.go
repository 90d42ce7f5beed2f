package pinfold

import (
	"context"
	"encoding/base64"
	"errors"
	"unicode/utf8"

	"github.com/pinfold-js/pinfold/capability/files"
	"github.com/pinfold-js/pinfold/membrane"
)

// fileError makes the script's form of an error of package files.
func fileError(function string, err error) error {
	var e *files.Error
	if !errors.As(err, &e) {
		return err
	}
	data := membrane.NewObject()
	if e.Path != "" {
		data.Set("path", e.Path)
	}
	if e.Hint != "" {
		data.Set("hint", e.Hint)
	}
	return &Error{Code: string(e.Code), Message: function + ": " + e.Reason, Data: data, Retryable: e.Code == files.ErrTimeout || e.Code == files.ErrChanged}
}

// badArgument is the error of a function of ctx for an argument.
func badArgument(function, name, want string) error {
	return &Error{Code: CodeArgument, Message: function + ": bad argument: " + name, Data: membrane.NewObject("hint", want)}
}

// ownFiles returns what one run works with.
func ownFiles(ctx context.Context, f *files.FS) *files.FS { return local(ctx, f, f.ForRun) }

type readFileOptions struct {
	Encoding string `json:"encoding,omitempty"`
	MaxBytes int64  `json:"maxBytes,omitempty"`
}

type listFilesOptions struct {
	MaxEntries int `json:"maxEntries,omitempty"`
}

type findFilesOptions struct {
	Dir        string `json:"dir,omitempty"`
	MaxEntries int    `json:"maxEntries,omitempty"`
	MaxDepth   int    `json:"maxDepth,omitempty"`
}

// readFunctions are those of FileRead.
func readFunctions(g *Grants, scope []string) ([]Function, error) {
	fs := g.Files
	if fs != nil && scope != nil {
		var err error
		if fs, err = fs.NarrowRead(scope); err != nil {
			return nil, err
		}
	}
	// The keys of runs' own file systems: one for reading and writing both, so
	// that their quotas are those of the run.
	readFile := func(ctx context.Context, path string, opt *readFileOptions) (any, error) {
		const name = "ctx.readFile"
		if opt == nil {
			opt = &readFileOptions{}
		}
		switch opt.Encoding {
		case "", "utf8", "utf-8", "base64", "bytes":
		default:
			return nil, badArgument(name, "encoding", `use "utf8", "base64" or "bytes"`)
		}
		var d files.Decision
		b, err := ownFiles(ctx, fs).Read(ctx, path, files.ReadOptions{MaxBytes: opt.MaxBytes, Decision: &d})
		CallFrom(ctx).Decided(d.Rule)
		switch {
		case err != nil:
			return nil, fileError(name, err)
		case opt.Encoding == "bytes":
			return b, nil
		case opt.Encoding == "base64":
			return base64.StdEncoding.EncodeToString(b), nil
		case !utf8.Valid(b):
			return nil, &Error{Code: "E_FILE_ENCODING", Message: name + ": not UTF-8 text", Data: membrane.NewObject("path", path, "hint", `read it with {encoding: "bytes"}`)}
		}
		return string(b), nil
	}
	listFiles := func(ctx context.Context, dir *string, opt *listFilesOptions) (any, error) {
		path := "/"
		if dir != nil {
			path = *dir
		}
		if opt == nil {
			opt = &listFilesOptions{}
		}
		var d files.Decision
		l, err := ownFiles(ctx, fs).List(ctx, path, files.ListOptions{MaxEntries: opt.MaxEntries, Decision: &d})
		CallFrom(ctx).Decided(d.Rule)
		if err != nil {
			return nil, fileError("ctx.listFiles", err)
		}
		return listing(l), nil
	}
	findFiles := func(ctx context.Context, glob string, opt *findFilesOptions) (any, error) {
		if opt == nil {
			opt = &findFilesOptions{}
		}
		var d files.Decision
		l, err := ownFiles(ctx, fs).Glob(ctx, glob, files.GlobOptions{Dir: opt.Dir, MaxEntries: opt.MaxEntries, MaxDepth: opt.MaxDepth, Decision: &d})
		CallFrom(ctx).Decided(d.Rule)
		if err != nil {
			return nil, fileError("ctx.findFiles", err)
		}
		return listing(l), nil
	}
	return []Function{
		{
			Name: "ctx.readFile", Func: readFile, Async: true, Cancel: Cooperative,
			Doc:         "Reads a whole file: text, or with encoding \"base64\" or \"bytes\" what isn't text.",
			Declaration: `(path: string, options?: { encoding?: "utf8"; maxBytes?: number }) => Promise<string>` + "\n" + `(path: string, options: { encoding: "base64"; maxBytes?: number }) => Promise<string>` + "\n" + `(path: string, options: { encoding: "bytes"; maxBytes?: number }) => Promise<Uint8Array>`,
		},
		{
			Name: "ctx.listFiles", Func: listFiles, Async: true, Cancel: Cooperative,
			Doc:         "Lists what is in a folder; \"cut\" says why a list isn't complete.",
			Declaration: "(dir?: string, options?: { maxEntries?: number }) => Promise<FileList>",
		},
		{
			Name: "ctx.findFiles", Func: findFiles, Async: true, Cancel: Cooperative,
			Doc:         "Finds files by a pattern, such as \"**/*.md\".",
			Declaration: "(pattern: string, options?: { dir?: string; maxEntries?: number; maxDepth?: number }) => Promise<FileList>",
		},
	}, nil
}

// listing is a listing as programs get it.
func listing(l files.Listing) *membrane.Object {
	entries := make([]any, 0, len(l.Entries)) //meter: as many as the listing has, which package files bounds
	for _, e := range l.Entries {             //meter: as many as the listing has, which package files bounds
		o := membrane.NewObject("name", e.Name, "path", e.Path, "kind", string(e.Kind), "size", e.Size)
		if !e.ModTime.IsZero() {
			o.Set("modified", e.ModTime.UTC().Format("2006-01-02T15:04:05.000Z"))
		}
		entries = append(entries, o)
	}
	out := membrane.NewObject("entries", entries)
	if l.Cut != files.CutNot {
		out.Set("cut", string(l.Cut))
	}
	return out
}

type writeFileOptions struct {
	Append bool  `json:"append,omitempty"`
	Create *bool `json:"create,omitempty"`
}

// writeFunctions are those of FileWrite.
func writeFunctions(g *Grants, scope []string) ([]Function, error) {
	fs := g.Files
	if fs != nil && scope != nil {
		var err error
		if fs, err = fs.NarrowWrite(scope); err != nil {
			return nil, err
		}
	}
	writeFile := func(ctx context.Context, path string, data any, opt *writeFileOptions) (any, error) {
		const name = "ctx.writeFile"
		var b []byte
		switch x := data.(type) {
		case string:
			b = []byte(x) //meter: a copy of an argument, which was charged
		case []byte:
			b = x
		default:
			return nil, badArgument(name, "data", "pass a string or a Uint8Array; for an object: JSON.stringify(data)")
		}
		var d files.Decision
		w := files.WriteOptions{Decision: &d}
		if opt != nil {
			w.Append = opt.Append
			if opt.Create != nil && !*opt.Create {
				w.Mode = files.WriteExisting
			}
		}
		n, err := ownFiles(ctx, fs).Write(ctx, path, b, w)
		CallFrom(ctx).Decided(d.Rule)
		if err != nil {
			return nil, fileError(name, err)
		}
		return membrane.NewObject("bytes", n), nil
	}
	return []Function{{
		Name: "ctx.writeFile", Func: writeFile, Async: true, Cancel: Cooperative,
		Doc:         "Creates or replaces a file, whole or not at all; its folder must exist.",
		Declaration: "(path: string, data: string | Uint8Array, options?: { append?: boolean; create?: boolean }) => Promise<{ bytes: number }>",
	}}, nil
}
