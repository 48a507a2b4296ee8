import { assertEquals, assertStringIncludes } from "@std/assert";

import { COMMAND_NAMES } from "../../../runtime/cli/args/command_table.ts";
import { TOPIC_NAMES } from "../../../runtime/cli/args/topic_table.ts";
import { renderTopic } from "../../../runtime/cli/help/render_topic.ts";
import { run } from "../../support/program.ts";

Deno.test("the program holds every topic of the manual, as the READMEs have it", async () => {
  for (const name of TOPIC_NAMES) {
    assertEquals(await run(["help", name]), { code: 0, stdout: await renderTopic(name), stderr: "" }, name);
  }
});

Deno.test("a word that is neither a command nor a topic is refused with all that there is", async () => {
  const { code, stdout, stderr } = await run(["help", "nonsense"]);
  assertEquals([code, stdout], [2, ""]);
  assertStringIncludes(stderr, 'Unknown command or topic "nonsense"');
  assertStringIncludes(stderr, [...COMMAND_NAMES, ...TOPIC_NAMES].join(", "));
});
