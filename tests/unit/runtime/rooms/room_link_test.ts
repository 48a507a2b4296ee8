import { assert, assertEquals, assertRejects } from "@std/assert";

import { haveCompiled } from "../../../../runtime/rooms/have_compiled.ts";
import { openProcessLink } from "../../../../runtime/rooms/process_link.ts";
import { readerProfile } from "../../../../runtime/rooms/profile.ts";
import type { FromRoom, OnMessage, Outcome, RoomEnd, ToRoom } from "../../../../runtime/rooms/protocol.ts";
import { type CallService, Room } from "../../../../runtime/rooms/room.ts";
import { boxedCommand, unboxedCommand } from "../../../../runtime/rooms/room_command.ts";
import { realDisk } from "../../../../runtime/walls/box/disk_view.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { workspace } from "../../../support/run_tool.ts";

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

/** How a room ends that is played by a script for a shell, and what it said. */
async function endOf(script: string, env: Record<string, string> = {}) {
  const said: unknown[] = [];
  const command = { argv: ["/bin/sh", "-c", script], env };
  const onMessage = (message: unknown) => void said.push(message);
  const { closed } = openProcessLink(readerProfile({ threads: 0 }), "t", { command, onMessage });
  return { ...await closed, said };
}

Deno.test("a room's process has no variables but its own, and no folder of main's", async () => {
  const { detail } = await endOf("echo ${OWN-} ${HOME-} ${USER-} ${DENO_DIR-} >&2; pwd >&2; exit 3", {
    OWN: "own",
  });
  assertEquals(detail, "exit code 3: own\n/");
});

Deno.test("a room that writes what is no message is ended", async () => {
  for (const words of ["hello", "{", "@x {}"]) {
    const { detail, said, outOfMemory } = await endOf(`echo '${words}'; exec sleep 1000`);
    assertEquals(detail, "it wrote to its stdout, where only its messages may stand", words);
    assertEquals(said, [], words);
    assertEquals(outOfMemory, false, words);
  }
  assertEquals((await endOf(`echo '{"t":"ready"}'`)).said, [{ t: "ready" }]);
});

Deno.test("a room without free memory is told from one that fails", async () => {
  const isOut = async (script: string) => (await endOf(script)).outOfMemory;
  const out = ["kill -ABRT $$", "kill -TRAP $$", "kill -ILL $$", "exit 134", "exit 133"];
  for (const script of out) assertEquals(await isOut(script), true, script);
  for (const script of ["exit 1", "kill -KILL $$", "exit 0"]) {
    assertEquals(await isOut(script), false, script);
  }
});

/** A bundle's code, which a shell stands for. */
function compiledIn(folder: string, script: string) {
  const isThere = () => {
    try {
      return Deno.statSync(`${folder}/code`).isDirectory;
    } catch {
      return false;
    }
  };
  return { folder: `${folder}/code`, own: folder, isThere, fill: ["/bin/sh", "-c", script, folder] };
}

Deno.test("haveCompiled() fills the folder once, for all rooms that wait for it", async () => {
  using ws = workspace();
  const compiled = compiledIn(ws.path, 'echo filled >>"$0/log"; mkdir "$0/code"');
  const compile = haveCompiled({ compiled, env: {} });
  await Promise.all([compile(), compile()]);
  await haveCompiled({ compiled, env: {} })();
  assertEquals(Deno.readTextFileSync(`${ws.path}/log`), "filled\n");
});

Deno.test("haveCompiled() lets rooms go on without what cannot be kept, and tries once", async () => {
  using ws = workspace();
  const compile = haveCompiled({
    compiled: compiledIn(ws.path, 'echo tried >>"$0/log"; exit 1'),
    env: {},
  });
  await compile();
  await compile();
  assertEquals(Deno.readTextFileSync(`${ws.path}/log`), "tried\n");
});

Deno.test("a room in a box may read the compiled code and not write it, whatever it may write", () => {
  using home = workspace({ ".cache/bulkhead/rooms/1/code": "" });
  const folder = `${home.path}/.cache/bulkhead/rooms/1`;
  const own = `${home.path}/.cache/bulkhead`;
  const self = {
    argv: ["/opt/deno", "run", "main.js", "__room"],
    env: { DENO_DIR: "/home/me/.cache/deno" },
    boxEnv: { DENO_DIR: folder },
    files: ["/opt/deno", folder],
  };
  const plain = readerProfile({ threads: 0 });
  for (const write of [[home.path], true] as const) {
    const profile = { ...plain, read: write, write, files: { ...plain.files, own: [own] } };
    const { argv, env } = boxedCommand(profile, self, {
      bwrap: "/usr/bin/bwrap",
      prlimit: null,
      disk: realDisk,
    });
    const words = argv.join(" ");
    const granted = words.indexOf(write === true ? "--bind / /" : `--bind ${home.path} ${home.path}`);
    const hidden = words.indexOf(`--tmpfs ${own}`);
    const shown = words.lastIndexOf(`--ro-bind ${folder} ${folder}`);
    assert(granted >= 0 && granted < hidden && hidden < shown, words);
    assertEquals(env.DENO_DIR, folder);
  }
  assertEquals(unboxedCommand(plain, self, null).env.DENO_DIR, "/home/me/.cache/deno");
});
