import entities from "./lib/entities.json";

export const tool = {
  name: "html_text",
  description:
    "Turns HTML into readable text: headings, paragraphs, lists, tables, quotes, code and, if wanted, the addresses of links. Scripts, styles, and what is hidden are left out. " +
    "Use it on pages that were fetched, before reading them.",
  inputSchema: {
    type: "object",
    properties: {
      html: { type: "string" },
      links: { type: "boolean", default: false, description: "write the addresses of links behind their texts" },
      base: { type: "string", description: "the address of the page, for links that are relative" },
      maxChars: { type: "integer", minimum: 100, maximum: 1000000, default: 20000 },
    },
    required: ["html"],
    additionalProperties: false,
  },
  timeout: 5,
};

const skipped = new Set(["script", "style", "noscript", "template", "svg", "head", "iframe", "object", "select", "textarea"]);
const blocks = new Set("address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody td tfoot th thead tr ul".split(" "));
const empty = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]);

function decode(s) {
  return s.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z][a-z0-9]{1,31}));?/gi, (all, hex, decimal, name) => {
    if (name) return Object.hasOwn(entities, name) ? entities[name] : all;
    const code = hex ? parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : "\uFFFD";
  });
}

/** Goes over the tags and texts of HTML: {tag, close, attributes} or {text}. */
function* tokens(html) {
  let i = 0;
  while (i < html.length) {
    const open = html.indexOf("<", i);
    if (open < 0) break;
    if (open > i) yield { text: html.slice(i, open) };
    if (html.startsWith("<!--", open)) {
      const end = html.indexOf("-->", open + 4);
      i = end < 0 ? html.length : end + 3;
      continue;
    }
    if (!/[a-z/!?]/i.test(html[open + 1] ?? "")) {
      yield { text: "<" };
      i = open + 1;
      continue;
    }
    // The end of the tag is the first > outside of quotes.
    let end = open + 1;
    for (let quote = ""; end < html.length; end++) {
      const c = html[end];
      if (quote) {
        if (c === quote) quote = "";
      } else if ((c === '"' || c === "'") && html[end - 1] === "=") quote = c;
      else if (c === ">") break;
    }
    const inside = html.slice(open + 1, end);
    i = end + 1;
    const name = /^\/?([a-z][a-z0-9-]*)/i.exec(inside);
    if (!name) continue;
    const tag = name[1].toLowerCase();
    const close = inside[0] === "/";
    yield { tag, close, attributes: close ? "" : inside.slice(name[0].length) };
    if (!close && (tag === "script" || tag === "style" || tag === "textarea")) {
      const after = html.slice(i).search(new RegExp(`</${tag}[\\s>/]`, "i"));
      i = after < 0 ? html.length : i + after;
    }
  }
  if (i < html.length) yield { text: html.slice(i) };
}

function attribute(text, name) {
  const m = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(text);
  return m ? decode(m[1] ?? m[2] ?? m[3]).trim() : undefined;
}

const hidden = (attributes) => /(?:^|\s)hidden(?:\s|=|$)/i.test(attributes) || /display\s*:\s*none/i.test(attribute(attributes, "style") ?? "") || attribute(attributes, "aria-hidden") === "true";

/** Collects text: lines, with what begins each of them. */
class Writer {
  #lines = [];
  #line = "";
  #gap = 0; // empty lines that are due
  #prefixes = [];
  #marker = "";

  text(s, pre) {
    if (pre) {
      s.split("\n").forEach((part, i) => {
        if (i > 0) this.#flush(true);
        this.#line += part;
      });
      return;
    }
    const t = s.replace(/[\s\u00a0]+/g, " ");
    this.#line += this.#line === "" || this.#line.endsWith(" ") ? t.trimStart() : t;
  }

  #flush(even) {
    const line = even ? this.#line.trimEnd() : this.#line.trim();
    this.#line = "";
    if (line === "" && !even) return;
    if (this.#lines.length > 0) for (; this.#gap > 0; this.#gap--) this.#lines.push("");
    this.#gap = 0;
    const before = this.#prefixes.join("");
    this.#lines.push((this.#marker ? before.slice(0, before.length - this.#marker.length) + this.#marker : before) + line);
    this.#marker = "";
  }

