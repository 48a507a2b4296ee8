import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { type Attack, attackTests, type Place, PROXY, SECRET } from "../attack.ts";
import { script, scriptCase } from "./script_scene.ts";

/** Serves a secret on this machine, and says how often it was asked. */
function reached(command: (port: number) => { name: string; command: string }[]): NonNullable<Attack["act"]> {
  return async (place: Place) => {
    let hits = 0;
    await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
      hits++;
      return new Response(SECRET);
    });
    const calls = command(server.addr.port);
    const answers = await place.batch(calls.map(({ name, command }) => {
      const { tool, arguments: input } = script(name, command);
      return { tool, arguments: input };
    }));
    for (const [at, { result, error }] of answers.entries()) {
      if (!place.boxed) {
        assertEquals(error?.code, "permission_denied");
        assertStringIncludes(error?.message ?? "", "--allow-run=");
        continue;
      }
      assertEquals(error, null, calls[at]!.command);
      const { said } = result as { said: string };
      assert(said.includes("tried") && !said.includes(SECRET) && !said.includes("connected"), said);
    }
    assertEquals(hits, 0);
  };
}

const HOSTS = "127.0.0.1 localhost 2130706433 0x7f.1 [::ffff:127.0.0.1] 0.0.0.0 169.254.169.254 [::1]";

const ATTACKS: Attack[] = [{
  id: "17-40",
  title: "it reaches services of this machine, metadata and the net without asking for the network",
  act: reached((port) => [{
    name: "writes",
    command: `for host in ${HOSTS}; do curl -sS -g -m 3 --noproxy '*' http://$host:${port}/; done
      curl -sS -m 3 http://api.example/; curl -sS -m 3 -x ${PROXY} http://api.example/
      for host in 127.0.0.1 192.0.2.1; do (exec 3<>/dev/tcp/$host/${port}) && echo connected; done; echo tried`,
  }, {
    name: "snake",
    command: `import socket\nsocket.create_connection(('127.0.0.1', ${port}), 3)\nprint('connected')\n---\n` +
      `import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)\nprint('connected')\n---\n` +
      `import socket\nsocket.getaddrinfo('api.example', 80)\nprint('connected')\n---\nprint('tried')`,
  }, {
    name: "node",
    command:
      `new Promise((yes, no) => require('net').connect(${port}, '127.0.0.1').on('connect', () => yes('connected')).on('error', no))\n---\n'tried'`,
  }]),
}, {
  id: "17-41",
  title: "it reaches them by the way to the host that it was granted",
  act: reached((port) => [{
    name: "reaches",
    command: `for host in ${HOSTS}; do
        curl -sS -g -m 5 -x ${PROXY} http://$host:${port}/; curl -sS -g -p -m 5 -x ${PROXY} http://$host:${port}/
        curl -sS -m 5 -x ${PROXY} -H "Host: api.example" http://127.0.0.1:${port}/
      done; (exec 3<>/dev/tcp/127.0.0.1/${port}) && echo connected; echo tried`,
  }]),
}];

attackTests(17, ATTACKS.map(scriptCase));
