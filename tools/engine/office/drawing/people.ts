import type { OfficePackage, Relationship } from "../package/package.ts";
import { localAttribute } from "../package/xml.ts";

/** Returns the names of those who wrote threads, by their ids. */
export async function readPeople(
  file: OfficePackage,
  links: readonly Relationship[],
): Promise<Map<string, string>> {
  const people = new Map<string, string>();
  for (const { type, target } of links) {
    if (!["person", "commentAuthors", "authors"].includes(type) || !file.has(target)) continue;
    await file.read(target, {
      open(_, attributes) {
        const id = localAttribute(attributes, "id");
        const name = attributes.displayName ?? attributes.name;
        if (id !== undefined && name !== undefined) people.set(id, name);
      },
    });
  }
  return people;
}