  /** Ends the last line of preformatted text, whose spaces count. */
  even() {
    if (this.#line.trim()) this.#flush(true);
  }

  break() {
    this.#flush(false);
  }

  block(gap = 0) {
    this.#flush(false);
    this.#gap = Math.max(this.#gap, gap);
  }

  push(prefix, marker = "") {
    this.#flush(false);
    this.#prefixes.push(prefix);
    this.#marker = marker;
  }

  pop() {
    this.#flush(false);
    this.#prefixes.pop();
    this.#marker = "";
  }

  toString() {
    this.#flush(false);
    return this.#lines.join("\n");
  }
}

export function invoke({ html, links = false, base, maxChars = 20000 }) {
  const w = new Writer();
  const lists = [{ next: 0, item: false }]; // the first is for items outside of lists
  let skip = "";
  let depth = 0;
  let pre = 0;
  let fresh = false; // a line break at the beginning of pre is none of its text
  let cells = 0;
  let link;
  let title = "";
  let inTitle = false;
  const address = (href) => {
    if (!href || /^(?:javascript|data):/i.test(href)) return "";
    return URL.canParse(href, base) ? new URL(href, base).href : href;
  };
  for (const t of tokens(html)) {
    if (t.text !== undefined) {
      if (inTitle) title += decode(t.text);
      else if (!skip) w.text(decode(fresh ? t.text.replace(/^\n/, "") : t.text), pre > 0);
      fresh = false;
      continue;
    }
    const { tag, close, attributes } = t;
    if (tag === "title") inTitle = !close && !title;
    if (tag === "body" && skip === "head") skip = "";
    if (skip) {
      if (tag === skip) depth += close ? -1 : 1;
      if (depth === 0) skip = "";
      continue;
    }
    if (!close && !empty.has(tag) && (skipped.has(tag) || hidden(attributes))) {
      skip = tag;
      depth = 1;
      continue;
    }
    if (tag === "br") w.break();
    else if (tag === "hr") {
      w.block(1);
      w.text("---");
      w.block(1);
    } else if (/^h[1-6]$/.test(tag)) {
      w.block(1);
      if (!close) w.text("#".repeat(Number(tag[1])) + " ", true);
    } else if (tag === "p" || tag === "table" || tag === "dl" || tag === "figure") w.block(1);
    else if (tag === "pre") {
      if (close) w.even();
      w.block(1);
      pre = Math.max(0, pre + (close ? -1 : 1));
      fresh = !close;
    } else if (tag === "blockquote") {
      w.block(1);
      if (close) w.pop();
      else w.push("> ");
    } else if (tag === "ul" || tag === "ol") {
      w.block(lists.length > 1 ? 0 : 1);
      if (!close) lists.push({ next: tag === "ol" ? Number(attribute(attributes, "start") ?? 1) || 1 : 0, item: false });
      else if (lists.length > 1 && lists.pop().item) w.pop();
      if (close) w.block(lists.length > 1 ? 0 : 1);
    } else if (tag === "li") {
      const list = lists.at(-1);
      if (list.item) w.pop(); // also one that was not closed
      list.item = !close;
      if (!close) {
        const marker = list.next > 0 ? `${list.next++}. ` : "- ";
        w.push(" ".repeat(marker.length), marker);
      }
    } else if (tag === "tr") {
      w.block();
      cells = 0;
    } else if ((tag === "td" || tag === "th") && !close) {
      if (cells++ > 0) w.text(" | ");
    } else if (tag === "td" || tag === "th") continue;
    else if (tag === "img") {
      const alt = attribute(attributes, "alt");
      if (alt) w.text(`[${alt}]`);
    } else if (tag === "a" && links) {
      if (close && link) w.text(` (${link})`);
      link = close ? "" : address(attribute(attributes, "href"));
    } else if (tag === "code" && pre === 0) w.text("`");
    else if (blocks.has(tag)) w.block();
  }
  title = title.replace(/\s+/g, " ").trim();
  let text = w.toString();
  if (title && !text.startsWith(`# ${title}`)) text = `${title}\n\n${text}`.trim();
  const chars = [...text];
  return chars.length > maxChars ? `${chars.slice(0, maxChars).join("")}\n… [${chars.length - maxChars} characters left out]` : text;
}
