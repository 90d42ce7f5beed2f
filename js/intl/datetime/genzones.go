//go:build ignore

// Makes data/zones.txt: the transitions of every zone of data/common.txt, from
// the public-domain IANA time zone database (2025c) as the Go distribution
// carries it:
//
//	go run genzones.go $(go env GOROOT)/lib/time/zoneinfo.zip
//
// A line holds a zone's name and that of another with the same clock, or its local time types (seconds ahead of UTC, with
// d for daylight time), its transitions (a type's letter and base-36 seconds
// since the one before) and the rule for the time after them. Where the
// database has daylight time behind standard time, it is turned round, as CLDR
// names the zones.
package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"os"
	"sort"
	"strconv"
	"strings"
)

type localType struct {
	off int32
	dst bool
}

// negative are the zones that the database gives daylight time behind standard
// time, with the instants between which it does.
var negative = map[string][2]int64{
	"Europe/Dublin":     {57000000, 1 << 62}, // since 1971
	"Africa/Casablanca": {1540000000, 1 << 62},
	"Africa/El_Aaiun":   {1540000000, 1 << 62},
	"Africa/Windhoek":   {760000000, 1520000000},
	"Europe/Prague":     {-730000000, -720000000},
}

// links are the zones that the database itself has as links, the first name
// having the data; Go's copy gives them the doubtful history of its file
// backzone.
var links = map[string]string{
	"Africa/Abidjan":       "Africa/Accra Africa/Bamako Africa/Banjul Africa/Conakry Africa/Dakar Africa/Freetown Africa/Lome Africa/Nouakchott Africa/Ouagadougou Atlantic/Reykjavik Atlantic/St_Helena",
	"Africa/Johannesburg":  "Africa/Maseru Africa/Mbabane",
	"Africa/Lagos":         "Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Kinshasa Africa/Libreville Africa/Luanda Africa/Malabo Africa/Niamey Africa/Porto-Novo",
	"Africa/Maputo":        "Africa/Blantyre Africa/Bujumbura Africa/Gaborone Africa/Harare Africa/Kigali Africa/Lubumbashi Africa/Lusaka",
	"Africa/Nairobi":       "Africa/Addis_Ababa Africa/Asmera Africa/Dar_es_Salaam Africa/Djibouti Africa/Kampala Africa/Mogadishu Indian/Antananarivo Indian/Comoro Indian/Mayotte",
	"America/Panama":       "America/Cayman America/Coral_Harbour",
	"America/Phoenix":      "America/Creston",
	"America/Puerto_Rico":  "America/Anguilla America/Antigua America/Aruba America/Blanc-Sablon America/Curacao America/Dominica America/Grenada America/Guadeloupe America/Kralendijk America/Lower_Princes America/Marigot America/Montserrat America/Port_of_Spain America/St_Barthelemy America/St_Kitts America/St_Lucia America/St_Thomas America/St_Vincent America/Tortola",
	"America/Toronto":      "America/Nassau",
	"Asia/Bangkok":         "Asia/Phnom_Penh Asia/Vientiane Indian/Christmas",
	"Asia/Kuching":         "Asia/Brunei",
	"Asia/Dubai":           "Asia/Muscat Indian/Mahe Indian/Reunion",
	"Asia/Singapore":       "Asia/Kuala_Lumpur",
	"Asia/Qatar":           "Asia/Bahrain",
	"Asia/Rangoon":         "Indian/Cocos",
	"Asia/Riyadh":          "Antarctica/Syowa Asia/Aden Asia/Kuwait",
	"Europe/Belgrade":      "Europe/Ljubljana Europe/Podgorica Europe/Sarajevo Europe/Skopje Europe/Zagreb",
	"Europe/Berlin":        "Arctic/Longyearbyen Europe/Copenhagen Europe/Oslo Europe/Stockholm",
	"Europe/Brussels":      "Europe/Amsterdam Europe/Luxembourg",
	"Europe/Helsinki":      "Europe/Mariehamn",
	"Europe/London":        "Europe/Guernsey Europe/Isle_of_Man Europe/Jersey",
	"Europe/Paris":         "Europe/Monaco",
	"Europe/Prague":        "Europe/Bratislava",
	"Europe/Rome":          "Europe/San_Marino Europe/Vatican",
	"Europe/Zurich":        "Europe/Busingen Europe/Vaduz",
	"Indian/Maldives":      "Indian/Kerguelen",
	"Pacific/Auckland":     "Antarctica/McMurdo",
	"Pacific/Guadalcanal":  "Pacific/Ponape",
	"Pacific/Guam":         "Pacific/Saipan",
	"Pacific/Pago_Pago":    "Pacific/Midway",
	"Pacific/Port_Moresby": "Antarctica/DumontDUrville Pacific/Truk",
	"Pacific/Tarawa":       "Pacific/Funafuti Pacific/Majuro Pacific/Wake Pacific/Wallis",
}

