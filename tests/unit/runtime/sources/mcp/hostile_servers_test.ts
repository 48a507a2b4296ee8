import { assert, assertEquals, assertMatch } from "@std/assert";

import { callTool } from "../../../../../runtime/calls/call_tool.ts";
import { findTool } from "../../../../../runtime/calls/catalog/find_tool.ts";
import type { NarrowPrograms } from "../../../../../runtime/programs/narrow/narrow_programs.ts";
import type { OpenWire } from "../../../../../runtime/sources/mcp/wire/mcp_wire.ts";
import { programWire } from "../../../../../runtime/sources/mcp/wire/program_wire.ts";
import type { ToolResult } from "../../../../../schemas/result.ts";
import { type OpenedWith, openWith } from "../../../../support/mcp/open_with.ts";

function serverThatIs(how: string, more: Record<string, unknown> = {}) {
  return { [how]: { command: "hostile", args: [how], ...more } };
}

function call({ host }: OpenedWith, name: string, input: unknown = {}): Promise<ToolResult> {
  return callTool(findTool(host.catalog, name), input, { machine: host });
}

function toolsOf({ host }: OpenedWith): string[] {
  return host.catalog.entries.filter(({ tool }) => tool.toolset === "mcp").map(({ tool }) => tool.name);
}

Deno.test("a server that never answers the greeting is a warning", async () => {
  await using opened = await openWith({ servers: serverThatIs("mute"), startMs: 100 });
  assertEquals(opened.warnings, [
    'server "mute" of "the test" failed: it was not ready within 0.1 seconds; the other tools go on without it',
  ]);
});

Deno.test("a server that never answers a call ends it in time, and is called again", async () => {
  await using opened = await openWith({ servers: serverThatIs("silent", { timeout: 300 }) });
  const { error, text } = await call(opened, "mcp_silent_work");
  assertEquals(error?.code, "timeout");
  assertEquals(text, 'Server "silent" failed: it did not answer within 0.3 seconds');
});

Deno.test("a server that hangs after a call is started again for the next one, and one that lives is not", async () => {
  for (const [how, starts] of [["stuck", 2], ["silent", 1]] as const) {
    let started = 0;
    await using opened = await openWith({
      ...{ servers: serverThatIs(how, { timeout: 300 }), signMs: 50 },
      openWire: (open) => (options) => (started++, open(options)),
    });
    for (let times = 0; times < 2; times++) {
      assertEquals((await call(opened, `mcp_${how}_work`)).error?.code, "timeout");
    }
    const told =
      `server "${how}": it hung after a request that it left without an answer, so it was started again`;
    assertEquals([started, opened.warnings], [starts, starts === 2 ? [told] : []]);
  }
});

Deno.test("the start of a server that has ended counts in the time of the call", async () => {
  const start = Promise.withResolvers<void>();
  let starts = 0;
  await using opened = await openWith({
    servers: serverThatIs("die", { timeout: 4_000 }),
    openWire: (open) => async (options) => {
      if (++starts === 2) await start.promise;
      return await open(options);
    },
  });
  await call(opened, "mcp_die_work");
  const { error, text } = await call(opened, "mcp_die_work");
  assertEquals(error?.code, "timeout");
  assertEquals(text, 'Server "die" failed: it did not answer within 4 seconds');
  // The start goes on, and the next call has it.
  start.resolve();
  assertEquals((await call(opened, "mcp_die_work")).error?.code, "unavailable");
  assertEquals(starts, 2);
});

Deno.test("a server that always ends is not started for ever", async () => {
  await using opened = await openWith({ servers: serverThatIs("die") });
  let last = "";
  for (let times = 0; times < 6; times++) last = (await call(opened, "mcp_die_work")).text;
  assertEquals(last, 'Server "die" failed: it ended 5 times within a minute: try again later');
});

Deno.test("a line of 100 MB is refused before it is put together", async () => {
  await using opened = await openWith({ servers: serverThatIs("long") });
  const before = ownMemory();
  let most = 0;
  const watch = setInterval(() => most = Math.max(most, ownMemory() - before), 1);
  const { error, text } = await call(opened, "mcp_long_work");
  clearInterval(watch);
  assertEquals(error?.code, "unavailable");
  assertMatch(text, /^Server "long" failed: it sent a message of more than 10485760 bytes/);
  assert(most > 0 && most < 60 * 1024 * 1024, `${most}`);
});

/** Bytes that this thread holds: other tests share the process. */
function ownMemory(): number {
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}

for (const how of ["junk", "flood"]) {
  Deno.test(`a server is understood that sends ${how}`, async () => {
    await using opened = await openWith({ servers: serverThatIs(how) });
    assertEquals((await call(opened, `mcp_${how}_work`)).text, "did work");
    assertEquals((await call(opened, `mcp_${how}_again`)).text, "did again");
  });
}

