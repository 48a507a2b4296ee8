/** The room's side of a service: asks main, and returns its answer or throws the `ToolError` that it answered with. */
export type Asker<Ask extends { kind: string }> = (ask: Ask) => Promise<unknown>;
