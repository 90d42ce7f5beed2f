package worker

// Report says what a worker has given up.
type Report struct {
	Applied []string `json:"applied"`
	Missing []string `json:"missing"` // each with its reason
}

func (r *Report) note(what string, err error) {
	if err == nil {
		r.Applied = append(r.Applied, what)
	} else {
		r.Missing = append(r.Missing, what+": "+err.Error())
	}
}

// Ceilings are what the operating system enforces on a worker. 0 is none.
type Ceilings struct {
	Data int64 // bytes of writable memory
	CPU  int64 // seconds of processor time in the worker's whole life
}
