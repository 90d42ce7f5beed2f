package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Config is what a file says. The doc tags are the descriptions of its JSON Schema.
type Config struct {
	Version int              `yaml:"version" doc:"The version of the form: 1."`
	Files   *Files           `yaml:"files" doc:"What ctx.readFile, ctx.listFiles, ctx.findFiles and ctx.writeFile work with."`
	Network *Network         `yaml:"network" doc:"What ctx.fetch may ask."`
	Store   *Store           `yaml:"store" doc:"What ctx.store keeps its values in."`
	Log     bool             `yaml:"log" doc:"Grants ctx.log, whose records are printed."`
	Cost    *Cost            `yaml:"cost" doc:"Grants ctx.addCost."`
	Delay   *Delay           `yaml:"delay" doc:"Grants ctx.delay."`
	Limits  *Limits          `yaml:"limits" doc:"The ceilings of each run."`
	Quotas  map[string]Quota `yaml:"quotas" doc:"What one run may do with a capability, by its name."`
	Run     *Run             `yaml:"run" doc:"How programs are run."`
	Tools   *Tools           `yaml:"tools" doc:"Where pinfold tool finds tools."`

	dir    string           // that its paths are relative to
	file   string           // as it was named; "" without a file
	path   string           // absolute; "" without a file
	places map[string]place // of its parts
}

// Files grants folders.
type Files struct {
	Roots         []Root   `yaml:"roots" doc:"The folders."`
	Protect       []string `yaml:"protect" doc:"Patterns of names that are refused in every folder, beside those that always are."`
	ProtectDirs   []string `yaml:"protectDirs" doc:"Folders that are refused wherever they are."`
	PortableNames bool     `yaml:"portableNames" doc:"Refuses names that Windows can't have, on every system."`
	Blind         bool     `yaml:"blind" doc:"Makes what isn't granted look as if it weren't there."`
	MaxFileBytes  Size     `yaml:"maxFileBytes" doc:"The largest file that is read or written; 8MiB."`
	MaxTotalRead  Size     `yaml:"maxTotalRead" doc:"What one run may read; 32MiB."`
	MaxTotalWrite Size     `yaml:"maxTotalWrite" doc:"What one run may write; 32MiB."`
	MaxEntries    int      `yaml:"maxEntries" doc:"The longest listing; 1000."`
	MaxDepth      int      `yaml:"maxDepth" doc:"How many folders deep findFiles goes; 32."`
	MaxVisit      int      `yaml:"maxVisit" doc:"How many names a listing looks at; 100000."`
	OpenTimeout   Duration `yaml:"openTimeout" doc:"The time until a file is open; 2s."`
	Sync          bool     `yaml:"sync" doc:"Makes writes reach the disk before they end."`
}

// Root grants a folder, or a part of it.
type Root struct {
	Dir       string   `yaml:"dir" doc:"The folder, relative to the configuration file." required:"true"`
	Name      string   `yaml:"name" doc:"The folder under which programs find it; / is the top. Without it, the top if it is the only one, and else the folder's own name."`
	Read      []string `yaml:"read" doc:"Patterns of the files that may be read, relative to dir: \"**\" is all."`
	Write     []string `yaml:"write" doc:"Patterns of the files that may be written."`
	Protect   []string `yaml:"protect" doc:"Further patterns that are refused in this folder."`
	HardLinks bool     `yaml:"hardLinks" doc:"Allows to read files that have several names."`
}

