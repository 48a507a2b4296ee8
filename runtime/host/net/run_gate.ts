import type { ManifestEntry } from "../../../schemas/manifest.ts";
import type { NetRules } from "../../../schemas/net.ts";
import type { ToolDoor } from "../../calls/room_call/tool_gate.ts";
import type { DoorRequest, Gate, GateDoor } from "../../net/open_gate.ts";
import type { SourceGate } from "../../sources/source.ts";
import { pickVariables } from "../../programs/launch/environment.ts";
import { givenSecrets, makeMasker } from "../../text/secrets/redact.ts";
import { gateSecrets } from "./gate_secrets.ts";
import { readAuthorities, readProxies } from "./gate_surroundings.ts";

/** The way of a run's tools and programs to the network. Nothing of it is loaded before the first needs it. */
export interface RunGate extends AsyncDisposable, SourceGate {
  /** Starts the gate, so that this process can give up the network; `lasting`: also if the gate ends. */
  stand(lasting: boolean): Promise<void>;
  /** Settles when the gate was started, or could not be. */
  readonly stood: Promise<void>;
  /** Returns the socket of a tool; it lasts as long as the run, or until the gate ends. */
  toolDoor(tool: ManifestEntry, rules: NetRules): Promise<GateDoor & ToolDoor>;
  /** Returns the names of the keys that the gate adds for a tool. */
  keysOf(tool: ManifestEntry): readonly string[];
  /** Ends the gate at once, in the middle of what it does; the next call has another one. */
  kill(): Promise<void>;
  /** Opens a socket of its own. */
  door(request: DoorRequest): Promise<GateDoor>;
  /** Returns the folder of its sockets, once the gate has started. */
  folder(): Promise<string>;
  /** Says what is wrong with the user's proxies, `null` if they can be used. Whether they answer is not tried. */
  proxyFault(): Promise<string | null>;
  /** The same folder, `null` if the gate has not started. */
  readonly knownFolder: string | null;
}

/** What the gate of a run is made of. */
export interface RunGateParts {
  /** The user's variables: proxies, certificate authorities, and keys of services. */
  env: Readonly<Record<string, string>>;
  warn(message: string): void;
  /** Names of variables that the user gives to programs. @default none */
  allowEnv?: readonly string[] | undefined;
}

/** Makes the gate of a run. */
export function makeRunGate(parts: RunGateParts): RunGate {
  const { env } = parts;
  let made: Promise<Gate> | undefined;
  const doors = new Map<string, Promise<GateDoor>>();
  const load = async () => {
    const { makeGate } = await import("../../net/open_gate.ts");
    return makeGate({
      upstream: readProxies(env),
      caCerts: () => Promise.resolve(readAuthorities(env, parts.warn)),
    });
  };
  const gate = () => made ??= load();
  let knownFolder: string | null = null;
  const stood = Promise.withResolvers<void>();
  const folder = async () => {
    try {
      return knownFolder = await (await gate()).folder();
    } finally {
      stood.resolve();
    }
  };
  const door = async (request: DoorRequest) => {
    await folder();
    return await (await gate()).door(request);
  };
  return {
    door,
    folder,
    async portDoor(request) {
      await folder();
      return await (await gate()).portDoor(request);
    },
    proxyFault: async () => (await import("../../net/dial/upstream.ts")).proxyFault(readProxies(env)),
    stood: stood.promise,
    kill: async () => await (await made)?.kill(),
    get knownFolder() {
      return knownFolder;
    },
    async stand(lasting) {
      await (await gate()).stand(lasting);
      await folder();
    },
    keysOf: ({ secrets }) => gateSecrets(secrets, env).map(({ name }) => name),
    ...masksOf(parts),
    async toolDoor({ full_name: who, secrets }, rules) {
      const opening = doors.get(who);
      const known = opening && await opening.catch(() => null);
      if (known?.isOpen) return known;
      const opened = door({ who, rules, secrets: gateSecrets(secrets, env), form: "request" });
      doors.set(who, opened);
      return await opened;
    },
    async [Symbol.asyncDispose]() {
      await (await made?.catch(() => null))?.[Symbol.asyncDispose]();
    },
  };
}

function masksOf({ env, allowEnv = [] }: RunGateParts): Pick<RunGate, "given" | "maskOf"> {
  const given = givenSecrets(pickVariables(env, allowEnv));
  return {
    given,
    maskOf({ secrets, needs }) {
      const keys = gateSecrets(secrets, env).map(({ value }) => value);
      const all = needs.run === undefined ? keys : [...keys, ...given];
      return all.length === 0 ? null : makeMasker(all);
    },
  };
}

/** Returns the same gate for a user that must not end it. */
export function borrowGate(gate: RunGate): RunGate {
  return Object.create(gate, { [Symbol.asyncDispose]: { value: () => Promise.resolve() } });
}
