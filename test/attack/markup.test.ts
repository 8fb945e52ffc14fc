import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { JOBS, makeJob } from "../e2e/http/asking.js"
import { clientOf, ffmpegMissing, recording, startWeb, type Web } from "../e2e/http/world.js"
import { makeWorlds } from "../e2e/worlds.js"
import { because } from "../servers/because.js"
import { type EarmarkServer, startEarmark } from "../servers/earmarkServer.js"
import { escapeXml, feedOf, type Publisher, page, startPublisher } from "./publisher.js"

const { world: newWorld, close } = makeWorlds("markup")

let server: EarmarkServer
let web: Web
let publisher: Publisher
let call: ReturnType<typeof clientOf>

beforeAll(async () => {
  web = await startWeb()
  publisher = await startPublisher()
  server = await startEarmark({ EARMARK_BILLING: "off" })
  call = clientOf(server)
}, 120_000)

afterAll(async () => {
  web?.stop()
  publisher?.stop()
  await server?.stop()
  close()
}, 60_000)

/** Text that would be markup wherever somebody forgot to escape it. */
const HOSTILE = [
  `<script>alert(1)</script>`,
  `<img src=x onerror="alert(1)">`,
  `"><svg/onload=alert(1)>`,
  `'-alert(1)-'`,
  `</title></style></textarea><iframe src="javascript:alert(1)">`,
  `<!-- --><b onmouseover=alert(1)>`,
  `&lt;script&gt;alert(1)&lt;/script&gt;`,
  `]]><a href="javascript:alert(1)">x</a>`,
  "{{constructor.constructor('alert(1)')()}}",
  "[x](javascript:alert(1)) ![x](http://evil.example/a.png) <http://evil.example> `code`",
]

const TAG = /<\/?([a-z][a-z0-9:-]*)\b([^>]*)>/gi

/** Tags that our pages and transcripts are made of. None runs a script or fetches anything. */
const OURS = new Set(
  "html head meta title style link body main header footer nav section article aside div p span h1 h2 h3 h4 ol ul li dl dt dd a b i em strong code pre small br hr table thead tbody tr th td time cite q blockquote form input button label details summary script sup"
    .split(" ")
    .concat(["v", "c"]),
)

/** No tag that is not ours, no handler of events, no address that is a script; scripts only with what we wrote in them. */
const assertInert = (html: string, what: string, scripts: ReadonlyArray<string> = []) => {
  let rest = html
  for (const script of scripts) rest = rest.replace(script, "")
  rest = rest.replace(/<style>[\s\S]*?<\/style>/g, "<style></style>")
  assert.notMatch(rest, /alert\(1\)\s*<\/script/i, what)
  for (const [tag, name = "", attributes = ""] of rest.matchAll(TAG)) {
    assert.isTrue(OURS.has(name.toLowerCase()), `${what}: ${tag}`)
    const bare = attributes.replace(/"[^"]*"|'[^']*'/g, '""')
    assert.notMatch(bare, /\son\w+\s*=/i, `${what}: ${tag}`)
    assert.notMatch(
      attributes,
      /(?:href|src|action|content)\s*=\s*["']?\s*(?:javascript|data|vbscript):/i,
      `${what}: ${tag}`,
    )
  }
}

const scriptsOf = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/<script[^>]*>[\s\S]*?<\/script>/g)].map(([script]) => script)

const captions = (): string =>
  `WEBVTT\n\n${HOSTILE.map((text, index) => {
    const at = (second: number) => `00:00:${String(second).padStart(2, "0")}.000`
    const safe = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    return `${at(index * 2)} --> ${at(index * 2 + 2)}\n<v ${safe.replaceAll(/&gt;|&lt;/g, "·")}>${safe}\n\n`
  }).join("")}`

