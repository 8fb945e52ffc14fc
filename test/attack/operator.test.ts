/** The operator in a browser: a session that a link of the operator opened may do it, and to everybody else there is nothing. */
import { request } from "node:http"
import type { AccountId } from "@earmark/core/jobs"
import { makeSignInLink, operations } from "@earmark/service"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Host, startHost } from "../../packages/http/test/agents/world.js"

type Headers = Readonly<Record<string, string>>

const LISTED = "https://listed.example"

let host: Host
let account: AccountId
let key: string

beforeAll(async () => {
  const machine = {
    checks: Effect.succeed([{ name: "ffmpeg", status: "ok" }]),
    settings: [],
    storage: Effect.succeed({ database: "embedded" }),
  }
  host = await startHost({ facts: { corsOrigins: [LISTED] }, machine })
  ;({ account, key } = await host.newKey())
})
afterAll(() => host?.stop())

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Sends what `fetch` would not let a page send. */
const ask = (method: string, path: string, headers: Headers, body?: unknown): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${host.base}${path}`,
      { method, headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) } },
      (answer) => {
        let text = ""
        answer.setEncoding("utf8").on("data", (part: string) => {
          text += part
        })
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
      },
    )
    sent.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body))
  })

const PAGE: Headers = { "earmark-console": "1", "sec-fetch-site": "same-origin" }

const signIn = async (given: object): Promise<string> => {
  const answer = await ask("POST", "/api/v1/session", PAGE, given)
  assert.strictEqual(answer.status, 204, answer.text)
  return String(answer.headers["set-cookie"]).split(";", 1).join("")
}

const operator = async () => signIn({ link: await host.run(makeSignInLink(account, { isOperator: true })) })

const codeOf = ({ text }: Answer): unknown => JSON.parse(text).code

const MACHINE = ["server.figures", "server.checks", "server.settings", "server.storage"]
const all = [
  ...Object.values(operations)
    .filter(({ change }) => change !== "local")
    .map(({ name, change }) => ({ name, change })),
  ...MACHINE.map((name) => ({ name, change: "none" as const })),
]
const methodOf = ({ change }: { readonly change: string }) => (change === "none" ? "GET" : "POST")
const pathOf = ({ name }: { readonly name: string }) => `/api/operator/${name}`

/** What an answer says, without what differs from one request to the next. */
const saidIn = ({ status, headers, text }: Answer) => {
  const { date, "request-id": id, ...others } = headers
  assert.isString(id)
  assert.isString(date)
  return { status, others, text: text.replaceAll(String(id), "") }
}

it("nobody becomes an operator by a browser: links are made beside the data alone", async () => {
  const cookie = await operator()
  const { name } = operations.makeSignInLink
  const answer = await ask("POST", pathOf({ name }), { ...PAGE, cookie }, {})
  assert.strictEqual(answer.status, 404)
})

describe("to everybody but an operator there is nothing", () => {
  const basic = () => Buffer.from(`em:${key}`).toString("base64")
  const table: ReadonlyArray<readonly [string, () => Promise<Headers>]> = [
    ["nobody", async () => ({})],
    ["a page without a session", async () => PAGE],
    ["a key with every scope", async () => ({ authorization: `Bearer ${key}` })],
    ["a key that is not good", async () => ({ authorization: "Bearer em_live_x" })],
    ["a key as a password", async () => ({ authorization: `Basic ${basic()}` })],
    ["a session of a key", async () => ({ ...PAGE, cookie: await signIn({ key }) })],
    [
      "a session of a plain link",
      async () => ({ ...PAGE, cookie: await signIn({ link: await host.run(makeSignInLink(account)) }) }),
    ],
    [
      "an operator without the header",
      async () => ({ "sec-fetch-site": "same-origin", cookie: await operator() }),
    ],
    [
      "an operator on another site",
      async () => ({ ...PAGE, "sec-fetch-site": "cross-site", cookie: await operator() }),
    ],
    [
      "an operator in the address bar",
      async () => ({ ...PAGE, "sec-fetch-site": "none", cookie: await operator() }),
    ],
    [
      "an operator on a page listed for CORS",
      async () => ({ "earmark-console": "1", origin: LISTED, cookie: await operator() }),
    ],
    [
      "an operator beside a key",
      async () => ({ ...PAGE, authorization: `Bearer ${key}`, cookie: await operator() }),
    ],
    [
      "a cookie that is given twice",
      async () => {
        const cookie = await operator()
        return { ...PAGE, cookie: `${cookie}; ${cookie}` }
      },
    ],
    [
      "an operator who signed out",
      async () => {
        const cookie = await operator()
        await ask("DELETE", "/api/v1/session", { ...PAGE, cookie })
        return { ...PAGE, cookie }
      },
    ],
  ]
  for (const [who, headersOf] of table)
    it(`for ${who}`, async () => {
      const headers = await headersOf()
      for (const method of ["GET", "POST", "DELETE", "PROPFIND"]) {
        const at = (path: string) => ask(method, path, headers, method === "POST" ? {} : undefined)
        const nothing = saidIn(await at("/api/operator/no.such"))
        assert.strictEqual(nothing.status, 404)
        for (const operation of all)
          assert.deepStrictEqual(saidIn(await at(pathOf(operation))), nothing, `${method} ${operation.name}`)
      }
    })
})

describe("an operator", () => {
  const read = async (name: string, cookie: string, query = "") => {
    const answer = await ask("GET", `/api/operator/${name}${query}`, { ...PAGE, cookie })
    return { status: answer.status, body: JSON.parse(answer.text) }
  }
  const act = async (name: string, cookie: string, body: unknown) => {
    const answer = await ask("POST", `/api/operator/${name}`, { ...PAGE, cookie }, body)
    return { status: answer.status, body: JSON.parse(answer.text) }
  }

  it("is told so, and a key of the same account is not", async () => {
    const roleOf = async (headers: Headers) =>
      JSON.parse((await ask("GET", "/api/v1/account", headers)).text).role
    const cookie = await operator()
    assert.strictEqual(await roleOf({ ...PAGE, cookie }), "operator")
    assert.strictEqual(await roleOf({ authorization: `Bearer ${key}` }), "account")
    const { text } = await ask("GET", "/api/v1/sessions", { ...PAGE, cookie })
    const current = JSON.parse(text).data.find((each: { is_current: boolean }) => each.is_current)
    assert.strictEqual(current.role, "operator")
  })

  it("reads accounts, purchases, jobs that were set aside, figures and checks", async () => {
    const cookie = await operator()
    const accounts = await read("accounts.list", cookie, "?limit=1")
    assert.strictEqual(accounts.status, 200)
    assert.lengthOf(accounts.body.data, 1)
    const shown = await read("accounts.show", cookie, `?account=${account}`)
    assert.strictEqual(shown.body.id, account)
    assert.deepStrictEqual((await read("credits.purchases", cookie, "?open=true")).body.data, [])
    assert.deepStrictEqual((await read("jobs.dead", cookie)).body, { data: [], has_more: false })
    assert.isTrue((await read("credits.verify", cookie)).body.ok)
    const figures = await read("server.figures", cookie)
    assert.isAbove(figures.body.credits.accounts, 0)
    assert.strictEqual(figures.body.queue.dead, 0)
    assert.deepStrictEqual((await read("server.storage", cookie)).body, { database: "embedded" })
    assert.deepStrictEqual((await read("server.checks", cookie)).body.data, [
      { name: "ffmpeg", status: "ok" },
    ])
  })

  it("changes what a command of the operator changes", async () => {
    const cookie = await operator()
    const made = await act("accounts.create", cookie, { name: "Ben" })
    assert.strictEqual(made.status, 200, JSON.stringify(made.body))
    const grant = { account: made.body.id, minutes: 100, reference: "order-1" }
    const before = (await act("credits.grant", cookie, grant)).body.balance
    assert.strictEqual((await act("credits.grant", cookie, grant)).body.balance, before)
    const limited = await act("accounts.limits", cookie, { account: made.body.id, waiting_jobs: "3" })
    assert.strictEqual(limited.body.limits.max_waiting_jobs, 3)
  })

  it("makes keys, and none of them is an operator's", async () => {
    const cookie = await operator()
    const made = await act("keys.create", cookie, { account, name: "k" })
    assert.match(made.body.key, /^em_live_/)
    const own = await signIn({ key: made.body.key })
    assert.strictEqual((await read("accounts.list", own)).status, 404)
    const bearer = { authorization: `Bearer ${made.body.key}` }
    assert.strictEqual((await ask("GET", "/api/operator/accounts.list", bearer)).status, 404)
  })

  const wrong: ReadonlyArray<readonly [string, unknown, number, string]> = [
    ["accounts.create", {}, 400, "invalid_request"],
    ["accounts.create", { name: "a\nb" }, 400, "invalid_request"],
    ["accounts.limits", { account: "acct_x" }, 404, "not_found"],
    ["credits.grant", { account: "acct_x", minutes: 0 }, 400, "invalid_request"],
    ["credits.grant", { account: "acct_x", minutes: 1 }, 404, "not_found"],
    ["credits.confirm", { id: "pur_x" }, 404, "not_found"],
    ["credits.dismiss", { id: "pur_x" }, 404, "not_found"],
    ["jobs.retry", { id: "tr_x" }, 404, "not_found"],
    ["jobs.retry", [], 400, "invalid_request"],
  ]
  for (const [name, body, status, code] of wrong)
    it(`is refused ${name} of ${JSON.stringify(body)} with ${code}`, async () => {
      const answer = await act(name, await operator(), body)
      assert.deepStrictEqual([answer.status, answer.body.code], [status, code])
    })

  it("cannot take away more than there is", async () => {
    const cookie = await operator()
    const { body } = await act("accounts.create", cookie, { name: "Cleo" })
    const taken = await act("credits.grant", cookie, { account: body.id, minutes: -10_000 })
    assert.deepStrictEqual([taken.status, taken.body.code], [409, "invalid_state"])
  })

  it("signs in again for what stays, 15 minutes after the sign-in", async () => {
    const cookie = await operator()
    host.advance(15 * 60 + 1)
    for (const operation of all) {
      const method = methodOf(operation)
      const answer = await ask(
        method,
        pathOf(operation),
        { ...PAGE, cookie },
        method === "POST" ? {} : undefined,
      )
      if (operation.change === "final")
        assert.deepStrictEqual([answer.status, codeOf(answer)], [403, "sign_in_again"], operation.name)
      else assert.notStrictEqual(answer.status, 403, operation.name)
    }
    assert.isAbove(all.filter(({ change }) => change === "final").length, 5)
  })
})
