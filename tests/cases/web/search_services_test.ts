import { assert, assertEquals } from "@std/assert";

import type { Web } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { ENGINES } from "../../../tools/engine/web/search/engines.ts";
import { searchWeb } from "../../../tools/engine/web/search/search_web.ts";
import { keysOf } from "../../../tools/engine/web/service/services.ts";
import { gateScene } from "../../support/net/gate_scene.ts";
import { searchServices, SERVICE_KEYS } from "../../support/servers/search_services.ts";

/** The services on real sockets, behind a real gate that has the keys. */
async function scene(keys: Readonly<Record<string, string>> = SERVICE_KEYS) {
  const services = searchServices();
  const host = `127.0.0.1:${services.port}`;
  const secrets = Object.entries(keys).map(([name, value]) => ({
    name,
    value,
    hosts: [host],
    forms: [value],
  }));
  const gate = await gateScene({ secrets, rules: { allow: ["public"], deny: [], private: [host] } });
  const web: Web = {
    async request(request) {
      const answer = await gate.ask(request.url, request);
      if (answer instanceof ToolError) throw answer;
      return answer;
    },
  };
  const search = async (engine: string, text: string) => {
    const context = {
      web,
      keys: Object.keys(keys),
      settings: { ...services.addresses, BULKHEAD_SEARCH_ENGINES: engine },
      signal: new AbortController().signal,
      deadline: Date.now() + 30_000,
      warn: () => {},
    };
    try {
      const { hits } = await searchWeb({ text, count: 5 }, { engines: [], context });
      return hits[0]?.title ?? "nothing";
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return error;
    }
  };
  return {
    services,
    search,
    async [Symbol.asyncDispose]() {
      await gate[Symbol.asyncDispose]();
      await services[Symbol.asyncDispose]();
    },
  };
}

Deno.test("every service answers through the gate, which adds its key and no other", async () => {
  await using scene_ = await scene();
  const { services, search } = scene_;
  for (const [name, { service: { key } }] of ENGINES) {
    const title = await search(name, "tea kettle");
    if (name === "google") {
      assert(title instanceof ToolError && title.details.blocked === true, name);
      continue;
    }
    assertEquals(title, `From ${name === "duckduckgo_lite" ? "lite" : name}`, String(title));
    const { headers, path, body } = services.calls.at(-1)!;
    const sent = JSON.stringify([...headers]);
    for (const [variable, value] of Object.entries(SERVICE_KEYS)) {
      assertEquals(sent.includes(value), variable === key?.variable, `${name} and ${variable}`);
      assert(!`${path} ${body}`.includes(value));
    }
  }
});

Deno.test("a refused key is unauthenticated, and is not tried again", async () => {
  const wrong = Object.fromEntries(Object.keys(SERVICE_KEYS).map((name) => [name, "wrong-key-0000"]));
  await using scene_ = await scene(wrong);
  const { services, search } = scene_;
  for (const [name, { service: { key } }] of ENGINES) {
    if (key === undefined) continue;
    const before = services.calls.length;
    const error = await search(name, "tea");
    assert(error instanceof ToolError && error.code === "unauthenticated", `${name}: ${error}`);
    assert(error.message.includes(key.variable) && !error.message.includes("wrong-key"), error.message);
    assertEquals(services.calls.length, before + 1, name);
  }
});

Deno.test("every key that a tool may declare belongs to a service of the table", () => {
  const keys = keysOf([...ENGINES.values()].map(({ service }) => service));
  assertEquals(keys.map(({ name }) => name).toSorted(), Object.keys(SERVICE_KEYS).toSorted());
});