describe("a transcript in which somebody says markup", () => {
  const converted = async (format: string) => {
    const { folder, command } = newWorld()
    writeFileSync(join(folder, "a.vtt"), captions())
    const output = `a.${format}`
    const ran = await command("captions", "a.vtt", "--to", format, "-o", output)
    assert.strictEqual(ran.code, 0, ran.stderr)
    return { path: join(folder, output), text: readFileSync(join(folder, output), "utf8") }
  }

  it("is text in HTML, TTML and WebVTT", async () => {
    const html = (await converted("html")).text
    assertInert(html, "html")
    assert.include(html, "&lt;script&gt;alert(1)&lt;/script&gt;")
    const ttml = (await converted("ttml")).text
    const known = /^(?:tt|head|metadata|ttm:\w+|styling|style|layout|region|body|div|p|span|br)$/
    for (const [tag, name = ""] of ttml.matchAll(TAG)) assert.match(name, known, tag)
    const vtt = (await converted("vtt")).text
    for (const [tag, name = ""] of vtt.matchAll(TAG)) assert.strictEqual(name, "v", tag)
  })

  it("is text in Markdown", async () => {
    const { text } = await converted("md")
    // A sign that begins markup has a backslash before it.
    const bare = text.replace(/\\[\\`*_[\]<>&|~$#+=-]/g, "").replace(/^\*\*.*?\*\* /gm, "")
    assert.notMatch(bare, /[<>`|]|\]\(|!\[/, text)
  })

  it("is text in a Word file", async () => {
    const { path } = await converted("docx")
    const unzipped = spawnSync("unzip", ["-p", path, "word/document.xml"], { encoding: "utf8" })
    if (unzipped.error !== undefined) return
    for (const [tag, name = ""] of unzipped.stdout.matchAll(TAG))
      assert.match(name, /^(?:w|r|wp|a|xml):?/, tag)
    assert.notInclude(unzipped.stdout, "<script")
    assert.notInclude(unzipped.stdout, "w:hyperlink")
    assert.include(unzipped.stdout, "&lt;script&gt;")
  })

  it("is no formula in a table", async () => {
    const { folder, command } = newWorld()
    const said = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1+1", `=HYPERLINK("http://evil.example")`]
    const cue = (text: string, index: number) =>
      `00:00:0${index}.000 --> 00:00:0${index + 1}.000\n<v ${text.trim().replaceAll(">", "")}>${text}\n\n`
    writeFileSync(join(folder, "a.vtt"), `WEBVTT\n\n${said.map(cue).join("")}`)
    const { stdout } = await command("captions", "a.vtt", "--to", "csv")
    assert.notMatch(stdout, /(?:^|,)"?[=+@\t-][^,"\d]/m, stdout)
  })
})

describe.skipIf(ffmpegMissing !== null)(`what a feed calls its episodes${because(ffmpegMissing)}`, () => {
  it("is text on the index page of its show, whose links lead only to files and web pages", async () => {
    publisher.pages.set("/a.wav", page("audio/wav", recording(1, 1)))
    const items = HOSTILE.map(
      (title, index) =>
        `<item><title>${escapeXml(title)}</title><guid>${escapeXml(title)}</guid><link>${escapeXml(
          index % 2 === 0 ? "javascript:alert(1)" : `https://a.example/"onclick="alert(1)`,
        )}</link><enclosure url="${publisher.base}/a.wav?${index}" type="audio/wav"/></item>`,
    )
    const show = feedOf(items.slice(0, 4).join("")).replace("Show", escapeXml(HOSTILE[0] ?? ""))
    publisher.pages.set("/feed.xml", page("application/rss+xml", show))
    const { folder, run, names } = newWorld()
    const ran = await run(`${publisher.base}/feed.xml`, "--all", "-f", "html", "--no-keep")
    assert.strictEqual(ran.code, 0, ran.stderr)
    const written = names().filter((name) => name.endsWith(".html"))
    assert.isAbove(written.length, 4)
    for (const name of written) {
      const html = readFileSync(join(folder, name), "utf8")
      const own = name.endsWith("index.html") ? scriptsOf(html).slice(-1) : []
      assertInert(html, name, own)
    }
  })

  it("is text in what a server exports", async () => {
    const title = HOSTILE.slice(0, 6).join(" ")
    const id = await makeJob({ server, web, call, store: {} }, { url: `${web.base}/1.wav`, title })
    for (const format of ["html", "md"]) {
      const { text, headers } = await call(`${JOBS}/${id}/export?format=${format}`)
      if (format === "html") assertInert(text, format)
      else assert.notMatch(text.replace(/\\[\\`*_[\]<>&|~$#+=-]/g, ""), /[<>`]|\]\(/, text)
      assert.match(
        headers.get("content-disposition") ?? "",
        /^attachment; filename="[\w.-]+"(?:; filename\*=UTF-8''[\w.%-]+)?$/,
      )
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'/)
    }
  })
})

describe("the pages of a server", () => {
  it("show nothing of the address that they are asked by, and let nobody frame them", async () => {
    const hostile = encodeURIComponent(`"><script>alert(1)</script>`)
    const upload = { filename: `<script>alert(1)</script>.wav`, content_type: "audio/wav", bytes: 4 }
    const { body } = await call("/api/v1/uploads", { body: upload })
    for (const path of [
      `/docs?q=${hostile}`,
      `/docs/problems?${hostile}`,
      `/docs/${hostile}`,
      `/${hostile}`,
      `/?${hostile}`,
      `/oauth/authorize?client_id=${hostile}&redirect_uri=${hostile}&error_description=${hostile}`,
      `/oauth/interaction/${hostile}`,
      `${String(body.upload_page)}&x=${hostile}`,
    ]) {
      const address = path.startsWith("http") ? path : `${server.baseUrl}${path}`
      const answer = await fetch(address, { headers: { Accept: "text/html" } })
      const text = await answer.text()
      assert.notInclude(text, "<script>alert(1)", path)
      assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff", path)
      const policy = answer.headers.get("content-security-policy") ?? ""
      assert.include(policy, "frame-ancestors 'none'", path)
      assert.include(policy, "default-src 'none'", path)
      assert.notInclude(policy, "script-src 'unsafe-inline'", path)
    }
  })
})
