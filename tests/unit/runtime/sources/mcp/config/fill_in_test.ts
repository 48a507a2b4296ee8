import { assertEquals } from "@std/assert";

import type { VariableForm } from "../../../../../../runtime/sources/mcp/config/clients.ts";
import { fillIn } from "../../../../../../runtime/sources/mcp/config/fill_in.ts";

const PLACES = { env: { A: "1", B: "${A}", EMPTY: "" }, workspace: "/ws/shop", home: "" };
const ALL: readonly VariableForm[] = [
  "braces",
  "braced_default",
  "env_braces",
  "dollar",
  "places",
  "inputs",
  "bare_env",
];

Deno.test("fillIn() fills in the forms of a client, and no others", () => {
  const cases: readonly (readonly [string, readonly VariableForm[], string])[] = [
    ["a${A}b", ["braces"], "a1b"],
    ["a${A}b", ["dollar"], "a${A}b"],
    ["$A-$AB", ["dollar"], "problem: the variable AB is not set: set it"],
    ["$5 and $", ["dollar", "braces"], "$5 and $"],
    ["${NO:-x}${EMPTY:-y}${A:-z}", ["braced_default"], "xy1"],
    ["${NO:-}", ["braced_default"], ""],
    ["${EMPTY}", ["braces"], ""],
    ["${B}", ALL, "${A}"],
    ["${env:A}{env:A}", ["env_braces"], "1{env:A}"],
    ["${env:A}{env:A}", ["bare_env"], "$11"],
    ["${workspaceFolder}${/}${workspaceFolderBasename}", ["places"], "/ws/shop/shop"],
    ["${userHome}", ["places"], "problem: ${userHome} is not known: set HOME"],
    ["${toString}${constructor}", ["braces"], "problem: the variable toString is not set: set it"],
    [
      "${input:k}",
      ["inputs"],
      "problem: ${input:k} asks the user of an editor: write ${env:NAME} instead, and set that variable",
    ],
    ["${}", ALL, "${}"],
  ];
  for (const [text, forms, wanted] of cases) {
    const filled = fillIn(text, forms, PLACES);
    assertEquals("problem" in filled ? `problem: ${filled.problem}` : filled.text, wanted, text);
  }
});
