package ucd

import "sort"

// Property returns the set of \p{name} (value empty) or \p{name=value}, as
// ECMA-262 UnicodeMatchProperty and UnicodeMatchPropertyValue define them:
// names are matched exactly, and only the listed properties exist. hasValue
// tells "name=" from "name".
func Property(name, value string, hasValue bool) ([]Range, bool) {
	d := load()
	kind := ""
	if !hasValue {
		if set, ok := d.sets["b:"+name]; ok {
			return set, true
		}
		kind, value = "g:", name
	} else {
		switch name {
		case "General_Category", "gc":
			kind = "g:"
		case "Script", "sc":
			kind = "s:"
		case "Script_Extensions", "scx":
			kind = "x:"
		default:
			return nil, false
		}
	}
	set, ok := d.sets[kind+value]
	return set, ok
}

// Strings returns the sequences of a property of strings, single code points
// among them.
func Strings(name string) ([][]rune, bool) {
	s, ok := load().strings[name]
	return s, ok
}

// IsStrings reports whether name is a property of strings.
func IsStrings(name string) bool {
	switch name {
	case "Basic_Emoji", "Emoji_Keycap_Sequence", "RGI_Emoji",
		"RGI_Emoji_Modifier_Sequence", "RGI_Emoji_Flag_Sequence", "RGI_Emoji_Tag_Sequence", "RGI_Emoji_ZWJ_Sequence":
		_, ok := load().strings[name]
		return ok
	}
	return false
}

// In reports whether r is in a sorted set.
func In(set []Range, r rune) bool {
	i := sort.Search(len(set), func(i int) bool { return set[i].Hi >= r })
	return i < len(set) && set[i].Lo <= r
}

// IsIDStart reports the property ID_Start.
func IsIDStart(r rune) bool {
	if r < 0x80 {
		return 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return In(load().sets["b:ID_Start"], r)
}

// IsIDContinue reports the property ID_Continue.
func IsIDContinue(r rune) bool {
	if r < 0x80 {
		return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || r == '_'
	}
	return In(load().sets["b:ID_Continue"], r)
}
