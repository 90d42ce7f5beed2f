package host_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/pinfold-js/pinfold"
	"github.com/pinfold-js/pinfold/host"
)

func TestMain(m *testing.M) {
	pinfold.WorkerMain()
	m.Run()
}

type forecastArgs struct {
	City string `json:"city" jsonschema:"the city, in English"`
	Days int    `json:"days,omitempty" jsonschema:"description=how far ahead, in days,minimum=1,maximum=14,default=3"`
	Unit string `json:"unit,omitempty" jsonschema:"enum=celsius|fahrenheit,default=celsius"`
}

type forecast struct {
	City  string    `json:"city"`
	Highs []float64 `json:"highs"`
	Unit  string    `json:"unit"`
}

func functions(t testing.TB) []host.Spec {
	t.Helper()
	specs := []host.Spec{
		host.Must("forecast", "Forecasts the weather.", func(_ context.Context, a forecastArgs) (forecast, error) {
			if a.City == "Atlantis" {
				return forecast{}, &pinfold.Error{Code: "E_NO_CITY", Message: "there is no such city", Retryable: true, Data: map[string]string{"city": a.City}}
			}
			return forecast{a.City, make([]float64, a.Days), a.Unit}, nil
		}, host.Options{Capability: "weather"}),
		host.Must("now", "Tells the hour.", func(context.Context, struct{}) (int, error) { return 12, nil }, host.Options{Sync: true}),
		host.Must("note", "Writes a note.", func(context.Context, struct {
			Text string `json:"text"`
		}) (struct{}, error) {
			return struct{}{}, nil
		}, host.Options{}),
		host.Must("hours", "Gives the hours of a day.", func(_ context.Context, a struct {
			To int `json:"to"`
		}) (iter.Seq2[forecast, error], error) {
			return func(yield func(forecast, error) bool) {
				for i := range a.To {
					if !yield(forecast{City: fmt.Sprint(i)}, nil) {
						return
					}
				}
				yield(forecast{}, errors.New("the day is over"))
			}, nil
		}, host.Options{}),
	}
	return specs
}

func TestFunction(t *testing.T) {
	for _, tier := range []pinfold.Isolation{pinfold.InProcess, pinfold.Process} {
		t.Run(tier.String(), func(t *testing.T) {
			s, err := pinfold.New(pinfold.Options{Isolation: tier, Functions: host.All(functions(t)...)})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			for _, tt := range []struct{ source, want string }{
				{`return forecast({city: 'Paris', days: 2})`, `{"city":"Paris","highs":[0,0],"unit":"celsius"}`},
				{`return (await forecast({city: 'Paris'})).highs.length`, `3`},
				{`return forecast({city: 'Paris', unit: 'celcius'}).catch(e => [e.code, e.message, e.data.problems.length])`, "celsius"},
				{`return forecast({town: 'Paris'}).catch(e => e.message)`, "city"},
				{`return forecast({city: 'Paris', days: '2'}).catch(e => e.message)`, "days"},
				{`return forecast().catch(e => e.message)`, "city"},
				{`return forecast('Paris').catch(e => e.message)`, "object"},
				{`return forecast({city: 'Atlantis'}).catch(e => [e.message, e.code, e.retryable, e.data])`, `["there is no such city","E_NO_CITY",true,{"city":"Atlantis"}]`},
				{`return [now(), now({})]`, `[12,12]`},
				{`return note({text: 'x'})`, `{"$js":"undefined"}`},
				{`let out = []; try { for await (const f of await hours({to: 2})) out.push(f.city) } catch (e) { out.push(e.message) } return out`, `["0","1","the day is over"]`},
			} {
				o := s.Eval(context.Background(), "test.js", tt.source, nil)
				if got := o.Value.String(); o.Failure != nil || !strings.Contains(got, tt.want) {
					t.Errorf("%s\ngives %s %v, want %s", tt.source, got, o.Failure, tt.want)
				}
			}
		})
	}
}

func TestDeclarations(t *testing.T) {
	var got []string
	for _, s := range functions(t) {
		got = append(got, s.Name+s.Declaration)
	}
	want := `forecast(args: { /** the city, in English */ city: string; /** how far ahead, in days; default 3, integer, minimum 1, maximum 14 */ days?: number; /** default "celsius" */ unit?: "celsius" | "fahrenheit" }) => Promise<{ city: string; highs: number[]; unit: string }>
now(args?: Record<string, never>) => number
note(args: { text: string }) => Promise<void>
hours(args: { /** integer */ to: number }) => Promise<AsyncIterable<{ city: string; highs: number[]; unit: string }>>`
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("%s\nwant\n%s", s, want)
	}
}

func TestRefused(t *testing.T) {
	if _, err := host.Function("f", "", func(context.Context, int) (int, error) { return 0, nil }, host.Options{}); err == nil || !strings.Contains(err.Error(), "must be a struct") {
		t.Error(err)
	}
	if _, err := host.Function("f", "", func(context.Context, struct{ C chan int }) (int, error) { return 0, nil }, host.Options{}); err == nil || !strings.Contains(err.Error(), `function "f": arguments`) {
		t.Error(err)
	}
}

func ExampleFunction() {
	type args struct {
		ID string `json:"id" jsonschema:"the order's number"`
	}
	type order struct {
		Total float64 `json:"total"`
	}
	lookup, err := host.Function("lookup", "Finds an order.", func(_ context.Context, a args) (order, error) {
		return order{Total: float64(len(a.ID))}, nil
	}, host.Options{})
	if err != nil {
		panic(err)
	}
	sandbox, err := pinfold.New(pinfold.Options{Functions: host.All(lookup)})
	if err != nil {
		panic(err)
	}
	fmt.Println(sandbox.Eval(context.Background(), "a.js", `return (await lookup({id: 'abc'})).total`, nil).Value)
	fmt.Println(sandbox.Eval(context.Background(), "b.js", `return lookup({Id: 'abc'}).catch(e => e.message)`, nil).Value)
	// Output:
	// 3
	// "lookup: the key id is missing (string: the order's number); there is no key Id; did you mean id?"
}
