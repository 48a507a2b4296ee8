import { assertEquals, assertStringIncludes } from "@std/assert";

import { HELP_SUBJECTS, isCommand } from "../../../runtime/cli/args/command_table.ts";
import { TOPIC_NAMES } from "../../../runtime/cli/args/topic_table.ts";
import { renderTopic } from "../../../runtime/cli/help/render_topic.ts";
import { runHere as run } from "../../support/cli/in_process.ts";

Deno.test("the program holds every topic of the manual, as the READMEs have it", async () => {
  for (const name of TOPIC_NAMES) {
    const { code, stdout, stderr } = await run(["help", name]);
    assertEquals([code, stderr], [0, ""], name);
    const text = await renderTopic(name, { columns: 80, colors: false });
    assertEquals(stdout.slice(0, text.length), text, name);
    assertEquals(stdout.includes(`bulkhead ${name} --help\n`), isCommand(name), name);
  }
});

Deno.test("a word that is neither a command nor a topic nor a tool is refused with all that there is", async () => {
  const { code, stdout, stderr } = await run(["help", "nonsense"]);
  assertEquals([code, stdout], [2, ""]);
  assertStringIncludes(stderr, 'Unknown command, topic or tool "nonsense"');
  assertStringIncludes(stderr, HELP_SUBJECTS.join(", "));
  const near = await run(["help", "Raed"]);
  assertEquals([near.code, near.stdout], [2, ""]);
  assertStringIncludes(near.stderr, 'did you mean "Read"');
});

Deno.test("help TOOL, tools TOOL and --help behind a tool show the same tool", async () => {
  const help = await run(["help", "Read"]);
  assertEquals([help.code, help.stderr], [0, ""]);
  for (const part of ["harness/Read: Read a local text file", "start_line", "required", "\nExamples:\n"]) {
    assertStringIncludes(help.stdout, part);
  }
  for (const command of ["call", "explain", "schema", "tools"]) {
    assertEquals(await run([command, "Read", "--help"]), help, command);
  }
  const tools = await run(["tools", "Read", "par/read"]);
  const [first = "", second = ""] = tools.stdout.split("\npar/read: ");
  // It knows the permissions as well.
  assertEquals(first.replace(/^ {2}now .*\n/m, ""), help.stdout);
  assertStringIncludes(second, "bulkhead call par/read ");
  const rows = JSON.parse((await run(["tools", "Read", "--json"])).stdout);
  assertEquals(rows.map(({ name }: { name: string }) => name), ["harness/Read"]);
  const unknown = await run(["call", "Raed", "--help"]);
  assertEquals([unknown.code, unknown.stdout], [2, ""]);
});
