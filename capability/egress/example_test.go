package egress_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"

	"github.com/pinfold-js/pinfold/capability/egress"
)

func ExampleClient_Do() {
	// A service on this machine, which needs its network granted as well.
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s, with %s", r.URL.Path, r.Header.Get("Authorization"))
	}))
	defer server.Close()
	service := netip.MustParseAddrPort(server.Listener.Addr().String())

	client, err := egress.New(egress.Policy{
		Allow: []egress.Rule{{
			Hosts: []string{"127.0.0.1"}, Schemes: []string{"http"}, Ports: []uint16{service.Port()}, Paths: []string{"/v1"},
		}},
		AllowPrivate: []netip.Prefix{netip.PrefixFrom(service.Addr(), 32)},
		Credentials: []egress.Credential{{
			Name: "service", Hosts: []string{"127.0.0.1"}, Header: "Authorization", Insecure: true,
			Value: func(context.Context) (string, error) { return "Bearer secret-of-the-host", nil },
		}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	response, err := client.Do(context.Background(), egress.Request{URL: server.URL + "/v1/items"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(response.Status, string(response.Body))

	_, err = client.Do(context.Background(), egress.Request{URL: server.URL + "/v1/../admin"})
	fmt.Println(err, errors.Is(err, egress.PathNotAllowed))

	_, err = client.Do(context.Background(), egress.Request{URL: "https://example.com/"})
	var refusal *egress.Error
	if errors.As(err, &refusal) {
		fmt.Printf("%s; decided by: %s; %s\n", refusal, refusal.Rule, refusal.Hint)
	}
	// Output:
	// 200 /v1/items, with [hidden]
	// path not allowed true
	// host not allowed: example.com; decided by: default deny; grant the host "example.com"
}

func ExampleClient_Narrow() {
	granted, err := egress.New(egress.Policy{Allow: []egress.Rule{{Hosts: []string{"*.example.com"}}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	declared := []string{"api.example.com", "other.org"}
	fmt.Println("asked for and not granted:", granted.Missing(declared))
	tool, err := granted.Narrow(declared)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, u := range []string{"https://api.example.com/", "https://www.example.com/", "https://other.org/"} {
		d, _ := tool.Admit(egress.Request{URL: u})
		fmt.Println(u, d.Allowed, d.Rule)
	}
	// Output:
	// asked for and not granted: [other.org]
	// https://api.example.com/ true Allow[0]
	// https://www.example.com/ false not declared
	// https://other.org/ false default deny
}
