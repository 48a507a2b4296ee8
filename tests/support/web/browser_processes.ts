import { descendants, type makeMark } from "../cli/processes.ts";
import { CHROMIUM } from "./browser_scene.ts";

/** Ids of the processes of a scene's browser, and of its sandbox. */
export function browserProcesses(
  { mark }: { mark: ReturnType<typeof makeMark> },
): { main: number[]; renderers: number[]; all: number[] } {
  const marked = mark.pids();
  const all = [...new Set([...marked, ...marked.flatMap((pid) => descendants(pid).map(({ pid }) => pid))])];
  const words = new Map(all.map((pid) => [pid, commandOf(pid)]));
  return {
    all,
    main: marked.filter((pid) => words.get(pid)!.startsWith(`${CHROMIUM} `)),
    renderers: all.filter((pid) => words.get(pid)!.includes("--type=renderer")),
  };
}

function commandOf(pid: number): string {
  const { stdout } = new Deno.Command("/bin/sh", {
    args: ["-c", `tr '\\0' ' ' < /proc/${pid}/cmdline 2>/dev/null`],
    stderr: "null",
  }).outputSync();
  return new TextDecoder().decode(stdout);
}
