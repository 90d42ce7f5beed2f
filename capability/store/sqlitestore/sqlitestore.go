//go:build !js && !wasip1

package sqlitestore

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/pinfold-js/pinfold/capability/store"
)

const (
	// applicationID marks the file as one of this package: "PFst".
	applicationID = 0x50467374
	// version is of the tables below.
	version = 1
)

// The tables. usage holds the sums over entries, so that quotas cost nothing.
const tables = `
CREATE TABLE entries (
	namespace TEXT NOT NULL,
	key       TEXT NOT NULL,
	value     BLOB NOT NULL,
	PRIMARY KEY (namespace, key)
) WITHOUT ROWID, STRICT;
CREATE TABLE usage (
	namespace TEXT NOT NULL PRIMARY KEY,
	keys      INTEGER NOT NULL,
	bytes     INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
`

// Open opens a database, or makes one, which only the user of the process can
// read. The error is a *store.Error: of code Version for a file of another
// version or another program, Damaged for one that isn't whole, Unavailable when
// the file can't be opened.
func Open(path string, o Options) (store.Backend, error) {
	o = o.withDefaults()
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, &store.Error{Code: store.Unavailable, Reason: "the store's file can't be opened", Cause: err}
	}
	// SQLite would make the file readable for others. It gives the files beside
	// it, the log and its index, the rights of the file.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, &store.Error{Code: store.Unavailable, Reason: "the store's file can't be made", Cause: err}
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/…
	}
	options := url.Values{"_txlock": {"immediate"}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", o.Wait.Milliseconds()), "journal_mode(WAL)", "synchronous(FULL)",
		"trusted_schema(OFF)", "cell_size_check(ON)",
	}}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: slashed, RawQuery: options.Encode()}).String())
	if err != nil {
		return nil, &store.Error{Code: store.Unavailable, Reason: "the store's file can't be opened", Cause: err}
	}
	db.SetMaxOpenConns(4)
	b := &backend{db: db, opts: o}
	if err := b.prepare(); err != nil {
		db.Close()
		return nil, err
	}
	return b, nil
}

type backend struct {
	db     *sql.DB
	opts   Options
	closed atomic.Bool
	// Of many writers of one process one at a time asks for the file's lock.
	writing sync.Mutex
}

// prepare makes the tables of a new file and looks at those of another.
func (b *backend) prepare() error {
	ctx, cancel := context.WithTimeout(context.Background(), b.opts.Wait+5*time.Second)
	defer cancel()
	return b.write(ctx, func(tx *sql.Tx) error {
		var app, found, count int
		if err := tx.QueryRowContext(ctx, `PRAGMA application_id`).Scan(&app); err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&found); err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&count); err != nil {
			return err
		}
		switch {
		case app == 0 && found == 0 && count == 0:
			_, err := tx.ExecContext(ctx, tables+fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, version))
			return err
		case app != applicationID:
			return &store.Error{Code: store.Version, Reason: "the store's file is a database of another program"}
		case found != version:
			return &store.Error{Code: store.Version, Reason: fmt.Sprintf("the store's file is of version %d, and this program knows version %d only: use the program that wrote it", found, version)}
		}
		return nil
	})
}

// write runs f in a transaction that holds the lock of writers from its
// beginning.
func (b *backend) write(ctx context.Context, f func(tx *sql.Tx) error) error {
	if err := b.usable(ctx); err != nil {
		return err
	}
	b.writing.Lock()
	defer b.writing.Unlock()
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return b.explain(ctx, err)
	}
	if err := f(tx); err != nil {
		_ = tx.Rollback()
		return b.explain(ctx, err)
	}
	return b.explain(ctx, tx.Commit())
}

func (b *backend) usable(ctx context.Context) error {
	if b.closed.Load() {
		return store.ErrClosed()
	}
	return store.ContextError(ctx.Err())
}

// explain makes a *store.Error of any error.
func (b *backend) explain(ctx context.Context, err error) error {
	var known *store.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case b.closed.Load():
		return store.ErrClosed()
	case ctx.Err() != nil:
		return store.ContextError(ctx.Err())
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return store.ContextError(err)
	}
	e := &store.Error{Code: store.Unavailable, Reason: "the store is not available", Cause: err}
	var s *sqlite.Error
	if !errors.As(err, &s) {
		return e
	}
	switch s.Code() & 0xFF {
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		e.Code, e.Reason, e.Retryable = store.Busy, "the store is busy", true
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB, lib.SQLITE_SCHEMA, lib.SQLITE_FORMAT:
		e.Code, e.Reason = store.Damaged, "the store's file is damaged or isn't a database: put a copy in its place, or remove it to begin anew"
	case lib.SQLITE_ERROR:
		// The file is of this version, but its tables aren't.
		if strings.Contains(s.Error(), "no such table") || strings.Contains(s.Error(), "no such column") {
			e.Code, e.Reason = store.Damaged, "the store's file is damaged: its tables are not there"
		}
	case lib.SQLITE_FULL:
		e.Reason = "the store's disk is full"
	case lib.SQLITE_READONLY, lib.SQLITE_PERM, lib.SQLITE_CANTOPEN:
		e.Reason = "the store's file can't be written"
	}
	return e
}

func (b *backend) Namespace(name string) (store.Store, error) {
	if err := store.CheckNamespace(name); err != nil {
		return nil, err
	}
	return &space{b, name}, nil
}

func (b *backend) Namespaces(ctx context.Context) ([]string, error) {
	return b.list(ctx, `SELECT namespace FROM usage ORDER BY namespace`)
}

