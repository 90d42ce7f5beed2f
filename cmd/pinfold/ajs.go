package main

import "github.com/spf13/cobra"

// newAJS is the command of the language AJS and its programs.
func newAJS() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ajs",
		Short: "Agents that travel as JSON: check, transpile and run them",
		Long: `AJS is a small language in the shape of JavaScript for agents that somebody else
writes. Its source is transpiled to a JSON program where parsing is safe; the
program is stored or sent, and run by a VM without a parser, under fuel and
quotas, calling only named atoms. See docs/AJS.md.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newAJSTranspile(), newAJSCheck(), newAJSRun(), newAJSTools())
	return cmd
}
