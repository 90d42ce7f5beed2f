package main

import (
	"errors"
	"fmt"

	"github.com/pinfold-js/pinfold/config"
	"github.com/spf13/cobra"
)

func newConfig() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Check configuration files, and show what they say",
		Long: `Check configuration files, and show what they say. docs/configuration.md describes
them. A file grants nothing by being there: --config names it.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newConfigCheck(), newConfigShow(), newConfigSchema())
	return cmd
}

func yamlFiles(_ *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

type jsonCheck struct {
	OK       bool             `json:"ok"`
	File     string           `json:"file"`
	Problems []config.Problem `json:"problems"`
	Grants   []string         `json:"grants"`
}

func newConfigCheck() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check a configuration file: its keys, values and contradictions, and that folders and secrets are there",
		Long: `Check a configuration file, pinfold.yaml in this folder if none is named: its keys
and values, what contradicts itself, and that the folders and secrets that it names
are there. Nothing is run, and nothing is printed of secrets. Exit code 1 if
something is wrong with it.`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: yamlFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			name := config.Name
			if len(args) > 0 {
				name = args[0]
			}
			r := jsonCheck{File: name, Problems: []config.Problem{}, Grants: []string{}}
			c, err := config.Load(name)
			var bad *config.Error
			switch {
			case errors.As(err, &bad):
				r.Problems = bad.Problems
			case err != nil:
				return err
			default:
				r.Problems = append(r.Problems, c.Check()...)
				r.Grants = append(r.Grants, c.Granted()...)
			}
			r.OK = len(r.Problems) == 0
			out := cmd.OutOrStdout()
			if asJSON {
				if err := writeJSON(out, r); err != nil {
					return err
				}
			} else {
				for _, p := range r.Problems {
					fmt.Fprintln(cmd.ErrOrStderr(), p)
				}
				if r.OK {
					fmt.Fprintf(out, "%s is all right; it grants %s\n", name, listed(r.Grants, "nothing"))
				}
			}
			if !r.OK {
				return exitError(exitFailed)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func newConfigShow() *cobra.Command {
	g := &grantFlags{}
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show what --config and the flags that grant something come to",
		Long: `Show what --config and the flags that grant something come to, as a configuration
file that says the same, with absolute paths. Secrets are shown as the references
to them.`,
		Example: `  pinfold config show --config pinfold.yaml --allow-read data`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := g.load()
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), c.Tree())
			}
			text, err := c.YAML()
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(text)
			return err
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	g.add(cmd)
	return cmd
}

func newConfigSchema() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of configuration files, for editors",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(config.Schema())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, which is what it does in any case")
	return cmd
}
