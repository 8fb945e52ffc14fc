import { ExportFormat } from "@earmark/core/wire"
import { assert, it } from "@effect/vitest"
import { FORMATS, LOCAL_FORMATS } from "../../src/grammar/formats.js"

it("the help knows which formats a service does not write", () => {
  const served: ReadonlyArray<string> = ExportFormat.literals
  assert.deepStrictEqual(
    FORMATS.filter((format) => !served.includes(format)),
    LOCAL_FORMATS,
  )
})
