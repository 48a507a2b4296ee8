import { assertEquals } from "@std/assert";

import { renderFindings } from "../../../../../runtime/cli/doctor/finding.ts";

const FINDINGS = [
  { check: "path", state: "warn", detail: "programs do not see /home/you/.x/bin" },
  { check: "main", state: "ok", detail: "fine" },
] as const;

Deno.test("renderFindings() breaks details between words at the width of the terminal", () => {
  assertEquals(
    renderFindings(FINDINGS, 41),
    [
      "warn path        programs do not see\n",
      "                 /home/you/.x/bin\n",
      "ok   main        fine\n",
    ].join(""),
  );
});

Deno.test("renderFindings() writes one line a finding where there is no terminal", () => {
  assertEquals(
    renderFindings(FINDINGS, null),
    "warn path        programs do not see /home/you/.x/bin\nok   main        fine\n",
  );
});
