package files

import (
	"fmt"
	"strings"
	"time"
)

// Root grants a folder, or a part of it.
type Root struct {
	// Name is the folder at the top under which programs find the root. The
	// root with the empty name is the top itself.
	Name string
	// Dir is the folder on the host. It is resolved, links included, once, by New.
	Dir string
	// Read and Write are the patterns of the files that may be read and
	// written, relative to Dir: "**" is all, "data/**" what is below data, "*.md" what lies
	// in Dir itself. In a pattern "*" and "?" stand for characters other than
	// "/", "[a-z]" and "[!a-z]" for one, "{a,b}" for one or the other. One may
	// be empty: what may be written need not be readable.
	Read, Write []string
	// Protect are further patterns that are refused in this root, as in
	// Config.Protect.
	Protect []string
	// HardLinks allows to read files that have several names. They are refused
	// otherwise: another name may be protected, or outside the root. Package managers
	// that link files from a store need it.
	HardLinks bool
}

// Config is what a host grants. The zero value grants nothing. A zero limit is
// its default.
type Config struct {
	Roots []Root
	// Protect are patterns of names that are refused in every root, added to
	// DefaultProtect. One without "/" is compared with each component of a
	// path, one with "/" with the path from the root on; what is below a protected
	// folder is protected. They are compared without regard to case,
	// normalization, and the many ways to write a name that some system takes for
	// the same.
	Protect []string
	// ProtectDirs are folders of the host that are refused in whatever root they are:
	// where it keeps its store, its definitions, its records.
	ProtectDirs []string
	// PortableNames refuses the names that Windows can't have or reserves on
	// every system, so that programs behave alike. On Windows they always are.
	PortableNames bool
	// Blind makes programs get one error, ErrNotFound, for what doesn't exist,
	// what isn't granted and what is protected. Error.Rule and Decision still
	// tell them apart.
	Blind bool

	// MaxFileBytes bounds a file that is read or written. Default 8 MiB.
	MaxFileBytes int64
	// MaxTotalRead and MaxTotalWrite bound the bytes of all files that are
	// read, and written, through one FS and what was narrowed from it. Default 32 MiB.
	MaxTotalRead, MaxTotalWrite int64
	// MaxEntries bounds what a listing has, MaxDepth how many folders deep a
	// Glob goes, MaxVisit how many names List and Glob look at. Defaults 1000,
	// 32 and 100 000.
	MaxEntries, MaxDepth, MaxVisit int
	// OpenTimeout bounds the time until a file is open. Default 2 s.
	OpenTimeout time.Duration
	// Perm are the permissions of new files, before the umask. Default 0644.
	Perm uint32
	// Sync makes writes reach the disk before they end, so that also a power
	// failure leaves the old file or the new one.
	Sync bool
}

// The defaults of Config.
const (
	DefaultMaxFileBytes  = 8 << 20
	DefaultMaxTotalBytes = 32 << 20
	DefaultMaxEntries    = 1000
	DefaultMaxDepth      = 32
	DefaultMaxVisit      = 100_000
	DefaultOpenTimeout   = 2 * time.Second
	DefaultPerm          = 0o644
)

// DefaultProtect returns the names that are always protected.
func DefaultProtect() []string {
	return []string{
		".git", ".env*", ".ssh", ".aws", ".netrc", ".npmrc", "id_*", "*.pem", "*.key", "*.pfx",
		tempPattern,
	}
}

// Problem is one contradiction in a Config.
type Problem struct {
	Code    string // stable; one of the Problem constants
	Field   string // such as Roots[1].Read[0]
	Message string
}

// The codes of problems.
const (
	ProblemNoDir       = "E_FILES_NO_DIR"      // Dir is empty, or nothing has that name, or it can't be opened
	ProblemNotDir      = "E_FILES_NOT_DIR"     // Dir isn't a folder
	ProblemName        = "E_FILES_NAME"        // Name can't be the name of a folder
	ProblemDuplicate   = "E_FILES_DUPLICATE"   // two roots have one name, or one folder
	ProblemNothing     = "E_FILES_NOTHING"     // a root grants neither reading nor writing
	ProblemPattern     = "E_FILES_PATTERN"     // the text isn't a pattern
	ProblemProtected   = "E_FILES_PROTECTED"   // what is granted is protected
	ProblemPseudo      = "E_FILES_PSEUDO"      // Dir is in a pseudo file system
	ProblemLimit       = "E_FILES_LIMIT"       // a limit is negative, or can't be reached because of another one
	ProblemUnsupported = "E_FILES_UNSUPPORTED" // this system has no safe way to open files
)

// ConfigError lists all that is wrong with a Config. It doesn't name folders of
// the host, only fields.
type ConfigError struct{ Problems []Problem }

func (e *ConfigError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = fmt.Sprintf("%s: %s (%s)", p.Field, p.Message, p.Code)
	}
	return "files: " + strings.Join(lines, "; ")
}

// Has reports whether one of the problems has the code.
func (e *ConfigError) Has(code string) bool {
	for _, p := range e.Problems {
		if p.Code == code {
			return true
		}
	}
	return false
}
