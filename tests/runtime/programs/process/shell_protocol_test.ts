import { assertEquals } from "@std/assert";

import { MarkReader } from "../../../../runtime/programs/process/shell_protocol.ts";
import { SHELL_MARK } from "../../../../schemas/program.ts";

Deno.test(
  "MarkReader finds the ends of commands, wherever the output is cut",
  { permissions: "none" },
  () => {
    const mark = (code: number) => `${SHELL_MARK}${code}${SHELL_MARK}nonce${SHELL_MARK}`;
    const output = new TextEncoder().encode(
      `hi${mark(0)}one${mark(7)}${SHELL_MARK}5${SHELL_MARK}other${mark(130)}`,
    );
    for (const size of [1, 2, 5, 1_000]) {
      const reader = new MarkReader("nonce");
      const found: number[] = [];
      for (let at = 0; at < output.length; at += size) {
        const code = reader.push(output.subarray(at, at + size));
        if (code !== null) found.push(code);
      }
      assertEquals(found, size === 1_000 ? [130] : [7, 130], `pieces of ${size}`);
    }
  },
);