// list returns the texts that a query yields.
func (b *backend) list(ctx context.Context, query string, args ...any) ([]string, error) {
	if err := b.usable(ctx); err != nil {
		return nil, err
	}
	rows, err := b.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, b.explain(ctx, err)
	}
	defer rows.Close()
	out := []string{}
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, b.explain(ctx, err)
		}
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		return nil, b.explain(ctx, err)
	}
	return out, nil
}

func (b *backend) Drop(ctx context.Context, name string) error {
	if err := store.CheckNamespace(name); err != nil {
		return err
	}
	return b.write(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM entries WHERE namespace = ?`, name); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM usage WHERE namespace = ?`, name)
		return err
	})
}

func (b *backend) Close() error {
	if b.closed.Swap(true) {
		return nil
	}
	if err := b.db.Close(); err != nil {
		return &store.Error{Code: store.Unavailable, Reason: "the store's file could not be closed", Cause: err}
	}
	return nil
}

// space is the store of one namespace.
type space struct {
	b    *backend
	name string
}

func (s *space) Get(ctx context.Context, key string) (json.RawMessage, bool, error) {
	if err := s.b.opts.Limits.CheckKey(key); err != nil {
		return nil, false, err
	}
	if err := s.b.usable(ctx); err != nil {
		return nil, false, err
	}
	v, err := value(s.b.db.QueryRowContext(ctx, `SELECT value FROM entries WHERE namespace = ? AND key = ?`, s.name, key))
	if err != nil {
		return nil, false, s.b.explain(ctx, err)
	}
	return v, v != nil, nil
}

// value reads a value, nil if there is none.
func value(row *sql.Row) (json.RawMessage, error) {
	var v []byte
	switch err := row.Scan(&v); {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	case !json.Valid(v):
		return nil, &store.Error{Code: store.Damaged, Reason: "the store's file is damaged: a value isn't JSON"}
	}
	return v, nil
}

// change sets a value if allowed says so; nil deletes.
func (s *space) change(ctx context.Context, key string, v json.RawMessage, allowed func(json.RawMessage) bool) (changed, was bool, err error) {
	l := s.b.opts.Limits
	if err := l.CheckKey(key); err != nil {
		return false, false, err
	}
	if v != nil {
		if v, err = l.CheckValue(v); err != nil {
			return false, false, err
		}
	}
	err = s.b.write(ctx, func(tx *sql.Tx) error {
		old, err := value(tx.QueryRowContext(ctx, `SELECT value FROM entries WHERE namespace = ? AND key = ?`, s.name, key))
		if err != nil {
			return err
		}
		if was = old != nil; !allowed(old) {
			return nil
		}
		changed = true
		before, err := usage(tx.QueryRowContext(ctx, usageOf, s.name))
		if err != nil {
			return err
		}
		after := before
		if was {
			after.Keys--
			after.Bytes -= int64(len(key) + len(old))
		}
		if v == nil {
			if !was {
				return nil
			}
			_, err = tx.ExecContext(ctx, `DELETE FROM entries WHERE namespace = ? AND key = ?`, s.name, key)
		} else {
			after.Keys++
			after.Bytes += int64(len(key) + len(v))
			if err := l.CheckUsage(before, after); err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, `INSERT INTO entries (namespace, key, value) VALUES (?, ?, ?)
				ON CONFLICT DO UPDATE SET value = excluded.value`, s.name, key, []byte(v))
		}
		if err != nil {
			return err
		}
		if after.Keys <= 0 {
			_, err = tx.ExecContext(ctx, `DELETE FROM usage WHERE namespace = ?`, s.name)
		} else {
			_, err = tx.ExecContext(ctx, `INSERT INTO usage (namespace, keys, bytes) VALUES (?, ?, ?)
				ON CONFLICT DO UPDATE SET keys = excluded.keys, bytes = excluded.bytes`, s.name, after.Keys, after.Bytes)
		}
		return err
	})
	if err != nil {
		return false, false, err
	}
	return changed, was, nil
}

const usageOf = `SELECT keys, bytes FROM usage WHERE namespace = ?`

func usage(row *sql.Row) (store.Usage, error) {
	var u store.Usage
	err := row.Scan(&u.Keys, &u.Bytes)
	if errors.Is(err, sql.ErrNoRows) {
		return store.Usage{}, nil
	}
	return u, err
}

func always(json.RawMessage) bool { return true }

func (s *space) Set(ctx context.Context, key string, v json.RawMessage) error {
	if v == nil {
		v = json.RawMessage{} // no JSON, and not a wish to delete
	}
	_, _, err := s.change(ctx, key, v, always)
	return err
}

func (s *space) Swap(ctx context.Context, key string, old, v json.RawMessage) (bool, error) {
	changed, _, err := s.change(ctx, key, v, func(present json.RawMessage) bool {
		return (present == nil) == (old == nil) && bytes.Equal(present, old)
	})
	return changed, err
}

func (s *space) Delete(ctx context.Context, key string) (bool, error) {
	_, was, err := s.change(ctx, key, nil, always)
	return was, err
}

func (s *space) Keys(ctx context.Context, prefix, after string, limit int) ([]string, error) {
	query, args := `SELECT key FROM entries WHERE namespace = ? AND key >= ?`, []any{s.name, prefix}
	if after != "" {
		query, args = query+` AND key > ?`, append(args, after)
	}
	if end := store.PrefixEnd(prefix); end != "" {
		query, args = query+` AND key < ?`, append(args, end)
	}
	return s.b.list(ctx, query+` ORDER BY key LIMIT ?`, append(args, store.PageSize(limit))...)
}

func (s *space) Usage(ctx context.Context) (store.Usage, error) {
	if err := s.b.usable(ctx); err != nil {
		return store.Usage{}, err
	}
	u, err := usage(s.b.db.QueryRowContext(ctx, usageOf, s.name))
	if err != nil {
		return store.Usage{}, s.b.explain(ctx, err)
	}
	return u, nil
}
