package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

var toolName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_-]{0,63}$`)

func newToolNew() *cobra.Command {
	var typed, asJSON bool
	var dir string
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Write a new tool with a description, a schema and tests",
		Long: `Write a new tool, NAME.js, or NAME.ts with --ts, and NAME.tool.test.yaml beside it: a
tool that works, for you to change. Nothing is overwritten.`,
		Example: `  pinfold tool new word-count --ts
  pinfold tool test word-count`,
		Args: oneArg("NAME"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			name := args[0]
			if !toolName.MatchString(name) {
				return fmt.Errorf("%q can't be the name of a tool: it must have 1 to 64 letters, digits, _ and -, and begin with a letter", name)
			}
			if info, err := os.Stat(dir); dir != "" && (err != nil || !info.IsDir()) {
				return fmt.Errorf("there is no folder %s", dir)
			}
			file, text := name+".js", templateJS
			if typed {
				file, text = name+".ts", templateTS
			}
			source, tests := filepath.Join(dir, file), filepath.Join(dir, name+".tool.test.yaml")
			for _, other := range []string{filepath.Join(dir, name+".js"), filepath.Join(dir, name+".ts"), tests} {
				if _, err := os.Lstat(other); err == nil {
					return fmt.Errorf("%s is there already", other)
				}
			}
			if err := writeNew(source, strings.ReplaceAll(text, "NAME", name)); err != nil {
				return err
			}
			if err := writeNew(tests, strings.ReplaceAll(templateTests, "NAME", name)); err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), map[string]any{"files": []string{source, tests}})
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s\n%s\n", source, tests)
			return err
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&typed, "ts", false, "write TypeScript")
	fs.BoolVar(&asJSON, "json", false, "print one JSON object")
	fs.StringVar(&dir, "dir", "", "the folder to write to, instead of this one: `DIR`")
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}

const templateJS = `// NAME: what a model can call. See what it says with: pinfold tool list

export const tool = {
  description: 'Counts the words of a text, and lists the most frequent ones with their counts.',
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'The text.' },
      top: { type: 'integer', minimum: 1, maximum: 100, default: 3, description: 'How many words to list.' },
    },
    required: ['text'],
    additionalProperties: false,
  },
  // requires: ['fileRead'] lets it use ctx.readFile, if the host grants that.
};

// invoke is called with arguments that fit the schema. What it returns is the
// result; what it throws is an error that the model reads.
export function invoke({ text, top = 3 }, ctx) {
  const counts = new Map();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? []) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  if (counts.size === 0) throw new Error('the text has no words');
  const words = [...counts.values()].reduce((a, b) => a + b, 0);
  const most = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, top);
  return { words, different: counts.size, most: most.map(([word, count]) => ({ word, count })) };
}
`

const templateTS = `// NAME: what a model can call. See what it says with: pinfold tool list

export const tool = {
  description: 'Counts the words of a text, and lists the most frequent ones with their counts.',
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'The text.' },
      top: { type: 'integer', minimum: 1, maximum: 100, default: 3, description: 'How many words to list.' },
    },
    required: ['text'],
    additionalProperties: false,
  },
  // requires: ['fileRead'] lets it use ctx.readFile, if the host grants that.
};

interface Inputs {
  text: string;
  top?: number;
}

interface Result {
  words: number;
  different: number;
  most: { word: string; count: number }[];
}

// invoke is called with arguments that fit the schema. What it returns is the
// result; what it throws is an error that the model reads.
export function invoke({ text, top = 3 }: Inputs): Result {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? []) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  if (counts.size === 0) throw new Error('the text has no words');
  const words = [...counts.values()].reduce((a, b) => a + b, 0);
  const most = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, top);
  return { words, different: counts.size, most: most.map(([word, count]) => ({ word, count })) };
}
`

const templateTests = `# The tests of NAME: pinfold tool test NAME
cases:
  - name: counts words
    input: {text: "the cat and the dog", top: 1}
    output: {words: 5, different: 4, most: [{word: the, count: 2}]}
  - name: lists three words if nothing else is asked for
    input: {text: "b a c a d"}
    output: {words: 5, different: 4, most: [{word: a, count: 2}, {word: b, count: 1}, {word: c, count: 1}]}
  - name: refuses a text without words
    input: {text: "..."}
    error: the text has no words
  - name: refuses other arguments
    input: {words: 3}
    error: text
`
