package datetime

// ZoneFile is the TZif file of a zone.
func ZoneFile(name string) (b []byte) {
	records("zones", func(key string, v []string) {
		if key == name {
			b = zoneFile(v[0], v[1], v[2])
		}
	})
	return b
}
