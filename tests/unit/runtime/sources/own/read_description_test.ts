import { assert, assertEquals } from "@std/assert";

import { readDescription } from "../../../../../runtime/sources/own/read_description.ts";

/** What a room says of a tool. */
function said(fields: Record<string, unknown> = {}, rest: Record<string, unknown> = {}) {
  return {
    exported: "default",
    functions: ["run"],
    fields: { name: " add ", description: "Adds.\u001b[31m", ...fields },
    input_schema: { type: "object", properties: {} },
    output_schema: {},
    ...rest,
  };
}

function problemsOf(value: unknown): string[] {
  const read = readDescription(value);
  return "problems" in read ? read.problems : [];
}

Deno.test("readDescription() fills in what is usual, and trims names", () => {
  const read = readDescription(said());
  assert("tool" in read);
  const { full_name, description, needs, killable, limits, permission, parallel, secrets } = read.tool;
  assertEquals([full_name, needs, killable, permission, parallel], ["own/add", {}, true, "allow", false]);
  assert(!description.includes("\u001b"));
  assertEquals([limits, secrets], [{ timeout_ms: 120_000, concurrency: null }, []]);
  const timed = readDescription(said({ timeout_seconds: 0.5, concurrency: 2 }));
  assertEquals("tool" in timed && timed.tool.limits, { timeout_ms: 500, concurrency: 2 });
});

Deno.test("readDescription() names the tool, the field and what helps", () => {
  const cases: [Record<string, unknown>, string][] = [
    [{ name: "" }, "name is"],
    [{ name: "a/b" }, 'tool "a/b": name is "a/b"'],
    [{ description: " " }, "description is missing"],
    [{ description: "x".repeat(1024) }, "description has 1024 characters"],
    [{ needs: { reed: "workspace" } }, "needs is"],
    [
      { needs: { read: "everything" } },
      'needs.read is "everything": write "workspace", "granted", or a list',
    ],
    [
      { needs: { write: ["notes"] } },
      'needs.write is ["notes"]: write "workspace", "granted", or a list of absolute',
    ],
    [{ needs: { run: ["git"] } }, 'needs.run is ["git"]: write "granted"'],
    [{ needs: { net: "workspace" } }, 'needs.net is "workspace": write "granted", or a list of hosts'],
    [{ needs: { net: ["http://example.com/"] } }, 'needs.net: Cannot use "http://example.com/" as a host'],
    [{ permission: "maybe" }, "permission is"],
    [{ timeout_seconds: 0 }, "timeout_seconds is 0"],
    [{ concurrency: 1.5 }, "concurrency is 1.5"],
    [{ parallel: "yes" }, "parallel is"],
    [{ secrets: [] }, "secrets is not known"],
    [{ killable: false }, "killable is not known"],
    [{ timeoutSeconds: 3 }, 'did you mean "timeout_seconds"?'],
  ];
  for (const [fields, problem] of cases) {
    assert(problemsOf(said(fields)).some((one) => one.includes(problem)), JSON.stringify(fields));
  }
  assert(problemsOf(said({}, { functions: [] }))[0]?.includes("run must be a function"));
  assert(problemsOf(said({}, { input_schema: { type: "string" } }))[0]?.includes("input must be an object"));
});

Deno.test("readDescription() takes anything that a room may say", () => {
  const long = { type: "object", title: "x".repeat(200_000) };
  for (
    const value of [
      null,
      1,
      "x",
      [],
      {},
      { fields: 1 },
      { fields: {}, functions: 3 },
      said({}, { input_schema: long }),
    ]
  ) {
    assert(problemsOf(value).length > 0);
  }
});
