import type { Finding } from "@earmark/engines"
import { Effect, Layer } from "effect"
import { isNewStore, reachAdministration } from "../reachAdministration.js"
import type { Settings } from "../settings/Settings.js"

const name = "store"

/** Opens the store as it is: an older one is not brought up to date. */
const opened = (settings: Settings, place: string) =>
  Effect.scoped(Layer.build(reachAdministration({ ...settings, migrate: false }))).pipe(
    Effect.match({
      onFailure: ({ message }): Finding => ({
        name,
        status: "missing",
        detail: message,
        fix: "what the line above says",
      }),
      onSuccess: (): Finding => ({ name, status: "ok", detail: `${place} was opened`, fix: null }),
    }),
  )

/** Opens the database of a service, where one has been run here or a setting names its database. */
export const examineStore = (settings: Settings): Effect.Effect<Finding> => {
  const { dataDir, databaseUrl } = settings
  const place = databaseUrl === null ? `the database in ${dataDir}` : "the database of EARMARK_DATABASE_URL"
  const none = `no server has been run in ${dataDir}; earmark transcribe needs none`
  return Effect.flatMap(isNewStore(settings), (isNew) =>
    isNew
      ? Effect.succeed<Finding>({ name, status: "unused", detail: none, fix: "earmark serve" })
      : opened(settings, place),
  )
}
