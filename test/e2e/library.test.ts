import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { bin } from "./earmark.js"
import { cannotHear, museum } from "./recordings.js"
import { makeWorlds } from "./worlds.js"

const { world, close } = makeWorlds("library-e2e")
afterAll(close)

/** The address of a server that listens from now on. */
const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`
}

const worldOf = (environment: Readonly<Record<string, string>> = {}) => {
  const made = world(environment)
  const told = async (...args: ReadonlyArray<string>) => {
    const { code, stdout, stderr } = await made.command(...args)
    assert.strictEqual(code, 0, stderr)
    return stdout
  }
  /** What was said beside the data, where there was none. */
  const said = async (...args: ReadonlyArray<string>) => {
    const { code, stdout, stderr } = await made.command(...args)
    assert.deepStrictEqual([code, stdout], [0, ""], stderr)
    return stderr
  }
  const jobs = async (...args: ReadonlyArray<string>) =>
    JSON.parse(await told("jobs", "list", "--json", ...args)).data
  const kept = () => {
    const folder = join(made.folder, ".state/earmark/library")
    return existsSync(folder) ? readdirSync(folder) : []
  }
  return { ...made, said, told, jobs, kept }
}

describe.skipIf(cannotHear !== null)(
  `the library of this machine${cannotHear === null ? "" : ` (${cannotHear})`}`,
  () => {
    it("is what is meant beside the key of a service, too", async () => {
      const { folder, said } = worldOf({ EARMARK_BASE_URL: "http://127.0.0.1:65530" })
      mkdirSync(join(folder, ".earmark"))
      writeFileSync(join(folder, ".earmark/first-key"), `em_live_${"0".repeat(36)}`)
      assert.strictEqual(await said("jobs", "list"), "There are no transcriptions.\n")
    })

    it("tells an excerpt from the whole recording", async () => {
      const { add, run, told } = worldOf()
      add("a.ogg", "b.ogg")
      await run("a.ogg", "-o", "a.txt", "--start", "2", "--end", "6")
      await run("b.ogg", "-o", "b.txt", "--end", "6")
      const listed = await told("jobs", "list")
      assert.match(listed, / 0:04 of \d:\d\d +a$/m)
      assert.match(listed, / 0:06 of \d:\d\d +b$/m)
    })

    it("answers the verbs of a service over what was transcribed here", async () => {
      const { add, run, read, said, told, jobs, command, folder } = worldOf()
      assert.strictEqual(await said("jobs", "list"), "There are no transcriptions.\n")
      assert.strictEqual(
        await said("jobs", "list", "--status", "failed", "-q", "moon"),
        "Nothing matches --status failed and --query moon.\n",
      )
      add("in/a.ogg", "in/b.ogg")
      await run("in", "--format", "srt", "-o", "out/")
      await run("in/a.ogg", "-o", "out/a.srt", "--force")
      const [newest, other, ...none] = await jobs()
      assert.deepStrictEqual([newest.title, other.title, none], ["a", "b", []])
      const { id } = newest
      const begin = (whole: string) => whole.slice(0, 9)
      assert.match(await told("jobs", "show", id, "--wait"), /state +done\n(?:.*\n)*results +\/.*out\/a\.srt/)
      assert.strictEqual(await told("export", id, "-f", "srt"), read("out/a.srt"))
      await told("export", id, "-o", "a.ttml", "--no-speakers")
      assert.match(read("a.ttml"), /^<\?xml/)
      const text = await told("export", id)
      const [word = ""] = /\b[a-z]{5,}\b/.exec(text) ?? []
      const found = JSON.parse(await told("search", word, "--json"))
      assert.includeMembers(
        found.data.map((hit: { readonly id: string }) => hit.id),
        [id, other.id],
      )
      const path = join(folder, "in/a.ogg")
      for (const { title, source, source_label } of found.data.filter((hit: { id: string }) => hit.id === id))
        assert.deepStrictEqual([title, source, source_label], ["a", newest.source, path])
      assert.include(await told("search", word, "--job", id), `a (${id})`)
      const [first = "", second = ""] = /\b[a-z]+ [a-z]+\b/.exec(text)?.[0].split(" ") ?? []
      const inOrder = await told("search", `${first} ${second}`, "--all")
      assert.include(inOrder, `(${id})  ${join(folder, "in/a.ogg")}\n>`)
      assert.include(await told("search", "--regex", `${first}\\s${second}`), inOrder.slice(0, 40))
      const { claims } = JSON.parse(await told("ask", `What about ${word}?`, begin(id), "--json"))
      assert.strictEqual(claims[0].citations[0].transcription_id, id)
      // The recordings say the same: it is shown once.
      const answer = await told("ask", `What about ${word}?`, "--all")
      assert.lengthOf(answer.match(/\(tr_\w+\)/g) ?? [], 1, answer)
      const unknown = await command("ask", "xylophone?")
      assert.deepStrictEqual([unknown.code, unknown.stdout], [1, ""])
      const around = await told("search", "--regex", "[a-z]", "--all", "--context", "2", "--job", id)
      const [, ...lines] = around.trimEnd().split("\n")
      assert.strictEqual(new Set(lines).size, lines.length, around)
      assert.lengthOf(lines, JSON.parse(await told("jobs", "show", id, "--json")).segments.length)
      const reversed = await command("search", `${second} ${first}`)
      assert.deepStrictEqual([reversed.code, reversed.stdout], [1, ""])
      const written = JSON.parse(await told("export", id, "-o", "b.srt", "--json"))
      assert.deepStrictEqual(written, { id, format: "srt", path: "b.srt" })
      assert.match(await told("jobs", "show", begin(id)), new RegExp(`^id +${id}$`, "m"))
      assert.strictEqual(await told("export", begin(id)), text)
      assert.include(await told("search", word, "--job", begin(id)), `a (${id})`)
      const deleted = await command("jobs", "delete", begin(id), other.id)
      assert.match(deleted.stderr, /^(tr_\w+ is deleted from the library of this machine\. .* stay .*\n){2}$/)
      assert.match(read("out/a.srt"), /^1\n/)
      assert.deepStrictEqual(JSON.parse(await told("jobs", "delete", "--all", "--yes", "--json")), {
        all: true,
        deleted: true,
      })
      const gone = await command("jobs", "show", id)
      assert.deepStrictEqual([gone.code, gone.stdout], [1, ""])
      assert.match(
        gone.stderr,
        /^earmark: There is nothing with the id tr_\w+ in the library .*\[not_found\]\n$/,
      )
    })

    it("names speakers where it transcribes, keeps the names, and lays captions out", async () => {
      const { add, run, read, jobs, command } = worldOf()
      add("a.ogg")
      const first = await run(
        "a.ogg",
        "--speakers",
        "1=Ann,Speaker 9=Eve",
        "--max-chars",
        "20",
        "-o",
        "a.srt",
      )
      assert.match(first.stderr, /^ {2}--speakers: this transcript has no Speaker 9\.$/m)
      const lines = read("a.srt").split("\n")
      assert.match(lines[2] ?? "", /^Ann:/)
      assert.isEmpty(lines.filter((line) => line.length > 20 && !line.includes("-->")))
      const again = await run("a.ogg", "--diarize", "-o", "a.txt")
      assert.match(again.stderr, /done before$/m)
      assert.match(read("a.txt"), /^Ann: .*Speaker 2: /s)
      // Another name is another file; heard anew, the last name stays.
      await run("a.ogg", "--speakers", "1=Bea", "-o", "a.txt")
      assert.match(read("a.txt"), /^Bea: /)
      await run("a.ogg", "--diarize", "--force", "-o", "a.md")
      assert.match(read("a.md"), /\*\*Bea\*\*/)
      const [{ id }] = await jobs()
      assert.match(
        (await command("jobs", "name", id, "1=Cleo")).stderr,
        /^Written again: .*a\.md.*\nThe speakers of tr_\w+ are named\./,
      )
      assert.match(read("a.md"), /\*\*Cleo\*\*/)
      assert.match(
        (await command("jobs", "name", id, "2=Cleo")).stderr,
        /^Speaker 1 and Speaker 2 are now shown as one speaker, Cleo\. To undo it, give them other names\.$/m,
      )
      await command("jobs", "name", id, "2=")
      const shown = (await command("jobs", "show", id)).stdout
      assert.match(shown, /^speakers +Cleo \(Speaker 1\), Speaker 2$/m)
      assert.match(shown, /^source +\/.*\/a\.ogg$/m)
      assert.match((await run("a.ogg", "--speakers", "Ann")).stderr, /names such as "Speaker 1=Ann"/)
      assert.match((await run("a.ogg", "--max-lines", "9")).stderr, /--max-lines must be from 1 to 3/)
    })

    it("writes what was heard before at once, whatever it is called, in whatever format", async () => {
      const { add, run, read, told } = worldOf()
      add("a.ogg", "b.ogg")
      await run("a.ogg", "-o", "a.txt")
      const free = ["--max-minutes", "0", "--json"] as const
      const planned = JSON.parse(await told("transcribe", "b.ogg", "--dry-run", ...free))
      assert.deepInclude(planned, { status: "planned", origin: "cache", minutes: 1, credits: 0 })
      assert.match(
        await told("transcribe", "b.ogg", "-f", "vtt", "--dry-run"),
        /b\.ogg +in the library +0:37 +/,
      )
      const again = await run("b.ogg", "-o", "b.txt", "--manifest", "made.jsonl", ...free)
      assert.match(again.stderr, /^b\.ogg -> b\.txt: 0:37, \d+ words, done before$/m)
      assert.strictEqual(read("made.jsonl"), again.stdout)
      const line = JSON.parse(again.stdout)
      assert.deepInclude(line, { origin: "cache", engine: "scripted", speed: null, heard_seconds: 37 })
      assert.strictEqual(read("b.txt"), read("a.txt"))
      const [newest] = JSON.parse(await told("jobs", "list", "--json")).data
      assert.deepInclude(newest, { id: line.id, title: "b", cached: true, origin: "cache" })
      const summed = JSON.parse(await told("transcribe", "b.ogg", "-o", "b.md", "--summary", ...free))
      assert.deepInclude(summed, { origin: "cache", enrichment: { summary: { status: "done" } } })
      const origins = await Promise.all(
        [["--force"], ["--no-keep"], ["--end", "20"], ["--diarize"]].map(
          async (more, at) =>
            JSON.parse(await told("transcribe", "b.ogg", "-o", `${at}.srt`, "--json", ...more)).origin,
        ),
      )
      assert.deepStrictEqual(origins, ["engine", "engine", "engine", "engine"])
    })

    it("tries a translation again: of what failed with it, and of what is done without it", async () => {
      let isThere = false
      const server = createServer((request, response) => {
        if (!isThere) return response.writeHead(400).end("{}")
        if (request.url === "/languages")
          return response.end(JSON.stringify([{ code: "en", name: "English", targets: ["de"] }]))
        let body = ""
        request.on("data", (part: Buffer) => {
          body += part.toString()
        })
        return request.on("end", () => {
          const translatedText = JSON.parse(body).q.map(() => "Auf Deutsch.")
          response.setHeader("content-type", "application/json").end(JSON.stringify({ translatedText }))
        })
      })
      const { add, folder, run, read, said, told, jobs, command } = worldOf({
        EARMARK_TRANSLATE_URL: await listening(server),
      })
      try {
        writeFileSync(join(folder, "a.ogg"), "no sound at all")
        await run("a.ogg", "-o", "a.srt", "--translate", "de")
        add("a.ogg", "b.ogg")
        await run("b.ogg", "-o", "b.srt", "--translate", "de")
        const [b, a] = await jobs()
        assert.deepStrictEqual(
          [a.status, b.status, b.enrichment.translation.status],
          ["failed", "done", "failed"],
        )
        isThere = true
        const again = await command("jobs", "retry", b.id)
        assert.match(again.stderr, /done before\nWhat could not be made \(translation\) was tried again\./)
        assert.isTrue(again.stderr.endsWith(`${b.id} is done.\n`))
        assert.match(await told("export", b.id, "--language", "de"), /^Auf Deutsch\./)
        assert.match(await said("jobs", "retry", a.id), /is done/)
        assert.match(read("a.srt"), /^1\n.*\nAuf Deutsch\./)
        assert.match((await command("jobs", "retry", b.id)).stderr, /\[invalid_state\]$/m)
      } finally {
        server.close()
      }
    })

    it("knows a link by what it brings", async () => {
      let bytes = readFileSync(museum)
      const server = createServer((_, response) => {
        response.setHeader("content-type", "audio/ogg").end(bytes)
      })
      const link = `${await listening(server)}/a.ogg`
      const { told } = worldOf()
      const originOf = async (format: string) =>
        JSON.parse(await told("transcribe", link, "-f", format, "--json")).origin
      try {
        assert.strictEqual(await originOf("txt"), "engine")
        assert.strictEqual(await originOf("srt"), "cache")
        bytes = bytes.subarray(0, bytes.length - 20_000)
        assert.strictEqual(await originOf("vtt"), "engine")
      } finally {
        server.close()
      }
    })

    it("keeps failures, and tries them again where their results were wanted", async () => {
      const { add, folder, run, read, said, jobs, command } = worldOf({ EARMARK_ENGINE: "pocketsphinx" })
      writeFileSync(join(folder, "talk.mp3"), "no sound at all")
      await run("talk.mp3", "-o", "out/", "--format", "srt,txt", "--end", "5")
      const [failed] = await jobs("--status", "failed")
      assert.deepInclude(failed.failure, { code: "unsupported_media" })
      const again = await command("jobs", "retry", failed.id)
      assert.strictEqual(again.code, 1)
      assert.match(again.stderr, /earmark: .*talk\.mp3: The file is text/)
      add("talk.mp3")
      assert.match(await said("jobs", "retry", failed.id), /^tr_\w+ is done\.\n$/m)
      assert.match(read("out/talk.srt"), /^1\n/)
      assert.match(
        (await run("talk.mp3", "-o", "out/", "--format", "srt,txt", "--end", "5")).stderr,
        /skipped/,
      )
      const states = async () => (await jobs()).map(({ status }: { readonly status: string }) => status)
      assert.deepStrictEqual(await states(), ["done"])
      writeFileSync(join(folder, "other.mp3"), "no sound either")
      await run("other.mp3")
      assert.deepStrictEqual(await states(), ["failed", "done"])
      assert.match(await said("jobs", "delete", "--failed"), /^tr_\w+ is deleted from the library .*\n$/)
      assert.deepStrictEqual(await states(), ["done"])
      assert.strictEqual(await said("jobs", "delete", "--failed"), "Nothing has failed.\n")
    })

    it("keeps nothing where that is asked for, nor of what was refused, and can be emptied", async () => {
      const { add, run, kept, command, names } = worldOf()
      add("a.ogg")
      await run("a.ogg", "-o", "a.txt", "--no-keep")
      await run("a.ogg", "-o", "b.txt", "--max-minutes", "0")
      await run("a.ogg", "-o", "b.txt", "--dry-run")
      assert.deepStrictEqual(kept(), [])
      const off = worldOf({ EARMARK_LIBRARY: "off" })
      off.add("a.ogg")
      const unkept = JSON.parse((await off.run("a.ogg", "-o", "c.txt", "--json")).stdout)
      assert.deepStrictEqual([unkept.status, unkept.id, off.kept()], ["done", undefined, []])
      const listed = await off.command("jobs", "list")
      assert.match(
        listed.stderr,
        /^EARMARK_LIBRARY is off: nothing .* is kept\.\nThere are no transcriptions\.\n$/,
      )
      assert.strictEqual(listed.stdout, "")
      assert.match(
        (await off.command("doctor")).stdout,
        /^- +library +keeps nothing .* EARMARK_LIBRARY is off$/m,
      )
      await run("a.ogg", "-o", "b.txt")
      assert.strictEqual(kept().length, 2)
      const unasked = await command("jobs", "delete", "--all")
      assert.deepStrictEqual([unasked.code, kept().length], [2, 2])
      assert.match(unasked.stderr, /asks for confirmation, which needs a terminal\. Add --yes/)
      const emptied = await command("jobs", "delete", "--all", "--yes")
      assert.match(emptied.stderr, /^The library of this machine is empty: 1 entry deleted\./)
      assert.deepStrictEqual([kept(), names()], [[], ["a.ogg", "a.txt", "b.txt"]])
    })

    it("tells what is under way and what was killed, and goes on with it", async () => {
      const { add, folder, set, said, told, jobs, command } = worldOf({ EARMARK_ENGINE: "pocketsphinx" })
      add("a.ogg")
      const child = spawn(process.execPath, [bin, "transcribe", "a.ogg", "-o", "a.txt", "--verbose"], {
        cwd: folder,
        env: { ...process.env, ...set },
        stdio: ["ignore", "ignore", "pipe"],
      })
      await new Promise<void>((resolve) => {
        child.stderr.setEncoding("utf8").on("data", (text: string) => {
          if (text.includes("listening")) resolve()
        })
      })
      const [running] = await jobs("--status", "queued")
      const refused = await command("jobs", "cancel", running.id)
      assert.match(refused.stderr, new RegExp(`process ${child.pid}\\).*\\[runs_here\\]`))
      child.kill("SIGKILL")
      await new Promise((resolve) => child.on("close", resolve))
      const [killed] = await jobs()
      assert.deepStrictEqual([killed.id, killed.failure.code], [running.id, "canceled"])
      // As at a service: its state is a word of its own for people, and one of failures on the wire.
      for (const status of ["failed", "canceled"])
        assert.match(await told("jobs", "list", "--status", status), new RegExp(`${killed.id} +canceled `))
      assert.match(
        await told("jobs", "show", killed.id),
        /^state +canceled\nwhy +It was stopped\. .* retry /m,
      )
      assert.isTrue((await said("jobs", "retry", killed.id)).endsWith(`${killed.id} is done.\n`))
      assert.notStrictEqual(readFileSync(join(folder, "a.txt"), "utf8"), "")
    })
  },
)
