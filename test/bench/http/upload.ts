import { request } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { type OurServer, post } from "./servers.js"

const CHUNK = Buffer.alloc(1024 * 1024, 1)

function* chunksOf(megabytes: number) {
  for (let sent = 0; sent < megabytes; sent++) yield CHUNK
}

/** Sends so many megabytes, and answers what they are called. */
export const upload = async (server: OurServer, megabytes: number): Promise<string> => {
  const bytes = megabytes * CHUNK.length
  const begun = await post(server, "/api/v1/uploads", { filename: "a.wav", content_type: "audio/wav", bytes })
  const put = request(String(begun.upload_url), {
    method: "PUT",
    headers: { "Content-Type": "audio/wav", "Content-Length": bytes },
  })
  const answered = new Promise<number>((resolve, reject) => {
    put.once("response", (response) => resolve(response.resume().statusCode ?? 0)).once("error", reject)
  })
  await pipeline(Readable.from(chunksOf(megabytes)), put)
  const status = await answered
  if (status !== 200) throw new Error(`the upload was answered ${status}`)
  return String(begun.media_ref)
}
