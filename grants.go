package pinfold

// Grants are the capabilities that a host gives.
type Grants struct{}

func (g *Grants) names() []string { return nil }

func (g *Grants) functions(requires []Requirement) ([]Function, error) { return nil, nil }
