/** Clients that generators make of the document: they compile under the strictest rules, and work with a service. */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { root } from "../earmark.js"
import { startWeb, type Web } from "./world.js"

const DOCUMENT = join(root, "docs/reference/openapi.json")

const OPENAPI_FETCH = `
import createClient from "openapi-fetch"
import type { paths, webhooks } from "./schema"

type Event = webhooks["transcription.failed"]["post"]["requestBody"]["content"]["application/json"]

export const reasonOf = (event: Event): string => event.data.transcription.failure?.code ?? "none"

export const run = async (baseUrl: string, key: string, url: string) => {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } })
  const made = await client.POST("/api/v1/transcriptions", { body: { url } })
  const path = { id: made.data?.id ?? "" }
  const got = await client.GET("/api/v1/transcriptions/{id}", { params: { path, query: { wait: 60 } } })
  const file = await client.GET("/api/v1/transcriptions/{id}/export", {
    params: { path, query: { format: "srt" } },
    parseAs: "text",
  })
  const { error } = await client.GET("/api/v1/transcriptions/{id}", { params: { path: { id: "none" } } })
  const hook = await client.POST("/api/v1/webhooks", { body: { url: "https://example.com/hook" } })
  const rotated = await client.POST("/api/v1/webhooks/{id}/rotate-secret", {
    params: { path: { id: hook.data?.id ?? "" } },
  })
  return {
    status: got.data?.status,
    text: got.data?.status === "done" ? got.data.text : got.data?.status === "failed" ? got.data.failure.code : "",
    file: file.data,
    code: error?.code,
    secret: rotated.data?.secret,
  }
}
`

const HEY_API = `
import { transcriptionsCreate, transcriptionsExport, transcriptionsGet } from "./hey"
import { createClient } from "./hey/client"

export const run = async (baseUrl: string, key: string, url: string) => {
  const client = createClient({ baseUrl, auth: key })
  const made = await transcriptionsCreate({ client, body: { url } })
  const path = { id: made.data?.id ?? "" }
  const got = await transcriptionsGet({ client, path, query: { wait: 60 } })
  const file = await transcriptionsExport({ client, path, query: { format: "srt" }, parseAs: "text" })
  const { error } = await transcriptionsGet({ client, path: { id: "none" } })
  return {
    status: got.data?.status,
    text: got.data?.status === "done" ? got.data.text : "",
    file: file.data,
    code: error?.code,
  }
}
`

const ORVAL = `
import { getTranscriptionsExportUrl, transcriptionsGet, type Transcription } from "./orval"

export const told = async (id: string): Promise<Transcription | string> => {
  const answer = await transcriptionsGet(id, { wait: 1 })
  return answer.status === 200 ? answer.data : getTranscriptionsExportUrl(id, { format: "txt" })
}
`

const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  module: "esnext",
  moduleResolution: "bundler",
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  types: [],
}

describe("generated clients", () => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-clients-"))
  const at = (name: string) => join(folder, name)
  let server: EarmarkServer
  let web: Web

  const program = async (name: string, ...args: ReadonlyArray<string>) => {
    const { stdout } = await promisify(execFile)(join(root, "node_modules/.bin", name), [...args], {
      cwd: root,
    })
    return stdout
  }

  /** What the compiler has to say: nothing. */
  const complaints = (options: object, ...include: ReadonlyArray<string>): Promise<string> => {
    const config = at(`tsconfig.${include.join(".")}.json`)
    writeFileSync(config, JSON.stringify({ compilerOptions: { ...STRICT, ...options }, include }))
    return program("tsc", "-p", config).catch((error: unknown) =>
      error instanceof Error && "stdout" in error ? String(error.stdout) : String(error),
    )
  }

  const run = async (name: string) => {
    const outfile = at(`${name}.mjs`)
    await build({ entryPoints: [at(`${name}.ts`)], bundle: true, format: "esm", platform: "node", outfile })
    const made = await import(pathToFileURL(outfile).href)
    return made.run(server.baseUrl, server.key, `${web.base}/7.wav`)
  }

  beforeAll(async () => {
    symlinkSync(join(root, "node_modules"), at("node_modules"))
    writeFileSync(at("useFetch.ts"), OPENAPI_FETCH)
    writeFileSync(at("useHey.ts"), HEY_API)
    writeFileSync(at("useOrval.ts"), ORVAL)
    const plugins = ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"]
    await Promise.all([
      program("openapi-typescript", DOCUMENT, "-o", at("schema.d.ts")),
      program("openapi-ts", "-i", DOCUMENT, "-o", at("hey"), "--no-log-file", "-p", ...plugins),
      program("orval", "--input", DOCUMENT, "--output", at("orval.ts"), "--client", "fetch"),
    ])
    web = await startWeb()
    server = await startEarmark()
  })
  afterAll(async () => {
    await server?.stop()
    web?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it("of openapi-typescript and of Orval compile with every strict rule", async () => {
    const exact = { exactOptionalPropertyTypes: true, skipLibCheck: true }
    assert.strictEqual(await complaints(exact, "useFetch.ts", "useOrval.ts"), "")
  })

  it("of Hey API compile strictly", async () => {
    // What its own runtime is written in does not bear exactOptionalPropertyTypes.
    assert.strictEqual(await complaints({ skipLibCheck: true }, "useHey.ts"), "")
  })

  for (const name of ["useFetch", "useHey"]) {
    it(`make a transcription, wait for it, read and export it: ${name}`, async () => {
      const { file, secret, ...done } = await run(name)
      assert.deepInclude(done, { status: "done", code: "not_found" })
      assert.isAbove(done.text.length, 10)
      assert.match(file, /^1\n00:00:0\d,\d{3} --> /)
      if (name === "useFetch") assert.match(secret, /^whsec_/)
    })
  }
})
