import { assertEquals } from "@std/assert";

import type { Message, Part } from "../../../../../schemas/agent/chat.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { PICTURE_TOKENS } from "../../../../../runtime/agent/conversation/estimate_tokens.ts";
import {
  estimatePictures,
  requestMessages,
} from "../../../../../runtime/agent/conversation/request_messages.ts";
import { textsOf } from "../../../../support/agent_scene.ts";

const image = (path: string): Part => ({ type: "image", path, mime_type: "image/png", bytes: 9 });
const user = (kind: "task" | "pictures", path: string): Message => ({
  role: "user",
  kind,
  content: [image(path)],
});
const said: Message = { role: "assistant", content: "I see", tool_calls: [] };

const read: string[] = [];
const options = {
  images: true,
  readPicture(path: string) {
    read.push(path);
    if (path !== "/gone") return Promise.resolve("AAAA");
    return Promise.reject(new ToolError("not_found", 'Cannot read "/gone": no such file'));
  },
};

/** What is sent of each message: the paths of pictures that go along, and texts. */
async function sent(messages: readonly Message[], rest: Partial<typeof options> = {}): Promise<string[]> {
  const requested = await requestMessages(messages, { ...options, ...rest });
  for (const message of requested) {
    if (message.role !== "user") continue;
    for (const part of message.content) if (part.type === "image") assertEquals(part.data, "AAAA");
  }
  return requested.flatMap(textsOf);
}

const EARLIER = (path: string) =>
  `[Picture ${path} (image/png, 9 bytes) was shown earlier. To see it again, read it with a tool.]`;

Deno.test("requestMessages() sends pictures until the model has answered them, then names them", async () => {
  const messages = [user("task", "/t"), said, user("pictures", "/a")];
  assertEquals(await sent(messages), ["</t>", "I see", "</a>"]);
  assertEquals(await sent([...messages, said, user("pictures", "/b")]), [
    "</t>",
    "I see",
    EARLIER("/a"),
    "I see",
    "</b>",
  ]);
});

Deno.test("requestMessages() shows the pictures of the newest request alone", async () => {
  assertEquals(await sent([user("task", "/old"), said, user("task", "/new"), said]), [
    EARLIER("/old"),
    "I see",
    "</new>",
    "I see",
  ]);
});

Deno.test("requestMessages() reads no picture that it does not send", async () => {
  read.length = 0;
  await sent([user("task", "/old"), said, user("task", "/t"), said, user("pictures", "/a"), said]);
  assertEquals(read, ["/t"]);
});

Deno.test("requestMessages() says what cannot be shown", async () => {
  assertEquals(await sent([user("task", "/gone")]), [
    '[Picture /gone (image/png, 9 bytes) cannot be shown: Cannot read "/gone": no such file]',
  ]);
  assertEquals(await sent([user("task", "/t")], { images: false }), [
    "[Picture /t (image/png, 9 bytes): not shown, this model sees no pictures. Do not guess what is on it.]",
  ]);
});

Deno.test("requestMessages() passes messages without pictures on as they are", async () => {
  const messages: Message[] = [said, { role: "user", kind: "task", content: [{ type: "text", text: "Do" }] }];
  const requested = await requestMessages(messages, options);
  assertEquals(requested.map((message, at) => message === messages[at]), [true, true]);
});

Deno.test("estimatePictures() counts the pictures that are sent", () => {
  const messages = [user("task", "/t"), said, user("pictures", "/a"), said, user("pictures", "/b")];
  assertEquals(estimatePictures(messages, { images: true }), 2 * PICTURE_TOKENS);
  assertEquals(estimatePictures(messages, { images: false }), 0);
});
