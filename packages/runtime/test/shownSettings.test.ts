import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { settingSections } from "../src/settings/Settings.js"
import { shownSettings } from "../src/settings/shownSettings.js"

const shownWith = (given: Readonly<Record<string, string>>) =>
  shownSettings({ baseUrl: "http://127.0.0.1:9000" }).pipe(
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(given)))),
    Effect.map((sections) => sections.flatMap(({ settings }) => settings)),
  )

describe("shownSettings", () => {
  it.effect("has every setting, as it is set", () =>
    Effect.gen(function* () {
      const shown = yield* shownWith({ EARMARK_PORT: "9000", EARMARK_HOST: " " })
      const known = settingSections.flatMap(({ settings }) => settings.map(({ name }) => name))
      assert.deepStrictEqual(
        shown.map(({ name }) => name),
        known,
      )
      const of = (name: string) => shown.find((each) => each.name === name)
      assert.include(of("EARMARK_PORT"), { value: "9000", is_set: true, default: "8787" })
      assert.include(of("EARMARK_HOST"), { value: null, is_set: false, default: "127.0.0.1" })
      assert.include(of("EARMARK_BASE_URL"), { value: null, default: "http://127.0.0.1:9000" })
    }),
  )

  it.effect("says of secrets that they are set, and no more", () =>
    Effect.gen(function* () {
      const secrets = settingSections
        .flatMap(({ settings }) => settings)
        .filter(({ isSecret }) => isSecret)
        .map(({ name }) => name)
      assert.includeMembers(secrets, ["EARMARK_DATABASE_URL", "EARMARK_SECRETS_KEY", "EARMARK_STRIPE_KEY"])
      const hidden = [...secrets, "EARMARK_OPENAI_URL", "EARMARK_LLM_URL", "EARMARK_S3_URL"]
      const addresses = {
        EARMARK_OPENAI_URL: "https://ann:hidden-word@models.example/v1",
        EARMARK_LLM_URL: "https://models.example/v1?key=hidden-word",
        EARMARK_S3_URL: "https://hidden-word@s3.example",
      }
      const given = { ...Object.fromEntries(secrets.map((name) => [name, "hidden-word"])), ...addresses }
      const shown = yield* shownWith(given)
      assert.notInclude(JSON.stringify(shown), "hidden-word")
      for (const name of hidden)
        assert.include(
          shown.find((each) => each.name === name),
          { value: null, is_set: true },
          name,
        )
    }),
  )
})
