import { assert, assertEquals } from "@std/assert";

import { renderJunit } from "../../../../../runtime/cli/report/junit.ts";
import { call, CALLS, ODD } from "../../../../support/report/batch_answers.ts";
import { programTest } from "../../../../support/needed_programs.ts";

programTest("renderJunit() writes XML that a parser takes, whatever calls hold", ["python3"], async () => {
  const xml = renderJunit(CALLS, { name: ODD, started: new Date(0), durationMs: 2500 });
  const script =
    "import sys, json, xml.etree.ElementTree as t\nroot = t.fromstring(sys.stdin.buffer.read())\n" +
    "print(json.dumps([root.attrib, [[c.attrib, [[k.tag, k.attrib, k.text] for k in c]] for c in root[0]]]))";
  const python = new Deno.Command("python3", { args: ["-c", script], stdin: "piped", stdout: "piped" })
    .spawn();
  const writer = python.stdin.getWriter();
  await writer.write(new TextEncoder().encode(xml));
  await writer.close();
  const { code, stdout } = await python.output();
  assertEquals(code, 0, xml);
  const [root, cases] = JSON.parse(new TextDecoder().decode(stdout));
  assertEquals(root, {
    name: "bulkhead",
    tests: "6",
    failures: "1",
    errors: "2",
    skipped: "1",
    time: "2.500",
  });
  assertEquals(cases.map(([, inner]: [unknown, [string][]]) => inner.map(([tag]) => tag)), [
    ...[[], ["failure"], ["error"], ["skipped"], [], ["error"]],
  ]);
  const clean = ODD.replace("\0", "\ufffd").replace("\x1b", "\ufffd").toWellFormed();
  const [attributes, [[, facts, text]]] = cases[1];
  assertEquals([facts.message, facts.type, text], [`Cannot: ${clean}`, "conflict", clean]);
  assertEquals([attributes.classname, attributes.time, attributes.line], ["set.Tool", "1.500", "1"]);
  assertEquals(cases[2][0].line, "9");
});

Deno.test(
  "renderJunit() tells what was warned of beside the text of a failed call",
  { permissions: "none" },
  () => {
    const failed = call("n", "conflict");
    failed.result.warnings.push("no network");
    const xml = renderJunit([failed], { name: "calls.jsonl", started: new Date(0), durationMs: 1 });
    assert(xml.includes("\nwarning: no network</failure>"), xml);
  },
);
