import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { EPISODES, serveOldBooks } from "./oldBooks.js"
import { cannotHear } from "./recordings.js"
import { linesOf, makeWorlds } from "./worlds.js"

const { world, close } = makeWorlds("feeds-e2e")
const { address, base, feed, gone, publish } = serveOldBooks()

afterAll(close)

describe.skipIf(cannotHear !== null)(
  `earmark transcribe, whole feeds${cannotHear === null ? "" : ` (${cannotHear})`}`,
  () => {
    it("makes a folder for the show with a result for each episode and an index that nothing can escape from", async () => {
      publish(EPISODES)
      const { run, names, read } = world()
      const plan = linesOf((await run(address(), "--all", "--dry-run", "--json")).stdout)
      assert.deepStrictEqual(
        plan.map(({ origin, credits, credits_at_most }) => [origin, credits, credits_at_most]),
        [
          ["engine", 1, 1],
          ["captions", 0, 1],
          ["captions", 0, 1],
          ["captions", 0, 1],
        ],
      )
      const { stdout: told } = await run(address(), "--all", "--dry-run")
      assert.match(told, / publisher's text +0:37 +Old/)
      assert.include(
        told,
        "3 minutes. 3 published transcripts can be used: not transcribed again, if the download works.\n",
      )
      const { code, stderr } = await run(address(), "--all", "--jobs", "2", "--format", "txt,srt")
      assert.strictEqual(code, 0, stderr)
      const folder = "Old & New Books"
      assert.deepStrictEqual(
        names().filter((name) => /\.(?:txt|html|json)$/.test(name)),
        [
          `${folder}/2026-11-02 The same name.txt`,
          `${folder}/2026-11-03 The same name.txt`,
          `${folder}/2026-11-09 ..-..-etc- a-b.txt`,
          `${folder}/2026-11-10 Über Bücher script alert(1)-script.txt`,
          `${folder}/index.html`,
          `${folder}/index.json`,
        ],
      )
      const index = JSON.parse(read(`${folder}/index.json`))
      assert.strictEqual(index.show, "Old & New Books")
      assert.deepStrictEqual(
        index.episodes.map(({ guid, origin }: { guid: string; origin: string }) => [guid, origin]),
        [
          ["g10", "engine"],
          ["g9", "captions"],
          ["g3", "captions"],
          ["g2", "captions"],
        ],
      )
      const page = read(`${folder}/index.html`)
      assert.include(page, "<h1>Old &amp; New Books</h1>")
      assert.include(page, "&lt;script&gt;alert(1)&lt;/script&gt;")
      assert.include(page, 'href="2026-11-03%20The%20same%20name.srt"')
      assert.notMatch(page, /javascript:|<script>alert|https?:\/\/(?!127)/)
      const again = await run(address(), "--all", "--format", "txt,srt")
      assert.match(
        again.stderr,
        /\n4 sources: 0 done, 4 skipped\nIndex page: Old & New Books\/index\.html\n$/,
      )
      assert.strictEqual(read(`${folder}/index.html`), page)
    })

    it("listens where a quality is named, as its plan says, and takes the publisher's text else", async () => {
      publish(EPISODES)
      for (const [quality, origin] of [
        [["--quality", "fast"], "engine"],
        [["--quality", "accurate"], "engine"],
        [[], "captions"],
      ] as const) {
        const { run } = world()
        const args = [address(), "--all", "--match", "etc", "--json", ...quality]
        const lines = [
          ...linesOf((await run(...args, "--dry-run")).stdout),
          ...linesOf((await run(...args)).stdout),
        ]
        assert.deepStrictEqual(
          lines.map((line) => [line.status, line.origin]),
          [
            ["planned", origin],
            ["done", origin],
          ],
        )
      }
    })

    it("takes the episodes that are wanted", async () => {
      publish(EPISODES)
      const { run } = world()
      const sources = async (...args: ReadonlyArray<string>) =>
        linesOf((await run(address(), ...args, "--dry-run", "--json")).stdout).map(
          ({ source, status }) => `${status} ${source}`,
        )
      assert.deepStrictEqual(await sources("--match", "SAME"), [
        "planned The same name",
        "planned The same name",
      ])
      assert.lengthOf(await sources("--since", "2026-11-03"), 3)
      assert.deepStrictEqual(await sources("--match", "bucher", "--latest", "3"), [
        `planned Über "Bücher" <script>alert(1)</script>`,
      ])
      assert.match(
        (await run(address(), "--match", "nowhere")).stderr,
        /The feed has 4 episodes, and none that fits/,
      )
      // A quiet podcast is no failure for who looks every week.
      assert.deepInclude(await run(address(), "--since", "2036-11-03"), {
        code: 0,
        stderr: "Nothing new: no feed has an episode since then.\n",
      })
      assert.include(
        (await run(address(), "--episode", "7")).stderr,
        ": The feed has 4 episodes, counted from 0 (the newest) to 3. earmark feed ADDRESS lists them, with the number that --episode takes.\n",
      )
      const { code, stderr } = await run(`${base()}/1.ogg`, "--all")
      assert.strictEqual(code, 1)
      assert.match(stderr, /^earmark: http:[^\n]+\n$/m)
    })

    it("gives lines that name each episode and are a list again, also of what failed", async () => {
      publish(EPISODES)
      gone.add("/10.ogg")
      const { run, pipe, read, names } = world()
      const first = await run(address(), "--latest", "2", "--manifest", "done.jsonl", "-o", "out/")
      assert.strictEqual(first.code, 3, first.stderr)
      const [failed, done] = linesOf(read("done.jsonl"))
      assert.deepInclude(failed, {
        status: "failed",
        title: `Über "Bücher" <script>alert(1)</script>`,
        feed: address(),
        guid: "g10",
        index: 0,
        media_url: `${base()}/10.ogg`,
      })
      assert.deepInclude(done, { status: "done", guid: "g9", index: 1, title: "../../etc: a/b" })
      assert.match(failed.failure.message, new RegExp(`^${base()}/10\\.ogg: .*404.*There is nothing there`))
      gone.clear()
      const again = await pipe(read("done.jsonl"), "--from", "-", "--retry-failed", "--json", "-o", "out/")
      assert.strictEqual(again.code, 0, again.stderr)
      assert.deepStrictEqual(
        linesOf(again.stdout).map(({ status, guid }) => [status, guid]),
        [
          ["done", "g10"],
          ["skipped", "g9"],
        ],
      )
      assert.deepStrictEqual(
        names().filter((name) => name.endsWith(".txt")),
        [
          "out/Old & New Books/2026-11-09 ..-..-etc- a-b.txt",
          "out/Old & New Books/2026-11-10 Über Bücher script alert(1)-script.txt",
        ],
      )
      publish(EPISODES.slice(1))
      const removed = await pipe(read("done.jsonl"), "--from", "-", "--json", "-o", "other/")
      const [missing] = linesOf(removed.stdout)
      assert.deepInclude(missing, { status: "failed", feed: address(), guid: "g10", index: 0 })
      assert.strictEqual(missing.failure.code, "episode_not_found")
    })

    it("names the feed, the GUID and the media of a link to a feed, and takes that episode again", async () => {
      publish(EPISODES.slice(1))
      const { run, pipe } = world()
      const { stdout } = await run(address(), "--json", "--format", "md", "-o", "out/")
      const [line] = linesOf(stdout)
      const own = { feed: address(), guid: "g9", media_url: `${base()}/9.ogg`, title: "../../etc: a/b" }
      assert.deepInclude(line, { ...own, status: "done", source: address() })
      publish(EPISODES)
      const again = await pipe(stdout, "--from", "-", "--json", "--format", "md", "-o", "out/")
      assert.deepInclude(linesOf(again.stdout)[0], { ...own, status: "skipped" })
    })

    it("takes episodes of a feed in a file", async () => {
      publish(EPISODES)
      const { run, pipe, folder, names } = world()
      writeFileSync(join(folder, "f.xml"), feed())
      const { code, stderr, stdout } = await run("f.xml", "--latest", "1", "--json", "-o", "out/")
      assert.strictEqual(code, 0, stderr)
      assert.deepInclude(linesOf(stdout)[0], { guid: "g10", feed: join(folder, "f.xml") })
      assert.include(names(), "out/Old & New Books/2026-11-10 Über Bücher script alert(1)-script.txt")
      assert.match((await run("f.xml", "--episode", "3", "--dry-run")).stdout, /^The same name +publisher/m)
      const piped = await pipe(feed(), "-", "--latest", "1", "--json", "--dry-run", "-o", "other/")
      const [line] = linesOf(piped.stdout)
      assert.deepInclude(line, { status: "planned", guid: "g10" }, piped.stderr)
      assert.notProperty(line, "feed")
      assert.match((await pipe("no feed", "-", "--latest", "1")).stderr, /^earmark: standard input: /m)
      writeFileSync(join(folder, "notes.txt"), "no feed")
      const none = await run("notes.txt", "--latest", "1")
      assert.strictEqual(none.code, 1)
      assert.match(none.stderr, /^earmark: notes\.txt: /m)
    })

    it("takes each feed of an OPML file as if it were named, and goes on after one that fails", async () => {
      publish(EPISODES)
      const { run, folder } = world()
      writeFileSync(
        join(folder, "shows.opml"),
        `<opml version="2.0"><head><title>Mine</title></head><body>
          <outline text="Lost"><outline text="Gone" xmlUrl="${base()}/gone.xml"/></outline>
          <outline text="Books &amp; more" xmlurl="${address()}"/><outline text="Twice" xmlUrl="${address()}"/>
          <outline text="No address" xmlUrl="${join(folder, "shows.opml")}"/></body></opml>`,
      )
      for (const args of [["shows.opml"], ["--from", "shows.opml"]]) {
        const { code, stdout } = await run(...args, "--latest", "1", "--dry-run", "--json")
        assert.deepStrictEqual(
          linesOf(stdout).map(({ source, status }) => [source, status]),
          [
            [`${base()}/gone.xml`, "failed"],
            [`Über "Bücher" <script>alert(1)</script>`, "planned"],
          ],
          args.join(" "),
        )
        assert.strictEqual(code, 3)
      }
      writeFileSync(join(folder, "broken.opml"), "<opml><body>\n</opml>")
      for (const args of [["broken.opml"], ["--from", "broken.opml"]]) {
        const { code, stderr } = await run(...args, "--latest", "1")
        assert.strictEqual(code, 1)
        assert.strictEqual(
          stderr,
          "earmark: Cannot read the feeds in broken.opml: The XML is broken in line 2. Check that the file is complete.\n",
        )
      }
      writeFileSync(join(folder, "empty.opml"), "<opml/>")
      assert.match((await run("empty.opml")).stderr, /^earmark: empty\.opml lists no feed\./)
    })
  },
)
