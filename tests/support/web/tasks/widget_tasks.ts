import { page, type Task } from "./task.ts";

/** Tasks with what pages make of their own parts. */
export const WIDGET_TASKS: readonly Task[] = [
  {
    name: "open the tab of a page that has the link",
    page: page(
      ["A", "B", "C"].map((one) => `<button role=tab data-to=${one}>Tab ${one}</button>`).join("") +
        `<div id=A>first</div><div id=B hidden>second</div><div id=C hidden><a href="#" onclick="win()">the link</a></div>`,
      `document.querySelectorAll("[role=tab]").forEach((tab) => tab.onclick = () => ["A", "B", "C"].forEach((one) =>
        document.getElementById(one).hidden = one !== tab.dataset.to));`,
    ),
    async solve(it) {
      for (const tab of ["A", "B", "C"]) {
        await it.click(new RegExp(`role="tab".* Tab ${tab}`));
        if ((await it.lines(/the link/)).length > 0) return await it.click(/> the link/);
      }
    },
  },
  {
    name: "find a section in an accordion",
    page: page(
      ["one", "two", "three"].map((one) =>
        `<details><summary>Part ${one}</summary><button onclick="win('${one}' === 'three')">Go ${one}</button></details>`
      ).join(""),
    ),
    async solve(it) {
      await it.click(/<summary.*> Part three/);
      await it.click(/> Go three/);
    },
  },
  {
    name: "walk through menus in menus",
    page: page(
      `<style>ul ul { display: none } li:hover > ul, li.open > ul { display: block }</style>
      <ul><li class=m><span tabindex=0>File</span><ul><li class=m><span tabindex=0>Export</span>
      <ul><li><a href="#" onclick="win()">As text</a></li></ul></li></ul></li><li><span tabindex=0>Edit</span></li></ul>`,
      `document.querySelectorAll(".m > span").forEach((one) => one.onclick = () => one.parentElement.classList.toggle("open"));`,
    ),
    async solve(it) {
      await it.click(/> File/);
      await it.click(/> Export/);
      await it.click(/> As text/);
    },
  },
  {
    name: "take a word of the completions",
    page: page(
      `<input id=q placeholder=Country><ul id=l></ul><button onclick="win(q.value === 'Portugal')">Submit</button>`,
      `const all = ["Peru", "Poland", "Portugal", "Norway"];
       q.oninput = () => setTimeout(() => { l.replaceChildren(...all.filter((one) => one.startsWith(q.value)).map((one) => {
         const li = document.createElement("li"); li.textContent = one; li.setAttribute("role", "option");
         li.onclick = () => { q.value = one; l.replaceChildren(); }; return li; })); }, 20);`,
    ),
    async solve(it) {
      await it.type(/placeholder="Country"/, "Po");
      await it.click(/role="option".* Portugal/);
      await it.click(/> Submit/);
    },
  },
  {
    name: "pick a day of a calendar of the page's own",
    page: page(
      `<button id=b>Prev</button><span id=m></span><div id=days></div>`,
      `let month = 12; const show = () => { m.textContent = "Month " + month; days.replaceChildren(...Array.from({ length: 28 }, (_, at) => {
        const day = document.createElement("a"); day.href = "#"; day.textContent = at + 1; day.style.margin = "4px";
        day.onclick = () => win(month === 9 && at === 16); return day; })); };
       b.onclick = () => { month--; show(); }; show();`,
    ),
    async solve(it) {
      while (!/Month 9$/m.test(await it.look())) await it.click(/> Prev/);
      await it.click(/<a href="#"> 17$/);
    },
  },
  {
    name: "close what lies over the page, then click",
    page: page(
      `<button onclick="win()">Under it</button><div id=o style="position:fixed;inset:0;background:#fffe">
       <p>Cookies?</p><button onclick="o.remove()">Accept all</button></div>`,
    ),
    async solve(it) {
      if ((await it.lines(/^\[.*Under it/)).length > 0) throw new Error("what is covered is shown");
      await it.click(/> Accept all/);
      await it.click(/> Under it/);
    },
  },
  {
    name: "answer dialogs",
    page: page(
      `<button onclick="alert('Hello'); win(confirm('Delete it?') && prompt('Name?', 'Ann') === 'Ann')">Delete</button>`,
    ),
    async solve(it) {
      await it.click(/> Delete/);
      if (!it.shown.includes('dialog (confirm): "Delete it?"')) throw new Error(it.shown);
    },
  },
  {
    name: "confirm in a dialog of the page's own",
    page: page(
      `<button onclick="d.showModal()">Ask</button><dialog id=d><p>Sure?</p><button onclick="win()">Yes, do</button></dialog>`,
    ),
    async solve(it) {
      await it.click(/> Ask/);
      await it.click(/> Yes, do/);
    },
  },
  {
    name: "use a frame in a frame",
    page: {
      "/": page(`<iframe src="/inner" width=500 height=300></iframe>`),
      "/inner": `<iframe srcdoc="<button onclick='top.win()'>Deep</button>" width=300 height=200></iframe>`,
    },
    solve: (it) => it.click(/> Deep/),
  },
  {
    name: "use shadow roots in shadow roots, with slots",
    page: page(
      `<x-box><span slot=s>Label</span></x-box>`,
      `class In extends HTMLElement { connectedCallback() { const root = this.attachShadow({ mode: "open" });
         root.innerHTML = "<button>Inside</button>"; root.querySelector("button").onclick = () => win(); } }
       customElements.define("x-in", In);
       class Box extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<slot name=s></slot><x-in></x-in>"; } }
       customElements.define("x-box", Box);`,
    ),
    async solve(it) {
      if ((await it.lines(/^Label$/)).length !== 1) throw new Error(it.shown);
      await it.click(/> Inside/);
    },
  },
  {
    name: "wait for what comes late",
    page: page(
      `<p>Loading…</p>`,
      `setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<button onclick='win()'>Ready</button>"), 900);`,
    ),
    async solve(it) {
      await it.act({ action: "wait", seconds: 1 });
      await it.click(/> Ready/);
    },
  },
];
