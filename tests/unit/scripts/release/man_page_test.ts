import { assertEquals, assertStringIncludes } from "@std/assert";

import { COMMAND_NAMES } from "../../../../runtime/cli/args/command_table.ts";
import { flagOf, OPTION_NAMES } from "../../../../runtime/cli/args/options/option_table.ts";
import type { Manifest } from "../../../../schemas/manifest.ts";
import { manPage } from "../../../../scripts/release/man_page.ts";
import manifest from "../../../../tools/manifest.json" with { type: "json" };
import { hasProgram, programTest } from "../../../support/needed_programs.ts";

const PAGE = manPage("1.2.3", (manifest as unknown as Manifest).command_examples);

Deno.test("manPage() names every command and every option, in ASCII", () => {
  const text = PAGE.replaceAll("\\-", "-");
  for (const name of COMMAND_NAMES) assertStringIncludes(text, `\n.SS "${name}"\n`);
  for (const name of OPTION_NAMES) assertStringIncludes(text, flagOf(name));
  assertEquals(/[^\n -~]/.exec(PAGE)?.[0], undefined);
  assertStringIncludes(PAGE, '"bulkhead 1.2.3"');
});

// Systems have one of these; an image of a container may have none.
const formatter = ["groff", "nroff"].find(hasProgram);
if (formatter !== undefined) {
  programTest("manPage() is shown without a warning", [formatter], async () => {
    const child = new Deno.Command(formatter, {
      args: ["-man", "-Tascii", "-P-c", "-P-b", "-P-u", "-ww", "-"],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(PAGE));
    await writer.close();
    const { code, stdout, stderr } = await child.output();
    const text = new TextDecoder();
    assertEquals([code, text.decode(stderr)], [0, ""]);
    assertStringIncludes(text.decode(stdout), "EXIT STATUS");
  });
}
