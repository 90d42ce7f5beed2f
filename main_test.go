package pinfold_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/pinfold-js/pinfold"
)

func TestMain(m *testing.M) {
	pinfold.WorkerMain()
	goleak.VerifyTestMain(m)
}
