/** A thousand event streams and a thousand reads that wait, beside the reads of everybody else. Needs the built command. */
import { Agent, createServer, type IncomingMessage, request } from "node:http"
import { writeWav } from "@earmark/core/audio"
import { freePort } from "../servers/processes.js"
import { absolute, main, type Outcome, sized } from "./harness.js"
import { inFolder, type OurServer, residentOf, startOurs } from "./http/servers.js"

const STREAMS = sized(1000, 10)
const JOBS = sized(100, 2)
const READS = sized(3000, 50)
const READERS = 20

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Jobs are never worked on: who waits, waits. */
const SETTINGS = {
  EARMARK_ROLE: "api",
  EARMARK_EVENT_STREAMS: "none",
  EARMARK_WAITING_READS: "none",
  EARMARK_LOG_REQUESTS: "off",
}

const open = ({ url, key }: OurServer, path: string, agent: Agent, body?: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(`${url}${path}`, {
      agent,
      method: body === undefined ? "GET" : "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
    })
    asked.on("response", resolve).on("error", reject)
    asked.end(body)
  })

const readAll = async (answer: IncomingMessage) => {
  let text = ""
  for await (const piece of answer.setEncoding("utf8")) text += piece
  return text
}

/** Milliseconds for a read, by so many readers at once. */
const readTime = async (server: OurServer, path: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: READERS })
  let left = READS
  const began = performance.now()
  const reader = async () => {
    while (left-- > 0) await readAll(await open(server, path, agent))
  }
  await Promise.all(Array.from({ length: READERS }, reader))
  agent.destroy()
  return (performance.now() - began) / READS
}

const measure = async (folder: string): Promise<ReadonlyArray<Outcome>> => {
  const media = createServer((_, response) =>
    response.setHeader("Content-Type", "audio/wav").end(writeWav(new Int16Array(16_000))),
  )
  const mediaPort = await freePort()
  await new Promise<void>((resolve) => media.listen(mediaPort, "127.0.0.1", () => resolve()))
  const server = await startOurs(folder, SETTINGS)
  try {
    const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })
    const ids: Array<string> = []
    for (let number = 0; number < JOBS; number++) {
      const body = JSON.stringify({ url: `http://127.0.0.1:${mediaPort}/${number}.wav` })
      const text = await readAll(await open(server, "/api/v1/transcriptions", agent, body))
      const { id } = JSON.parse(text)
      if (typeof id !== "string") throw new Error(`no job was made: ${text}`)
      ids.push(id)
    }
    const path = `/api/v1/transcriptions/${ids[0]}`
    await readTime(server, path)
    const before = await readTime(server, path)
    const small = residentOf(server.pid)

    const waiting: Array<() => void> = []
    let over = 0
    const countOver = () => {
      over += 1
    }
    for (let number = 0; number < STREAMS; number++) {
      const job = `/api/v1/transcriptions/${ids[number % JOBS]}`
      const stream = await open(server, `${job}/events`, agent)
      if (stream.statusCode !== 200) throw new Error(`a stream was answered ${stream.statusCode}`)
      stream
        .on("error", () => {})
        .on("end", countOver)
        .resume()
      waiting.push(() => stream.destroy())
      const poll = request(`${server.url}${job}?wait=60`, {
        agent,
        headers: { Authorization: `Bearer ${server.key}` },
      })
      poll.on("error", () => {}).on("response", countOver)
      poll.end()
      waiting.push(() => poll.destroy())
    }
    await pause(sized(3000, 100))
    const during = await readTime(server, path)
    const large = residentOf(server.pid)
    const held = waiting.length - over
    for (const leave of waiting) leave()
    await pause(sized(3000, 100))
    const after = await readTime(server, path)
    const usual = (before + after) / 2
    const slower = during / usual
    const cost = large - small
    return [
      absolute("streams and reads that waited all the time", held, `= ${2 * STREAMS}`, held === 2 * STREAMS),
      absolute(
        `memory of ${STREAMS} event streams and ${STREAMS} waiting reads, MB`,
        cost,
        "< 300 MB",
        cost < 300,
      ),
      {
        bench: "a read while they wait, ms",
        ours: during,
        rival: usual,
        rivalName: "without them",
        ratio: slower,
        bar: "<= 1.2",
        pass: slower <= 1.2,
      },
    ]
  } finally {
    await server.stop()
    media.closeAllConnections()
    media.close()
  }
}

await main({ run: () => inFolder(measure) })
