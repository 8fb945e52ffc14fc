import { randomBytes } from "node:crypto"
import { open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { AccountId } from "@earmark/core/jobs"
import type { ApiKeyWithValue } from "@earmark/core/wire"
import { Accounts, Keys, ServiceConfig } from "@earmark/service"
import { Clock, Effect } from "effect"
import { untilReachable } from "./parts/database.js"
import { DataFolderUnfit, fileTrouble, openDataFolder } from "./parts/dataFolder.js"
import type { Settings } from "./settings/Settings.js"

/** Always the same one, so that of two processes that start at once none makes a second. */
const DEFAULT_ACCOUNT = AccountId.make(`acct_${"0".repeat(26)}`)

/** Shows a text to whoever started the process; null where nobody sits in front of it. */
export type Terminal = ((text: string) => Effect.Effect<void>) | null

const FIRST_PAGE = { limit: 1, cursor: undefined, order: "desc" } as const

/** A file for its owner alone, that appears when it is whole. It is there before there is anything to lose. */
const secretFile = (folder: string, name: string) => {
  const trouble = (error: unknown) => new DataFolderUnfit({ folder, trouble: fileTrouble(error) })
  const file = join(folder, name)
  const draft = `${file}.${randomBytes(6).toString("hex")}`
  return Effect.acquireRelease(
    Effect.tryPromise({ try: () => open(draft, "wx", 0o600), catch: trouble }),
    (opened) => Effect.promise(() => opened.close().then(() => rm(draft, { force: true }))),
  ).pipe(
    Effect.map(
      (opened) => (text: string) =>
        Effect.tryPromise({
          try: async () => {
            await opened.writeFile(text)
            await opened.sync()
            await rename(draft, file)
            return file
          },
          catch: trouble,
        }),
    ),
  )
}

const makeKey = Effect.flatMap(Keys, (keys) => keys.createFirst(DEFAULT_ACCOUNT, { name: "first key" }))

const onTerminal = (show: (text: string) => Effect.Effect<void>, key: ApiKeyWithValue) =>
  show(`The first API key, of the account "default". It is not shown again:\n\n  ${key.key}\n`)

/**
 * An empty store gets the account `default` with its free minutes, and a key: shown on a terminal, else in a file whose place the log
 * names. The key itself is never logged.
 */
export const firstStart = (settings: Settings, terminal: Terminal) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const keys = yield* Keys
    const { items } = yield* accounts.list({ limit: 1, after: null })
    const isElsewhere = items.some(({ id }) => id !== DEFAULT_ACCOUNT)
    if (isElsewhere) return
    if (items.length === 0) {
      const { freeCredits } = yield* ServiceConfig
      const createdAt = yield* Clock.currentTimeMillis
      yield* accounts.create({ id: DEFAULT_ACCOUNT, name: "default", email: null, freeCredits, createdAt })
    }
    // A start that was cut short between the account and its key goes on here.
    const known = yield* Effect.orDie(keys.list(DEFAULT_ACCOUNT, FIRST_PAGE))
    if (known.data.length > 0) return
    const write =
      terminal === null ? yield* secretFile(yield* openDataFolder(settings.dataDir), "first-key") : null
    const key = yield* makeKey
    if (key === null)
      return yield* Effect.logInfo("Another process that started just now has the first API key")
    if (terminal !== null) return yield* onTerminal(terminal, key)
    if (write === null) return
    const file = yield* write(`${key.key}\n`)
    yield* Effect.logInfo(`The first API key, of the account "default", is in the file ${file}`)
  }).pipe(Effect.scoped, (begun) =>
    settings.databaseUrl === null ? begun : Effect.retry(begun, untilReachable),
  )
