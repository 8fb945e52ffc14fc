import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect, Redacted } from "effect"
import { readSettings, settingSections, unknownSettings } from "../src/settings/Settings.js"

const withSettings = (given: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(given))))

const KEY = "kR0Ef3mQ0n0k2c8v7m8tq8Jx5o0m8m1dJ0b2Qe4r5sI="

const wrong: ReadonlyArray<readonly [name: string, value: string, problem: RegExp]> = [
  ["EARMARK_DATABASE_URL", "mysql://h/d", /must be an address that begins with postgres:\/\/$/],
  ["EARMARK_DATABASE_URL", "postgres://", /must be an address that begins with postgres:\/\/$/],
  ["EARMARK_DATABASE_CONNECTIONS", "0", /a whole number from 1 to 1000, and is "0"/],
  ["EARMARK_DATABASE_CONNECTIONS", "ten", /a whole number from 1 to 1000, and is "ten"/],
  ["EARMARK_DATABASE_PREPARE", "true", /one of on, off, and is "true"/],
  ["EARMARK_MIGRATE", "yes", /one of on, off, and is "yes"/],
  ["EARMARK_SECRETS_KEY", "short", /32 bytes in base64: make them with openssl rand -base64 32$/],
  ["EARMARK_MCP_ISSUER", "http://127.0.0.1:8787", /names this server itself; leave it out/],
  ["EARMARK_MCP_ISSUER", "https://ann:secret@id.example", /an address without a user name and a password/],
  ["EARMARK_OPERATORS", "ann", /needs EARMARK_SIGNIN_ISSUER, the provider whose subjects it names/],
  ["EARMARK_OPERATORS", "ann,,ben", /subjects of 1 to 255 characters with commas between/],
  ["EARMARK_BASE_URL", "example.org", /an address that begins with http/],
  ["EARMARK_BASE_URL", "ftp://example.org", /an address that begins with http/],
  ["EARMARK_RATE_LIMIT_REGISTRATIONS", "200", /a rate such as 120\/60s:30/],
  ["EARMARK_FREE_CREDITS", "-1", /a whole number from 0/],
  ["EARMARK_FREE_CREDITS", "1e3", /a whole number from 0/],
  ["EARMARK_FREE_CREDITS", "99999999999999999999", /a whole number from 0/],
  ["EARMARK_LONG_FORM_SECONDS", "ten minutes", /a whole number of at least 0, and is "ten minutes"/],
  ["EARMARK_QUALITY", "best", /one of fast, accurate/],
  ["EARMARK_EGRESS_ALLOW", "10.0.0.0/8,localhost", /ranges such as 10\.0\.0\.0\/8/],
  ["EARMARK_MAX_MEDIA_MINUTES", "unlimited", /a whole number of at least 0, or none/],
  ["EARMARK_ROLE", "web", /one of all, api, worker/],
  ["EARMARK_ENGINE", "wispher", /one of auto, sherpa, whisper, openai, pocketsphinx, scripted/],
  ["EARMARK_SCRIPTED", "delay=20-", /parts such as delay=20-120/],
  ["EARMARK_SCRIPTED", "delay=30-20", /parts such as delay=20-120/],
  ["EARMARK_SCRIPTED", "fail=2", /parts such as delay=20-120/],
  ["EARMARK_SCRIPTED", "slow", /parts such as delay=20-120/],
  ["EARMARK_WORKERS", "0", /a whole number from 1 to 1024/],
  ["EARMARK_LEASE_SECONDS", "0", /whole seconds from 1/],
  ["EARMARK_LEASE_SECONDS", "45s", /whole seconds from 1/],
  ["EARMARK_WEBHOOK_BACKOFF", "5,300", /5 numbers of seconds above 0 with commas between/],
  ["EARMARK_WEBHOOK_BACKOFF", "5,300,,7200,18000", /5 numbers of seconds/],
  ["EARMARK_WEBHOOK_BACKOFF", "5,300,0,7200,18000", /5 numbers of seconds/],
  ["EARMARK_WEBHOOK_TIMEOUT_SECONDS", "26", /a whole number from 1 to 25/],
  ["EARMARK_STRIPE_KEY", "pk_live_abc", /a secret key of Stripe, which begins with sk_live_/],
  ["EARMARK_STRIPE_WEBHOOK_SECRET", "secret", /begins with whsec_$/],
  ["EARMARK_STRIPE_PRICE", "0", /a number above 0, such as 2 or 0\.6, and is "0"/],
  ["EARMARK_STRIPE_PRICE", "2 usd", /a number above 0/],
  ["EARMARK_STRIPE_CURRENCY", "dollar", /the three letters of a currency/],
  ["EARMARK_LOG_LEVEL", "verbose", /one of trace, debug, info, warning, error, none/],
  ["EARMARK_LOG_FORMAT", "xml", /one of pretty, json/],
]

