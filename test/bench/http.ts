/** The service over HTTP: requests beside a server written by hand, and what is large. `npm run build` comes first. */
import { fileURLToPath } from "node:url"
import autocannon from "autocannon"
import { main } from "./harness.js"
import { bodies } from "./http/bodies.js"
import { requests } from "./http/requests.js"
import { serveRival } from "./http/rival.js"

/** Asks a server as fast as it answers, from a process of its own. */
const load = async (
  url = "",
  kind = "get",
  key = "",
  connections = "50",
  amount = "3000",
  /** An upload to make jobs of, or jobs to read. */
  subject = "",
) => {
  const isCreate = kind === "create"
  const began = performance.now()
  // The whole run is told in seconds that are begun: too coarse for what takes one or two.
  let last = began
  const running = autocannon({
    url: `${url}/api/v1/transcriptions`,
    connections: Number(connections),
    amount: Number(amount),
    method: isCreate ? "POST" : "GET",
    headers: { authorization: `Bearer ${key}`, ...(isCreate && { "content-type": "application/json" }) },
    ...(isCreate
      ? { body: JSON.stringify({ media_ref: subject, language: "en" }) }
      : { requests: subject.split(",").map((id) => ({ path: `/api/v1/transcriptions/${id}` })) }),
  })
  running.on("response", () => {
    last = performance.now()
  })
  const result = await running
  return {
    total: result.requests.total,
    perSecond: result.requests.total / ((last - began) / 1000),
    p99: result.latency.p99,
    failed: result.non2xx + result.errors,
  }
}

/** One half alone, where it is asked for. */
const isWanted = (half: "--requests" | "--bodies") =>
  process.argv.includes(half) || !process.argv.some((each) => /^--(requests|bodies)$/.test(each))

await main({
  tasks: { load, rival: (databaseUrl = "", port = "0") => serveRival(databaseUrl, port) },
  run: async () => [
    ...(isWanted("--requests") ? await requests(fileURLToPath(import.meta.url)) : []),
    ...(isWanted("--bodies") ? await bodies() : []),
  ],
})
