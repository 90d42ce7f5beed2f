import type { Ctx, FetchResponse } from "./ctx.d.ts";

const registry = "https://registry.npmjs.org";

/** Asks again when the server says that it is busy, at most three times in all. */
async function ask(ctx: Ctx, url: string): Promise<FetchResponse> {
  for (let attempt = 1; ; attempt++) {
    const r = await ctx.fetch(url, { headers: { accept: "application/json" }, timeoutMs: 8000 });
    if (attempt === 3 || (r.status !== 429 && r.status !== 503)) return r;
    const wait = Number(r.headers["retry-after"]);
    await ctx.delay(Number.isFinite(wait) && wait > 0 ? Math.min(wait * 1000, 5000) : attempt * 500);
  }
}

const validName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

export async function invoke({ name, version = "latest" }: { name: string; version?: string }, ctx: Ctx) {
  if (!validName.test(name)) throw new Error(`"${name}" can't be the name of a package; it is lower case, such as lodash or @types/node`);
  const r = await ask(ctx, `${registry}/${name.replace("/", "%2f")}/${encodeURIComponent(version)}`);
  if (r.status === 404) throw new Error(`there is no package ${name}@${version}`);
  if (!r.ok) throw new Error(`the registry answers ${r.status} ${r.statusText}; try again later`);
  const p = await r.json().catch(() => {
    throw new Error("the registry's answer isn't JSON; try again later");
  });
  return {
    name: p.name,
    version: p.version,
    description: p.description,
    license: typeof p.license === "object" ? p.license?.type : p.license,
    homepage: p.homepage,
    dependencies: p.dependencies ?? {},
    size: p.dist?.unpackedSize,
    ...(p.deprecated && { deprecated: String(p.deprecated) }),
  };
}
