import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { earmark, type Ran } from "../e2e/earmark.js"
import { ffmpegMissing, recording } from "../e2e/http/world.js"
import { makeWorlds } from "../e2e/worlds.js"
import { because } from "../servers/because.js"
import { feedOf, type Publisher, page, startPublisher } from "./publisher.js"

const { world, close } = makeWorlds("escapes")
let publisher: Publisher

/** What clears a screen, renames a window, writes the clipboard, and turns a line around: in seven bits and in eight. */
const ESCAPES =
  "\u001b[2J\u001b]0;pwned\u0007\u001b]52;c;cm0=\u0007\u009b31m\u009d0;x\u009c\u202egpj.exe\u2066\u200f\b\b\rX"
// XML 1.0 has no place for most of them; readers take them all the same.
const inXml = [...ESCAPES].map((char) => `&#${char.codePointAt(0)};`).join("")

beforeAll(async () => {
  publisher = await startPublisher()
  publisher.pages.set("/a.wav", page("audio/wav", recording(1, 1)))
  const written = `WEBVTT\n\n00:00.000 --> 00:04.000\n<v Ann${ESCAPES}>hello ${ESCAPES} there and more of it\n`
  publisher.pages.set("/written.vtt", page("text/vtt", written))
  const enclosure = `<enclosure url="${publisher.base}/a.wav" type="audio/wav"/>`
  const item = (more: string) =>
    `<item><title>One ${inXml}</title><guid>g${inXml}</guid><itunes:duration>4</itunes:duration><description>${inXml}</description>${more}</item>`
  const transcript = `<podcast:transcript url="${publisher.base}/written.vtt" type="text/vtt"/>`
  const feed = feedOf(item(`${enclosure}${transcript}`), `<itunes:author>${inXml}</itunes:author>`)
  publisher.pages.set("/feed.xml", page("application/rss+xml", feed.replace("Show", `Show ${inXml}`)))
}, 60_000)

afterAll(() => {
  publisher?.stop()
  close()
})

/** Controls of C0 and C1 but tab and line feed. */
const CONTROL = /[^\P{Cc}\t\n]/u
/** And what turns the direction of text. */
const CONTROL_OR_TURN = /[^\P{Cc}\t\n]|\p{Bidi_Control}/u

/** A transcript that is printed may be in a language that is written from the right; what is told of it is ours. */
const assertClean = ({ stdout, stderr }: Ran, what: string, isTranscript = false) => {
  // Rows of a table end in both, as the standard for CSV says.
  for (const text of [stdout.replaceAll("\r\n", "\n"), stderr]) {
    const found = (isTranscript && text !== stderr ? CONTROL : CONTROL_OR_TURN).exec(text)
    assert.isNull(
      found,
      `${what}: ${JSON.stringify(text.slice(Math.max(0, (found?.index ?? 0) - 60)).slice(0, 120))}`,
    )
  }
}

describe("what others wrote", () => {
  it("is text in the list of a feed", async () => {
    const { command } = world()
    for (const more of [[], ["--details"], ["--json"]]) {
      const ran = await command("feed", `${publisher.base}/feed.xml`, ...more)
      assert.strictEqual(ran.code, 0, ran.stderr)
      assertClean(ran, `feed ${more}`)
    }
  })

  it("is text in what is told of files, links and errors", async () => {
    const { command, folder, run } = world()
    const name = `talk${ESCAPES.replaceAll("/", "")}.vtt`
    writeFileSync(join(folder, name), `WEBVTT ${ESCAPES}\n`)
    assertClean(await command("captions", name, "--to", "txt"), "captions of a file", true)
    assertClean(await command("captions", `${name}.no`), "captions of no file")
    assertClean(await command("captions", name, "--lint"), "a report")
    assertClean(await run(`no${ESCAPES}.mp3`), "a file that is not there")
    assertClean(await run(`http://127.0.0.1:1/${encodeURIComponent(ESCAPES)}`), "an address")
    assertClean(await run(`http://127.0.0.1:1/${ESCAPES}`), "an address, as it is")
    assertClean(await command("feed", `${publisher.base}/${ESCAPES}`), "a feed")
    assertClean(await command("transcribe", "a.mp3", "--format", ESCAPES), "an option")
    assertClean(await command(`x${ESCAPES}`), "a command")
  })

  it("is text in captions that are printed", async () => {
    const { folder, command } = world()
    const text = `WEBVTT\n\n00:00.000 --> 00:01.000\n<v Ann${ESCAPES}>hello ${ESCAPES} there\n`
    writeFileSync(join(folder, "a.vtt"), text)
    for (const format of ["txt", "vtt", "json", "csv"])
      assertClean(await command("captions", "a.vtt", "--to", format), format, true)
  })

  it("is text where a server answers it", async () => {
    const problem = {
      type: `x${ESCAPES}`,
      title: `Title ${ESCAPES}`,
      status: 422,
      detail: `Detail ${ESCAPES}`,
      code: "unresolvable_link",
      request_id: `req${ESCAPES}`,
    }
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(422, { "Content-Type": "application/problem+json" }).end(JSON.stringify(problem))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const environment = {
      EARMARK_BASE_URL: `http://127.0.0.1:${port}`,
      SERVICE_API_KEY: "em_live_x",
      XDG_STATE_HOME: world().folder,
    }
    for (const args of [["jobs", "list"], ["usage"], ["feed", "http://a.example/"], ["search", "x"]]) {
      const ran = await earmark(args, "", undefined, environment)
      assert.notStrictEqual(ran.code, 0)
      assertClean(ran, args.join(" "))
    }
    server.close()
  })

  it.skipIf(ffmpegMissing !== null)(
    `is text in a transcript, a library and its search${because(ffmpegMissing)}`,
    async () => {
      const { command, run } = world()
      const transcribed = await run(
        `${publisher.base}/feed.xml`,
        "--quality",
        "fast",
        "--verbose",
        "--color",
        "never",
      )
      assert.strictEqual(transcribed.code, 0, transcribed.stderr)
      assertClean(transcribed, "transcribe", true)
      const listed = await command("jobs", "list", "--json")
      const [{ id }] = JSON.parse(listed.stdout).data
      for (const args of [
        ["jobs", "list"],
        ["jobs", "show", id],
        ["search", "hello", "--color", "never"],
        ["search", "hello", "--json"],
        ["export", id, "--format", "txt"],
        ["export", id, "--format", "md"],
      ])
        assertClean(await command(...args), args.join(" "), args[0] === "export")
    },
  )
})
