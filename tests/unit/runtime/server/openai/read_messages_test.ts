import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { ChatMessage } from "../../../../../runtime/server/api/chat_schemas.ts";
import { plantedLine } from "../../../../../runtime/server/openai/agent_id.ts";
import { readMessages } from "../../../../../runtime/server/openai/read_messages.ts";

const RUN = "20261123-100000-0a1b2c3d";
const PNG = "data:image/png;base64,AAAA";

Deno.test("the person's last words are the prompt, all else stands before it", () => {
  const { prompt, before } = read(
    ["developer", "Be short."],
    ["user", "Which orders?"],
    ["assistant", "Those of May."],
    ["user", "Count them."],
    ["system", "In words."],
    ["user", "By day."],
  );
  assertEquals(prompt, "Count them.\n\nBy day.");
  assertEquals(
    before,
    "DEVELOPER:\nBe short.\n\nUSER:\nWhich orders?\n\nASSISTANT:\nThose of May.\n\nSYSTEM:\nIn words.",
  );
});

Deno.test("what streams added to an answer is left out, and names its run", () => {
  const details =
    "\n<details>\n<summary>Phase: 1-action Tool Call: Read</summary>\n\n```json\n{}\n```\n\n</details>\n\n";
  const { before, run } = read(
    ["user", "Which?"],
    ["assistant", `${plantedLine(RUN)}${details}Those of May.`],
    ["user", "Count them."],
  );
  assertEquals([before, run], ["USER:\nWhich?\n\nASSISTANT:\nThose of May.", RUN]);
});

Deno.test("a text that begins a million blocks and ends none is read at once", () => {
  const text = "<details>\n<summary>Phase: ".repeat(1_000_000);
  assertEquals(read(["user", "Which?"], ["assistant", text], ["user", "Go on."]).prompt, "Go on.");
});

Deno.test("pictures are marked where they stood, and the last twelve go along", () => {
  const picture = (url: string) => ({ type: "image_url", image_url: { url } });
  const first = [{ type: "text", text: "See:" }, picture("data:image/jpg;base64,BBBB")];
  const { prompt, before, images } = read(
    ["user", first],
    ["assistant", "Yes."],
    ["user", Array.from({ length: 12 }, () => picture(PNG))],
  );
  assertEquals(before, "USER:\nSee:\n[picture image_000.jpg]\n\nASSISTANT:\nYes.");
  assertEquals(prompt.split("\n")[0], "[picture image_001.png]");
  assertEquals([images.length, images[0]], [12, { name: "image_001.png", data_url: PNG }]);
});

Deno.test("a conversation in which nobody asks for anything is refused", () => {
  for (
    const messages of [[["system", "Be short."]], [["user", "  "]], [["assistant", "Yes?"]]] as [
      string,
      string,
    ][][]
  ) {
    assertThrows(() => read(...messages), ToolError, "No message of the user has a text");
  }
});

function read(...messages: [role: string, content: unknown][]) {
  return readMessages(messages.map(([role, content]) => ChatMessage.parse({ role, content })));
}
