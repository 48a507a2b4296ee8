import type { BoxChoice } from "../../walls/box/choose_box.ts";

/**
 * Says which bubblewrap encloses programs, or why nothing does. With neither, a profile of macOS encloses them. Throws
 * `ToolError` if walls are required and do not work.
 */
export async function boxOf(box: BoxChoice): Promise<{ bwrap: string | null; noBox: string | null }> {
  const used = await box.isUsed();
  const state = await box.state();
  if (!state.works) return { bwrap: null, noBox: state.reason };
  return used ? { bwrap: state.bwrap, noBox: null } : { bwrap: null, noBox: "--sandbox off" };
}
