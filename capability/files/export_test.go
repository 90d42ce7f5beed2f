//go:build !plan9

package files

import "os"

// Hooks replace parts of an FS, for tests.
type Hooks struct {
	Opening, Opened, Renaming func()
	Random                    func() [8]byte
	OSRoot                    bool // folders are os.Root's, as on Windows
	OneByOne                  bool // folders are opened one after the other, as on systems other than Linux
}

// SetHooks must come before the first call.
func (f *FS) SetHooks(h Hooks) {
	f.hook = hooks{opening: h.Opening, opened: h.Opened, renaming: h.Renaming, random: h.Random}
	if h.OSRoot {
		f.hook.start = func(t *tree, _ []string) (dir, int, error) {
			r, err := os.OpenRoot(t.dirs[0])
			if err != nil {
				return nil, 0, err
			}
			return rootDir{r}, 0, nil
		}
	}
	if h.OneByOne {
		f.hook.start = func(t *tree, _ []string) (dir, int, error) { return t.start(nil) }
	}
}

// Stuck is how many calls were given up and are at work.
func (f *FS) Stuck() int { return int(f.stuck.Load()) }

const (
	MaxStuck     = maxStuck
	MaxPathDepth = maxPathDepth
	IsWindows    = isWindows
	Supported    = supported
)

// AddHooks sets those that aren't nil.
func (f *FS) AddHooks(h Hooks) {
	if h.Opening != nil {
		f.hook.opening = h.Opening
	}
	if h.Opened != nil {
		f.hook.opened = h.Opened
	}
	if h.Renaming != nil {
		f.hook.renaming = h.Renaming
	}
}
