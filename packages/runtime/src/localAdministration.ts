import { Earmark, PaymentsManual } from "@earmark/service"
import { Layer } from "effect"
import { configs } from "./parts/configs.js"
import { database } from "./parts/database.js"
import { secrets } from "./parts/secretsKey.js"
import type { Settings } from "./settings/Settings.js"

/** The administration over a store that this process opens, and nothing else: no engine, no loops. */
export const localAdministration = (settings: Settings) =>
  Earmark.administration.pipe(
    Layer.provide(
      Layer.mergeAll(
        Layer.provideMerge(database(settings, { thread: false }), secrets(settings)),
        PaymentsManual.layer,
        configs(settings),
      ),
    ),
  )
