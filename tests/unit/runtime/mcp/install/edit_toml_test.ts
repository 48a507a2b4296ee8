import { assertEquals } from "@std/assert";

import { setInToml } from "../../../../../runtime/mcp/install/edit_toml.ts";

const set = (text: string) =>
  setInToml(text, ["mcp_servers", "bulkhead"], { command: "b", args: ["x", 'y"'] });
const OWN = '[mcp_servers.bulkhead]\ncommand = "b"\nargs = ["x", "y\\""]\n';

Deno.test("setInToml() adds its table at the end, or replaces its own lines alone", () => {
  const cases: [before: string, after: string][] = [
    ["", OWN],
    ['model = "m" # mine\n', `model = "m" # mine\n\n${OWN}`],
    ['model = "m"', `model = "m"\n\n${OWN}`],
    [
      'a = 1\n\n[mcp_servers.bulkhead]\ncommand = "old"\n[mcp_servers.bulkhead.env]\nA = "1"\n\n# next\n[other]\nb = 2\n',
      `a = 1\n\n${OWN}\n# next\n[other]\nb = 2\n`,
    ],
    [
      '[mcp_servers.bulkhead_two]\ncommand = "c"\n',
      `[mcp_servers.bulkhead_two]\ncommand = "c"\n\n${OWN}`,
    ],
  ];
  for (const [before, after] of cases) assertEquals(set(before), after);
  assertEquals(set("mcp_servers = {}"), null);
  const twice = set(set('a = 1\n[z]\nb = """\n[x]\n"""\n')!);
  assertEquals(twice, set('a = 1\n[z]\nb = """\n[x]\n"""\n'));
});