// Network grants hosts.
type Network struct {
	Allow           []Rule       `yaml:"allow" doc:"The grants. A request needs one rule that has all of it."`
	DenyHosts       []string     `yaml:"denyHosts" doc:"Hosts that are refused whatever is allowed."`
	AllowPrivate    []string     `yaml:"allowPrivate" doc:"Addresses outside the public internet that may be dialled, if a rule has the host, such as 127.0.0.0/8."`
	NAT64           []string     `yaml:"nat64" doc:"The prefixes of this network's NAT64 translators."`
	Credentials     []Credential `yaml:"credentials" doc:"Headers that are added to requests and that programs never see."`
	MaxRedirects    int          `yaml:"maxRedirects" doc:"Redirects of a request; 5, and -1 is none."`
	Timeout         Duration     `yaml:"timeout" doc:"Of a request with its redirects; 10s."`
	MaxBodyBytes    Size         `yaml:"maxBodyBytes" doc:"Of a response; 8MiB."`
	MaxRequestBytes Size         `yaml:"maxRequestBytes" doc:"Of a request's body; 1MiB."`
	MaxHeaderBytes  Size         `yaml:"maxHeaderBytes" doc:"Of the headers; 64KiB."`
	MaxAgentDepth   int          `yaml:"maxAgentDepth" doc:"Agents that call each other in a chain; 10."`
	UserAgent       string       `yaml:"userAgent" doc:"The header User-Agent; pinfold."`
}

// Rule grants requests to hosts.
type Rule struct {
	Name    string   `yaml:"name" doc:"What decisions call the rule."`
	Hosts   []string `yaml:"hosts" doc:"Host names or addresses; *.example.com is all names below example.com." required:"true"`
	Methods []string `yaml:"methods" doc:"GET and HEAD if it isn't given."`
	Schemes []string `yaml:"schemes" doc:"https if it isn't given."`
	Ports   []int    `yaml:"ports" doc:"The scheme's own if it isn't given."`
	Paths   []string `yaml:"paths" doc:"Prefixes of paths; all if it isn't given."`
	Headers []string `yaml:"headers" doc:"Headers that programs may set; all harmless ones if it isn't given."`
}

// Credential is a header that is added to requests.
type Credential struct {
	Name     string   `yaml:"name" doc:"What messages call it." required:"true"`
	Hosts    []string `yaml:"hosts" doc:"The hosts that get it, each of which a rule must allow." required:"true"`
	Header   string   `yaml:"header" doc:"The header's name, such as Authorization." required:"true"`
	Value    Secret   `yaml:"value" doc:"Where the secret is: env:NAME for an environment variable, file:PATH for a file." required:"true"`
	Prefix   string   `yaml:"prefix" doc:"What stands before the secret in the header, such as \"Bearer \"."`
	Insecure bool     `yaml:"insecure" doc:"Sends it over http, too."`
}

// Store says where values are kept.
type Store struct {
	File       string `yaml:"file" doc:"The SQLite database, relative to the configuration file; it is made if it isn't there." required:"true"`
	Namespace  string `yaml:"namespace" doc:"The part of the database that is used; default."`
	KeyBytes   int    `yaml:"keyBytes" doc:"The longest key; 512."`
	ValueBytes Size   `yaml:"valueBytes" doc:"The largest value; 256KiB."`
	Keys       int    `yaml:"keys" doc:"The most keys; 1000."`
	TotalBytes Size   `yaml:"totalBytes" doc:"Of all keys and values; 8MiB."`
}

// Cost grants ctx.addCost.
type Cost struct {
	Budget string `yaml:"budget" doc:"What the costs of a run may come to, in US dollars, such as \"0.50\"; without it there is no bound."`
}

// Delay grants ctx.delay.
type Delay struct {
	Max Duration `yaml:"max" doc:"The longest one; 1m."`
}

// Limits are the ceilings of a run.
type Limits struct {
	Memory              Size     `yaml:"memory" doc:"Bytes alive at once; 256MiB."`
	Allocated           Size     `yaml:"allocated" doc:"Bytes asked for over the whole run; 16 times memory."`
	Fuel                int64    `yaml:"fuel" doc:"Units of work; 200000000."`
	Timeout             Duration `yaml:"timeout" doc:"Wall time; 10s."`
	CallDepth           int      `yaml:"callDepth" doc:"Calls inside each other; 2000."`
	NativeDepth         int      `yaml:"nativeDepth" doc:"Built-in functions that call back, inside each other; 1000."`
	OutputBytes         Size     `yaml:"outputBytes" doc:"Of console lines; 256KiB."`
	OutputLines         int      `yaml:"outputLines" doc:"Console lines; 5000."`
	SourceBytes         Size     `yaml:"sourceBytes" doc:"Of source text; 1MiB."`
	ResultBytes         Size     `yaml:"resultBytes" doc:"Of the value, and of each value that goes to a host function or comes from it; 4MiB."`
	ResultDepth         int      `yaml:"resultDepth" doc:"How deep these values are nested; 64."`
	HostCalls           int64    `yaml:"hostCalls" doc:"Calls of host functions; 1000."`
	ConcurrentHostCalls int      `yaml:"concurrentHostCalls" doc:"Calls of asynchronous host functions at once; 64."`
}