func main() {
	log.SetFlags(0)
	r, err := zip.OpenReader(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range r.File {
		rc, err := f.Open()
		if err != nil {
			log.Fatal(err)
		}
		b, err := io.ReadAll(rc)
		if err != nil {
			log.Fatal(err)
		}
		files[f.Name] = b
	}
	common, err := os.ReadFile("data/common.txt")
	if err != nil {
		log.Fatal(err)
	}
	target := map[string]string{}
	for to, from := range links {
		for _, f := range strings.Fields(from) {
			target[f] = to
		}
	}
	known := map[string]bool{}
	var lines []string
	for _, line := range strings.Split(string(common), "\n") {
		f := strings.Split(line, "\t")
		if f[0] != "zone" {
			continue
		}
		names := append([]string{f[1]}, f[3:]...)
		var data []byte
		for _, n := range names {
			known[n] = true
			if data == nil {
				data = files[n]
			}
		}
		if data == nil {
			log.Printf("no data: %v", names)
			continue
		}
		if to := target[f[1]]; to != "" {
			lines = append(lines, f[1]+"\t"+to)
			continue
		}
		lines = append(lines, zone(f[1], data))
	}
	for n := range files {
		if !known[n] && !strings.HasSuffix(n, "/") {
			log.Printf("not in CLDR: %s", n)
		}
	}
	sort.Strings(lines)
	out := "# IANA time zone database 2025c\n" + strings.Join(lines, "\n") + "\n"
	if err := os.WriteFile("data/zones.txt", []byte(out), 0o644); err != nil {
		log.Fatal(err)
	}
}

func zone(name string, b []byte) string {
	// A header is 44 bytes, with six counts at its end.
	counts := func(b []byte) (n [6]int) {
		for i := range n {
			n[i] = int(binary.BigEndian.Uint32(b[20+4*i:]))
		}
		return n
	}
	n := counts(b) // isut, isstd, leap, time, type, char
	b = b[44+n[3]*5+n[4]*6+n[5]+n[2]*8+n[1]+n[0]:]
	n = counts(b)
	b = b[44:]
	times, kinds := b[:n[3]*8], b[n[3]*8:n[3]*9]
	b = b[n[3]*9:]
	types := make([]localType, n[4])
	for i := range types {
		types[i] = localType{int32(binary.BigEndian.Uint32(b[6*i:])), b[6*i+4] != 0}
	}
	b = b[n[4]*6+n[5]+n[2]*12+n[1]+n[0]:]
	rule := string(bytes.Trim(b, "\n"))

	var used []localType
	index := func(t localType) byte {
		for i, u := range used {
			if u == t {
				return byte('A' + i)
			}
		}
		used = append(used, t)
		return byte('A' + len(used) - 1)
	}
	index(types[0])
	var tr strings.Builder
	last := int64(0)
	span, turn := negative[name]
	for i := range n[3] {
		at := int64(binary.BigEndian.Uint64(times[8*i:]))
		t := types[kinds[i]]
		if turn && at >= span[0] && at < span[1] {
			switch {
			case t.dst && i+1 < n[3] && types[kinds[i+1]].off > t.off:
				t.dst = false
			case t.dst && i > 0 && types[kinds[i-1]].off > t.off:
				t.dst = false
			case !t.dst:
				before := i > 0 && types[kinds[i-1]].dst && types[kinds[i-1]].off < t.off
				after := i+1 < n[3] && types[kinds[i+1]].dst && types[kinds[i+1]].off < t.off
				t.dst = before || after
			}
		}
		tr.WriteByte(index(t))
		tr.WriteString(strconv.FormatInt(at-last, 36))
		last = at
	}
	switch {
	case name == "Europe/Dublin":
		rule = "GMT0IST,M3.5.0/1,M10.5.0"
	}
	var ts []string
	for _, u := range used {
		s := strconv.Itoa(int(u.off))
		if u.dst {
			s += "d"
		}
		ts = append(ts, s)
	}
	return fmt.Sprintf("%s\t%s\t%s\t%s", name, strings.Join(ts, " "), tr.String(), rule)
}
