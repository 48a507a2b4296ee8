import { page, type Task } from "./task.ts";

export const SITE_TASKS: readonly Task[] = [
  {
    name: "search, and open a result on the second page",
    page: page(
      `<input id=q placeholder=Search><button id=b>Search</button><div id=r></div><nav id=n></nav>`,
      `const show = (from) => { r.replaceChildren(...[0, 1, 2].map((at) => { const a = document.createElement("a"); a.href = "#";
         a.style.display = "block"; a.textContent = q.value + " result " + (from + at + 1); a.onclick = () => win(from + at === 4); return a; }));
         n.innerHTML = "<a href='#' id=more>Next page</a>"; more.onclick = () => show(from + 3); };
       b.onclick = () => show(0);`,
    ),
    async solve(it) {
      await it.type(/placeholder="Search"/, "tea");
      await it.click(/<button> Search/);
      await it.click(/> Next page/);
      await it.click(/> tea result 5/);
    },
  },
  {
    name: "read a table, and enter a value of it",
    page: page(
      `<table><tr><th>Name<th>Country</tr>${
        [["Ann", "Peru"], ["Bob", "Chad"], ["Cleo", "Laos"]].map(([one, two]) =>
          `<tr><td>${one}<td>${two}</tr>`
        ).join("")
      }</table><p>Where is Bob from?</p><input id=a><button onclick="win(a.value === 'Chad')">Submit</button>`,
    ),
    async solve(it) {
      const [row = ""] = await it.lines(/^Bob \| /);
      await it.type(/<input/, row.split(" | ")[1]!);
      await it.click(/> Submit/);
    },
  },
  {
    name: "sort a table, and click its first row",
    page: page(
      `<table><thead><tr><th tabindex=0 id=h>Price</tr></thead><tbody id=t></tbody></table>`,
      `let prices = [30, 10, 20]; const show = () => t.replaceChildren(...prices.map((one) => { const row = document.createElement("tr");
         row.innerHTML = "<td><button>Buy for " + one + "</button></td>"; row.onclick = () => win(one === 10 && prices[0] === 10); return row; }));
       h.onclick = () => { prices.sort((one, other) => one - other); show(); }; show();`,
    ),
    async solve(it) {
      await it.click(/<th.*> Price/);
      const [first = ""] = await it.lines(/> Buy for/);
      await it.click(new RegExp(`> ${/Buy for \d+/.exec(first)}`));
    },
  },
  {
    name: "find a mail, and answer it",
    page: page(
      `<div id=l>${
        ["Ann", "Bob"].map((one) => `<div class=mail tabindex=0>${one}: hello</div>`).join("")
      }</div><div id=o></div>`,
      `document.querySelectorAll(".mail").forEach((one) => one.onclick = () => { const from = one.textContent.split(":")[0];
         o.innerHTML = "<p>From " + from + "</p><button id=re>Reply</button>";
         re.onclick = () => { o.innerHTML = "<textarea id=t></textarea><button id=s>Send</button>";
           s.onclick = () => win(from === "Bob" && t.value === "On my way"); }; });`,
    ),
    async solve(it) {
      await it.click(/> Bob: hello/);
      await it.click(/> Reply/);
      await it.type(/<textarea/, "On my way");
      await it.click(/> Send/);
    },
  },
  {
    name: "scroll without end until something is there",
    page: page(
      `<div id=l></div>`,
      `let count = 0; const more = () => { for (let at = 0; at < 40; at++) { const p = document.createElement("p"); count++;
         p.innerHTML = count === 150 ? "<button onclick='win()'>The goal</button>" : "line " + count; l.append(p); } };
       more(); addEventListener("scroll", () => { if (scrollY + innerHeight > document.body.scrollHeight - 200 && count < 400) more(); });`,
    ),
    async solve(it) {
      for (let tries = 0; tries < 20 && (await it.lines(/> The goal/)).length === 0; tries++) {
        await it.act({ action: "scroll_down" });
      }
      await it.click(/> The goal/);
    },
  },
  {
    name: "scroll a part of the page",
    page: page(
      `<div style="height:200px;overflow:auto">${
        Array.from({ length: 80 }, (_, at) => `<p>row ${at}</p>`).join("")
      }<button onclick="win()">At the end</button></div>`,
    ),
    async solve(it) {
      await it.act({ action: "scroll_to_text", text: "At the end" });
      await it.click(/> At the end/);
    },
  },
  {
    name: "find one among 10,000 elements",
    page: page(
      `<div id=l></div>`,
      `l.innerHTML = Array.from({ length: 10000 }, (_, at) => "<button>No " + at + "</button>").join("");
       l.onclick = ({ target }) => win(target.textContent === "No 7531");`,
    ),
    async solve(it) {
      await it.act({ action: "scroll_to_text", text: "No 7531" });
      await it.click(/> No 7531$/);
    },
  },
  {
    name: "go on in a tab that a link opens, and come back",
    page: {
      "/": page(
        `<a href="/code" target=_blank>The code</a><input id=c><button onclick="win(c.value === 'K-42')">Submit</button>`,
      ),
      "/code": "<p>The code is K-42</p>",
    },
    async solve(it) {
      await it.click(/> The code/);
      const [, code = ""] = /The code is (\S+)/.exec(await it.look()) ?? [];
      await it.act({ action: "close_tab" });
      await it.type(/<input/, code);
      await it.click(/> Submit/);
    },
  },
  {
    name: "walk over pages with a form, and back",
    page: {
      "/": page(`<a href="/step?1">Begin</a>`),
      "/step": `<form action="/last"><input name=word placeholder=Word><button>On</button></form>`,
      "/last":
        `<p>Sent</p><script>document.title = location.search === "?word=done" ? "won" : "lost"</script>`,
    },
    async solve(it) {
      await it.click(/> Begin/);
      await it.act({ action: "go_back" });
      await it.click(/> Begin/);
      await it.type(/placeholder="Word"/, "done");
      await it.click(/> On/);
    },
  },
  {
    name: "like a post in a stream",
    page: page(
      Array.from(
        { length: 60 },
        (_, at) =>
          `<article><p>Post of user${at}</p><button aria-label="Like user${at}" onclick="win(${at} === 42)">♥</button></article>`,
      ).join(""),
    ),
    async solve(it) {
      await it.act({ action: "scroll_to_text", text: "Post of user42" });
      await it.click(/aria-label="Like user42"/);
    },
  },
  {
    name: "use keys alone",
    page: page(
      `<button id=a>a</button><button onclick="win()">b</button>`,
      `a.focus();`,
    ),
    async solve(it) {
      await it.keys("Tab");
      await it.keys("Enter");
    },
  },
];
