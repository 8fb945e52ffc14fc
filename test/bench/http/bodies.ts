/** What is large: an upload of gigabytes, a feed of thousands, and a start. */
import { createServer } from "node:http"
import { absolute, type Outcome, sized } from "../harness.js"
import { inFolder, post, residentOf, startOurs } from "./servers.js"
import { upload } from "./upload.js"

const below = (bench: string, ours: number, most: number): Outcome =>
  absolute(bench, ours, `< ${most}`, ours < most)

const MEGABYTES = sized(2048, 8)

/** Most memory while gigabytes come in, less what it was before. */
const uploading = (): Promise<ReadonlyArray<Outcome>> =>
  inFolder(async (folder) => {
    const server = await startOurs(folder)
    try {
      await upload(server, 16)
      const before = residentOf(server.pid)
      let most = before
      const sampling = setInterval(() => {
        most = Math.max(most, residentOf(server.pid))
      }, 50)
      const started = performance.now()
      await upload(server, MEGABYTES)
      clearInterval(sampling)
      const seconds = (performance.now() - started) / 1000
      return [
        below("upload of 2 GB: extra memory, MB", most - before, 60),
        absolute("upload of 2 GB: MB per second", MEGABYTES / seconds, "none", true),
      ]
    } finally {
      await server.stop()
    }
  })

const EPISODES = sized(5000, 20)

const feedText = () => {
  const items = Array.from(
    { length: EPISODES },
    (_, number) =>
      `<item><title>Episode ${number}</title><guid>guid-${number}</guid><enclosure url="https://media.example/${number}.mp3" type="audio/mpeg" length="1"/></item>`,
  )
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Show</title>${items.join("")}</channel></rss>`
}

const serveFeed = () =>
  new Promise<{ readonly url: string; readonly stop: () => void }>((resolve) => {
    const text = feedText()
    const site = createServer((_, response) => {
      response.writeHead(200, { "Content-Type": "application/rss+xml", ETag: '"1"' }).end(text)
    })
    site.listen(0, "127.0.0.1", () => {
      const address = site.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const stop = () => {
        site.closeAllConnections()
        site.close()
      }
      resolve({ url: `http://127.0.0.1:${port}/feed.xml`, stop })
    })
  })

const batching = (): Promise<ReadonlyArray<Outcome>> =>
  inFolder(async (folder) => {
    const site = await serveFeed()
    const server = await startOurs(folder, { EARMARK_BILLING: "off", EARMARK_ROLE: "api" })
    try {
      const feed = encodeURIComponent(site.url)
      await fetch(`${server.url}/api/v1/podcasts/episodes?feed=${feed}&limit=1`, {
        headers: { Authorization: `Bearer ${server.key}` },
      })
      const started = performance.now()
      const batch = await post(server, "/api/v1/podcasts/transcribe", { feed: site.url, episodes: "all" })
      const took = performance.now() - started
      if (batch.total !== EPISODES) throw new Error(`the batch has ${batch.total} jobs`)
      return [below(`batch of ${EPISODES} episodes: seconds to its answer`, took / 1000, 3)]
    } finally {
      site.stop()
      await server.stop()
    }
  })

const starting = (): Promise<ReadonlyArray<Outcome>> =>
  inFolder(async (folder) => {
    const times: Array<number> = []
    for (let round = 0; round < sized(4, 2); round++) {
      const server = await startOurs(folder)
      times.push(server.readyAfter / 1000)
      await server.stop()
    }
    const [fresh = 0, ...existing] = times
    return [
      below("start to ready on a fresh embedded store, seconds", fresh, 5),
      below("start to ready on an existing one, seconds", Math.min(...existing), 1.5),
    ]
  })

export const bodies = async (): Promise<ReadonlyArray<Outcome>> => [
  ...(await starting()),
  ...(await batching()),
  ...(await uploading()),
]
