// A receiver with nothing but Node. Its secret is read from a file, since it is known only after the registration.
import { createHmac, timingSafeEqual } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"

const seen = new Set()

// #region receiver
const isGenuine = (header, raw, secret, now = Date.now() / 1000) => {
  const parts = header.split(",").map((part) => part.split("="))
  const timestamp = parts.find(([name]) => name === "t")?.[1] ?? ""
  if (Math.abs(now - Number(timestamp)) > 300) return false
  const expected = createHmac("sha256", secret).update(`${timestamp}.`).update(raw).digest()
  // While a secret is rotated there are two or three.
  return parts.some(([name, value = ""]) => {
    const given = Buffer.from(value, "hex")
    return name === "v1" && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

const server = createServer(async (request, response) => {
  const raw = Buffer.concat(await request.toArray())
  const secret = readFileSync("secret", "utf8").trim()
  if (!isGenuine(String(request.headers["service-signature"]), raw, secret)) {
    response.writeHead(400).end()
    return
  }
  // Answer first, work afterwards: the delivery waits ten seconds at most.
  response.writeHead(204).end()
  const event = JSON.parse(raw)
  if (seen.has(event.id)) console.log(`again ${event.type}`)
  else console.log(event.type)
  seen.add(event.id)
})
// #endregion

server.listen(0, "127.0.0.1", () => writeFileSync("receiver", `http://127.0.0.1:${server.address().port}/\n`))
