import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { assertProblem, JOBS, makeJob, newAccount } from "../e2e/http/asking.js"
import { clientOf, ffmpegMissing, startWeb, type Web } from "../e2e/http/world.js"
import { because } from "../servers/because.js"
import { type EarmarkServer, startEarmark } from "../servers/earmarkServer.js"

let server: EarmarkServer
let web: Web
let call: ReturnType<typeof clientOf>

beforeAll(async () => {
  web = await startWeb()
  server = await startEarmark()
  call = clientOf(server)
}, 120_000)

afterAll(async () => {
  web?.stop()
  await server?.stop()
}, 60_000)

const world = () => ({ server, web, call, store: {} })

const CONTENT = "RIFFWAVE"

const begin = async (as = call) => {
  const request = { filename: "a.wav", content_type: "audio/wav", bytes: CONTENT.length }
  const { body, status } = await as("/api/v1/uploads", { body: request })
  assert.strictEqual(status, 201)
  return { ref: String(body.media_ref), url: new URL(String(body.upload_url)) }
}

const put = (address: string, body = CONTENT, type = "audio/wav", method = "PUT") =>
  fetch(address, { method, body, headers: { "Content-Type": type } })

/** Every address that differs from a good one in a part, and what was changed in it. */
const changesOf = (good: URL, values: Readonly<Record<string, ReadonlyArray<string>>>) => {
  const changed: Array<readonly [what: string, address: string]> = []
  for (const [name, others] of Object.entries(values)) {
    for (const value of others) {
      const address = new URL(good)
      address.searchParams.set(name, value)
      changed.push([`${name}=${value}`, address.href])
    }
    const [without, twice] = [new URL(good), new URL(good)]
    without.searchParams.delete(name)
    twice.searchParams.append(name, others[0] ?? "")
    changed.push([`no ${name}`, without.href], [`two of ${name}`, twice.href])
  }
  return changed
}

const signatureOf = (address: URL) => address.searchParams.get("signature") ?? ""
const flipped = (signature: string) => `${signature.startsWith("0") ? "1" : "0"}${signature.slice(1)}`
const signaturesUnlike = (good: string, another: string) => [
  "",
  "0",
  "0".repeat(good.length),
  flipped(good),
  good.toUpperCase(),
  good.slice(1),
  `${good}0`,
  `${good} `,
  `${good}\0`,
  another,
]

