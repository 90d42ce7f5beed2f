package files

import (
	"context"
	"io"
	"sync/atomic"
)

// chunk is how much is read or written between two looks at the context.
const chunk = 256 << 10

// ReadOptions are options of Read.
type ReadOptions struct {
	// MaxBytes refuses larger files. 0 is Config.MaxFileBytes, which it can't
	// pass.
	MaxBytes int64
	// Decision, unless nil, gets what was decided.
	Decision *Decision
}

// Read returns what is in a file. The error is an *Error.
func (f *FS) Read(ctx context.Context, path string, opt ReadOptions) ([]byte, error) {
	ctx = orBackground(ctx)
	t, names, rule, err := f.begin(OpRead, path, wantFile)
	var data []byte
	if err == nil && opt.MaxBytes < 0 {
		err = errArgument("maxBytes")
	}
	if err == nil {
		limit := f.cfg.MaxFileBytes
		if opt.MaxBytes > 0 {
			limit = min(limit, opt.MaxBytes)
		}
		data, err = do(ctx, f.shared, func(c *call) ([]byte, *Error) {
			file, is, e := f.openRegular(c, t, names, f.permits(OpRead, t))
			if e != nil {
				return nil, e
			}
			defer file.Close()
			c.opened()
			return f.readAll(c, file, is.size, limit)
		})
	}
	return data, f.finish(OpRead, t, path, rule, err, opt.Decision)
}

func orBackground(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// begin decides on a path before anything is looked up. The root is nil for the
// top, which no root is.
func (f *FS) begin(op Op, path string, w want) (t *tree, names []string, rule string, err *Error) {
	if names, err = cleanPath(path, isWindows || f.cfg.PortableNames); err != nil {
		return nil, nil, "", err
	}
	if t, names, err = f.locate(names); err != nil {
		return nil, nil, "", err
	}
	if len(names) == 0 {
		if w == wantFile {
			return t, nil, "", errDirectory()
		}
		if t == nil {
			return nil, nil, "top", nil
		}
	}
	rule, err = f.permit(op, t, names, w)
	return t, names, rule, err
}

// permits is permit as resolve asks it.
func (f *FS) permits(op Op, t *tree) permits {
	return func(names []string, w want) *Error {
		_, e := f.permit(op, t, names, w)
		return e
	}
}

// reserve takes n bytes of a quota.
func reserve(used *atomic.Int64, n, limit int64, rule, what string) *Error {
	if used.Add(n) > limit {
		used.Add(-n)
		return failf(ErrQuota, rule, "too many bytes %s (limit %d bytes in one run)", what, limit)
	}
	return nil
}

// readAll reads an open file that should have size bytes. What it reads counts.
func (f *FS) readAll(c *call, file io.Reader, size, limit int64) (data []byte, e *Error) {
	if size > limit {
		return nil, errTooLarge(limit)
	}
	reserved := int64(0)
	take := func(n int64) *Error {
		if n <= reserved {
			return nil
		}
		if e := reserve(&f.used.read, n-reserved, f.cfg.MaxTotalRead, "limit:read-bytes", "read"); e != nil {
			return e
		}
		reserved = n
		return nil
	}
	defer func() {
		f.used.read.Add(int64(len(data)) - reserved)
	}()
	if e := take(size); e != nil {
		return nil, e
	}
	return readUpTo(c, file, size, limit, take)
}

// readUpTo reads to the end of a file. take is asked before it keeps more than
// size bytes.
func readUpTo(c *call, file io.Reader, size, limit int64, take func(int64) *Error) ([]byte, *Error) {
	buf := make([]byte, 0, size+1) // one more, to see the end without growing
	for {
		if e := c.check(); e != nil {
			return nil, e
		}
		if len(buf) == cap(buf) {
			// The file has grown since.
			more := min(int64(cap(buf))+max(int64(cap(buf)), 4096), limit+1)
			if e := take(min(more, limit)); e != nil {
				return nil, e
			}
			buf = append(make([]byte, 0, more), buf...)
		}
		n, err := file.Read(buf[len(buf):min(cap(buf), len(buf)+chunk)])
		buf = buf[:len(buf)+n]
		if int64(len(buf)) > limit {
			return nil, errTooLarge(limit)
		}
		if err == io.EOF {
			return buf[:len(buf):len(buf)], nil
		}
		if err != nil {
			return nil, systemError(err)
		}
	}
}
