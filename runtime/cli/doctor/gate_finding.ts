import { ToolError } from "../../../schemas/error.ts";
import type { Grants } from "../../../schemas/grants.ts";
import type { ProgramNetwork } from "../../programs/network/program_network.ts";
import type { Host } from "../../host/open_host.ts";
import { programRules, toolRules } from "../../walls/net/net_rules.ts";
import { showNetRules } from "../../walls/net/show_net_rules.ts";
import type { DoctorFinding } from "./finding.ts";

const CHECK = "network";
/** The address where many clouds keep secrets of their machines. */
const REFUSED = "169.254.169.254:80";
/** Longest time for an answer of the gate, in milliseconds. */
const ANSWER_MS = 10_000;

/**
 * Tries the gate to the network: that it refuses an address, and lets another one through, on this machine; and the way of
 * programs in the sandbox to it. Needs `net`, so it comes before main gives that up.
 *
 * @param env The user's variables: with a proxy among them, nothing is let through to this machine
 */
export async function gateFinding(
  { gate, grants, network, box }: Pick<Host, "gate" | "grants" | "network" | "box">,
  env: Readonly<Record<string, string>>,
): Promise<DoctorFinding> {
  const started = performance.now();
  try {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const target = `127.0.0.1:${listener.addr.port}`;
    const rules = { allow: ["public"], deny: [], private: [target] };
    const door = await gate.door({ who: "doctor", rules, secrets: [], form: "proxy" });
    try {
      const fault = await findFault(door, Object.keys(env).some(isProxy) ? null : target);
      if (fault !== null) return { check: CHECK, state: "bad", detail: fault };
    } finally {
      await door.close();
    }
  } catch (error) {
    // Deno itself may have been started without the network.
    if (!(error instanceof ToolError || error instanceof Deno.errors.NotCapable)) throw error;
    return { check: CHECK, state: "warn", detail: error.message, missing: "the network" };
  }
  const ms = Math.round(performance.now() - started);
  const detail = `the gate decides, tried in ${ms} ms; ${reachOf(grants)}`;
  const useless = await gate.proxyFault();
  if (useless !== null) {
    return { check: CHECK, state: "warn", missing: "the network", detail: `${detail}; but it ${useless}` };
  }
  const fault = await box.isUsed() ? await findBridgeFault(network) : null;
  return fault === null ? { check: CHECK, state: "ok", detail } : {
    ...{ check: CHECK, state: "warn", missing: "hosts for programs" },
    detail: `${detail}; programs in the sandbox have no way to the gate: ${fault}`,
  };
}

/** Takes a way as a program gets it; `null` if it leads to the gate. */
async function findBridgeFault(network: ProgramNetwork): Promise<string | null> {
  try {
    const way = await network.take("doctor");
    await way.end({ clean: true });
    return null;
  } catch (error) {
    if (error instanceof ToolError) return error.message;
    throw error;
  }
}

/** Asks for both addresses; `null` if the gate decides as it must. */
async function findFault(door: Door, granted: string | null): Promise<string | null> {
  const refused = await ask(door, REFUSED);
  if (!refused.startsWith("HTTP/1.1 403")) {
    return `the gate does not refuse ${REFUSED}: ${firstLine(refused)}`;
  }
  if (granted === null) return null;
  const passed = await ask(door, granted);
  return passed.startsWith("HTTP/1.1 200") ? null : `the gate refuses a granted host: ${firstLine(passed)}`;
}

type Door = Awaited<ReturnType<Host["gate"]["door"]>>;

async function ask({ path, greeting }: Door, target: string): Promise<string> {
  using conn = await Deno.connect({ transport: "unix", path });
  const timer = setTimeout(() => conn.close(), ANSWER_MS);
  try {
    await conn.write(new TextEncoder().encode(`${greeting}CONNECT ${target} HTTP/1.1\r\n\r\n`));
    const buffer = new Uint8Array(1024);
    const read = await conn.read(buffer);
    return new TextDecoder().decode(buffer.subarray(0, read ?? 0));
  } finally {
    clearTimeout(timer);
  }
}

function firstLine(text: string): string {
  return text.split("\r\n", 1)[0] || "no answer";
}

function isProxy(variable: string): boolean {
  return /^(?:https?|all)_proxy$/i.test(variable);
}

function reachOf(grants: Grants): string {
  const tools = showNetRules(toolRules("granted", grants)) || "nothing";
  const programs = grants.shareNet
    ? "all that this machine reaches"
    : showNetRules(programRules(grants)) || "nothing";
  return `tools reach ${tools}; programs in the sandbox reach ${programs}; what is sent to a granted host is not read`;
}