describe("the address of an upload", () => {
  it("is good for one method, path, type, length and time, once", async () => {
    const [mine, other] = [await begin(), await begin()]
    const values = {
      type: ["audio/mpeg", "text/html", "AUDIO/WAV"],
      bytes: ["9", "0", "-1", "8.0", "0x8", " 8", "99999999999"],
      expires: ["99999999999", "0", "-1", "1e99"],
      signature: signaturesUnlike(signatureOf(mine.url), signatureOf(other.url)),
    }
    for (const [what, address] of changesOf(mine.url, values))
      assert.include([400, 403], (await put(address)).status, what)
    const { pathname, search, origin } = mine.url
    const [, folder = "", account = "", file = ""] = pathname.split("/")
    const theirs = other.url.pathname.split("/")[3] ?? ""
    for (const path of [
      `/${folder}/${account}/${theirs}`,
      `/${folder}/acct_${"1".repeat(26)}/${file}`,
      `/${folder}/${account}/${file.replace(".wav", ".html")}`,
      `/${folder}/${account}/..%2f${account}%2f${file}`,
      `/${folder}/${account}/%2e%2e%2f%2e%2e%2fetc%2fpasswd`,
      `/${folder}/${account}/${file}%00`,
      `/${folder}/${account}/${encodeURIComponent(file)}/`,
      `/${folder.toUpperCase()}/${account}/${file}`,
      `//${folder}/${account}/${file}`,
    ])
      assert.include([400, 403, 404], (await put(`${origin}${path}${search}`)).status, path)
    for (const method of ["POST", "DELETE", "PATCH"])
      assert.include([404, 405], (await put(mine.url.href, CONTENT, "audio/wav", method)).status, method)
    for (const method of ["GET", "HEAD"]) {
      // Bytes of an upload are given back to nobody.
      const answer = await fetch(mine.url, { method })
      assert.isAtLeast(answer.status, 400, method)
      assert.notInclude(await answer.text(), CONTENT)
    }
    assert.strictEqual((await put(mine.url.href, `${CONTENT}x`)).status, 400)
    assert.strictEqual((await put(mine.url.href, CONTENT.slice(1))).status, 400)
    assert.strictEqual((await put(mine.url.href, CONTENT, "text/html")).status, 400)
    assert.strictEqual((await put(mine.url.href)).status, 200)
    assert.strictEqual((await put(mine.url.href)).status, 409)
    assert.strictEqual((await put(other.url.href)).status, 200)
  })

  it("of many at the same moment serves one", async () => {
    const { url } = await begin()
    const told = await Promise.all(Array.from({ length: 8 }, () => put(url.href)))
    assert.lengthOf(
      told.filter(({ status }) => status === 200),
      1,
    )
  })

  it("makes nothing that another account can use", async () => {
    const eve = (await newAccount({ server }, "eve.uploads@example.org")).call
    const { ref, url } = await begin()
    assert.strictEqual((await put(url.href)).status, 200)
    const unknown = ref.replace(/.\.wav$/, (end) => (end.startsWith("0") ? "1.wav" : "0.wav"))
    const [theirs, nobodys] = [
      await eve(JOBS, { body: { media_ref: ref } }),
      await eve(JOBS, { body: { media_ref: unknown } }),
    ]
    assertProblem(theirs, 422, "media_ref_unknown")
    assert.strictEqual(theirs.body.detail, nobodys.body.detail)
    for (const media_ref of [`../${ref}`, ref.replace("uploads/", "uploads//"), `${ref}/..`, `/${ref}`])
      assert.include([400, 422], (await call(JOBS, { body: { media_ref } })).status, media_ref)
  })
})

describe.skipIf(ffmpegMissing !== null)(`the address of an export${because(ffmpegMissing)}`, () => {
  it("is good for one transcript, one format and its time", async () => {
    const linkOf = async (id: string) => {
      const { body } = await call(`${JOBS}/${id}/export-link`, { body: { format: "txt" } })
      return new URL(String(body.url))
    }
    const [id, otherId] = [
      await makeJob(world(), { url: `${web.base}/1.wav` }),
      await makeJob(world(), { url: `${web.base}/2.wav` }),
    ]
    const [good, other] = [await linkOf(id), await linkOf(otherId)]
    const { url: upload } = await begin()
    const signatures = signaturesUnlike(signatureOf(good), signatureOf(other))
    const values = {
      format: ["json", "TXT", "txt ", "srt"],
      expires: ["99999999999", "0", "-1", "1e99"],
      signature: [...signatures, signatureOf(upload)],
    }
    const changed = changesOf(good, values)
    for (const more of ["speakers=false", "language=de", "word_level=true", "x=1"])
      changed.push([more, `${good.href}&${more}`])
    changed.push(["another id", good.href.replace(id, otherId)])
    changed.push(["another account", good.href.replace(/acct_\w+/, `acct_${"1".repeat(26)}`)])
    for (const [what, address] of changed) {
      const answer = await call(address, { key: null })
      assert.include([400, 403, 404], answer.status, `${what} ${answer.text}`)
      assert.strictEqual(answer.headers.get("content-type"), "application/problem+json", what)
    }
    assert.strictEqual((await call(good.href, { key: null })).status, 200)
    assert.strictEqual(good.origin, server.baseUrl)
    // A transcript that is gone is gone by its link as well.
    assert.strictEqual((await call(`${JOBS}/${id}`, { method: "DELETE" })).status, 204)
    assertProblem(await call(good.href, { key: null }), 404, "not_found")
  })
})
