import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import {
  OF_TOOL,
  sayingVariable,
  SEARCH,
  wholeNumber,
} from "../../../../../tools/sgr/shared/web_settings.ts";

const OWN = "SGR__TOOLS__WEB_SEARCH_TOOL__MAX_RESULTS";
const results = (settings: Record<string, string>) =>
  wholeNumber({ settings }, { variable: SEARCH.maxResults, least: 1, usual: 10 });

Deno.test(
  "wholeNumber() takes a tool's own variable before that of the section",
  { permissions: "none" },
  () => {
    assertEquals(OF_TOOL[SEARCH.maxResults], OWN);
    assertEquals(results({}), 10);
    assertEquals(results({ [SEARCH.maxResults]: "4" }), 4);
    assertEquals(results({ [SEARCH.maxResults]: "4", [OWN]: " 7 " }), 7);
    assertEquals(results({ [SEARCH.maxResults]: "4", [OWN]: " " }), 4);
    assertEquals(results({ [SEARCH.maxResults]: "" }), 10);
    assertThrows(
      () => results({ [OWN]: "many" }),
      ToolError,
      `${OWN} is "many": it must be a whole number from 1`,
    );
    assertThrows(() => results({ [SEARCH.maxResults]: "0" }), ToolError, "from 1");
  },
);

Deno.test("sayingVariable() names the variable that a message is about", { permissions: "none" }, () => {
  assertEquals(sayingVariable({ settings: {} }, SEARCH.engine), SEARCH.engine);
  const own = OF_TOOL[SEARCH.engine];
  assertEquals(sayingVariable({ settings: { [own]: "brave" } }, SEARCH.engine), own);
  assertEquals(sayingVariable({ settings: { OTHER: "x" } }, "OTHER"), "OTHER");
});
