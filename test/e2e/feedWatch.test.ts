import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { EPISODES, serveOldBooks } from "./oldBooks.js"
import { cannotHear } from "./recordings.js"
import { linesOf, makeWorlds } from "./worlds.js"

const { world, close } = makeWorlds("feed-watch")
const { address, asked, base, publish } = serveOldBooks()

afterAll(close)

describe.skipIf(cannotHear !== null)(
  `earmark transcribe, whole feeds${cannotHear === null ? "" : ` (${cannotHear})`}`,
  () => {
    it("watches a feed: nothing old, what is new, across runs, asking only whether it has changed", async () => {
      publish(EPISODES.slice(1))
      const { command, names } = world()
      const look = (...more: ReadonlyArray<string>) =>
        command("feed", "watch", address(), "--once", "--json", "-o", "pod/", ...more)
      const first = await look()
      assert.deepStrictEqual([first.code, first.stdout], [0, ""], first.stderr)
      assert.match(first.stderr, /Old & New Books: watched from now on; 3 older episodes left alone\./)
      asked.length = 0
      await look()
      await look()
      assert.include(asked, 304)
      publish(EPISODES)
      const second = await look("--name", "{show}/{guid}")
      assert.deepStrictEqual(
        linesOf(second.stdout).map(({ status, outputs }) => [status, outputs[0].path]),
        [["done", "pod/Old & New Books/g10.txt"]],
      )
      assert.include(names(), "pod/Old & New Books/index.html")
      assert.strictEqual((await look()).stdout, "")
    })

    it("watches every feed of an OPML file once, and goes on when one cannot be read", async () => {
      publish(EPISODES.slice(1))
      const { command, folder } = world()
      const outline = (address: string) => `<outline xmlUrl="${address}"/>`
      const list = [`${base()}/none.xml`, address(), address()].map(outline).join("")
      writeFileSync(join(folder, "shows.opml"), `<opml><body>${list}</body></opml>`)
      const look = () =>
        command("feed", "watch", "shows.opml", address(), "--once", "--json", "-o", "pod/", "--backlog", "1")
      const first = await look()
      const told = ({ stdout }: typeof first) =>
        linesOf(stdout).map(({ source, guid, status }) => [guid ?? source, status])
      assert.deepStrictEqual(told(first), [
        [`${base()}/none.xml`, "failed"],
        ["g9", "done"],
      ])
      publish(EPISODES)
      assert.deepStrictEqual(told(await look()), [
        [`${base()}/none.xml`, "failed"],
        ["g10", "done"],
      ])
      const folderOnly = await command("transcribe", "--watch", "shows.opml", "-o", "pod/")
      assert.strictEqual(folderOnly.code, 2)
      assert.match(
        folderOnly.stderr,
        /a list of feeds, not a folder\. Use: earmark feed watch shows\.opml\n$/,
      )
    })

    it("takes as many old episodes as it is told to, and tells a feed that cannot be read", async () => {
      publish(EPISODES)
      const { command } = world()
      const options = ["--once", "--json", "-o", "pod"]
      const { stdout } = await command("feed", "watch", address(), "--backlog", "2", ...options)
      assert.lengthOf(linesOf(stdout), 2)
      const none = await command("feed", "watch", `${base()}/none.xml`, ...options)
      assert.strictEqual(none.code, 1)
      assert.deepInclude(linesOf(none.stdout)[0], { source: `${base()}/none.xml`, status: "failed" })
      for (const wrong of [
        ["--interval", "5s"],
        ["--interval", "soon"],
        ["--backlog", "-1"],
      ]) {
        const { code, stderr } = await command("feed", "watch", address(), ...wrong)
        assert.strictEqual(code, 2)
        assert.match(stderr, new RegExp(`^earmark: ${wrong[0]} [^\\n]+\\n$`))
      }
      assert.match((await command("feed", "watch")).stderr, /needs <feed>/)
    })
  },
)
