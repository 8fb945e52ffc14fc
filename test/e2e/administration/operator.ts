/** What the tests of the verbs of operators have in common, whatever the store. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import { earmark, type Ran } from "../earmark.js"

export type Environment = Readonly<Record<string, string>>

const folders: Array<string> = []

export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-e2e-"))
  folders.push(folder)
  return folder
}
export const removeFolders = (): void => {
  // The database of a killed process stops a moment later.
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
}

export const run = (environment: Environment, ...args: ReadonlyArray<string>): Promise<Ran> =>
  earmark(args, "", undefined, environment)

/** A verb that has to succeed, with its answer. */
export const answerOf = async (environment: Environment, ...args: ReadonlyArray<string>) => {
  const ran = await run(environment, ...args, "--json")
  assert.strictEqual(ran.code, 0, ran.stderr)
  return JSON.parse(ran.stdout)
}

export const refusal = async (
  environment: Environment,
  code: number,
  pattern: RegExp,
  ...args: ReadonlyArray<string>
) => {
  const ran = await run(environment, ...args)
  assert.strictEqual(ran.stdout, "")
  assert.match(ran.stderr, pattern)
  assert.match(ran.stderr, /^earmark: [^\n]+\n$/)
  assert.strictEqual(ran.code, code)
}
/** What holds over every store, and whoever has it. */
export const accountsAndMoney = async (environment: Environment) => {
  const account = await answerOf(environment, "accounts", "create", "--email", "ann@example.org")
  assert.match(account.id, /^acct_/)
  assert.strictEqual(account.email, "ann@example.org")
  assert.strictEqual(account.name, "ann@example.org")
  const of = ["--account", account.id]
  const none = await run(environment, "keys", "list", ...of)
  assert.deepStrictEqual([none.code, none.stdout, none.stderr], [0, "", "There are no keys.\n"])

  const key = await answerOf(
    environment,
    "keys",
    "create",
    ...of,
    "--name",
    "backend",
    "--scopes",
    "webhooks,keys",
  )
  assert.match(key.id, /^key_/)
  assert.match(key.key, /^em_live_[0-9A-Za-z]{36}$/)
  assert.deepStrictEqual(key.scopes, ["webhooks", "keys"])
  const webhooksOnly = await answerOf(environment, "keys", "create", ...of, "--scopes", "webhooks")
  const limited = await answerOf(
    environment,
    "keys",
    "edit",
    webhooksOnly.id,
    ...of,
    "--monthly-credits",
    "5",
  )
  assert.strictEqual(limited.monthly_credits, 5)
  await answerOf(environment, "keys", "revoke", webhooksOnly.id, ...of)
  const revoked = await answerOf(environment, "keys", "revoke", key.id, ...of)
  assert.isString(revoked.revoked_at)
  const keys = await answerOf(environment, "keys", "list", ...of)
  assert.deepStrictEqual(
    keys.data.map((one: { readonly id: string; readonly revoked_at: string }) => [one.id, one.revoked_at]),
    [
      [webhooksOnly.id, keys.data[0].revoked_at],
      [key.id, revoked.revoked_at],
    ],
  )
  assert.isString(keys.data[0].revoked_at)
  assert.notInclude(JSON.stringify(keys), key.key)

  const tooMany = await earmark(["credits", "grant", ...of, "--minutes=-1000"], "", undefined, environment)
  assert.strictEqual(tooMany.code, 1)
  assert.match(tooMany.stderr, /has 60 minutes that can be taken away, and 1000 were asked for\./)
  const noScope = await earmark(["keys", "create", ...of, "--scopes", "webhok"], "", undefined, environment)
  assert.strictEqual(noScope.code, 2)
  assert.match(noScope.stderr, /There is no scope "webhok"; there are transcriptions:read, /)

  const typed = [
    ["2020-01-01", /--expires 2020-01-01 has passed already/],
    ["soon", /--expires is a day such as .* or an RFC 3339 time such as .*, and not "soon"/],
  ] as const
  for (const [expires, sentence] of typed) {
    const refused = await earmark(["keys", "create", ...of, "--expires", expires], "", undefined, environment)
    assert.strictEqual(refused.code, 2)
    assert.match(refused.stderr, sentence)
  }

  const grant = ["credits", "grant", ...of, "--minutes", "100", "--purchase", "--reference", "order-1"]
  assert.strictEqual((await answerOf(environment, ...grant)).balance, 160)
  const again = await answerOf(environment, ...grant)
  assert.deepStrictEqual([again.balance, again.is_paid], [160, true])
  assert.deepStrictEqual([again.added, again.reference], [false, "order-1"])
  const said = await run(environment, ...grant)
  assert.deepStrictEqual([said.code, said.stderr], [0, "order-1 was counted before: nothing was added.\n"])
  const unpaid = grant.filter((word) => word !== "--purchase")
  const adjusted = await answerOf(environment, ...unpaid)
  assert.deepStrictEqual([adjusted.balance, adjusted.added], [160, false])
  const more = grant.map((word) => (word === "100" ? "500" : word))
  await refusal(
    environment,
    1,
    /^earmark: order-1 was counted before with 100 minutes, not 500: nothing was added\. For another grant, use another reference\. \[reference_taken\]/,
    ...more,
  )
  const entries = await answerOf(environment, "credits", "entries", ...of)
  assert.deepStrictEqual(
    entries.data.map((entry: Readonly<Record<string, unknown>>) => [
      entry.kind,
      entry.amount,
      entry.reference,
    ]),
    [
      ["purchase", 100, "order-1"],
      ["signup", 60, null],
    ],
  )
  assert.match((await run(environment, "credits", "entries", ...of)).stdout, / 100 +purchase +order-1$/m)
  assert.deepStrictEqual(await answerOf(environment, "credits", "verify"), {
    ok: true,
    total: 0,
    findings: [],
  })
  return account.id
}
