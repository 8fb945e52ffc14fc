import { Earmark, PaymentsManual } from "@earmark/service"
import { Layer } from "effect"
import { configs } from "./parts/configs.js"
import { ownDatabase } from "./parts/ownDatabase.js"
import { secrets } from "./parts/secretsKey.js"
import type { Settings } from "./settings/Settings.js"

/** The administration over a store that this process opens, and nothing else: no engine, no loops. */
export const localAdministration = (settings: Settings) =>
  Earmark.administration.pipe(
    Layer.provide(
      Layer.mergeAll(
        Layer.provideMerge(ownDatabase(settings), secrets(settings)),
        PaymentsManual.layer,
        configs(settings),
      ),
    ),
  )
