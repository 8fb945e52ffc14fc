import { Command } from "@effect/cli"
import { Effect } from "effect"
import type { Page } from "../../help.js"
import { print } from "../../output.js"
import { askHost, json } from "./administer.js"
import { groups } from "./groups.js"

const sentence = (applied: number): string =>
  applied === 0 ? "The store is up to date." : `The store is up to date now: ${applied} steps were made.`

export const migrate = Command.make("migrate", { json }, (options) =>
  Effect.gen(function* () {
    const migrated = yield* askHost((host, surroundings) => host.migrate(surroundings))
    yield* print(`${options.json ? JSON.stringify(migrated, null, 2) : sentence(migrated.applied)}\n`)
  }),
).pipe(Command.withDescription(groups.migrate))

export const migratePage: Page = {
  name: "migrate",
  descriptor: migrate.descriptor,
  examples: ["earmark migrate", 'EARMARK_DATABASE_URL="$URL" earmark migrate --json'],
  children: [],
}
