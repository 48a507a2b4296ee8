import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { type ManualFile, TOPIC_NAMES, topicOf } from "../../../../../runtime/cli/args/topic_table.ts";
import { renderTopic, sectionsOf } from "../../../../../runtime/cli/help/render_topic.ts";
import type { Manifest } from "../../../../../schemas/manifest.ts";
import manifest from "../../../../../tools/manifest.json" with { type: "json" };
import { readReadme } from "../../../../support/readme/readme.ts";

/** Files of which every section belongs to a topic. */
const MANUALS: readonly ManualFile[] = [
  "runtime/agent/README.md",
  "runtime/host/README.md",
  "runtime/mcp/README.md",
  "runtime/model/README.md",
  "runtime/programs/README.md",
  "runtime/queue/README.md",
  "runtime/sources/README.md",
  "tools/agents/README.md",
];

Deno.test("renderTopic() shows sections that exist, word by word", async () => {
  for (const name of TOPIC_NAMES) {
    const shown = new Set(wordsOf(await renderTopic(name)));
    for (const { file, headings } of topicOf(name).parts) {
      const sections = sectionsOf(readReadme(file));
      for (const heading of headings) {
        const section = sections.get(heading);
        assert(section, `${name}: ${file} has no section "${heading}"`);
        const text = section.replace(/\]\([^)]*\)/g, "]");
        assertEquals(wordsOf(text).filter((word) => !shown.has(word)), [], `${name}: ${heading}`);
      }
    }
  }
});

Deno.test("renderTopic() leaves out no section of the manual", () => {
  for (const file of MANUALS) {
    const shown = new Set(
      TOPIC_NAMES.flatMap((name) => topicOf(name).parts).filter((part) => part.file === file)
        .flatMap(({ headings }) => headings),
    );
    assertEquals(new Set(sectionsOf(readReadme(file)).keys()), shown, file);
  }
});

Deno.test("renderTopic() stays within 80 columns of plain text, examples apart", async () => {
  for (const name of TOPIC_NAMES) {
    const text = await renderTopic(name);
    assert(text.endsWith("\n") && !text.endsWith("\n\n") && !text.includes("\n\n\n"), name);
    for (const line of text.split("\n")) {
      assertEquals(line, line.trimEnd());
      assert(line.length <= 80 || line.startsWith("    "), `${name}: ${line}`);
      assert(!/^(```|#|\|)|\]\(|\p{Cc}/u.test(line), `${name}: ${line}`);
    }
  }
});

Deno.test("renderTopic() tells of every key and address that a tool takes", async () => {
  const text = await renderTopic("web");
  const { tools } = manifest as Manifest;
  for (const { name, secrets, settings } of tools.filter(({ outside }) => outside)) {
    for (const word of [...secrets.map(({ name }) => name), ...settings]) {
      assertStringIncludes(text, word, name);
    }
  }
});

Deno.test("renderTopic() names the topic that a link leads to", async () => {
  const text = (await renderTopic("permissions")).replace(/\s+/g, " ");
  assertStringIncludes(
    text,
    "The configuration (see: bulkhead help config) can define policies of your own.",
  );
});

/** The words of a text without marks, the borders of tables and of code. */
function wordsOf(text: string): string[] {
  return text.replace(/^```.*$/gm, "").split(/[\s|#[\]]+/).filter((word) => /\w/.test(word))
    .map((word) => word.replace(/[.,:;)]+$/, ""));
}