Deno.test("a message that is nested without an end, and an answer of another form, end their call", async () => {
  await using opened = await openWith({
    servers: { ...serverThatIs("nested", { timeout: 20_000 }), ...serverThatIs("wrong") },
  });
  const nested = await call(opened, "mcp_nested_work");
  assertMatch(nested.text, /its answer cannot be read: it is nested too deep/);
  const { error } = await call(opened, "mcp_wrong_work");
  assertEquals(error?.code, "external_failure");
});

Deno.test("of a result with parts that nobody knows, the others are given, and those named with their number", async () => {
  await using opened = await openWith({ servers: serverThatIs("newer") });
  const { ok, text } = await call(opened, "mcp_newer_work");
  const line = '[3 parts of a kind that is not known here, left out: "video", "image"]';
  assertEquals([ok, text], [true, `known\na string\n${line}`]);
});

Deno.test("a server that offers nothing is told of, also one that does not say who it is", async () => {
  await using opened = await openWith({ servers: serverThatIs("bare") });
  assertMatch(
    opened.warnings.join(),
    /^server "bare" of "the test" offers no tools, no resources and no prompts/,
  );
});

Deno.test("a server that is not ready in time is told of with what it printed", async () => {
  const servers = serverThatIs("mute");
  const openWire = (open: OpenWire): OpenWire => async (options) => ({
    ...await open(options),
    noise: () => "it said: no",
  });
  await using opened = await openWith({ servers, startMs: 100, openWire });
  assertMatch(opened.warnings.join(), /it was not ready within 0.1 seconds; it said: no/);
  const rows: [string, string, string][] = [
    ["x".repeat(5_000), "", `it printed 5000 bytes on stdout that begin with "${"x".repeat(100)}"`],
    ["Ready!\n", "warn\n", 'it printed 7 bytes on stdout that begin with "Ready!"; it said: warn'],
    ['{"jsonrpc":"2.0"}\n', "", ""],
  ];
  for (const [stdout, stderr, expected] of rows) {
    const program = {
      ...{
        stdout: new Blob([stdout]).stream(),
        stderr,
        warnings: [],
        ended: Promise.withResolvers().promise,
      },
      close: () => Promise.resolve({ exitCode: 0, reason: "exited" }),
    };
    const programs = { pipe: () => Promise.resolve(program) } as unknown as NarrowPrograms;
    const open = programWire(programs, { argv: ["server"] }, { warn() {}, onEnd() {} });
    const wire = await open({ signal: new AbortController().signal });
    for await (const _ of wire.messages);
    assertEquals(wire.noise?.(), expected);
  }
});

Deno.test("pages that lead in a circle end", async () => {
  await using opened = await openWith({ servers: serverThatIs("pages") });
  assertEquals(toolsOf(opened), [0, 1, 2, 3, 4].map((n) => `mcp_pages_t${n}`));
  assertMatch(opened.warnings.join(), /its list of tools has no end/);
});

Deno.test("names that are the same, look alike or lead elsewhere become names that differ", async () => {
  await using opened = await openWith({ servers: serverThatIs("names") });
  const names = toolsOf(opened);
  assertEquals(new Set(names.map((name) => name.toLowerCase())).size, names.length);
  for (const name of names) assertMatch(name, /^mcp_names_[A-Za-z0-9_-]{1,54}$/);
  assertEquals(names.length, 11);
  assertMatch(
    opened.warnings.join("\n"),
    /two of its tools are named "\\"same\\""|two of its tools are named "same"/,
  );
  assertMatch(opened.warnings.join("\n"), /without a usable name/);
  for (const name of names) assertEquals((await call(opened, name)).ok, true, name);
});

