import { makeScene, type Scene } from "./scene.ts";

/** Runs for minutes if it is let. */
export const RUNAWAY: readonly string[] = ["Grep", "pattern=^(a+)+\\1$", "path=runaway.txt"];

/** A workspace with what calls fail on. */
export function sceneOfFailures(): Scene {
  const scene = makeScene({ "ws/a.txt": "hello\n", "ws/runaway.txt": "a".repeat(10_000) + "!\n" });
  scene.write("ws/huge.txt", "x");
  Deno.truncateSync(scene.at("ws/huge.txt"), 64 * 1024 * 1024 + 1);
  return scene;
}
