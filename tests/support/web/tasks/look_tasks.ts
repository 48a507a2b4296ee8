import { page, type Task } from "./task.ts";

const ROWS = Array.from({ length: 30 }, (_, at) => `<li>Row ${at}</li>`).join("");

/** Tasks with parts that nothing in the HTML tells to be usable, or that only their looks tell from each other. */
export const LOOK_TASKS: readonly Task[] = [
  {
    name: "begin on a cover, then click the box of a color",
    page: page(
      `<style>.box { width: 50px; height: 50px; display: inline-block }</style><p>Click on the olive box.</p>
      <div id=area></div><div id=cover style="position:absolute;inset:0;background:#888e;font-size:40px">START</div>`,
      `cover.onclick = () => { cover.style.display = "none"; };
      for (const color of ["red", "olive", "lime"]) {
        const box = document.createElement("div");
        box.className = "box";
        box.style.backgroundColor = color;
        box.addEventListener("click", () => win(color === "olive"));
        area.append(box);
      }`,
    ),
    async solve({ click }) {
      await click(/<div.*START/);
      await click(/<div.*color="olive"/);
    },
  },
  {
    name: "click a shape of a drawing by its form, its color and its size",
    page: page(
      `<p>Click on the small red triangle.</p><svg width=160 height=160></svg>`,
      `const svg = document.querySelector("svg");
      svg.innerHTML = '<circle cx=20 cy=20 r=10 fill=red /><polygon points="60,10 80,40 40,40" fill=red />' +
        '<polygon points="120,20 125,30 115,30" fill=red id=it /><rect x=10 y=90 width=20 height=20 fill=blue />' +
        '<text x=100 y=100 fill=green>k</text>';
      svg.addEventListener("click", () => win(false));
      for (const shape of svg.children) {
        shape.addEventListener("click", (event) => { event.stopPropagation(); win(shape.id === "it"); });
      }`,
    ),
    async solve({ click, lines }) {
      if ((await lines(/<text color="green".*> k$/)).length !== 1) throw new Error("no letter");
      await click(/<polygon color="red" size="10x10" at="120,25" corners="3"/);
    },
  },
  {
    name: "click an entry of a list that hears clicks for its entries",
    page: page(
      `<ul id=list><li>Tea</li><li>Coffee</li><li>Milk</li></ul>`,
      `list.addEventListener("click", ({ target }) => win(target.textContent === "Coffee"));`,
    ),
    async solve({ click }) {
      await click(/<li> Coffee$/);
    },
  },
  {
    name: "use a button without words in a part that can be clicked",
    page: page(
      `<style>.mail { cursor: pointer; width: 300px } .mail i { display: inline-block; width: 12px; height: 12px }</style>
      ${
        ["Ada", "Bob"].map((name) =>
          `<div class=mail><b>${name}</b> hello <i class=star data-of=${name}></i><i class=trash></i></div>`
        ).join("")
      }`,
      `for (const mail of document.querySelectorAll(".mail")) mail.addEventListener("click", () => win(false));
      for (const icon of document.querySelectorAll("i")) {
        icon.addEventListener("click", (event) => {
          event.stopPropagation();
          if (icon.dataset.of === "Bob") icon.classList.add("clicked");
        });
      }
      setInterval(() => document.querySelector(".clicked") && win(), 5);`,
    ),
    async solve({ look, act, lines }) {
      const [, after = ""] = (await look()).split("<div> Bob");
      await act({ action: "click_element", index: Number(/\[(\d+)\]<i class="star/.exec(after)?.[1]) });
      if ((await lines(/state="clicked"/)).length !== 1) throw new Error("no state is shown");
    },
  },
  {
    name: "click what a part of the page that scrolls hides",
    page: page(
      `<ul id=list style="height:100px;overflow-y:scroll">${ROWS}</ul>`,
      `for (const row of list.children) row.addEventListener("click", () => win(row.textContent === "Row 21"));`,
    ),
    async solve({ click }) {
      await click(/<li> Row 21$/);
    },
  },
  {
    name: "count blocks without words",
    page: page(
      `<style>.block { width: 10px; height: 10px; float: left; margin: 1px; background: #7fb0ff }</style>
      <div id=blocks>${"<span class=block></span>".repeat(7)}</div><p style="clear:both">How many blocks?</p>
      <input id=answer><button id=send>Send</button>`,
      `send.addEventListener("click", () => win(answer.value === "7"));`,
    ),
    async solve({ look, type, click }) {
      const count = (await look()).split("(#7fb0ff box 10x10)").length - 1;
      await type(/<input/, String(count));
      await click(/Send/);
    },
  },
  {
    name: "count the corners of a shape that is only looked at",
    page: page(
      `<svg width=80 height=80><polygon points="10,10 60,10 70,40 40,70 5,40" fill=none stroke=black /></svg>
      <button>4</button><button>5</button><button>6</button>`,
      `for (const one of document.querySelectorAll("button")) one.onclick = () => win(one.textContent === "5");`,
    ),
    async solve({ look, click }) {
      const [, count] = /\(black polygon (\d+) corners/.exec(await look()) ?? [];
      await click(new RegExp(`<button> ${count}$`));
    },
  },
  {
    name: "enter the last word of a long field",
    page: page(
      `<textarea rows=3 cols=20 readonly>${
        "many words ".repeat(60)
      }finis</textarea><input name=word><button>Send</button>`,
      `document.querySelector("button").onclick = () => win(document.querySelector("input").value === "finis");`,
    ),
    async solve({ lines, type, click }) {
      const [field = ""] = await lines(/<textarea/);
      await type(/<input/, /(\w+)" readonly/.exec(field)?.[1] ?? "");
      await click(/Send/);
    },
  },
  {
    name: "scroll a field to its end in a long page",
    page: page(
      `<textarea rows=3 cols=20>${"many words ".repeat(60)}</textarea><button>Send</button>${
        "<p>more</p>".repeat(80)
      }`,
      `const field = document.querySelector("textarea");
      document.querySelector("button").onclick = () =>
        win(field.scrollTop + field.clientHeight >= field.scrollHeight - 2);`,
    ),
    async solve({ click, act }) {
      await click(/<textarea/);
      await act({ action: "scroll_down", scroll_amount: 5000 });
      await click(/Send/);
    },
  },
  {
    name: "set a number with arrows that have no words, and a handle by keys",
    page: page(
      `<style>a { display: inline-block; width: 15px; height: 15px }
      #handle { width: 15px; height: 15px; display: inline-block }</style>
      <span id=shown>0</span><a class=spin-up></a><a class=spin-down></a>
      <p><span id=handle tabindex=0></span> at <b id=value>5</b></p>`,
      `const check = () => win(shown.textContent === "-2" && value.textContent === "7");
      const step = (by) => () => { shown.textContent = Number(shown.textContent) + by; check(); };
      document.querySelector(".spin-up").addEventListener("mousedown", step(1));
      document.querySelector(".spin-down").addEventListener("mousedown", step(-1));
      handle.addEventListener("keydown", ({ key }) => {
        if (key === "ArrowRight") value.textContent = Number(value.textContent) + 1;
        check();
      });`,
    ),
    async solve({ click, keys }) {
      for (const _ of [1, 2]) await click(/<a class="spin-down"/);
      await click(/<span id="handle"/);
      for (const _ of [1, 2]) await keys("ArrowRight");
    },
  },
  {
    name: "read all words of a long part that can be clicked",
    page: page(
      `<div id=card><p>${
        "A story without end. ".repeat(20)
      }</p><p>The word is cumin.</p></div><input name=word>`,
      `card.onclick = () => {};
      document.querySelector("input").oninput = ({ target }) => win(target.value === "cumin");`,
    ),
    async solve({ look, type }) {
      await type(/<input/, /The word is (\w+)/.exec(await look())?.[1] ?? "");
    },
  },
  {
    name: "go on when what was opened has faded away",
    page: page(
      `<div style="position:relative;height:90px"><button>Send</button>
      <div id=over style="position:absolute;inset:0;background:#eee"><a href="#" id=shut>Close</a></div></div>`,
      `shut.onclick = () => {
        const began = performance.now();
        const fade = () => {
          const part = (performance.now() - began) / 200;
          over.style.opacity = 1 - part;
          if (part < 1) setTimeout(fade, 13);
          else over.style.display = "none";
        };
        fade();
      };
      document.querySelector("button").onclick = () => win();`,
    ),
    async solve(it) {
      await it.click(/Close/);
      if (!/<button> Send/.test(it.shown)) throw new Error("the button is covered");
      await it.click(/Send/);
    },
  },
  {
    name: "click what a part of the page cuts off, once",
    page: page(
      `<ul id=list style="height:50px;overflow:auto;margin:0;padding:0">${
        ["Ada", "Bob", "Cleo"].map((name) => `<li style="height:36px"><a href="#">${name}</a></li>`).join("")
      }</ul>`,
      `for (const row of list.children) row.addEventListener("click", () => win(row.textContent === "Bob"));`,
    ),
    async solve({ look, click }) {
      if ((await look()).match(/^\[/gm)?.length !== 3) throw new Error("not one number for each link");
      await click(/> Bob$/);
    },
  },
];
