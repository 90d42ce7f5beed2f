package hostile

var escapeCases, memoryCases, timeCases, asyncCases, valueCases, sourceCases, outputCases, timerCases, explainCases []Case

func stateCases() []Case { return nil }
func intlCases() []Case  { return nil }
