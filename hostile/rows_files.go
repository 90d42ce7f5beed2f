package hostile

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/capability/files"
	"github.com/pinfold-js/pinfold/snippet"
	"github.com/pinfold-js/pinfold/tool"
)

// The codes of files that rows want.
const (
	outside    = "E_FILE_OUTSIDE"
	protected  = "E_FILE_PROTECTED"
	missing    = "E_FILE_NOT_FOUND"
	notRegular = "E_FILE_NOT_REGULAR"
	badPath    = "E_FILE_PATH"
)

// fileCases are the rows of I: files, used by programs through ctx, in folders
// that are really there.
var fileCases = []Case{
	{ID: "I1", Scenario: func(s *Scene) {
		// Links in the root that lead out of it.
		dir := s.Folder(map[string]string{
			"secret/key": "SECRET", "root/in": "", "root/file": "-> ../secret/key", "root/dir": "-> ../secret", "root/abs": "-> DIR/secret/key",
			"root/chain": "-> chain2", "root/chain2": "-> dir/key", "root/deep/l": "-> ../../secret/key", "root/deep/fine": "-> ../in", "root/up": "-> ..",
		})
		sb := s.Granted(&pinfold.Grants{Files: s.Whole(filepath.Join(dir, "root"))})
		s.Uses(sb, dir,
			use{"file", allUses, outside, "link:escape"}, use{"dir/key", allUses, outside, "link:escape"}, use{"dir/none", allUses, outside, "link:escape"},
			use{"abs", allUses, outside, "link:absolute"}, use{"chain", allUses, outside, "link:escape"}, use{"deep/l", allUses, outside, "link:escape"},
			use{"up/secret/key", allUses, outside, "link:escape"}, use{"dir", "list find", outside, "link:escape"}, use{"up/root/in", allUses, outside, "link:escape"},
			use{"deep/fine", "read", "=", ""}, use{"/", "find", "=deep/fine,in", ""},
		)
		s.unchanged(dir, "secret/key", "SECRET")
	}},
	{ID: "I2", Scenario: func(s *Scene) {
		// A neighbour whose name begins like the root's.
		dir := s.Folder(map[string]string{"allowed/a": "A", "allowed-evil/x": "X", "allowed/l": "-> DIR/allowed-evil/x", "allowed2": "2"})
		sb := s.Granted(&pinfold.Grants{Files: s.Whole(filepath.Join(dir, "allowed"))})
		s.Uses(sb, "",
			use{"../allowed-evil/x", allUses, outside, "path:escape"}, use{"a/../../allowed-evil/x", allUses, outside, "path:escape"}, use{"l", allUses, outside, "link:absolute"}, use{"../allowed2", allUses, outside, ""},
			use{dir + "/allowed-evil/x", reading, missing, ""}, use{dir + "/allowed/a", reading, missing, ""},
		)
		part := s.Granted(&pinfold.Grants{Files: s.Files(files.Config{Roots: []files.Root{{Dir: dir, Read: []string{"allowed/**"}}}})})
		s.Uses(part, dir, use{"allowed-evil/x", reading, outside, "grant"}, use{"allowed2", reading, outside, "grant"}, use{"allowed/a", "read", "=A", "read:allowed/**"}, use{"allowed/a", writing, outside, "grant"})
		// Nor does a declaration grant a neighbour.
		narrow := s.Granted(&pinfold.Grants{Files: s.Whole(dir)}, func(o *pinfold.Options) {
			o.Requires = []pinfold.Requirement{{Capability: pinfold.FileRead, Scope: []string{"allowed/**"}}}
		})
		s.Uses(narrow, dir, use{"allowed-evil/x", "read bytes", outside, "grant"}, use{"allowed/a", "read", "=A", ""})
		s.unchanged(dir, "allowed-evil/x", "X")
	}},
	{ID: "I3", Scenario: func(s *Scene) {
		// Normalized as text, opened by a system that follows links.
		dir := s.Folder(map[string]string{"secret": "SECRET", "root/sub/l": "-> ../..", "root/a": "A", "other/a": "WRONG", "root/o": "-> ../other"})
		sb := s.Granted(&pinfold.Grants{Files: s.Whole(filepath.Join(dir, "root"))})
		s.Uses(sb, dir,
			use{"sub/l/secret", allUses, outside, "link:escape"}, use{"./sub/../sub/l/secret", allUses, outside, "link:escape"}, use{"sub/l/root/../secret", allUses, outside, "link:escape"},
			use{"o/a", allUses, outside, "link:escape"}, use{"o/../a", "read", "=A", ""}, use{"sub/l/../../a", "read", "=A", ""},
		)
		s.unchanged(dir, "secret", "SECRET")
	}},
	{ID: "I4", Scenario: func(s *Scene) {
		// A new file through a parent that is a link.
		dir := s.Folder(map[string]string{"away/": "", "root/l": "-> ../away", "root/broken": "-> ../away/new", "root/d/m": "-> ../l", "root/twice": "-> broken"})
		sb := s.Granted(&pinfold.Grants{Files: s.Whole(filepath.Join(dir, "root"))})
		s.Uses(sb, dir, use{"l/new", writing, outside, "link:escape"}, use{"l/none/new", writing, outside, "link:escape"}, use{"broken", writing, outside, "link:escape"}, use{"d/m/new", writing, outside, "link:escape"}, use{"twice", writing, outside, "link:escape"})
		if got := s.Names(dir, "away"); got != "" {
			s.Errorf("there is %s", got)
		}
		if got := s.Names(dir, "root"); got != "broken d l twice" {
			s.Errorf("there is %s", got)
		}
	}},
	{ID: "I5", Scenario: func(s *Scene) {
		// Nothing configured means that nothing can be done.
		paths := []string{"../../../../etc/passwd", "/etc/passwd", "etc/passwd", "a/../../etc/passwd"}
		dir := s.Folder(map[string]string{"a": "A"})
		for _, fs := range []*files.FS{s.Files(files.Config{}), s.Files(files.Config{MaxFileBytes: 1000, Protect: []string{"x"}}), must(s.Whole(dir).Narrow(nil))} {
			sb := s.Granted(&pinfold.Grants{Files: fs})
			for _, p := range paths {
				s.Uses(sb, dir, use{p, "read bytes " + writing, outside, ""})
			}
		}
		for _, sb := range []*pinfold.Sandbox{s.Granted(&pinfold.Grants{}), s.Granted(&pinfold.Grants{Files: s.Whole(dir)}, func(o *pinfold.Options) { o.Requires = []pinfold.Requirement{} })} {
			s.Want(sb, `
				return ctx.readFile('a').catch(e => e.code) ==> value=E_NOT_GRANTED|value=E_NOT_DECLARED
				return ctx.writeFile('a', 'b').catch(e => e.code) ==> value=E_NOT_GRANTED|value=E_NOT_DECLARED
				return ctx.findFiles('**').catch(e => e.code) ==> value=E_NOT_GRANTED|value=E_NOT_DECLARED
				return ctx.listFiles().catch(e => e.code) ==> value=E_NOT_GRANTED|value=E_NOT_DECLARED
				return ctx.capabilities.length ==> value=0
			`)
		}
		s.Want(s.New(pinfold.Options{}), "return typeof ctx + typeof readFile + typeof require + typeof process ==> value=undefinedundefinedundefinedundefined")
		s.unchanged(dir, "a", "A")
	}},
	{ID: "I6", Scenario: func(s *Scene) {
		// What is below a denied folder.
		dir := s.Folder(map[string]string{"a/b/c": "C", "denied/sub/x": "X", ".ssh/keys/k": "K", "deep/.git/hooks/h": "H", "a/.env.local": "E"})
		sb := s.Granted(&pinfold.Grants{Files: s.Files(files.Config{Roots: []files.Root{{Dir: dir, Read: everything, Write: everything, Protect: []string{"denied/"}}}})})
		s.Uses(sb, dir,
			use{"denied/sub/x", allUses, protected, "protect:denied/"}, use{"denied/sub/none/y", allUses, protected, "protect:denied/"}, use{"denied", allUses, protected, "protect:denied/"},
			use{".ssh/keys/k", allUses, protected, "protect:.ssh"}, use{"deep/.git/hooks/h", allUses, protected, "protect:.git"}, use{"a/.env.local", allUses, protected, "protect:.env*"},
			use{"a/../denied/sub/../sub/x", allUses, protected, "protect:denied/"}, use{"/", "find", "=a/b/c", ""},
		)
		g := s.Granted(&pinfold.Grants{Files: s.Files(files.Config{Roots: []files.Root{{Dir: dir, Read: []string{"a/b/*"}}}})})
		s.Uses(g, dir, use{"a/b/c/d", "read", outside, "grant"}, use{"denied/sub/x", "read", outside, "grant"}, use{"a/x", "read", outside, "grant"}, use{"a/b/c", "read", "=C", ""})
	}},
	{ID: "I7", Scenario: func(s *Scene) {
		// A link that was harmless where it was made, and whose parent has moved since.
		dir := s.Folder(map[string]string{"secret": "SECRET", "root/a/b/l": "-> ../../secret", "root/secret": "INSIDE"})
		sb := s.Granted(&pinfold.Grants{Files: s.Whole(filepath.Join(dir, "root"))})
		s.Uses(sb, dir, use{"a/b/l", "read", "=INSIDE", ""})
		check(os.Rename(filepath.Join(dir, "root/a/b"), filepath.Join(dir, "root/b")))
		s.Uses(sb, dir, use{"b/l", allUses, outside, "link:escape"})
		// No function of ctx makes a link, moves or removes anything.
		if got := s.value(sb, "return Object.keys(ctx).filter(k => /link|move|rename|copy|remove|delete|chmod|mkdir/i.test(k)).join()", nil); got != "" {
			s.Errorf("ctx has %s", got)
		}
		s.unchanged(dir, "secret", "SECRET")
	}},
	{ID: "I8", Scenario: func(s *Scene) {
		// What is denied, through a link in what is allowed.
		dir := s.Folder(map[string]string{
			"denied/secret": "S", "allowed/link": "-> ../denied/secret", "allowed/dir": "-> ../denied", "allowed/env": "-> ../.env", ".env": "E",
			"other/x": "X", "allowed/other": "-> ../other/x", "allowed/through": "-> ../denied/back", "denied/back": "-> ../allowed/fine", "allowed/fine": "F",
		})
		sb := s.Granted(&pinfold.Grants{Files: s.Files(files.Config{Roots: []files.Root{{Dir: dir, Read: []string{"allowed/**"}, Write: []string{"allowed/**"}, Protect: []string{"denied"}}}})})
		s.Uses(sb, dir,
			use{"allowed/link", allUses, protected, "protect:denied"}, use{"allowed/dir/secret", allUses, protected, "protect:denied"}, use{"allowed/env", allUses, protected, "protect:.env*"},
			use{"allowed/through", allUses, protected, "protect:denied"}, use{"allowed/other", "read bytes " + writing, outside, "grant"}, use{"/", "find", "=allowed/fine", ""},
		)
		// What a run's program has declared is asked of the file in the end, too.
		fine := s.Granted(&pinfold.Grants{Files: s.Whole(dir)}, func(o *pinfold.Options) {
			o.Requires = []pinfold.Requirement{{Capability: pinfold.FileRead, Scope: []string{"allowed/**"}}}
		})
		s.Uses(fine, dir, use{"allowed/other", "read bytes", outside, "grant"}, use{"allowed/fine", "read", "=F", ""})
	}},
	{ID: "I9", Scenario: func(s *Scene) {
		// The system's own files, through a grant of everything and through links.
		if runtime.GOOS != "linux" {
			return // there is no /proc
		}
		sb := s.Granted(&pinfold.Grants{Files: s.Whole("/")})
		var list []use
		for _, p := range []string{
			"proc/self/environ", "proc/self/root/etc/passwd", "proc/self/fd/0", "proc/1/environ", "proc/none", "dev/null", "dev/zero", "dev/fd/0",
			"dev/stdin", "dev/none", "sys/kernel/mm/transparent_hugepage/enabled", "/proc/version", "tmp/../proc/version", "proc/self/mem", "proc/self/cwd/go.mod",
		} {
			list = append(list, use{p, allUses, notRegular, "file:pseudo"})
		}
		s.Uses(sb, "", list...)
		s.Uses(sb, "", use{"proc", "list find", notRegular, "file:pseudo"}, use{"etc/passwd", "read", "=*", ""})
		dir := s.Folder(map[string]string{"env": "-> /proc/self/environ", "fd": "-> /dev/fd/0", "root": "-> /proc/self/root"})
		s.Uses(s.Granted(&pinfold.Grants{Files: s.Whole(dir)}), dir, use{"env", allUses, outside, "link:absolute"}, use{"fd", allUses, outside, "link:absolute"}, use{"root/etc/passwd", allUses, outside, "link:absolute"})
		for _, d := range []string{"/proc", "/proc/self", "/sys", "/dev"} {
			if _, err := files.New(files.Config{Roots: []files.Root{{Dir: d, Read: everything}}}); err == nil {
				s.Errorf("%s was granted", d)
			}
		}
	}},
	{ID: "I10", Scenario: func(s *Scene) {
		// A workspace in which every entry is a link.
		dir := s.Folder(map[string]string{
			"work": "-> real/workspace",
			"real/workspace/node_modules/.store/lodash@4/node_modules/lodash/index.js": "L",
			"real/workspace/node_modules/lodash":                                       "-> .store/lodash@4/node_modules/lodash",
			"real/workspace/packages/app/node_modules/lodash":                          "-> ../../../node_modules/lodash",
			"real/workspace/packages/app/node_modules/lib":                             "-> ../../lib",
			"real/workspace/packages/lib/main.js":                                      "M",
			"real/workspace/packages/lib/abs":                                          "-> DIR/work/packages/lib/main.js",
		})
		sb := s.Granted(&pinfold.Grants{Files: s.Whole(filepath.Join(dir, "work"))})
		s.Uses(sb, dir,
			use{"node_modules/lodash/index.js", "read", "=L", ""}, use{"packages/app/node_modules/lodash/index.js", "read", "=L", ""}, use{"packages/app/node_modules/lib/main.js", "read", "=M", ""},
			use{"packages/app/node_modules/lib/abs", "read", "=M", ""}, use{"packages/app/node_modules/lib/main.js", "write", "=1", ""},
		)
		s.unchanged(dir, "real/workspace/packages/lib/main.js", "X")
		// The root was resolved once.
		s.Fill(dir, map[string]string{"evil/packages/lib/main.js": "EVIL"})
		check(os.Remove(filepath.Join(dir, "work")))
		s.Fill(dir, map[string]string{"work": "-> evil"})
		s.Uses(sb, dir, use{"packages/lib/main.js", "read", "=X", ""})
	}},
	{ID: "I11", Scenario: func(s *Scene) {
		// Absolute links in a root that has a name.
		dir := s.Folder(map[string]string{
			"mount/a": "A", "etc/passwd": "P", "mount/abs": "-> DIR/etc/passwd", "mount/root": "-> /", "mount/etc": "-> /etc", "mount/up": "-> DIR/mount/../etc/passwd", "mount/fine": "-> DIR/mount/a",
		})
		sb := s.Granted(&pinfold.Grants{Files: s.Files(files.Config{Roots: []files.Root{{Name: "m", Dir: filepath.Join(dir, "mount"), Read: everything, Write: everything}}})})
		s.Uses(sb, dir,
			use{"m/abs", allUses, outside, "link:absolute"}, use{"m/root/etc/passwd", allUses, outside, "link:absolute"}, use{"m/etc/passwd", allUses, outside, "link:absolute"}, use{"m/up", allUses, outside, "link:escape"},
			use{"m/fine", "read", "=A", ""}, use{"m/../etc/passwd", "read bytes " + writing, outside, ""}, use{"n/a", "read bytes " + writing, outside, ""},
		)
	}},
	{ID: "I12", Scenario: func(s *Scene) {
		// Pipes, folders, and a file that becomes a pipe while it is opened.
		dir := s.Folder(map[string]string{"fifo": "|", "link": "-> fifo", "d/x": "X", "x": "X", "d2/": ""})
		sb := s.Granted(&pinfold.Grants{Files: s.Whole(dir)})
		start := time.Now()
		s.Uses(sb, dir,
			use{"fifo", "read bytes " + writing, notRegular + "|E_FILE_DIRECTORY", ""}, use{"link", "read bytes " + writing, notRegular + "|E_FILE_DIRECTORY", ""}, use{"d", "read bytes " + writing, "E_FILE_DIRECTORY", "file:directory"},
			use{"fifo/x", "read bytes " + writing, "E_FILE_NOT_DIR|" + missing, ""}, use{"x/y", allUses, "E_FILE_NOT_DIR", ""}, use{"x", "list", "E_FILE_NOT_DIR", ""}, use{"d", "list", "=d/x", ""},
		)
		if d := time.Since(start); d > 10*time.Second {
			s.Errorf("it took %v", d)
		}
		s.unchanged(dir, "x", "X")
	}},
	{ID: "I12b", Scenario: func(s *Scene) {
		exchanging(s, "x", "fifo", map[string]string{"fifo": "|", "x": "INSIDE"}, "read bytes")
	}},
	{ID: "I13", Scenario: func(s *Scene) {
		// Names that systems treat specially.
		dir := s.Folder(map[string]string{"outside": "O", "root/file": "F", "root/d/": "", "root/broken": "-> d/none", "root/out": "-> ../none", "root/hard": "= outside", "root/.git/config": "G", "root/.env": "E", "root/own": "1", "root/other": "= root/own"})
		sb := s.Granted(&pinfold.Grants{Files: s.Whole(filepath.Join(dir, "root"))})
		list := []use{
			{"file\x00.txt", allUses, badPath, "path:nul"}, {"file\x00/../../outside", allUses, badPath, "path:nul"}, {"a\nb", allUses, badPath, "path:control"}, {"", "read bytes " + writing, badPath, "path:empty"},
			{"hard", "read bytes " + writing, "E_FILE_HARD_LINK", "file:hard-link"}, {"own", "read bytes " + writing, "E_FILE_HARD_LINK", "file:hard-link"},
			{"broken", writing, missing, "link:dangling"}, {"out", writing, outside, "link:escape"},
			{strings.Repeat("a/", 10_000) + "x", allUses, badPath, "path:long|path:deep"}, {"d/" + strings.Repeat("n", 256), allUses, badPath, "path:long"}, {strings.Repeat("d/", 300), allUses, badPath, "path:deep|path:long"},
			{strings.Repeat("n", 255), "read bytes", missing, ""}, {strings.Repeat("n", 1<<18), "read write", badPath, "path:long"},
			{"~/x", "read", badPath, "path:home"}, {"~root/x", "read", badPath, "path:home"}, {`C:\x`, "read", badPath, ""}, {"C:/x", "read", badPath, "path:drive"}, {`\\host\share\x`, "read", badPath, ""}, {"//host/share/x", "read", badPath + "|" + missing, ""},
			{`\\?\C:\x`, "read", badPath, ""}, {`..\outside`, "read", badPath, "path:backslash"}, {"file:///etc/passwd", "read", badPath, "path:url"}, {"file::$DATA", "read", badPath + "|" + missing, ""},
		}
		for _, name := range []string{
			".git/config", ".GIT/config", ".Git/CONFIG", ".g\u0131t/config", ".gi\u200dt/config", ".git./config", ".git /config", "git~1/config", "GIT~1/config",
			".ＧＩＴ/config", ".ENV", ".env\u2060", ".Env ", "./.env:x", ".env.", "d/../.env", "id_rsa", "x/ID_ed25519", "server.PEM", "a.\u212aey",
		} {
			list = append(list, use{name, "read bytes write append", protected + "|" + badPath, ""})
		}
		s.Uses(sb, dir, list...)
		s.unchanged(dir, "outside", "O")
		s.unchanged(dir, "root/.env", "E")
		s.unchanged(dir, "root/own", "1")
		if got := s.Names(dir); got != "outside root" {
			s.Errorf("there is %s", got)
		}
		portable := s.Granted(&pinfold.Grants{Files: s.Files(files.Config{PortableNames: true, Roots: []files.Root{{Dir: filepath.Join(dir, "root"), Read: everything, Write: everything}}})})
		list = nil
		for _, name := range []string{"CON", "nul.txt", "a/COM1", "lpt9.log", "COM\u00b9", "aux", "conin$", "x.", "x ", "a<b", "a|b", "a*b", "a?b", "a\"b", "PROGRA~1", "x:stream"} {
			list = append(list, use{name, "read bytes write append", badPath, ""})
		}
		s.Uses(portable, dir, list...)
	}},
	{ID: "I14", Scenario: func(s *Scene) {
		exchanging(s, "d", "l", map[string]string{"d/x": "INSIDE", "l": "-> ../away"}, "read bytes list", "d/x")
	}},
	{ID: "I14b", Scenario: func(s *Scene) {
		exchanging(s, "d", "l", map[string]string{"d/x": "INSIDE", "l": "-> ../away"}, "write append existing", "d/x", "d/new")
	}},
	{ID: "I14c", Scenario: func(s *Scene) {
		exchanging(s, "x", "hard", map[string]string{"x": "INSIDE", "hard": "= ../away/x"}, "read bytes")
	}},
	{ID: "I15", Scenario: guards},
	{ID: "I16", Scenario: func(s *Scene) {
		// Names that lead programs: they come as data and change nothing.
		what := map[string]string{"__proto__": "P", "constructor": "C", "then": "T", "toString": "S", "line": "L"}
		if runtime.GOOS == "linux" {
			what["a\nb"], what["\x1b[31mred"], what["\u202etxt.exe"], what["bad\xffutf"] = "", "", "", ""
		}
		dir := s.Folder(what)
		sb := s.Granted(&pinfold.Grants{Files: s.Whole(dir)})
		s.Want(sb, `
			return (await Promise.all(['__proto__', 'constructor', 'then', 'toString'].map(p => ctx.readFile(p)))).join('') ==> value=PCTS
			const l = await ctx.listFiles(); const by = {}; for (const e of l.entries) by[e.name] = e; return [{}.size, by.line.size, Object.getPrototypeOf(l) === Object.prototype, l.entries.every(e => Object.keys(e).join() === 'name,path,kind,size,modified')].join() ==> value=,1,true,true
			const l = await ctx.listFiles(); return l.entries.every(e => e.name.isWellFormed() && e.path.isWellFormed()) ==> value=true
			for (const e of (await ctx.listFiles()).entries) { const r = await ctx.readFile(e.path).catch(e => e.code); if (r && !/^([PCTSL]|E_FILE_\w+)$/.test(r)) return r } return 'fine' ==> value=fine
			await ctx.writeFile('__proto__', 'Q'); return [await ctx.readFile('__proto__'), {}.x, Object.prototype.path].join() ==> value=Q,,
		`)
	}},
	{ID: "I17", Scenario: func(s *Scene) {
		// More than a run may have: of memory, of bytes, of files.
		dir := s.Folder(map[string]string{"big": strings.Repeat("b", 5<<19), "small": "s", "wide/": ""})
		for i := range 1200 {
			check(os.WriteFile(filepath.Join(dir, "wide", fmt.Sprint("f", i)), nil, 0o644))
		}
		small := s.Granted(&pinfold.Grants{Files: s.Whole(dir)}, func(o *pinfold.Options) { o.Limits.MemoryBytes = 8 << 20 })
		s.Want(small, `
			const a = []; for (;;) a.push(await ctx.readFile('big')) ==> limit:memory
			const a = []; for (;;) a.push(await ctx.readFile('big', {encoding: 'bytes'})) ==> limit:memory
			const a = []; for (;;) a.push(...Array(20).fill(await ctx.listFiles('wide')).map(l => structuredClone(l))) ==> limit:memory|limit:time
			return (await Promise.all(Array.from({length: 9}, () => ctx.readFile('big').catch(e => e.code)))).length ==> limit:memory|value=9
		`)
		sb := s.Granted(&pinfold.Grants{Files: s.Files(files.Config{MaxFileBytes: 2 << 20, MaxTotalRead: 4 << 20, MaxTotalWrite: 1 << 20, Roots: []files.Root{{Dir: dir, Read: everything, Write: everything}}})})
		s.Want(sb, `
			return ctx.readFile('big').catch(e => e.code) ==> value=E_FILE_TOO_LARGE
			await ctx.writeFile('own', new Uint8Array(1e6).fill(7)); const b = await ctx.readFile('own', {encoding: 'bytes'}); return b.length + b[999999] ==> value=1000007
			return ctx.readFile('small', {maxBytes: -1}).catch(e => e.code) ==> value=E_FILE_ARGUMENT
			return ctx.readFile('small', {maxBytes: 1e300}).catch(e => e.code) ==> value=E_ARGUMENT
			await ctx.writeFile('w', 'x'.repeat(1 << 20)); return [await ctx.writeFile('w', 'y').catch(e => e.code), (await ctx.readFile('w')).length].join() ==> value=E_FILE_QUOTA,1048576
			for (let i = 0; i < 4; i++) await ctx.readFile('w'); return ctx.readFile('w').catch(e => e.code) ==> value=E_FILE_QUOTA
			return (await ctx.listFiles('wide')).entries.length + (await ctx.listFiles('wide')).cut ==> value=1000entries
			return (await ctx.findFiles('**', {maxEntries: 5})).entries.length ==> value=5
			return ctx.findFiles('**', {maxEntries: -5}).catch(e => e.code) ==> value=E_FILE_ARGUMENT
			return ctx.findFiles('**', {maxDepth: 1e9}).then(l => l.entries.length > 0, e => e.code) ==> value=true|value=E_FILE_ARGUMENT
		`)
		// What is well within the limits passes in each tier.
		s.Want(s.Granted(&pinfold.Grants{Files: s.Whole(dir)}), `
			await ctx.writeFile('own', new Uint8Array(3e6).fill(7)); const b = await ctx.readFile('own', {encoding: 'bytes'}); return b.length + b[2999999] ==> value=3000007
			await ctx.writeFile('own', 'é'.repeat(15e5)); return (await ctx.readFile('own')).length ==> value=1500000
		`)
		calls := s.Granted(&pinfold.Grants{Files: s.Whole(dir)}, func(o *pinfold.Options) {
			o.Quotas = map[string]pinfold.Quota{pinfold.FileRead: {Calls: 3, BytesOut: 100}, pinfold.FileWrite: {BytesIn: 100, Concurrent: 1, Refuse: true}}
		})
		s.Want(calls, `
			return ctx.readFile('big').catch(e => e.code) ==> value=E_QUOTA
			for (let i = 0; i < 3; i++) await ctx.readFile('small'); return ctx.listFiles().catch(e => e.code) ==> value=E_QUOTA
			return ctx.writeFile('w', 'x'.repeat(101)).catch(e => e.code) ==> value=E_QUOTA
			return (await Promise.all([1, 2].map(() => ctx.writeFile('w', 'x').then(() => 'ok', e => e.code)))).join() ==> value=ok,E_QUOTA|value=ok,ok
		`)
	}, Growth: 200 << 20},
	{ID: "I18", Scenario: func(s *Scene) {
		// A write that nobody waits for has happened whole when the run ends, or not at
		// all; nothing happens afterwards.
		dir := s.Folder(map[string]string{"old": "OLD"})
		sb := s.Granted(&pinfold.Grants{Files: s.Whole(dir)}, func(o *pinfold.Options) { o.Limits.Timeout = 100 * time.Millisecond })
		for i, end := range []string{"return 1", "throw new Error('x')", "for (;;);", "(function f() { f() })()", "await null; return 1", "await new Promise(() => {})", "const a = []; for (;;) a.push(new Array(1e5))"} {
			src := fmt.Sprintf("for (let i = 0; i < 20; i++) ctx.writeFile('new%d-' + i, 'x'.repeat(1e5)); ctx.writeFile('old', 'y'.repeat(1e6)); %s", i, end)
			sb.Eval(context.Background(), "program.js", src, nil)
			before := stateOf(dir)
			time.Sleep(20 * time.Millisecond)
			if after := stateOf(dir); after != before {
				s.Errorf("%s: something was written after the run had ended: %s, before %s", end, after, before)
			}
		}
		entries := must(os.ReadDir(dir))
		for _, e := range entries {
			if size := len(s.Read(dir, e.Name())); strings.HasPrefix(e.Name(), "new") && size != 100_000 || !strings.HasPrefix(e.Name(), "new") && e.Name() != "old" {
				s.Errorf("%s has %d bytes", e.Name(), size)
			}
		}
		if n := len(s.Read(dir, "old")); n != 3 && n != 1e6 {
			s.Errorf("the old file has %d bytes", n)
		}
	}},
	{ID: "I19", Scenario: func(s *Scene) {
		// Patterns and trees that make a search long.
		dir := s.Folder(map[string]string{strings.Repeat("a/", 60) + "x": "", "loop/l": "-> ../loop", "self": "-> .", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": ""})
		sb := s.Granted(&pinfold.Grants{Files: s.Whole(dir)})
		start := time.Now()
		for _, p := range []string{
			"'**/'.repeat(500) + 'b'", "'*a'.repeat(200) + 'b'", "'{a,b}'.repeat(30)", "'{'.repeat(5000)", "'{a,'.repeat(2000) + 'a' + '}'.repeat(2000)", "'['.repeat(5000)", "'[!a-z]'.repeat(500)", "'?'.repeat(1e6)", "'*'.repeat(1e6)",
			"'**/*'.repeat(300)", "'../**'", "'/../../**'", "'a/**/../../../**'", "'\\0'", "'\\ud800*'", "''", "'**/' + '*'.repeat(250)",
		} {
			s.Check(sb, "const l = await ctx.findFiles("+p+").catch(e => ({entries: [], code: e.code})); return l.entries.every(e => !e.path.includes('..')) && (l.code ?? 'E_FILE_').startsWith('E_FILE_')", nil, "value=true|throw:TypeError")
		}
		s.Uses(sb, dir, use{"loop/l/l/l/l", "list", "=loop/l/l/l/l/l", ""}, use{"loop", "find", "=", ""}, use{strings.Repeat("self/", 100) + "x", "read", "E_FILE_LINKS", ""})
		if d := time.Since(start); d > 10*time.Second {
			s.Errorf("the searches took %v", d)
		}
	}},
	{ID: "I20", Scenario: func(s *Scene) {
		// Arguments that are alive, and data that changes under way.
		dir := s.Folder(map[string]string{"a": "A", "b": "B"})
		sb := s.Granted(&pinfold.Grants{Files: s.Whole(dir)})
		s.Want(sb, `
			let n = 0; return ctx.readFile({toString() { n++; return n > 1 ? '.env' : 'a' }}).then(v => v + n, e => e.name) ==> value=TypeError
			return ctx.readFile(['a']).catch(e => e.name) ==> value=TypeError
			return ctx.readFile(new String('a')).then(v => v, e => e.name) ==> value=TypeError|value=A
			return ctx.readFile().catch(e => e.code) ==> value=E_FILE_PATH|value=E_ARGUMENT
			return ctx.readFile('n'.repeat(1e7)).catch(e => e.name) ==> value=RangeError|value=TypeError
			return ctx.readFile(Symbol()).catch(e => e.name) ==> value=TypeError
			return ctx.readFile('a', {get encoding() { throw new RangeError('mine') }}).catch(e => e.name) ==> value=RangeError|value=TypeError
			return ctx.readFile('a', new Proxy({}, {get() { throw new RangeError('mine') }, ownKeys() { throw new RangeError('mine') }})).catch(e => e.name) ==> value=RangeError|value=TypeError
			return ctx.readFile('a', {encoding: 'utf8', extra: 1}).catch(e => e.name) ==> value=TypeError|value=A
			return ctx.readFile('a', {__proto__: {encoding: 'base64'}}) ==> value=A|value=QQ==
			return ctx.readFile('\ud800').catch(e => e.code) ==> value=E_FILE_PATH|value=E_FILE_NOT_FOUND
			const u = new Uint8Array([65, 66]); const p = ctx.writeFile('b', u); u.fill(90); await p; return ctx.readFile('b') ==> value=AB
			const u = new Uint8Array([65, 66, 67, 68]).subarray(1, 3); await ctx.writeFile('b', u); return ctx.readFile('b') ==> value=BC
			class U extends Uint8Array { get length() { return 1e9 } get byteLength() { return 1e9 } get buffer() { throw 1 } } await ctx.writeFile('b', new U([67])); return ctx.readFile('b') ==> value=C
			const r = new ArrayBuffer(4, {maxByteLength: 8}), u = new Uint8Array(r); u.fill(68); r.resize(1); await ctx.writeFile('b', u); return ctx.readFile('b') ==> value=D
			const r = new ArrayBuffer(4), u = new Uint8Array(r); r.transfer(); return ctx.writeFile('b', u).then(() => ctx.readFile('b'), e => e.name) ==> value=|value=TypeError
			return ctx.writeFile('b', {toString: () => 'x'}).catch(e => e.code ?? e.name) ==> value=E_ARGUMENT|value=TypeError
			return ctx.writeFile('b', undefined).catch(e => e.code ?? e.name) ==> value=E_ARGUMENT|value=TypeError
			await ctx.writeFile('b', 'x\ud800y'); return (await ctx.readFile('b')).charCodeAt(1) ==> value=65533
			const f = ctx.readFile; return f('a') ==> value=A
			return ctx.readFile.call(null, 'a') ==> value=A
			return Reflect.construct(Object, [], ctx.readFile) instanceof Object ==> value=true|throw:TypeError
			return new ctx.readFile('a') ==> throw:TypeError
			Promise.prototype.then = () => 1; Promise = null; return typeof ctx.readFile('a') ==> value=object
			Object.prototype.encoding = 'base64'; return ctx.readFile('a') ==> value=A|value=QQ==
			Object.defineProperty(Array.prototype, 0, {set() { throw 1 }}); return (await ctx.listFiles()).entries.length ==> value=2
		`)
		s.unchanged(dir, "a", "A")
	}},
}

// unchanged says when a file doesn't hold what it must.
func (s *Scene) unchanged(dir, path, want string) {
	if got := s.Read(dir, path); got != want {
		s.Errorf("%s holds %q, want %q", path, clip(got, 100), want)
	}
}

// stateOf describes the files of a folder: names, sizes, times.
func stateOf(dir string) string {
	var b strings.Builder
	entries := must(os.ReadDir(dir))
	for _, e := range entries {
		if i, err := e.Info(); err == nil {
			fmt.Fprintf(&b, "%s %d %d;", e.Name(), i.Size(), i.ModTime().UnixNano())
		}
	}
	return b.String()
}

// exchanging has a program use paths in a folder in which two names are exchanged all the
// time. What it reads must be what is inside; what is outside stays as it is.
func exchanging(s *Scene, a, b string, what map[string]string, uses string, paths ...string) {
	if len(paths) == 0 {
		paths = []string{a}
	}
	dir := s.Folder(map[string]string{"root/": "", "away/x": "SECRET", "away/e": "SECRET"})
	root := filepath.Join(dir, "root")
	s.Fill(root, what)
	sb := s.Granted(&pinfold.Grants{Files: s.Files(files.Config{MaxTotalRead: noLimit, MaxTotalWrite: noLimit, Roots: []files.Root{{Dir: root, Read: everything, Write: everything}}})})
	s.value(sb, "return 1", nil)
	var ended atomic.Bool
	var exchanges atomic.Int64
	var wg sync.WaitGroup
	wg.Go(func() {
		x, y, z := filepath.Join(root, a), filepath.Join(root, b), filepath.Join(dir, "between")
		for ; !ended.Load(); exchanges.Add(1) {
			// A write may have put a file in the place of either.
			_ = os.Rename(x, z)
			_ = os.Rename(y, x)
			_ = os.Rename(z, y)
		}
	})
	var calls [][2]string
	for i := range 150 {
		for _, use := range strings.Fields(uses) {
			calls = append(calls, [2]string{paths[i%len(paths)], use})
		}
	}
	for round := 0; round < 20 && (round < 2 || exchanges.Load() < 1000); round++ {
		o := s.Check(sb, fileUses, calls, "value")
		var got []seen
		_ = json.Unmarshal(o.Value.JSON(), &got)
		for i, g := range got {
			switch {
			case strings.Contains(g.OK, "SECRET") || strings.Contains(g.OK, "U0VDUkVU") || calls[i][1] == "list" && strings.Contains(g.OK, "e"):
				s.Errorf("%v got %q", calls[i], g.OK)
			case g.Code != "" && !strings.HasPrefix(g.Code, "E_FILE_"), strings.Contains(g.Message+g.Data, dir):
				s.Errorf("%v: %+v", calls[i], g)
			case g.Code == "E_FILE_IO" || g.Code == "E_FILE_TIMEOUT":
				s.Errorf("%v: %+v", calls[i], g)
			}
		}
	}
	ended.Store(true)
	wg.Wait()
	if exchanges.Load() == 0 {
		s.Errorf("nothing was exchanged")
	}
	s.unchanged(dir, "away/x", "SECRET")
	if got := s.Names(dir, "away"); got != "e x" {
		s.Errorf("outside there is %s", got)
	}
}

// guards are the row I15: the checks hold in every layer, not only in one: in what
// snippets and tools do through ctx, in what tools import, and in every
// function.
func guards(s *Scene) {
	chain := map[string]string{"root/d/x": "X", "root/file": "F", "secret/s.js": "export const s = 'SECRET'", "root/away": "-> ../secret", "root/.git/c": "C"}
	for i := range 60 {
		chain[fmt.Sprint("root/l", i)] = fmt.Sprint("-> l", i+1)
	}
	chain["root/l60"] = "-> file"
	dir := s.Folder(chain)
	grants := &pinfold.Grants{Files: s.Files(files.Config{MaxFileBytes: 1000, Roots: []files.Root{{Name: "m", Dir: filepath.Join(dir, "root"), Read: everything, Write: everything}}})}
	s.Uses(s.Granted(grants), dir,
		use{"m/l0", allUses, "E_FILE_LINKS", "link:loop"}, use{"m/away/s.js", allUses, outside, "link:escape"}, use{"m/away", "list find", outside, "link:escape"}, use{"m/.git", allUses, protected, ""},
		use{"m/../../x", allUses, outside, ""}, use{"m\x00", allUses, badPath, ""}, use{"x", "read bytes " + writing, outside, ""}, use{"m/file/x", allUses, "E_FILE_NOT_DIR", ""}, use{"m/d", writing, "E_FILE_DIRECTORY", ""},
	)
	opt := pinfold.Options{Grants: grants, Limits: pinfold.Limits{Timeout: DefaultWall}, Limiter: s.slots}
	inTier(&opt)
	const code = `const out = []; for (const p of input) out.push(await ctx.readFile(p).then(v => v, e => e.code)); return out.join()`
	paths := []string{"m/away/s.js", "m/.git/c", "m/../x", "m/d/x"}
	const want = outside + "," + protected + "," + outside + ",X"
	sn := must(snippet.New(snippet.Config{Options: opt}))
	s.AtEnd(func() { _ = sn.Close() })
	if r := sn.Run(context.Background(), code, paths); r.IsError || !strings.Contains(r.Text, want) {
		s.Errorf("the snippet: %s", r.Text)
	}
	load := func(files map[string]string) (*tool.File, error) {
		folder := s.Folder(files)
		f, err := tool.Load(filepath.Join(folder, "t.js"), tool.Config{Options: opt, LoadTimeout: DefaultWall})
		if err == nil {
			s.AtEnd(func() { _ = f.Close() })
		} else if strings.Contains(err.Error(), folder) {
			s.Errorf("a path of the host is in %v", err)
		}
		return f, err
	}
	const head = "export const tool = {description: 'd', inputSchema: {type: 'object'}, requires: ['fileRead']};\n"
	f, err := load(map[string]string{"t.js": head + "export async function invoke({input}, ctx) { " + code + " }"})
	if err != nil {
		s.Errorf("%v", err)
		return
	}
	if r := f.Call(context.Background(), must(json.Marshal(map[string]any{"input": paths}))); r.IsError || r.Text != want {
		s.Errorf("the tool: %s", r.Text)
	}
	// Imports and definitions are read through the same guard.
	for name, what := range map[string]map[string]string{
		"a link out":          {"t.js": head + "import { s } from './l.js'; export const invoke = () => s", "l.js": "-> " + dir + "/secret/s.js"},
		"a relative link out": {"t.js": head + "import { s } from './l/s.js'; export const invoke = () => s", "l": "-> ../" + filepath.Base(dir) + "/secret"},
		"up":                  {"t.js": head + "import { s } from '../" + filepath.Base(dir) + "/secret/s.js'; export const invoke = () => s"},
		"absolute":            {"t.js": head + "import { s } from '" + dir + "/secret/s.js'; export const invoke = () => s"},
		"URL":                 {"t.js": head + "import { s } from 'file://" + dir + "/secret/s.js'; export const invoke = () => s"},
		"protected":           {"t.js": head + "import { s } from './.git/s.js'; export const invoke = () => s", ".git/s.js": "export const s = 'SECRET'"},
		"pipe":                {"t.js": head + "import { s } from './p.js'; export const invoke = () => s", "p.js": "|"},
		"the tool is a link":  {"t.js": "-> " + dir + "/secret/s.js"},
		"the tool is a pipe":  {"t.js": "|"},
		"its description":     {"t.js": "export const invoke = () => 1", "t.tool.yaml": "|"},
	} {
		f, err := load(what)
		if err == nil {
			if r := f.Call(context.Background(), []byte("{}")); !r.IsError || bytes.Contains([]byte(r.Text), []byte("SECRET")) {
				s.Errorf("%s: the tool answers %s", name, r.Text)
			}
		} else if strings.Contains(err.Error(), "SECRET") {
			s.Errorf("%s: %v", name, err)
		}
	}
}
