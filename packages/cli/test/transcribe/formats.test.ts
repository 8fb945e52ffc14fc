import { exportFormatNames } from "@earmark/core/captions/formats"
import { ExportFormat } from "@earmark/core/wire"
import { assert, it } from "@effect/vitest"
import { LOCAL_FORMATS } from "../../src/grammar/formats.js"

it("the help knows which formats a service does not write", () => {
  const served: ReadonlyArray<string> = ExportFormat.literals
  assert.deepStrictEqual(
    exportFormatNames.filter((format) => !served.includes(format)),
    LOCAL_FORMATS,
  )
})
