package ajs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// weakPoints are the rows of the specification's section 26, and the tests that
// show what is done better here.
var weakPoints = map[int][]string{
	1:  {"vm.TestPreemption", "vm.TestHaltIsFinal", "vm.TestTimeOfOneStep", "vm.TestTimeouts"},
	2:  {"transpile.TestWeakPoints", "transpile.TestLiftedMeaning", "transpile.TestRandomMeaning"},
	3:  {"transpile.TestWeakPoints", "transpile.TestCatalogue"},
	4:  {"vm.TestErrorArgument"},
	5:  {"transpile.TestWeakPoints"},
	6:  {"vm.TestErrorsSayWhatTheyAre", "transpile.TestPositionsOfSteps"},
	7:  {"vm.TestFuelNeverAboveBudget"},
	8:  {"transpile.TestTypes", "transpile.TestWeakPoints", "ajs.TestToolDefinitionCases"},
	9:  {"vm.TestInnerContracts"},
	10: {"vm.TestTimeouts", "vm.TestContextOfCalls"},
	11: {"vm.TestTrace"},
	12: {"vm.TestQuotas"},
	13: {"atoms.TestClientPrivate"},
	14: {"transpile.TestLargeSources"},
	15: {"vm.TestDeterminism"},
	16: {"vm.TestProcedures"},
	17: {"transpile.TestWeakPoints", "transpile.TestLiftedMeaning"},
	18: {"transpile.TestDocComments"},
}

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// TestWeakPoints checks that every row has its tests.
func TestWeakPoints(t *testing.T) {
	have := map[string]bool{}
	for pkg, dir := range map[string]string{"ajs": ".", "vm": "vm", "transpile": "transpile", "atoms": "atoms"} {
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range testFunc.FindAllSubmatch(text, -1) {
				have[pkg+"."+string(m[1])] = true
			}
		}
	}
	for row := 1; row <= 18; row++ {
		if len(weakPoints[row]) == 0 {
			t.Errorf("row %d has no test", row)
		}
		for _, name := range weakPoints[row] {
			if !have[name] {
				t.Errorf("row %d: there is no test %s", row, name)
			}
		}
	}
}
