/**
 * Sees to it that a folder still has the real path under which it was listed. A link in its place led to names that
 * nobody may see. Needs `read`.
 *
 * @throws {Deno.errors.NotFound} If it was replaced meanwhile
 */
export function expectReal(folder: string): void {
  if (Deno.realPathSync(folder) === folder) return;
  throw new Deno.errors.NotFound("it was replaced while it was listed");
}
