import { assertEquals } from "@std/assert";

import echo from "../../../../tools/par/echo.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("echo gives the text back unchanged", async () => {
  using ws = workspace();
  for (const text of ["hello", "", " a\r\n\tb ", "\ufeff😀", '{"a":1}']) {
    const { result, text: shown } = await ws.run(echo, { text });
    assertEquals([result, shown], [text, text]);
  }
  assertEquals(echo.input.safeParse({}).success, false);
});
