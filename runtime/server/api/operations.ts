import type { Operation } from "./operation.ts";
import { CALL_OPERATIONS } from "./call_operations.ts";
import { CHAT_OPERATIONS } from "./chat_operations.ts";
import { RUN_OPERATIONS } from "./run_operations.ts";

/** All that the server answers. */
export const OPERATIONS: readonly Operation[] = [...CALL_OPERATIONS, ...RUN_OPERATIONS, ...CHAT_OPERATIONS];
