import type { Operation } from "./operation.ts";
import { RUN_OPERATIONS } from "./run_operations.ts";

/** All that the server answers. */
export const OPERATIONS: readonly Operation[] = [...RUN_OPERATIONS];
