/** A thousand event streams and a thousand reads that wait, beside the reads of everybody else. Needs the built command. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { Agent, createServer, type IncomingMessage, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { writeWav } from "@earmark/core/audio"
import { main, type Outcome } from "./harness.js"

const PORT = 8797
const MEDIA_PORT = 8798
const STREAMS = 1000
const JOBS = 100
const READS = 3000
const READERS = 20

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const start = async () => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-bench-"))
  const child: ChildProcess = spawn(process.execPath, ["packages/cli/bin/earmark.js", "serve"], {
    stdio: "ignore",
    env: {
      ...process.env,
      EARMARK_DATA_DIR: folder,
      EARMARK_PORT: String(PORT),
      // Jobs are never worked on: who waits, waits.
      EARMARK_ROLE: "api",
      EARMARK_ENGINE: "scripted",
      EARMARK_EGRESS_ALLOW: "127.0.0.1/32",
      EARMARK_FREE_CREDITS: "1000",
      EARMARK_RATE_LIMIT_CREATES: "off",
      EARMARK_RATE_LIMIT_READS: "off",
      EARMARK_EVENT_STREAMS: "none",
      EARMARK_WAITING_READS: "none",
      EARMARK_LOG_REQUESTS: "off",
    },
  })
  const isReady = () =>
    fetch(`http://127.0.0.1:${PORT}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) await pause(100)
  return { child, folder, key: readFileSync(join(folder, "first-key"), "utf8").trim() }
}

const residentMegabytes = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024

const open = (path: string, key: string, agent: Agent, body?: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request({
      port: PORT,
      host: "127.0.0.1",
      path,
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
const readTime = async (path: string, key: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: READERS })
  let left = READS
  const began = performance.now()
  const reader = async () => {
    while (left-- > 0) await readAll(await open(path, key, agent))
  }
  await Promise.all(Array.from({ length: READERS }, reader))
  agent.destroy()
  return (performance.now() - began) / READS
}

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const media = createServer((_, response) =>
    response.setHeader("Content-Type", "audio/wav").end(writeWav(new Int16Array(16_000))),
  )
  await new Promise<void>((resolve) => media.listen(MEDIA_PORT, "127.0.0.1", () => resolve()))
  const { child, folder, key } = await start()
  try {
    const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })
    const ids: Array<string> = []
    for (let number = 0; number < JOBS; number++) {
      const body = JSON.stringify({ url: `http://127.0.0.1:${MEDIA_PORT}/${number}.wav` })
      const text = await readAll(await open("/api/v1/transcriptions", key, agent, body))
      const { id } = JSON.parse(text)
      if (typeof id !== "string") throw new Error(`no job was made: ${text}`)
      ids.push(id)
    }
    const path = `/api/v1/transcriptions/${ids[0]}`
    await readTime(path, key)
    const before = await readTime(path, key)
    const small = residentMegabytes(child.pid)

    const waiting: Array<() => void> = []
    let over = 0
    const countOver = () => {
      over += 1
    }
    for (let number = 0; number < STREAMS; number++) {
      const job = `/api/v1/transcriptions/${ids[number % JOBS]}`
      const stream = await open(`${job}/events`, key, agent)
      if (stream.statusCode !== 200) throw new Error(`a stream was answered ${stream.statusCode}`)
      stream
        .on("error", () => {})
        .on("end", countOver)
        .resume()
      waiting.push(() => stream.destroy())
      const poll = request({
        port: PORT,
        host: "127.0.0.1",
        agent,
        path: `${job}?wait=60`,
        headers: { Authorization: `Bearer ${key}` },
      })
      poll.on("error", () => {}).on("response", countOver)
      poll.end()
      waiting.push(() => poll.destroy())
    }
    await pause(3000)
    const during = await readTime(path, key)
    const large = residentMegabytes(child.pid)
    const held = waiting.length - over
    for (const leave of waiting) leave()
    await pause(3000)
    const after = await readTime(path, key)
    const usual = (before + after) / 2
    const slower = during / usual
    const cost = large - small
    return [
      {
        bench: "streams and reads that waited all the time",
        ours: held,
        rival: null,
        rivalName: null,
        ratio: null,
        bar: `= ${2 * STREAMS}`,
        pass: held === 2 * STREAMS,
      },
      {
        bench: `memory of ${STREAMS} event streams and ${STREAMS} waiting reads, MB`,
        ours: cost,
        rival: null,
        rivalName: null,
        ratio: null,
        bar: "< 300 MB",
        pass: cost < 300,
      },
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
    child.kill("SIGKILL")
    media.closeAllConnections()
    media.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

await main({ run })