describe("settings", () => {
  it.effect("keep models in the data folder of the user, or where they are already", () =>
    Effect.gen(function* () {
      const data = mkdtempSync(join(tmpdir(), "earmark-data-"))
      const own = join(data, "earmark", "models")
      const old = join(homedir(), ".local", "share", "earmark", "models")
      const withData = (given: Readonly<Record<string, string>>) =>
        Effect.map(withSettings(given)(readSettings), ({ modelsDir }) => modelsDir)
      assert.strictEqual(yield* withData({ XDG_DATA_HOME: data }), existsSync(old) ? old : own)
      mkdirSync(own, { recursive: true })
      assert.strictEqual(yield* withData({ XDG_DATA_HOME: data }), own)
      assert.strictEqual(yield* withData({ XDG_DATA_HOME: "relative" }), old)
      assert.strictEqual(yield* withData({ XDG_DATA_HOME: data, EARMARK_MODELS_DIR: "/m" }), "/m")
      rmSync(data, { recursive: true })
    }),
  )

  it.effect("have defaults, so that nothing has to be set", () =>
    Effect.gen(function* () {
      const settings = yield* readSettings
      assert.strictEqual(settings.dataDir, ".earmark")
      assert.strictEqual(settings.databaseUrl, null)
      assert.strictEqual(settings.freeCredits, 60)
      assert.strictEqual(settings.role, "all")
      assert.deepStrictEqual(settings.webhookBackoff, [5, 300, 1800, 7200, 18000])
      assert.isAtLeast(settings.workers, 1)
    }).pipe(withSettings({})),
  )

  for (const [name, value, problem] of wrong) {
    it.effect(`refuse ${name}=${value}`, () =>
      Effect.gen(function* () {
        const { invalid, message } = yield* Effect.flip(readSettings)
        assert.deepStrictEqual(
          invalid.map(({ setting }) => setting),
          [name],
        )
        assert.match(invalid[0]?.message ?? "", problem)
        assert.match(message, /^[^\n]+\.$/)
      }).pipe(withSettings({ [name]: value })),
    )
  }

  it.effect("read what may be", () =>
    Effect.gen(function* () {
      const settings = yield* readSettings
      assert.strictEqual(settings.migrate, false)
      assert.strictEqual(settings.role, "worker")
      assert.deepStrictEqual(settings.scripted, { delay: [20, 120], fail: 0.15, crash: 0.01 })
      assert.strictEqual(Duration.toSeconds(settings.lease), 2)
      assert.deepStrictEqual(settings.webhookBackoff, [0.2, 1, 3, 6, 10])
      assert.strictEqual(settings.maxUploadBytes, null)
      assert.strictEqual(settings.baseUrl, "https://ear.example")
      assert.strictEqual(settings.egressAllow.length, 2)
      assert.strictEqual(settings.databaseUrl && Redacted.value(settings.databaseUrl), "postgres://u:p@h/d")
    }).pipe(
      withSettings({
        EARMARK_MIGRATE: "OFF",
        EARMARK_ROLE: "worker",
        EARMARK_SCRIPTED: "delay=20-120,fail=0.15,crash=0.01",
        EARMARK_LEASE_SECONDS: " 2 ",
        EARMARK_WEBHOOK_BACKOFF: "0.2,1,3,6,10",
        EARMARK_MAX_UPLOAD_BYTES: "none",
        EARMARK_BASE_URL: "https://ear.example/",
        EARMARK_EGRESS_ALLOW: "127.0.0.1/32, 10.0.0.0/8",
        EARMARK_DATABASE_URL: "postgres://u:p@h/d",
      }),
    ),
  )

  const stripe = {
    EARMARK_STRIPE_KEY: "sk_test_hunter2",
    EARMARK_STRIPE_WEBHOOK_SECRET: "whsec_hunter3",
    EARMARK_STRIPE_PRICE: "0.6",
    EARMARK_STRIPE_CURRENCY: "EUR",
    EARMARK_STRIPE_SUCCESS_URL: "https://ear.example/paid",
    EARMARK_STRIPE_CANCEL_URL: "https://ear.example/not-paid",
  }

  it.effect("take Stripe whole, and tell none of its secrets", () =>
    Effect.gen(function* () {
      const settings = yield* readSettings
      assert.deepInclude(settings.stripe, { price: 0.6, currency: "eur", url: "https://api.stripe.com" })
      assert.notInclude(JSON.stringify(settings), "hunter")
    }).pipe(withSettings(stripe)),
  )

  it.effect("refuse a part of Stripe, and name each part that is missing", () =>
    Effect.gen(function* () {
      for (const name of Object.keys(stripe)) {
        const given = Object.entries(stripe).filter(([each]) => each !== name)
        const { message } = yield* Effect.flip(withSettings(Object.fromEntries(given))(readSettings))
        const because = name === "EARMARK_STRIPE_KEY" ? "EARMARK_STRIPE_WEBHOOK_SECRET" : "EARMARK_STRIPE_KEY"
        assert.strictEqual(message, `${name} must be set, since ${because} is.`)
      }
      const { invalid } = yield* Effect.flip(
        withSettings({ EARMARK_STRIPE_KEY: stripe.EARMARK_STRIPE_KEY })(readSettings),
      )
      assert.strictEqual(invalid.length, 5)
      assert.isNull((yield* withSettings({})(readSettings)).stripe)
    }),
  )

  it.effect("count as not set when they are blank", () =>
    Effect.gen(function* () {
      const settings = yield* readSettings
      assert.strictEqual(settings.engine, "auto")
      assert.strictEqual(settings.accountConcurrency, 10)
    }).pipe(withSettings({ EARMARK_ENGINE: "", EARMARK_ACCOUNT_CONCURRENCY: "  " })),
  )

  it.effect("are refused all at once", () =>
    Effect.gen(function* () {
      const { invalid, message } = yield* Effect.flip(readSettings)
      assert.strictEqual(invalid.length, 3)
      for (const name of ["EARMARK_WORKERS", "EARMARK_ROLE", "EARMARK_DATA_DIR"]) {
        assert.strictEqual(message.includes(name), name !== "EARMARK_DATA_DIR", name)
      }
    }).pipe(withSettings({ EARMARK_WORKERS: "x", EARMARK_ROLE: "y", EARMARK_MIGRATE: "z" })),
  )

  it.effect("never tell a secret, neither in a refusal nor when they are printed", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(
        withSettings({ EARMARK_DATABASE_URL: "hunter2", EARMARK_SECRETS_KEY: "hunter3" })(readSettings),
      )
      assert.notInclude(message, "hunter")
      const settings = yield* withSettings({
        EARMARK_DATABASE_URL: "postgres://ann:hunter2@h/d",
        EARMARK_SECRETS_KEY: KEY,
      })(readSettings)
      const printed = `${JSON.stringify(settings)} ${String(settings.databaseUrl)}`
      assert.notInclude(printed, "hunter2")
      assert.notInclude(printed, KEY.slice(0, 8))
    }),
  )

  it.effect("warn of names that nothing reads, with the nearest one that is read", () =>
    Effect.gen(function* () {
      const unknown = yield* unknownSettings
      assert.deepStrictEqual(unknown.map(({ name }) => name).sort(), [
        "EARMARK_DATABASE",
        "EARMARK_FOO",
        "EARMARK_WORKRES",
      ])
      assert.notInclude(unknown.find(({ name }) => name === "EARMARK_FOO")?.message ?? "", "mean")
      assert.match(
        unknown.find(({ name }) => name === "EARMARK_WORKRES")?.message ?? "",
        /Did you mean EARMARK_WORKERS\?/,
      )
    }).pipe(
      // As the environment is read: every underscore is a level.
      Effect.withConfigProvider(
        ConfigProvider.fromMap(
          new Map([
            ["EARMARK_WORKRES", "3"],
            ["EARMARK_FOO", "3"],
            ["EARMARK_DATABASE", "3"],
            ["EARMARK_DATABASE_URL", "postgres://h/d"],
            ["EARMARK_PROFILE", "work"],
            ["EARMARKED", "not ours"],
            ["PATH", "/bin"],
          ]),
          { pathDelim: "_" },
        ),
      ),
    ),
  )

  it("have a name of their own and a sentence each", () => {
    const all = settingSections.flatMap(({ settings }) => settings)
    assert.strictEqual(new Set(all.map(({ name }) => name)).size, all.length)
    for (const { name, sentence, kind, otherwise } of all) {
      assert.match(sentence, /^[A-Z`].*\.$/, name)
      assert.notStrictEqual(kind, "", name)
      assert.notMatch(otherwise, /object|null|undefined/, name)
    }
  })
})
