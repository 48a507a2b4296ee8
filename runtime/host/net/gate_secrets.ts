import type { ServiceKey } from "../../../schemas/net.ts";
import { formsOf } from "../../text/secrets/secret_forms.ts";
import { checkUrl } from "../../walls/net/check_url.ts";
import { hostAndPort } from "../../walls/net/read_host.ts";

/** A key with its value, as the gate gets it. */
interface KeyValue {
  name: string;
  value: string;
  hosts: readonly string[];
  forms: readonly string[];
}

/** Returns the keys of services that the user has set, each with the hosts that get it. */
export function gateSecrets(keys: readonly ServiceKey[], env: Readonly<Record<string, string>>): KeyValue[] {
  return keys.flatMap(({ name, hosts, baseUrl }) => {
    const value = env[name]?.trim() ?? "";
    if (value === "") return [];
    const own = baseUrl === undefined ? null : hostOf(env[baseUrl] ?? "");
    return [{ name, value, hosts: own === null ? hosts : [...hosts, own], forms: formsOf(value) }];
  });
}

/** A base URL that cannot be used is told by the tool that uses it. */
function hostOf(baseUrl: string): string | null {
  try {
    const { name, port } = checkUrl(baseUrl);
    return hostAndPort(name, port);
  } catch {
    return null;
  }
}
