/** The service over HTTP: requests beside a server written by hand, and what is large. `npm run build` comes first. */
import { fileURLToPath } from "node:url"
import { main } from "./harness.js"
import { bodies } from "./http/bodies.js"
import { load } from "./http/load.js"
import { requests } from "./http/requests.js"
import { serveRival } from "./http/rival.js"

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
