import { page, type Task } from "./task.ts";

export const FORM_TASKS: readonly Task[] = [
  {
    name: "click the button that is asked for",
    page: page(
      `<p>Click "Okay".</p><button onclick="win(false)">Cancel</button><button onclick="win()">Okay</button>`,
    ),
    solve: (it) => it.click(/<button> Okay/),
  },
  {
    name: "click a link in a text",
    page: page(
      `<p>Some words, <a href="#x" onclick="win()">lorem</a>, <a href="#y">ipsum</a>, and more.</p>`,
    ),
    solve: (it) => it.click(/<a .*> lorem/),
  },
  {
    name: "fill in a text and send it",
    page: page(
      `<form onsubmit="win(t.value === 'Ann & Bob'); return false"><input id=t placeholder=Name><button>Send</button></form>`,
    ),
    async solve(it) {
      await it.type(/placeholder="Name"/, "Ann & Bob");
      await it.click(/<button> Send/);
    },
  },
  {
    name: "log in, with the Enter key",
    page: page(
      `<form onsubmit="win(u.value === 'ann' && p.value === 's3cret'); return false">
        <label>User <input id=u></label><label>Password <input id=p type=password></label><button>Log in</button></form>`,
    ),
    async solve(it) {
      await it.type(/<input> User/, "ann");
      await it.type(/type="password"/, "s3cret");
      await it.keys("Enter");
    },
  },
  {
    name: "replace what a field holds",
    page: page(
      `<input id=a value="old words"><textarea id=b>old text</textarea><button onclick="win(a.value === 'new' && b.value === '')">Go</button>`,
    ),
    async solve(it) {
      await it.type(/<input .*old words/, "new");
      await it.type(/<textarea/, "");
      await it.click(/> Go/);
    },
  },
  {
    name: "check some boxes and leave others",
    page: page(
      ["tea", "milk", "sugar", "salt"].map((one) => `<label><input type=checkbox name=${one}>${one}</label>`)
        .join("") +
        `<button onclick="win([...document.querySelectorAll(':checked')].map((one) => one.name).join() === 'tea,sugar')">Submit</button>`,
    ),
    async solve(it) {
      await it.click(/name="tea"/);
      await it.click(/name="sugar"/);
      const [tea = ""] = await it.lines(/name="tea"/);
      if (!tea.includes('checked="true"')) throw new Error(`not shown as checked: ${tea}`);
      await it.click(/> Submit/);
    },
  },
  {
    name: "choose a radio button",
    page: page(
      `<label><input type=radio name=r value=1>one</label><label><input type=radio name=r value=2>two</label>
       <button onclick="win(document.querySelector(':checked')?.value === '2')">Submit</button>`,
    ),
    async solve(it) {
      await it.click(/type="radio".* two/);
      await it.click(/> Submit/);
    },
  },
  {
    name: "choose from a drop-down list",
    page: page(
      `<select id=s><option>pick</option>${
        ["Lima", "Oslo", "Rome"].map((one) => `<option>${one}</option>`).join("")
      }</select><button onclick="win(s.value === 'Oslo')">Submit</button>`,
    ),
    async solve(it) {
      const options = await it.act({ action: "get_dropdown_options", index: await it.number(/<select/) });
      if (!options.includes('"text":"Oslo"')) throw new Error(options);
      await it.choose(/<select/, "Oslo");
      await it.click(/> Submit/);
    },
  },
  {
    name: "choose several from a list",
    page: page(
      `<select id=s multiple size=4>${
        ["a", "b", "c", "d"].map((one) => `<option>${one}</option>`).join("")
      }</select><button onclick="win([...s.selectedOptions].map((one) => one.value).join() === 'b,d')">Submit</button>`,
    ),
    async solve(it) {
      await it.choose(/<select/, "b");
      await it.choose(/<select/, "d");
      await it.click(/> Submit/);
    },
  },
  {
    name: "enter a date, a time and a number on a slider",
    page: page(
      `<input id=d type=date><input id=t type=time><input id=r type=range min=0 max=10 value=1>
       <button onclick="win(d.value === '2026-03-09' && t.value === '17:30' && r.value === '7')">Submit</button>`,
    ),
    async solve(it) {
      await it.type(/type="date"/, "2026-03-09");
      await it.type(/type="time"/, "17:30");
      await it.type(/type="range"/, "7");
      await it.click(/> Submit/);
    },
  },
  {
    name: "click the shades that are asked for, without text of their own",
    page: page(
      ["red", "blue", "red"].map((one, at) =>
        `<div tabindex=0 title="${one} ${at}" style="width:30px;height:30px;background:${one}" onclick="this.dataset.on=1"></div>`
      ).join("") +
        `<button onclick="win([...document.querySelectorAll('[data-on]')].map((one) => one.title).join() === 'red 0,red 2')">Submit</button>`,
    ),
    async solve(it) {
      await it.click(/title="red 0"/);
      await it.click(/title="red 2"/);
      await it.click(/> Submit/);
    },
  },
  {
    name: "write into a part of the page that can be edited",
    page: page(
      `<div id=e contenteditable style="border:1px solid">old</div><button onclick="win(e.innerText.trim() === 'fresh words')">Save</button>`,
    ),
    async solve(it) {
      await it.type(/<div.*> old/, "fresh words");
      await it.click(/> Save/);
    },
  },
  {
    name: "add up what is shown, and enter it",
    page: page(
      `<p id=q></p><input id=a><button onclick="win(Number(a.value) === sum)">Submit</button>`,
      `const one = 17, two = 25, sum = one + two; q.textContent = one + " + " + two + " =";`,
    ),
    async solve(it) {
      const [, one, two] = /^(\d+) \+ (\d+) =$/m.exec(await it.look()) ?? [];
      await it.type(/<input/, String(Number(one) + Number(two)));
      await it.click(/> Submit/);
    },
  },
];
