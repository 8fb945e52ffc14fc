import type { Finding } from "@earmark/engines"
import { Effect, Layer } from "effect"
import { checkDataFolder } from "../parts/dataFolder.js"
import { isNewStore, reachAdministration } from "../reachAdministration.js"
import type { Settings } from "../settings/Settings.js"

const name = "store"

const fault = ({ message }: { readonly message: string }): Finding => ({
  name,
  status: "missing",
  detail: message,
  fix: "what the line above says",
})

/** Opens the store as it is: an older one is not brought up to date. */
const opened = (settings: Settings, place: string) =>
  Effect.scoped(Layer.build(reachAdministration({ ...settings, migrate: false }))).pipe(
    Effect.match({
      onFailure: fault,
      onSuccess: (): Finding => ({ name, status: "ok", detail: `${place} was opened`, fix: null }),
    }),
  )

/** There is no store yet: a server would make one, if it may use the folder. */
const unused = (dataDir: string) =>
  Effect.match(checkDataFolder(dataDir), {
    onFailure: fault,
    onSuccess: (): Finding => ({
      name,
      status: "unused",
      detail: `no server has been run in ${dataDir}; earmark transcribe needs none`,
      fix: "earmark serve",
    }),
  })

/** Opens the database of a service, where one has been run here or a setting names its database. */
export const examineStore = (settings: Settings): Effect.Effect<Finding> => {
  const { dataDir, databaseUrl } = settings
  const place = databaseUrl === null ? `the database in ${dataDir}` : "the database of EARMARK_DATABASE_URL"
  return Effect.flatMap(isNewStore(settings), (isNew) => (isNew ? unused(dataDir) : opened(settings, place)))
}
