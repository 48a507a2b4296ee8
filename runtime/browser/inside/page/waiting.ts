import { ToolError } from "../../../../schemas/error.ts";

/** Waits so many milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Rejects if a page does not answer in time: its scripts may run for ever. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new ToolError("timeout", `The page did not answer within ${ms / 1000} seconds`);
    timer = setTimeout(() => reject(error), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}
