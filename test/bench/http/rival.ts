/** What somebody would write by hand who wants speed and nothing else: fastify, pg, and the same SQL in the same order. */
import { createHmac, randomBytes } from "node:crypto"
import { ID_RANDOM_BYTES, makeId } from "@earmark/core/jobs"
import fastify from "fastify"
import pg from "pg"

const FIND = `WITH found AS (
  SELECT id, account_id, scopes FROM api_key
  WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > earmark_now())
), used AS (
  UPDATE api_key SET last_used_at = earmark_now() WHERE id IN (SELECT id FROM found)
    AND (last_used_at IS NULL OR last_used_at <= earmark_now() - interval '1 minute')
) SELECT id, account_id, scopes FROM found`

const CACHED = `SELECT j.id FROM result_cache c JOIN job j ON j.id = c.job_id JOIN transcript t ON t.job_id = c.job_id
WHERE c.key = $2 AND c.scope IN ($1, 'public') ORDER BY c.scope = 'public' LIMIT 1`

const CREATE = "SELECT outcome FROM create_job(NULL, NULL, NULL, NULL, NULL, $1, 5, $2)"

const UPLOAD = "SELECT * FROM upload WHERE media_ref = $2 AND account_id = $1 AND expires_at > earmark_now()"

const USED = "UPDATE upload SET state = 'used' WHERE media_ref = $1 AND state = 'stored'"

/** The rival knows keys by a hash of its own, which costs as much. */
export const rivalHash = (key: string): Buffer => createHmac("sha256", "rival").update(key).digest()

const createBody = {
  type: "object",
  required: ["media_ref"],
  additionalProperties: false,
  properties: { media_ref: { type: "string", maxLength: 1024 }, language: { type: "string" } },
}

const acknowledgement = {
  202: {
    type: "object",
    properties: { id: { type: "string" }, status: { type: "string" }, url: { type: "string" } },
  },
}

const UNAUTHORIZED = { status: 401, code: "unauthorized" }

/** Serves for as long as the process lives. */
export const serveRival = async (databaseUrl: string, port: string): Promise<never> => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const app = fastify({ logger: false })

  const accountOf = async (authorization: string | undefined): Promise<string | undefined> => {
    const key = authorization?.slice("Bearer ".length)
    if (key === undefined) return undefined
    const { rows } = await pool.query({ name: "find", text: FIND, values: [rivalHash(key)] })
    return rows[0]?.account_id
  }

  app.post<{ Body: { readonly media_ref: string } }>(
    "/api/v1/transcriptions",
    { schema: { body: createBody, response: acknowledgement } },
    async (request, reply) => {
      const account = await accountOf(request.headers.authorization)
      if (account === undefined) return reply.code(401).send(UNAUTHORIZED)
      await pool.query({ name: "account", text: "SELECT * FROM account WHERE id = $1", values: [account] })
      const { media_ref: mediaRef } = request.body
      const upload = await pool.query({ name: "upload", text: UPLOAD, values: [account, mediaRef] })
      if (upload.rows.length === 0) return reply.code(422).send({ status: 422, code: "media_ref_unknown" })
      const cacheKey = createHmac("sha256", "cache").update(mediaRef).digest("hex")
      await pool.query({ name: "cached", text: CACHED, values: [account, cacheKey] })
      const id = makeId("job", Date.now(), randomBytes(ID_RANDOM_BYTES))
      const job = {
        id,
        account_id: account,
        status: "queued",
        phase: "waiting",
        progress: 0,
        run: 0,
        expired: false,
        title: null,
        source: { shown: { kind: "upload", mediaRef }, media_url: null, link: null, identity: mediaRef },
        options: { language: null, diarize: false, summary: false, chapters: false, quality: "accurate" },
        is_test: false,
        enrichment: {},
        warnings: [],
        speaker_names: {},
        attempts: 0,
        created_at: new Date().toISOString(),
        version: 1,
      }
      await pool.query({ name: "used", text: USED, values: [mediaRef] })
      await pool.query({ name: "create", text: CREATE, values: [1, JSON.stringify(job)] })
      return reply.code(202).send({ id, status: "queued", url: `/api/v1/transcriptions/${id}` })
    },
  )

  app.get<{ Params: { readonly id: string } }>("/api/v1/transcriptions/:id", async (request, reply) => {
    const account = await accountOf(request.headers.authorization)
    if (account === undefined) return reply.code(401).send(UNAUTHORIZED)
    const text = "SELECT * FROM job WHERE id = $2 AND account_id = $1"
    const { rows } = await pool.query({ name: "get", text, values: [account, request.params.id] })
    const [job] = rows
    if (job === undefined) return reply.code(404).send({ status: 404, code: "not_found" })
    return reply.send({
      id: job.id,
      title: job.title,
      source: job.source.shown,
      options: job.options,
      language: job.language,
      duration_seconds: job.duration_seconds,
      word_count: job.word_count,
      billed_minutes: job.billed_minutes,
      cached: job.origin === "cache",
      origin: job.origin,
      engine: job.engine,
      metadata: job.metadata,
      batch_id: job.batch_id,
      created_at: job.created_at,
      started_at: job.started_at,
      expires_at: job.expires_at,
      enrichment: job.enrichment,
      integrity: job.integrity,
      warnings: job.warnings,
      status: job.status,
      phase: job.phase,
      progress: job.progress,
      completed_at: null,
      error: null,
      failure: null,
    })
  })

  await app.listen({ port: Number(port), host: "127.0.0.1" })
  return new Promise<never>(() => {})
}
