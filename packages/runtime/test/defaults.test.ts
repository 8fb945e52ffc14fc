import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readDefaults } from "@earmark/runtime/user"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"

const readFrom = (text: string | null) => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-defaults-"))
  mkdirSync(join(folder, "earmark"))
  if (text !== null) writeFileSync(join(folder, "earmark/defaults.json"), text)
  return readDefaults.pipe(
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["XDG_CONFIG_HOME", folder]]))),
  )
}

it.effect("reads what a user has set; nothing where there is no file", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* readFrom(null), {})
    assert.deepStrictEqual(yield* readFrom('{"format": "srt", "output": "texts", "engine": "whisper"}'), {
      format: "srt",
      output: "texts/",
      engine: "whisper",
    })
  }),
)

it.effect("says what is wrong with the file", () =>
  Effect.gen(function* () {
    for (const [text, part] of [
      ["srt", "is no JSON object"],
      [
        '{"formt": "srt"}',
        'unknown key "formt"; there are format, language, diarize, output, engine. Did you mean',
      ],
      ['{"diarize": 1}', '"diarize" needs true or false.'],
      ['{"format": ""}', '"format" needs a text that is not empty.'],
      ['{"engine": "magic"}', '"engine" needs one of auto, sherpa, '],
    ] as const)
      assert.include((yield* Effect.flip(readFrom(text))).message, part)
  }),
)
