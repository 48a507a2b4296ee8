/** Bytes that stand in the UUID of an agent's id. */
const IN_UUID = 16;
const AGENT_ID = /\brun(?:_[0-9a-f]+)?_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * Returns the id by which clients of SGR Agent Core know a run: words, `_` and a UUID, since they look for ids of this form
 * in texts. It holds the letters of the run's id and nothing else: {@linkcode toRunId} turns it back.
 */
export function toAgentId(runId: string): string {
  const bytes = Array.from(new TextEncoder().encode(runId), (byte) => byte.toString(16).padStart(2, "0"));
  const hex = bytes.slice(0, IN_UUID).join("").padEnd(2 * IN_UUID, "0");
  const rest = bytes.slice(IN_UUID).join("");
  const uuid = [[0, 8], [8, 12], [12, 16], [16, 20], [20, 32]].map(([from, to]) => hex.slice(from, to)).join(
    "-",
  );
  return rest === "" ? `run_${uuid}` : `run_${rest}_${uuid}`;
}

/** Returns the run of an agent's id, `null` for a text that is no such id. */
export function toRunId(agentId: string): string | null {
  const [, rest = "", uuid] = /^run(?:_([0-9a-f]+))?_([0-9a-f-]{36})$/.exec(agentId) ?? [];
  if (uuid === undefined) return null;
  const hex = uuid.replaceAll("-", "") + rest;
  const letters = (hex.match(/../g) ?? []).map((pair) => String.fromCharCode(parseInt(pair, 16)));
  const id = letters.join("").replace(/\0+$/, "");
  return RUN_ID.test(id) && toAgentId(id) === agentId ? id : null;
}

/** Returns the run that a text names last by an agent's id, `null` if it names none. */
export function lastRunIn(text: string): string | null {
  return (text.match(AGENT_ID) ?? []).map(toRunId).findLast((id) => id !== null) ?? null;
}

/** What the first content of a stream says: clients that only send back what they were told name the run by it. */
export function plantedLine(runId: string): string {
  return `Agent ${toAgentId(runId)} started\n\n`;
}