// Quota bounds the use of one capability.
type Quota struct {
	Calls      int64 `yaml:"calls" doc:"Calls in one run."`
	Concurrent int   `yaml:"concurrent" doc:"Calls at once."`
	BytesIn    Size  `yaml:"bytesIn" doc:"Of all arguments."`
	BytesOut   Size  `yaml:"bytesOut" doc:"Of all results."`
	Refuse     bool  `yaml:"refuse" doc:"Refuses a call that comes while concurrent calls are at work, which would wait otherwise."`
}

// Run says how programs are run.
type Run struct {
	Isolation     string `yaml:"isolation" doc:"in-process, or process: each run in a worker process."`
	Timers        bool   `yaml:"timers" doc:"Gives programs setTimeout, setInterval, clearTimeout and clearInterval."`
	Deterministic bool   `yaml:"deterministic" doc:"Same input, same run: a clock that stands, UTC, seeded Math.random."`
	Time          string `yaml:"time" doc:"Stops the clock, at a time such as 2026-01-31T09:00:00Z."`
	Seed          int64  `yaml:"seed" doc:"The seed of Math.random; 0 is a new one for each run."`
}

// Tools says where tools are.
type Tools struct {
	Dir     string `yaml:"dir" doc:"The folder of the tools, relative to the configuration file."`
	Lenient bool   `yaml:"lenient" doc:"Leaves out tools that require what isn't granted, and takes unknown keys for warnings."`
}

// Size is a number of bytes. In a file it is a number, or a text such as 64MiB.
type Size int64

var units = []struct {
	name  string
	bytes int64
}{
	{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3},
	{"G", 1 << 30}, {"M", 1 << 20}, {"K", 1 << 10}, {"B", 1},
}

// ParseSize reads a size: 65536, 64KiB, 1.5MB.
func ParseSize(text string) (Size, error) {
	number, unit := strings.TrimSpace(text), int64(1)
	for _, u := range units {
		if n := len(number) - len(u.name); n > 0 && strings.EqualFold(number[n:], u.name) {
			number, unit = strings.TrimSpace(number[:n]), u.bytes
			break
		}
	}
	f, err := strconv.ParseFloat(number, 64)
	if f *= float64(unit); err != nil || !(f >= 1) || f > 1<<60 {
		return 0, fmt.Errorf("%q is not a size: write one like 64MiB, 256KiB or 65536", text)
	}
	return Size(f), nil
}

// String writes the size with a unit if it is a whole number of them.
func (s Size) String() string {
	for _, u := range units[:3] {
		if n := int64(s); n >= u.bytes && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(int64(s), 10)
}

// Duration is a length of time. In a file it is a text such as 2s or 500ms, or a
// number of seconds.
type Duration time.Duration

// String writes it as Go does.
func (d Duration) String() string { return time.Duration(d).String() }

func parseDuration(text string) (Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil {
		f, e := strconv.ParseFloat(text, 64)
		if e != nil || math.IsNaN(f) || math.Abs(f) > 1e9 {
			return 0, fmt.Errorf("%q is not a time: write one like 2s, 500ms or 1m30s", text)
		}
		d = time.Duration(f * float64(time.Second))
	}
	if d <= 0 {
		return 0, fmt.Errorf("%q is not a time: it must be more than 0", text)
	}
	return Duration(d), nil
}

// Secret says where a secret is: env:NAME or file:PATH. It isn't the secret.
type Secret string
