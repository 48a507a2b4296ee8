import { assertEquals } from "@std/assert";

import { compareRequest } from "../../../../../runtime/agent/replay/compare_request.ts";

const TOOL = { name: "Read", description: "Reads a file", parameters: { type: "object", properties: {} } };
const THEN = {
  task: "Look at /then/a",
  request: { system: "Today is 2026-01-31.\nThe workspace is /then.", tools: [TOOL] },
  places: { workspace: "/then", artifacts: "" },
};
const NOW = {
  task: "Look at /now/a",
  request: { system: "Today is 2026-12-01.\nThe workspace is /now.", tools: [TOOL] },
  places: { workspace: "/now", artifacts: "" },
};
const same = (text: string) => text;
const compare = (now: Partial<typeof NOW>, then: Partial<typeof THEN> = {}) =>
  compareRequest({ ...NOW, ...now }, { ...THEN, ...then }, same).difference;

Deno.test("compareRequest() leaves out dates and folders", { permissions: "none" }, () => {
  assertEquals(compareRequest(NOW, THEN, same), { difference: null, warning: null });
  assertEquals(compareRequest({ ...NOW, task: null }, { ...THEN, task: "other" }, same).difference, null);
});

Deno.test("compareRequest() names the first difference", { permissions: "none" }, () => {
  const tools = (change: Partial<typeof TOOL>) => ({
    request: { ...NOW.request, tools: [{ ...TOOL, ...change }] },
  });
  assertEquals(
    compare({ task: "Look at b" }),
    'the task is another one: line 1 was "Look at <workspace>/a", is "Look at b"',
  );
  assertEquals(compare(tools({ name: "Write" })), "the tool Read was offered, and is not any more");
  assertEquals(
    compare({ request: { ...NOW.request, tools: [TOOL, { ...TOOL, name: "Write" }] } }),
    "the tool Write is offered, and was not",
  );
  assertEquals(
    compare(tools({ description: "Reads" })),
    'the description of Read is another one: line 1 was "Reads a file", is "Reads"',
  );
  assertEquals(
    compare(tools({ parameters: { type: "object", properties: { path: {} } } }))?.startsWith(
      "the schema of Read",
    ),
    true,
  );
  assertEquals(
    compare({ request: { ...NOW.request, system: "Today is 2026-12-01.\nThe workspace is small." } }),
    'the system prompt is another one: line 2 was "The workspace is <workspace>.", is "The workspace is small."',
  );
});

Deno.test("compareRequest() says what an earlier recording does not have", { permissions: "none" }, () => {
  const { difference, warning } = compareRequest(NOW, { ...THEN, request: null }, same);
  assertEquals([difference, warning?.includes("cannot compare them")], [null, true]);
});