Deno.test("cyclic, remote, deep and enormous schemas are survived", async () => {
  await using opened = await openWith({ servers: serverThatIs("schemas") });
  const bare = toolsOf(opened).map((name) => name.replace("mcp_schemas_", ""));
  assertEquals(bare, ["cyclic", "remote", "deep", "pattern", "typed", "hidden"]);
  const warned = opened.warnings.join("\n");
  assertMatch(warned, /"enormous".* is left out: its inputSchema has 200\d+ characters/);
  assertMatch(warned, /"list".* is left out: its arguments are no object/);
  for (const name of ["cyclic", "remote", "deep"]) {
    const result = await call(opened, `mcp_schemas_${name}`, { child: { child: {} } });
    assertEquals(result.text, "called", name);
  }
  const slow = await call(opened, "mcp_schemas_pattern", { a: `${"a".repeat(5_000)}!` });
  assertEquals(slow.error?.code, "invalid_input");
  const typed = await call(opened, "mcp_schemas_typed");
  assertEquals(typed.error?.code, "output_invalid");
  assertMatch(typed.text, /#\/n: must be number/);
  const { tool } = findTool(opened.host.catalog, "mcp_schemas_hidden");
  assertEquals(tool.description, "Safe.\\udb40\\udc49\\udb40\\udc67\\u200b\\u202eevil");
});

Deno.test("a tool that is described in another way than at first is not called", async () => {
  await using opened = await openWith({ servers: serverThatIs("changed") });
  assertEquals((await call(opened, "mcp_changed_work")).text, "did work");
  const { error, text } = await call(opened, "mcp_changed_work");
  assertEquals(error?.code, "conflict");
  assertMatch(text, /^Server "changed" failed: it describes its tool "work" in another way than at first/);
  assertEquals((await call(opened, "mcp_changed_again")).error?.code, "not_found");
  await opened.host.ready();
  assertEquals((await call(opened, "mcp_changed_more")).text, "did more");
  assertEquals(opened.warnings, []);
});

Deno.test("a server that adds tools without end is bounded, and that is told", async () => {
  await using opened = await openWith({ servers: serverThatIs("endless") });
  const { host, warnings } = opened;
  assertEquals((await call(opened, "mcp_endless_work")).text, "did work");
  const isFull = () =>
    warnings.some((line) =>
      line.includes("a run takes 500 of its tools: what it adds from now on is left out")
    );
  while (!isFull()) {
    const more = Promise.withResolvers<void>();
    await host.ready({ onMore: more.resolve });
    // A busy machine may be too late for a list: then it is asked for another one.
    if (!isFull()) await more.promise;
  }
  assertEquals(toolsOf(opened).length, 500);
  const entries = host.catalog.entries;
  assertEquals((await call(opened, "mcp_endless_work")).text, "did work");
  await host.ready();
  assertEquals([host.catalog.entries === entries, toolsOf(opened).length], [true, 500]);
  assertEquals(warnings.length < 25, true, warnings.join("\n"));
});

Deno.test("a server whose list is never the last one is not asked for it each time", async () => {
  await using opened = await openWith({ servers: serverThatIs("restless") });
  const { host, warnings } = opened;
  await call(opened, "mcp_restless_work");
  for (let times = 0; times < 60; times++) await host.ready();
  const rests = "it changes its tools again and again, so it is not asked for them each time";
  assertEquals(warnings, [`server "restless": ${rests}`]);
  // It is asked again later, and who follows it is told.
  await new Promise<void>((resolve) => host.ready({ onMore: resolve }));
  assertEquals((await call(opened, "mcp_restless_work")).text, "did work");
});

Deno.test("a server that adds and takes away in turn has each tool once", async () => {
  await using opened = await openWith({ servers: serverThatIs("turns") });
  for (let times = 0; times < 8; times++) {
    await call(opened, "mcp_turns_work");
    await opened.host.ready();
  }
  const names = toolsOf(opened);
  assertEquals(names.slice(0, 2), ["mcp_turns_work", "mcp_turns_other"]);
  assertEquals([names.length, new Set(names).size, opened.warnings], [6, 6, []]);
});

Deno.test("added tools are looked at as those of the beginning", async () => {
  await using opened = await openWith({ servers: serverThatIs("hides") });
  await call(opened, "mcp_hides_work");
  await opened.host.ready();
  const names = toolsOf(opened);
  assertEquals(names.slice(0, 1), ["mcp_hides_work"]);
  assertEquals(names.slice(-2), ["mcp_hides_hidden", "mcp_hides_typed"]);
  assertEquals(names.length, 7);
  for (const name of names) assertMatch(name, /^mcp_hides_[A-Za-z0-9_-]{1,54}$/);
  const { tool } = findTool(opened.host.catalog, "mcp_hides_hidden");
  assertEquals(tool.description, "Safe.\\u200bevil");
  const warned = opened.warnings.join("\n");
  assertMatch(warned, /adds the tool "WORK", which is left out: another tool has its name/);
  assertMatch(warned, /"list" is left out: its arguments are no object/);
  assertMatch(warned, /"big" is left out: its inputSchema has 200\d+ characters/);
  assertEquals((await call(opened, "mcp_hides_typed")).error?.code, "output_invalid");
});

Deno.test("a server that does not tell its new tools holds a run up once", async () => {
  await using opened = await openWith({ servers: serverThatIs("mum"), listMs: 2_000 });
  await call(opened, "mcp_mum_work");
  await opened.host.ready();
  assertMatch(opened.warnings.join(), /it did not tell its new tools: it did not answer within 2 seconds/);
  // Who is not asked again holds nobody up.
  await opened.host.ready();
  assertMatch(opened.warnings[1]!, /so it is not asked for them each time/);
});
