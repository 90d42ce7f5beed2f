package files

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"hash/fnv"
	"os"
	"slices"
)

// WriteMode says whether the file that is written may, or must, be there.
type WriteMode uint8

// The modes.
const (
	WriteAny      WriteMode = iota // made if it isn't there
	WriteExisting                  // ErrNotFound if it isn't there
	WriteNew                       // ErrExists if it is there
)

// WriteOptions are options of Write.
type WriteOptions struct {
	// Append keeps what is in the file. The file is written anew all the same,
	// so that all of it counts for MaxTotalWrite.
	Append bool
	Mode   WriteMode
	// Decision, unless nil, gets what was decided.
	Decision *Decision
}

// Write puts data into a file, instead of what was in it or behind it, and
// returns how many bytes of data were written: all, or none and an *Error. Its
// folder must exist. Whoever reads finds the old file or the new one. If the
// context ends before the new one is in its place, nothing has changed. The file
// keeps its permission bits, but neither its owner nor what else the system keeps
// beside a file.
func (f *FS) Write(ctx context.Context, path string, data []byte, opt WriteOptions) (int64, error) {
	ctx = orBackground(ctx)
	t, names, rule, err := f.begin(OpWrite, path, wantFile)
	switch {
	case err != nil:
	case opt.Mode > WriteNew:
		err = errArgument("mode")
	case int64(len(data)) > f.cfg.MaxFileBytes:
		err = errTooLarge(f.cfg.MaxFileBytes)
	default:
		_, err = do(ctx, f.shared, func(c *call) (struct{}, *Error) {
			return struct{}{}, retry(c, func() *Error {
				p, e := f.resolve(c, t, names, wantFile, f.permits(OpWrite, t))
				if e != nil {
					return e
				}
				defer p.close()
				c.opened()
				unlock, e := f.lock(c, t, p.names)
				if e != nil {
					return e
				}
				defer unlock()
				return f.writePlace(c, t, &p, data, opt)
			})
		})
	}
	if err := f.finish(OpWrite, t, path, rule, err, opt.Decision); err != nil {
		return 0, err
	}
	return int64(len(data)), nil
}

// lock waits until no other call of this process writes the file.
func (s *shared) lock(c *call, t *tree, names []string) (unlock func(), e *Error) {
	h := fnv.New32a()
	_, _ = h.Write([]byte(t.dirs[0]))
	for _, n := range names {
		_, _ = h.Write([]byte{0})
		_, _ = h.Write([]byte(fold(n)))
	}
	l := s.locks[h.Sum32()%uint32(len(s.locks))]
	select {
	case l <- struct{}{}:
		return func() { <-l }, nil
	case <-c.ctx.Done():
		return nil, errContext(c.ctx)
	}
}

func (f *FS) writePlace(c *call, t *tree, p *place, data []byte, opt WriteOptions) (e *Error) {
	if e := f.writable(c, t, p, opt.Mode); e != nil {
		return e
	}
	parts := [][]byte{data}
	if opt.Append && p.exists {
		old, e := f.readOld(c, t, p, f.cfg.MaxFileBytes-int64(len(data)))
		if e != nil {
			return e
		}
		parts = [][]byte{old, data}
	}
	total := int64(0)
	for _, b := range parts {
		total += int64(len(b))
	}
	if e := reserve(&f.used.written, total, f.cfg.MaxTotalWrite, "limit:write-bytes", "written"); e != nil {
		return e
	}
	temp := ""
	defer func() {
		if e != nil {
			f.used.written.Add(-total)
			if temp != "" {
				_ = p.parent.remove(temp)
			}
		}
	}()
	if e := c.check(); e != nil {
		return e
	}
	name := f.tempName()
	file, err := p.parent.create(name, os.FileMode(f.cfg.Perm))
	if err != nil {
		return systemError(err)
	}
	temp = name
	e = f.fill(c, file, p, parts)
	if err := file.Close(); err != nil && e == nil {
		e = systemError(err)
	}
	if e != nil {
		return e
	}
	if f.hook.renaming != nil {
		f.hook.renaming()
	}
	if e := f.again(c, t, p); e != nil {
		return e
	}
	if !c.commit() {
		if e := c.check(); e != nil {
			return e
		}
		return errContext(c.ctx)
	}
	if opt.Mode == WriteNew {
		err = p.parent.renameNew(temp, p.name)
	} else {
		err = p.parent.rename(temp, p.name)
	}
	if err != nil {
		c.state.CompareAndSwap(callCommits, callWorks)
		return systemError(err)
	}
	if f.cfg.Sync {
		// The file is in its place: an error here is no reason to say it isn't.
		_ = p.parent.sync()
	}
	return nil
}

// writable checks what is in the place of the file that is to be written.
func (f *FS) writable(c *call, t *tree, p *place, mode WriteMode) *Error {
	switch {
	case p.name == "":
		return errDirectory()
	case p.parent.pseudo():
		return errPseudo()
	case !p.exists && (p.dangling || mode == WriteExisting):
		return p.missing()
	case !p.exists:
		return nil
	case p.info.kind == kindDir:
		return errDirectory()
	case p.info.kind != kindFile:
		return errKind()
	case mode == WriteNew:
		return fail(ErrExists, "file:exists", "file exists")
	case p.info.perm&0o200 == 0:
		return fail(ErrPermission, "file:read-only", "the file is read-only")
	}
	links := p.info.links
	if links == 0 {
		file, is, err := p.parent.open(p.name, &p.info)
		if err != nil {
			return seenError(err)
		}
		_ = file.Close()
		links = is.links
	}
	if links > 1 {
		return errHardLink()
	}
	return nil
}

// readOld reads the file that is to be extended to at most limit bytes.
func (f *FS) readOld(c *call, t *tree, p *place, limit int64) ([]byte, *Error) {
	file, is, err := p.parent.open(p.name, &p.info)
	if err != nil {
		return nil, seenError(err)
	}
	defer file.Close()
	if isPseudoFile(file) {
		return nil, errPseudo()
	}
	if is.size > limit {
		return nil, errTooLarge(f.cfg.MaxFileBytes)
	}
	old, e := readUpTo(c, file, is.size, limit, func(int64) *Error { return nil })
	if e != nil && e.Code == ErrTooLarge {
		e = errTooLarge(f.cfg.MaxFileBytes)
	}
	if e == nil && int64(len(old)) != is.size {
		e = errChanged() // somebody else writes it
	}
	return old, e
}

// fill writes the temporary file.
func (f *FS) fill(c *call, file *os.File, p *place, parts [][]byte) *Error {
	if p.exists && !isWindows {
		if err := file.Chmod(p.info.perm); err != nil {
			return systemError(err)
		}
	}
	for _, b := range parts {
		for part := range slices.Chunk(b, chunk) {
			if e := c.check(); e != nil {
				return e
			}
			if _, err := file.Write(part); err != nil {
				return systemError(err)
			}
		}
	}
	if f.cfg.Sync {
		if err := file.Sync(); err != nil {
			return systemError(err)
		}
	}
	return nil
}

// tempName makes a name that nobody guesses. A file that a killed process left has it,
// and stays protected: see Tidy.
func (s *shared) tempName() string {
	var b [8]byte
	if s.hook.random != nil {
		b = s.hook.random()
	} else {
		_, _ = rand.Read(b[:]) // never fails
	}
	return tempPrefix + hex.EncodeToString(b[:]) + tempSuffix
}
