import { ToolError } from "../../../../schemas/error.ts";
import type { McpServer } from "../config/mcp_server.ts";
import type { LoginSettings } from "../wire/remote_way.ts";

/** What clients call the same: the first that is there counts. */
const NAMES = {
  clientId: ["clientId", "client_id", "CLIENT_ID"],
  clientSecret: ["clientSecret", "client_secret", "CLIENT_SECRET"],
  clientMetadataUrl: ["clientMetadataUrl", "client_metadata_url"],
  scope: ["scope", "scopes"],
  callbackPort: ["callbackPort", "callback_port", "redirectPort"],
} as const;

/**
 * Reads what an entry says about OAuth, in the words of the common clients. What it does not know it passes over.
 *
 * @throws {ToolError} `configuration` for a value of a wrong type
 */
export function loginSettings(
  { name, file, oauth }: Pick<McpServer, "name" | "file" | "oauth">,
): LoginSettings {
  const found = Object.entries(NAMES).flatMap(([field, names]) => {
    const key = names.find((one) => (oauth?.[one] ?? null) !== null);
    if (key === undefined) return [];
    const value = oauth![key];
    const wrong = (wanted: string) =>
      new ToolError(
        "configuration",
        `Cannot use the server "${name}" of "${file}": oauth.${key}: it must be ${wanted}`,
      );
    if (field === "callbackPort") {
      // Out of a variable it comes as a text.
      const port = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
      if (Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536) return [[field, port]];
      throw wrong("a port, from 1 to 65535");
    }
    const text = field === "scope" && isTexts(value) ? value.join(" ") : value;
    if (typeof text !== "string" || text === "") {
      throw wrong(field === "scope" ? "a text or a list of texts" : "a text");
    }
    return [[field, text]];
  });
  return Object.fromEntries(found);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
