import type { Mutation } from "../../mutation.ts";

/** Of tools of other people. */
export const SOURCES: readonly Mutation[] = [
  {
    id: "sources-mcp-sampling",
    file: "runtime/sources/mcp/answers/answer_server.ts",
    find: "asked: asked++, signal",
    replace: "asked, signal",
    promise: "each question of a server to the model counts",
    caughtBy: ["tests/unit/runtime/sources/mcp/client_test.ts"],
  },
  {
    id: "sources-mcp-same",
    file: "runtime/sources/mcp/client/server_session.ts",
    find: "    if (now.mark === this.#first?.get(name)?.mark) return;",
    replace: "    return;",
    promise: "a tool that a server describes anew is not called",
    caughtBy: ["tests/unit/runtime/sources/mcp/hostile_servers_test.ts"],
  },
  {
    id: "sources-mcp-starts",
    file: "runtime/sources/mcp/client/server_session.ts",
    find: "    if (recent.length < MAX_STARTS) return;",
    replace: "    return;",
    promise: "a server that ends again and again is not started without end",
    caughtBy: ["tests/unit/runtime/sources/mcp/hostile_servers_test.ts"],
  },
  {
    id: "sources-mcp-too-many",
    file: "runtime/sources/mcp/client/server_session.ts",
    find: "Math.max(0, MAX_TOOLS - first.size)",
    replace: "MAX_TOOLS",
    promise: "a server adds no more tools than it may",
    caughtBy: ["tests/unit/runtime/sources/mcp/hostile_servers_test.ts"],
  },
  {
    id: "sources-reply-size",
    file: "runtime/sources/script/read_reply.ts",
    find: "export const MAX_REPLY_BYTES = 4 * 1024 * 1024;",
    replace: "export const MAX_REPLY_BYTES = 400 * 1024 * 1024;",
    promise: "a script's answer has a bound",
    caughtBy: ["tests/unit/runtime/sources/script_test.ts"],
  },
  {
    id: "sources-reply-exit",
    file: "runtime/sources/script/read_reply.ts",
    find: "if (exitCode !== 0 && envelope?.ok !== false) {",
    replace: "if (exitCode !== 0 && envelope === null) {",
    promise: "a script that ends with a failure has failed",
    caughtBy: ["tests/unit/runtime/sources/script_test.ts"],
  },
  {
    id: "sources-reply-utf8",
    file: "runtime/sources/script/read_reply.ts",
    find: '  if (replaced) return { problem: "it is not UTF-8" };\n',
    replace: "",
    promise: "an answer that is not UTF-8 is refused",
    caughtBy: ["tests/unit/runtime/sources/script_test.ts"],
  },
  {
    id: "sources-reply-log",
    file: "runtime/sources/script/read_reply.ts",
    find: "shown.split(/\\r?\\n/).map(onOneLine)",
    replace: "shown.split(/\\r?\\n/)",
    promise: "a script's words steer no terminal",
    caughtBy: ["tests/unit/runtime/sources/script_test.ts"],
  },
];
