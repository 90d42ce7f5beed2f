package tool

// Inspect is Load for looking at a tool: what it requires need not be granted. Calls
// of what isn't granted are refused.
func Inspect(name string, cfg Config) (*File, error) {
	l, err := newLoader(cfg)
	if err != nil {
		return nil, err
	}
	l.ungranted = true
	return l.file(name)
}
