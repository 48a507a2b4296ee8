import { assertEquals, assertRejects } from "@std/assert";

import { type CallService, Room } from "../../../../runtime/rooms/room.ts";
import { readerProfile } from "../../../../runtime/rooms/profile.ts";
import type { FromRoom, OnMessage, Outcome, RoomEnd, ToRoom } from "../../../../runtime/rooms/protocol.ts";
import { ToolError } from "../../../../schemas/error.ts";

const OUTCOME: Outcome = {
  ...{ ok: true, result: 1, text: "1", images: [], warnings: [], error: null, targets: [] },
};
const CALL = {
  ...{ tool: "a/x", input: {}, timeoutMs: 1_000, stopAfterMs: 1_000, told: { settings: {} } },
  mode: "run",
} as const;
const ASK = { kind: "state.get", key: "k" } as const;

/** A room whose other side the test plays. */
function playedRoom(first: FromRoom | null = { t: "ready" }) {
  const sent: ToRoom[] = [];
  const closed = Promise.withResolvers<RoomEnd>();
  let kills = 0;
  let say: OnMessage = () => {};
  const link = {
    send: (message: ToRoom) => void sent.push(message),
    kill: () => void kills++,
    closed: closed.promise,
  };
  const opening = Room.open(readerProfile({ threads: 0 }), {
    openLink: (_profile, _token, onMessage) => {
      say = onMessage;
      return Promise.resolve({ link, place: "worker" });
    },
    meanwhile: () => first && say(first),
  });
  return {
    ...{ opening, sent, say: (message: unknown) => say(message as FromRoom) },
    ...{ kills: () => kills, end: closed.resolve },
  };
}

/** Answers on their way. */
const turns = () => new Promise((resolve) => queueMicrotask(() => queueMicrotask(() => resolve(null))));

Deno.test(
  "Room.open() takes a room only if it says that its walls hold",
  { permissions: "none" },
  async () => {
    for (
      const [first, why] of [
        [{ t: "breach", what: "reading /etc" }, "its walls did not refuse reading /etc"],
        [{ t: "ready?" }, "not of the protocol"],
        ["ready", "not of the protocol"],
      ] as const
    ) {
      const room = playedRoom(first as FromRoom);
      const { code } = await assertRejects(() => room.opening, ToolError, why);
      assertEquals([code, room.kills() > 0], ["internal", true]);
    }
    const gone = playedRoom(null);
    gone.end({ outOfMemory: true, detail: "SIGTRAP" });
    await assertRejects(() => gone.opening, ToolError, "ran out of memory");
  },
);

Deno.test(
  "Room.call() takes what is said of this call, and of no other",
  { permissions: "none" },
  async () => {
    const played = playedRoom();
    const room = await played.opening;
    const heard: unknown[] = [];
    const service: CallService = {
      onChange: ({ path }) => void heard.push(path),
      onProgress: ({ message }) => void heard.push(message),
      answer: ({ kind }) => Promise.resolve(kind),
    };
    assertEquals([await first(), heard.splice(0)], [OUTCOME, ["/mine", "mine"]]);
    const call = room.call(CALL, service);
    for (const id of [1, 3]) {
      played.say({ t: "change", id, change: { path: "/other", before: null } });
      played.say({ t: "progress", id, progress: { message: "other" } });
      played.say({ t: "done", id, outcome: { ...OUTCOME, text: "other" } });
    }
    played.say({ t: "done", id: 2, outcome: OUTCOME });
    assertEquals([(await call).text, heard], ["1", []]);
    // Between calls, nobody answers it.
    played.sent.length = 0;
    played.say({ t: "ask", n: 7, ask: ASK });
    await turns();
    played.say({ t: "change", id: 2, change: { path: "/late", before: null } });
    assertEquals([played.sent, heard], [[{ t: "answer", n: 7, value: null, error: null }], []]);

    async function first() {
      const call = room.call(CALL, service);
      played.say({ t: "change", id: 1, change: { path: "/mine", before: null } });
      played.say({ t: "progress", id: 1, progress: { message: "mine" } });
      played.say({ t: "done", id: 1, outcome: OUTCOME });
      return await call;
    }
  },
);

Deno.test(
  "Room.call() ends a room that asks without end, and says why to its call",
  { permissions: "none" },
  async () => {
    const played = playedRoom();
    const room = await played.opening;
    const waiting = Promise.withResolvers<unknown>();
    const call = room.call(CALL, { answer: () => waiting.promise });
    for (let n = 0; n < 64; n++) played.say({ t: "ask", n, ask: ASK });
    assertEquals(played.kills(), 0);
    played.say({ t: "ask", n: 64, ask: ASK });
    await assertRejects(() => call, ToolError, "not of the protocol");
    assertEquals(played.kills(), 1);
    waiting.resolve(null);
  },
);

Deno.test("Room.call() answers with what is refused, and never with more of an error than its words", {
  permissions: "none",
}, async () => {
  const played = playedRoom();
  const room = await played.opening;
  const errors = [
    new ToolError("denied_by_policy", "not you", { details: { rule: "r" } }),
    new Error("a bug"),
  ];
  const call = room.call(CALL, { answer: () => Promise.reject(errors.shift()) });
  played.sent.length = 0;
  for (const n of [1, 2]) played.say({ t: "ask", n, ask: ASK });
  await turns();
  assertEquals(
    played.sent.map((message) =>
      message.t === "answer" && [message.n, message.error?.code, message.error?.message]
    ),
    [
      [1, "denied_by_policy", "not you"],
      [2, "internal", "Main failed to answer state.get: Error: a bug"],
    ],
  );
  played.end({ outOfMemory: false, detail: "exit code 3" });
  await assertRejects(() => call, ToolError, "ended unexpectedly: exit code 3");
  assertEquals(room.alive, false);
  await assertRejects(() => room.call(CALL), ToolError, "exit code 3");
});
