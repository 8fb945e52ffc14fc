/** Extras afterwards, by the real command: at a server, and in the library of this machine. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EarmarkClient } from "@earmark/api/client"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Host, startHost } from "../../packages/http/test/agents/world.js"
import { earmark } from "./earmark.js"
import { cannotHear } from "./recordings.js"
import { makeWorlds } from "./worlds.js"

let host: Host
let apiKey: string
const folder = mkdtempSync(join(tmpdir(), "earmark-extras-"))
const { world, close } = makeWorlds("extras-e2e")

beforeAll(async () => {
  host = await startHost({ product: {} })
  apiKey = (await host.newKey()).key
})

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await host.stop()
  close()
})

const run = (...words: ReadonlyArray<string>) =>
  earmark(words, "", folder, {
    SERVICE_API_KEY: apiKey,
    EARMARK_BASE_URL: host.base,
    XDG_STATE_HOME: folder,
    XDG_CONFIG_HOME: folder,
    TMPDIR: folder,
  })

it("are made at a server, waited for, and exported by their language", async () => {
  const client = new EarmarkClient({ baseUrl: host.base, apiKey })
  const { id } = await client.transcriptions.create({
    url: "https://a.example/feed?seconds=20",
    episode_index: 0,
  })
  await client.waitFor(id)
  const made = await run("extras", id, "--summary", "--translate", "de", "--json")
  assert.strictEqual(made.code, 0, made.stderr)
  const { enrichment } = JSON.parse(made.stdout)
  assert.deepInclude(enrichment.summary, { status: "done" })
  assert.deepInclude(enrichment.translations.de, { status: "done" })
  const exported = await run("export", id, "--language", "de", "--format", "txt")
  assert.match(exported.stdout, /\[de\] /)
  const failing = await run("extras", id, "--translate", "xx")
  assert.deepStrictEqual(failing.code, 1)
  assert.match(failing.stderr, /^earmark: The translation xx failed: /m)
  assert.match(failing.stdout, /translation de +done/)
  const nothing = await run("extras", id)
  assert.strictEqual(nothing.code, 2)
  assert.match(nothing.stderr, /--summary, --chapters or --translate LANGUAGE/)
})

describe.skipIf(cannotHear !== null)("in the library of this machine", () => {
  it("are made of the newest text without hearing anything again", async () => {
    const { add, run: transcribe, command } = world()
    add("a.ogg")
    const { code, stderr } = await transcribe("a.ogg", "-o", "out/")
    assert.strictEqual(code, 0, stderr)
    const [{ id }] = JSON.parse((await command("jobs", "list", "--json")).stdout).data
    const made = await command("extras", id.slice(0, 12), "--summary", "--chapters")
    assert.deepStrictEqual([made.code, made.stderr], [0, `To read it: earmark export ${id} --format md\n`])
    assert.strictEqual(made.stdout.replace(/ +/g, " "), "summary done\nchapters done\n")
    const shown = JSON.parse((await command("jobs", "show", id, "--json")).stdout)
    assert.isNotEmpty(shown.summary)
    assert.isNotEmpty(shown.chapters)
    const facts = await command("jobs", "show", id)
    assert.match(facts.stdout, /^summary +done\nchapters +done$/m)
    const refused = await command("extras", id, "--translate", "de")
    assert.strictEqual(refused.code, 1)
    assert.match(
      refused.stderr,
      /No translator is set up.*a translation service or a text model.*\[language_unsupported\]/,
    )
  })
})
