import { Command } from "@effect/cli"
import { Effect } from "effect"
import type { Page } from "../../help.js"
import { print } from "../../output.js"
import { commandFailed, json, withSettings } from "./administer.js"

const sentence = (applied: number): string =>
  applied === 0 ? "The store is up to date." : `The store is up to date now: ${applied} steps were made.`

export const migrate = Command.make("migrate", { json }, (options) =>
  Effect.gen(function* () {
    const { runtime, settings } = yield* withSettings
    const migrated = yield* Effect.mapError(runtime.migrateStore(settings), commandFailed)
    yield* print(`${options.json ? JSON.stringify(migrated, null, 2) : sentence(migrated.applied)}\n`)
  }),
).pipe(Command.withDescription("Bring the store up to date with this version of Earmark."))

export const migratePage: Page = {
  name: "migrate",
  descriptor: migrate.descriptor,
  examples: ["earmark migrate", 'EARMARK_DATABASE_URL="$URL" earmark migrate --json'],
  children: [],
}
