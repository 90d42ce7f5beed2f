package files

import (
	"strings"
	"unicode/utf8"
)

// Bounds on paths. A path of the largest depth costs some hundred calls of the system.
const (
	maxPathBytes = 4096
	maxNameBytes = 255
	maxPathDepth = 255
)

// cleanPath splits a path of a program into the names that lead to the file
// from the top, none for the top itself. It looks at nothing but the text.
func cleanPath(path string, windows bool) ([]string, *Error) {
	if why := checkText(path); why != "" {
		return nil, errBadPath(why)
	}
	if why := checkPrefix(path); why != "" {
		return nil, errBadPath(why)
	}
	names := make([]string, 0, strings.Count(path, "/")+1)
	for name := range strings.SplitSeq(path, "/") {
		switch name {
		case "", ".":
			continue
		case "..":
			if len(names) == 0 {
				return nil, errOutside("path:escape")
			}
			names = names[:len(names)-1]
			continue
		}
		if why := checkName(name, windows); why != "" {
			return nil, errBadPath(why)
		}
		names = append(names, name)
	}
	if len(names) > maxPathDepth {
		return nil, errBadPath("deep")
	}
	return names, nil
}

// checkText refuses what is no path on any system.
func checkText(path string) string {
	switch {
	case path == "":
		return "empty"
	case len(path) > maxPathBytes:
		return "long"
	case strings.IndexByte(path, 0) >= 0:
		return "nul"
	case !utf8.ValidString(path):
		return "utf8"
	}
	for _, r := range path {
		if isControl(r) {
			return "control"
		}
	}
	return ""
}

// isControl reports whether r is of the category Cc, or a separator of lines.
func isControl(r rune) bool {
	return r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029
}

// checkPrefix refuses beginnings that mean something else than the top.
func checkPrefix(path string) string {
	if path[0] == '~' {
		return "home"
	}
	if len(path) >= 2 && isSlash(path[0]) && isSlash(path[1]) {
		// \\server\share, \\?\C:\x, \\.\PIPE\x, and each with "/".
		if len(path) >= 3 && (path[2] == '?' || path[2] == '.') && (len(path) == 3 || isSlash(path[3])) {
			return "device"
		}
		return "network"
	}
	if strings.HasPrefix(path, `\??\`) {
		return "device"
	}
	rest := path
	if isSlash(rest[0]) {
		rest = rest[1:]
	}
	if len(rest) >= 2 && rest[1] == ':' && isLetter(rest[0]) {
		return "drive"
	}
	if len(rest) >= 5 && strings.EqualFold(rest[:5], "file:") {
		return "url"
	}
	if strings.IndexByte(path, '\\') >= 0 {
		return "backslash"
	}
	return ""
}

func isSlash(c byte) bool  { return c == '/' || c == '\\' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// checkName refuses names that a system can't have, or takes for another one.
// A name has no slash and is neither "." nor "..".
func checkName(name string, windows bool) string {
	if len(name) > maxNameBytes {
		return "long"
	}
	if !windows {
		return ""
	}
	switch {
	case strings.IndexByte(name, ':') >= 0:
		return "stream"
	case strings.ContainsAny(name, `<>"|?*`):
		return "character"
	case isReserved(name):
		return "reserved"
	case name[len(name)-1] == '.' || name[len(name)-1] == ' ':
		return "trailing"
	}
	if stem, _ := shortName(name); stem != "" {
		return "short-name"
	}
	return ""
}

// isReserved reports whether Windows takes a name for that of a device. What
// comes after a dot or a colon doesn't matter to it, nor do spaces before that.
func isReserved(name string) bool {
	if i := strings.IndexAny(name, ".:"); i >= 0 {
		name = name[:i]
	}
	name = strings.ToUpper(strings.TrimRight(name, " "))
	switch name {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$":
		return true
	}
	port, ok := strings.CutPrefix(name, "COM")
	if !ok {
		port, ok = strings.CutPrefix(name, "LPT")
	}
	if !ok {
		return false
	}
	switch port {
	case "¹", "²", "³": // the code page's digits count as digits
		return true
	}
	return len(port) == 1 && isDigit(port[0])
}

// shortName takes apart a name that Windows may have given to a file with a
// longer one, such as GIT~1 for .git. It returns "" for others.
func shortName(name string) (stem, ext string) {
	base, ext, _ := strings.Cut(name, ".")
	if len(base) > 8 || len(ext) > 3 || strings.IndexByte(ext, '.') >= 0 {
		return "", ""
	}
	i := strings.LastIndexByte(base, '~')
	if i < 1 || i == len(base)-1 {
		return "", ""
	}
	for _, c := range []byte(base[i+1:]) {
		if !isDigit(c) {
			return "", ""
		}
	}
	return base[:i], ext
}

// splice returns the path that a link at names[i] leads to, or why it leads
// nowhere: dirs are the names by which its target may call the root itself.
// ".." that comes after a name of the target stays: that name may be a link.
func splice(names []string, i int, target string, dirs []string, windows bool) ([]string, *Error) {
	if windows {
		target = strings.ReplaceAll(target, `\`, "/")
	}
	out := make([]string, 0, len(names)+strings.Count(target, "/")+1)
	if rest, absolute := cutRoot(target, dirs, windows); !absolute {
		out = append(out, names[:i]...)
	} else if rest == "" {
		return nil, errOutside("link:absolute")
	} else {
		target = rest
	}
	known := true // out has no link, so that ".." is the parent
	for name := range strings.SplitSeq(target, "/") {
		if name == "" || name == "." {
			continue
		}
		if name == ".." && known {
			if len(out) == 0 {
				return nil, errOutside("link:escape")
			}
			out = out[:len(out)-1]
			continue
		}
		known = false
		if name != ".." && (checkName(name, windows) != "" || strings.IndexByte(name, 0) >= 0) {
			return nil, errOutside("link:escape")
		}
		out = append(out, name)
		if len(out) > maxPathDepth {
			return nil, fail(ErrLinks, "link:loop", "too many links")
		}
	}
	if out = append(out, names[i+1:]...); len(out) > maxPathDepth {
		return nil, fail(ErrLinks, "link:loop", "too many links")
	}
	return out, nil
}

// parent resolves ".." at names[i], where what comes before has no link.
func parent(names []string, i int) ([]string, *Error) {
	if i == 0 {
		return nil, errOutside("link:escape")
	}
	return append(names[:i-1:i-1], names[i+1:]...), nil
}

// cutRoot reports whether the target of a link is absolute, and what of it is
// below the root: "" if it isn't.
func cutRoot(target string, dirs []string, windows bool) (rest string, absolute bool) {
	absolute = strings.HasPrefix(target, "/") || windows && len(target) >= 2 && target[1] == ':'
	if !absolute {
		return "", false
	}
	for _, d := range dirs {
		if target == d {
			return ".", true
		}
		if rest, ok := strings.CutPrefix(target, strings.TrimSuffix(d, "/")+"/"); ok {
			return "./" + rest, true
		}
	}
	return "", true
}
