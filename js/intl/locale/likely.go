package locale

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed data/likely.txt
var likelyText string

// likelyData maps "lang", "lang-Scrp", "lang-RG", "und-…" to the likely full
// identifier "lang-Scrp-RG".
var likelyData = sync.OnceValue(func() map[string]string {
	all := make(map[string]string, 8000)
	languages := true
	for line := range strings.Lines(likelyText) { //meter: embedded data, once
		f := strings.Fields(line)
		switch {
		case f[0] == "[languages]":
		case f[0] == "[others]":
			languages = false
		case languages:
			for _, lang := range f[2:] { //meter: embedded data, once
				all[lang] = lang + "-" + f[0] + "-" + f[1]
			}
		default:
			all[f[0]] = f[1]
		}
	}
	return all
})

// Maximize is the algorithm Add Likely Subtags of UTS #35. It reports false,
// and changes nothing, if there are none.
func (t *Tag) Maximize() bool {
	if t.Language != "und" && t.Script != "" && t.Region != "" {
		return true
	}
	data := likelyData()
	find := func(keys ...string) string {
		for _, k := range keys { //meter: at most four
			if v, ok := data[k]; ok {
				return v
			}
		}
		return ""
	}
	var v string
	switch {
	case t.Script != "" && t.Region != "":
		v = find(t.Language+"-"+t.Script+"-"+t.Region, t.Language+"-"+t.Script, t.Language+"-"+t.Region, t.Language)
	case t.Script != "":
		v = find(t.Language+"-"+t.Script, t.Language)
	case t.Region != "":
		v = find(t.Language+"-"+t.Region, t.Language)
	default:
		v = find(t.Language)
	}
	if v == "" && t.Script != "" && t.Language != "und" {
		v = find("und-" + t.Script)
	}
	if v == "" {
		return false
	}
	p := strings.Split(v, "-")
	if t.Language == "und" {
		t.Language = p[0]
	}
	if t.Script == "" {
		t.Script = p[1]
	}
	if t.Region == "" {
		t.Region = p[2]
	}
	return true
}

// Minimize is the algorithm Remove Likely Subtags of UTS #35, favouring the
// region over the script.
func (t *Tag) Minimize() {
	full := Tag{Language: t.Language, Script: t.Script, Region: t.Region}
	if !full.Maximize() {
		return
	}
	shorter := [3]Tag{
		{Language: full.Language},
		{Language: full.Language, Region: full.Region},
		{Language: full.Language, Script: full.Script},
	}
	for _, try := range shorter { //meter: fixed
		x := try
		if x.Maximize() && x.Language == full.Language && x.Script == full.Script && x.Region == full.Region {
			t.Language, t.Script, t.Region = try.Language, try.Script, try.Region
			return
		}
	}
	t.Language, t.Script, t.Region = full.Language, full.Script, full.Region
}
