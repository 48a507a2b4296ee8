import { assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";

import { checkPictures, checkSession } from "../../../../../runtime/state/sessions/check_session.ts";
import type { TraceLine } from "../../../../../schemas/agent/trace.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { workspace } from "../../../../support/run_tool.ts";

const FILES = {
  "state/sessions/one/trace.jsonl": "{}\n",
  "state/sessions/one/artifacts/a.png": "",
  "else/x": "",
};

/** The reason of the refusal, `null` if there is none. */
function refusal(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "configuration") throw error;
    return error.message;
  }
}

Deno.test("checkSession() takes the right to read from others, and lets a new session pass", () => {
  using ws = workspace(FILES);
  const state = ws.at("state");
  Deno.chmodSync(ws.at("state/sessions/one"), 0o755);
  assertEquals(refusal(() => checkSession(state, "one")), null);
  const modes = ["", "/trace.jsonl"].map((name) =>
    (Deno.statSync(ws.at(`state/sessions/one${name}`)).mode ?? 0) & 0o777
  );
  assertEquals(modes, [0o700, 0o600]);
  assertEquals(refusal(() => checkSession(state, "two")), null);
  assertEquals(refusal(() => checkSession(ws.at("missing"), "two")), null);
});

Deno.test("checkSession() refuses what others could have written, and what leads elsewhere", () => {
  const cases: [RegExp, (at: (name: string) => string) => void][] = [
    [/other users may write/, (at) => Deno.chmodSync(at("state/sessions/one"), 0o770)],
    [/other users may write/, (at) => Deno.chmodSync(at("state/sessions"), 0o777)],
    [/other users may write/, (at) => Deno.chmodSync(at("state/sessions/one/trace.jsonl"), 0o602)],
    [/has a second name/, (at) => Deno.linkSync(at("state/sessions/one/trace.jsonl"), at("else/second"))],
    [/is a link/, (at) => replace(at, "state/sessions/one", "else")],
    [/is a link/, (at) => replace(at, "state/sessions", "else")],
    [/is a link/, (at) => replace(at, "state/sessions/one/trace.jsonl", "else/x")],
    [/is a link/, (at) => replace(at, "state/sessions/one/artifacts", "else")],
    ...(Deno.uid() === 0 ? [[/belongs to another user/, chown]] as [RegExp, typeof chown][] : []),
  ];
  for (const [reason, change] of cases) {
    using ws = workspace(FILES);
    change((name) => ws.at(name));
    const message = refusal(() => checkSession(ws.at("state"), "one"));
    assertMatch(message ?? "", reason);
    assertMatch(message ?? "", /^Cannot use session "one": .*; begin a new session/);
  }
});

function replace(at: (name: string) => string, name: string, target: string): void {
  Deno.removeSync(at(name), { recursive: true });
  Deno.symlinkSync(at(target), at(name));
}

function chown(at: (name: string) => string): void {
  Deno.chownSync(at("state/sessions/one/trace.jsonl"), 12_345, 12_345);
}

Deno.test("checkPictures() refuses a picture outside of the session's own folder, also behind a link", () => {
  using ws = workspace(FILES);
  const folder = Deno.realPathSync(ws.at("state/sessions/one"));
  Deno.symlinkSync(ws.at("else/x"), join(folder, "artifacts/link.png"));
  const check = (path: string, kind: "message" | "result") => {
    const pictures = [{ type: "image", path, mime_type: "image/png", bytes: 1 } as const];
    const line = kind === "message"
      ? { t: "message", message: { role: "user", kind: "task", content: pictures } }
      : { t: "result", pictures };
    return refusal(() => checkPictures([line as unknown as TraceLine], { id: "one", folder }));
  };
  for (const kind of ["message", "result"] as const) {
    assertEquals(check(join(folder, "artifacts/a.png"), kind), null);
    for (
      const path of [
        ws.at("else/x"),
        join(folder, "artifacts/link.png"),
        `${folder}/artifacts/../trace.jsonl`,
      ]
    ) {
      assertMatch(check(path, kind) ?? "", /it names ".*" as a picture, which does not lie in/);
    }
  }
});
