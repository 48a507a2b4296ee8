import { assertEquals } from "@std/assert";

import { makeToolIndex, type SearchedTool } from "../../../../../runtime/agent/tool_search/tool_index.ts";
import manifest from "../../../../../tools/manifest.json" with { type: "json" };

const REAL = manifest.tools.map(({ full_name, description, input_schema }) => (
  { name: full_name, description, parameters: input_schema as SearchedTool["parameters"] }
));

Deno.test("makeToolIndex() finds the tools of the manifest by what they do", () => {
  const index = makeToolIndex(REAL);
  const cases: readonly (readonly [string, string])[] = [
    ["harness/Grep", "harness/Grep"],
    ["search file contents with a regular expression", "harness/Grep"],
    ["find files by name pattern glob", "harness/Glob"],
    ["run a shell command", "harness/Bash"],
    ["look at a picture", "harness/ReadImage"],
    ["search scientific papers", "harness/ScholarSearch"],
    ["ask the user a question", "harness/AskUser"],
    ["calculate an arithmetic expression", "par/calculator"],
  ];
  for (const [query, name] of cases) {
    const found = index.search(query, 5).map(({ tool }) => tool.name);
    assertEquals(found.includes(name), true, `${query}: ${found}`);
  }
});

Deno.test("makeToolIndex() finds each of 500 made tools by its own words", () => {
  const verbs = [
    "create",
    "delete",
    "list",
    "update",
    "get",
    "merge",
    "close",
    "assign",
    "export",
    "archive",
  ];
  const things = [
    ...[
      "issue",
      "branch",
      "invoice",
      "customer",
      "ticket",
      "calendar",
      "photo",
      "sensor",
      "shipment",
      "recipe",
    ],
    ...[
      "playlist",
      "contract",
      "server",
      "bucket",
      "database",
      "queue",
      "alarm",
      "camera",
      "printer",
      "lamp",
    ],
    ...[
      "garden",
      "vehicle",
      "student",
      "course",
      "exam",
      "flight",
      "hotel",
      "voucher",
      "payment",
      "refund",
    ],
    ...[
      "report",
      "dashboard",
      "metric",
      "trace",
      "secret",
      "certificate",
      "domain",
      "mailbox",
      "thread",
      "poll",
    ],
    ...[
      "survey",
      "employee",
      "shift",
      "salary",
      "warehouse",
      "pallet",
      "sample",
      "genome",
      "telescope",
      "satellite",
    ],
  ];
  const tools = things.flatMap((thing) =>
    verbs.map((verb, at): SearchedTool => ({
      name: `mcp_s${at}_${verb}${thing[0]!.toUpperCase()}${thing.slice(1)}`,
      description: `Use this to ${verb} something in the system.`,
      parameters: {
        type: "object",
        properties: { [`${thing}_id`]: { type: "string", description: "Its id" } },
      },
    }))
  );
  assertEquals(tools.length, 500);
  const index = makeToolIndex(tools);
  for (const [at, tool] of tools.entries()) {
    const query = `${verbs[at % 10]} a ${things[Math.floor(at / 10)]}`;
    assertEquals(index.search(query, 1)[0]?.tool, tool, query);
  }
});

Deno.test("makeToolIndex() looks at arguments, puts a searched name first, and keeps the order of equals", () => {
  const tool = (name: string, description: string, parameters = {}): SearchedTool => ({
    name,
    description,
    parameters,
  });
  const index = makeToolIndex([
    tool("send", "Sends it", { properties: { recipients: { items: { properties: { email: {} } } } } }),
    tool("b", "Paint a wall"),
    tool("a", "Paint a wall"),
    tool("paint", "Nothing of the kind, just a long text about something else entirely, and more of it"),
  ]);
  const names = (query: string) => index.search(query, 9).map(({ tool }) => tool.name);
  assertEquals(names("recipient email"), ["send"]);
  assertEquals(names("wall"), ["b", "a"]);
  assertEquals(names("PAINT")[0], "paint");
  assertEquals(names("nothing like that fits"), ["paint"]);
  assertEquals(names("zebra"), []);
  assertEquals(names(""), []);
  assertEquals(makeToolIndex([]).search("a", 5), []);
});

Deno.test("makeToolIndex() bears schemas of any shape", () => {
  let deep: Record<string, unknown> = { description: "bottom" };
  for (let at = 0; at < 10_000; at++) deep = { properties: { [`p${at}`]: deep } };
  const odd = { properties: { a: true, b: null, c: { description: 5, items: [] } }, items: "x" };
  const index = makeToolIndex(
    [deep, odd].map((parameters, at) => ({ name: `t${at}`, description: "", parameters })),
  );
  assertEquals(index.search("c", 5).map(({ tool }) => tool.name), ["t1"]);
});
