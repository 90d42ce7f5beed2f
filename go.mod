module github.com/pinfold-js/pinfold

go 1.26.8

require (
	golang.org/x/text v0.44.0
	pgregory.net/rapid v1.3.0
)
