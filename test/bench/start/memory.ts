/** What `earmark serve` and its database hold in memory. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { freePort } from "../../servers/processes.js"
import { atMost, type Outcome, sized } from "../harness.js"
import { inFolder, type OurServer, post, startOurs } from "../http/servers.js"

const JOBS = sized(5000, 20)
const MEGABYTES = 300
const LINES = 60
const LINE_SECONDS = 5

/** Megabytes of a process: its own, and its share of what it has in common with others. */
const shareOf = (pid: number | string): number => {
  const [, kilobytes = "0"] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")) ?? []
  return Number(kilobytes) / 1024
}

const isIn = (pid: string, folder: string): boolean => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
  } catch {
    return false
  }
}

/** Megabytes of the processes that work in a folder: those of its database. */
const databaseIn = (folder: string): number =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isIn(name, folder))
    .reduce((sum, pid) => {
      try {
        return sum + shareOf(pid)
      } catch {
        // It has ended since.
        return sum
      }
    }, 0)

export const megabytesOf = ({ pid }: OurServer, folder: string): number => shareOf(pid) + databaseIn(folder)

const clock = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 23)

const transcript = (episode: string): string => {
  const cue = (line: number) => {
    const start = line * LINE_SECONDS
    const text = `This is line ${line} of ${episode}, and it says something about gardens and books.`
    return `${clock(start)} --> ${clock(start + LINE_SECONDS - 1)}\n${text}\n`
  }
  return `WEBVTT\n\n${Array.from({ length: LINES }, (_, line) => cue(line)).join("\n")}`
}

const feed = (origin: string): string => {
  const item = (_: unknown, index: number) =>
    `<item><title>Episode ${index}</title><guid>${index}</guid><enclosure url="${origin}/${index}.mp3" type="audio/mpeg" length="1"/>` +
    `<podcast:transcript url="${origin}/${index}.vtt" type="text/vtt"/></item>`
  const items = Array.from({ length: JOBS }, item).join("")
  return `<rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Show</title>${items}</channel></rss>`
}

/** A show whose episodes have transcripts: each is fetched, read, cut into lines, searched and kept, and nobody listens. */
const publisher = async () => {
  const server = createServer(({ url = "/", headers }, answer) => {
    const isFeed = url === "/feed.xml"
    answer.setHeader("content-type", isFeed ? "application/rss+xml" : "text/vtt")
    answer.end(isFeed ? feed(`http://${headers.host}`) : transcript(url))
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  return { url: `http://127.0.0.1:${port}/feed.xml`, close: () => server.close() }
}

const transcribed = async (server: OurServer, feed: string): Promise<void> => {
  const { batch_id } = await post(server, "/api/v1/podcasts/transcribe", { feed, episodes: "all" })
  for (;;) {
    const headers = { Authorization: `Bearer ${server.key}` }
    const answer = await fetch(`${server.url}/api/v1/batches/${batch_id}`, { headers })
    const { queued, done } = Object(await answer.json())
    if (queued === 0) {
      if (done !== JOBS) throw new Error(`${done} of ${JOBS} episodes were transcribed`)
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** Right after a whole show: at once, when nothing has been tidied up. */
export const memoryAfterWork = (): Promise<Outcome> =>
  inFolder(async (folder) => {
    const show = await publisher()
    const data = join(folder, "data")
    const server = await startOurs(data, { EARMARK_BILLING: "off" })
    try {
      await transcribed(server, show.url)
      const bench = `serve with its database, after ${JOBS.toLocaleString("en")} jobs, MB`
      return atMost(bench, megabytesOf(server, data), MEGABYTES)
    } finally {
      await server.stop()
      show.close()
    }
  })
