import { PaymentsManual, Scripted } from "@earmark/service"
import { Data, Layer } from "effect"
import type { Settings } from "../settings/Settings.js"

/** There is nothing to transcribe with. */
export class EngineMissing extends Data.TaggedError("EngineMissing")<{
  readonly known: ReadonlyArray<string>
}> {
  override get message() {
    return `EARMARK_ENGINE is not set, and a service needs an engine. It may be: ${this.known.join(", ")}.`
  }
}

/** Everything outside the store, by engine: words, sounds, sources, receivers. */
const worlds = {
  scripted: (settings: Settings) => Scripted.layer({ engine: settings.scripted }),
}

/** What the service reaches outside its store. Payments are the operator's grants. */
export const surroundings = (settings: Settings) => {
  const { engine } = settings
  return engine === null
    ? Layer.fail(new EngineMissing({ known: Object.keys(worlds) }))
    : Layer.merge(worlds[engine](settings), PaymentsManual.layer)
}
