import { ToolError } from "../../schemas/error.ts";

export async function codeOf(work: () => unknown): Promise<string | null> {
  return (await refusalOf(work))?.code ?? null;
}

export async function messageOf(work: () => unknown): Promise<string | null> {
  return (await refusalOf(work))?.message ?? null;
}

/** The `ToolError` that some work throws, `null` if it throws none; other errors are thrown on. */
export async function refusalOf(work: () => unknown): Promise<ToolError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
}
