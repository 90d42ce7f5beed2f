package main

import (
	"fmt"
	"io"
	"os"

	"github.com/pinfold-js/pinfold/declare"
	"github.com/pinfold-js/pinfold/tool"
	"github.com/spf13/cobra"
)

func newTypes() *cobra.Command {
	g := &grantFlags{}
	var compact, timers, asJSON bool
	var tools []string
	var output string
	cmd := &cobra.Command{
		Use:   "types",
		Short: "Print the TypeScript declarations of what programs find",
		Long: `Print a declaration file (.d.ts) of ctx, of the console and the web's globals, and of
the tools that programs may call, or, with --compact, a line for each function and
type, for prompts. It needs TypeScript's library of ECMAScript (lib esnext) and no
other. The same options give the same bytes.

Everything of ctx is there, unless flags or a configuration say what is granted.`,
		Example: `  pinfold types -o pinfold.d.ts
  pinfold types --compact --allow-net api.example.com
  pinfold types --tool tools/convert.ts`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, granted, err := g.surroundings(cmd, timers)
			if err != nil {
				return err
			}
			defer s.Close()
			opt := declare.Options{All: granted == nil, Granted: granted}
			if granted != nil && len(tools) > 0 {
				opt.Granted = append(opt.Granted, "tool")
			}
			for _, f := range tools {
				t, err := tool.Inspect(f, tool.Config{Lenient: true})
				if err != nil {
					return fmt.Errorf("--tool %s: %w", f, err)
				}
				d := t.Definition()
				_ = t.Close()
				opt.Tools = append(opt.Tools, declare.Tool{Name: d.Name, Description: d.Description, Input: d.InputSchema, Output: d.OutputSchema})
			}
			write := declare.File
			if compact {
				write = declare.Compact
			}
			text, err := write(s, opt)
			switch {
			case err != nil:
				return err
			case output != "":
				if err := os.WriteFile(output, []byte(text), 0o644); err != nil {
					return fileError(output, err)
				}
				return nil
			case asJSON:
				return writeJSON(cmd.OutOrStdout(), struct {
					OK   bool   `json:"ok"`
					Text string `json:"text"`
				}{true, text})
			}
			_, err = io.WriteString(cmd.OutOrStdout(), text)
			return err
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&compact, "compact", false, "a line for each function and type")
	fs.StringArrayVar(&tools, "tool", nil, "declare the tool of a `FILE` for ctx.callTool, too")
	fs.StringVarP(&output, "output", "o", "", "write to a `FILE` instead of standard output")
	fs.BoolVar(&timers, "timers", false, "programs have setTimeout, setInterval, clearTimeout and clearInterval")
	fs.BoolVar(&asJSON, "json", false, "print one JSON object with the text")
	g.add(cmd)
	_ = cmd.MarkFlagFilename("tool", "js", "ts")
	_ = cmd.MarkFlagFilename("output")
	return cmd
}
