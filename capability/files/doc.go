// Package files lets programs read and write the files that a host has granted,
// and nothing else.
//
// In: a Config of granted folders, patterns, protected names and limits; paths
// and patterns that a program wrote, each hostile. Out: bytes, listings, an
// *Error that shows nothing of the host, and a Decision that names the rule
// that decided.
//
// # Paths
//
// A path names a file below a root. A leading "/" is the root itself, as in
// "/data/a.txt" or "data/a.txt", which are the same: a program has no other
// file system. A root with a name is a folder of that name at the top, and hides
// one of that name in the root without a name. "." and ".." are resolved in the
// text before anything is looked up, and ".." never leaves the top.
//
// Refused on every system: empty paths, NUL and other controls, text that isn't
// UTF-8, "\", a leading "~", drive letters, network and device prefixes, and paths that are too
// long or too deep. Windows' reserved names are refused on Windows, and
// everywhere with PortableNames.
//
// # What is granted
//
// A root grants what its Read and Write patterns match, and nothing without
// them. Narrow can only take away. Protected names are refused in any case,
// whatever their case, normalization, trailing dots, stream suffix or short
// name. Both are asked of the path as it was written, of each path that a
// symbolic link leads through, and of the path of the file in the end. A path
// that isn't granted gives the same error whether it exists or not.
//
// # How a file is opened
//
// The path is walked from a handle of the root, one component after the other,
// never following a link: links are read and resolved by hand below the root. A link
// that leads out is refused. The file must be regular, and with one name only
// (see Root.HardLinks). It is opened without blocking, compared with what the
// walk had seen, and once more with what a second walk finds; if something
// changed in between, all is done again, and refused in the end. Pseudo file
// systems such as /proc are refused. An open that takes longer than
// Config.OpenTimeout is refused.
//
// Writes go to a new file beside the old one, which is then renamed. So there is
// the old file or the new one, also if the process is killed, and nothing if the
// context ends before. No function makes a link.
//
// On Linux, macOS and the BSDs handles are those of openat; on Windows those of
// os.Root. On other systems New refuses to grant anything.
//
// meter: it has no meter: loops go over the host's Config, or over one path (maxPathBytes), one pattern (maxPatternBytes, maxPatternAlternatives) or one file, or over folders within Config.MaxVisit, asking the context at each entry
package files
