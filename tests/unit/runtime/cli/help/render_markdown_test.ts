import { assertEquals } from "@std/assert";

import { renderMarkdown } from "../../../../../runtime/cli/help/render_markdown.ts";

Deno.test("renderMarkdown() words headings, paragraphs, lists, tables and code plainly", () => {
  const long = "word ".repeat(20).trim();
  const text = `# Title

${long}
goes on.

- one
- ${long}
  goes on

## Part

| a   | what    |
| --- | ------- |
| 1   | first   |
| 22  | ${long} |

\`\`\`sh
# not a heading

echo '| not a table'
\`\`\`
`;
  assertEquals(
    renderMarkdown(text),
    `Title
=====

word word word word word word word word word word word word word word word word
word word word word goes on.

- one
- word word word word word word word word word word word word word word word
  word word word word word goes on

Part
----

a   what
--  ----------------------------------------------------------------------------
1   first
22  word word word word word word word word word word word word word word word
    word word word word word

    # not a heading

    echo '| not a table'
`,
  );
});

Deno.test("renderMarkdown() makes a list of a table that is too wide", () => {
  const wide = "x".repeat(70);
  assertEquals(
    renderMarkdown(
      `| name | first | second |\n| - | - | - |\n| a | ${wide} | what it is |\n| b | | last |\n`,
    ),
    `name: a\n  first:\n    ${wide}\n  second: what it is\nname: b\n  second: last\n`,
  );
});
