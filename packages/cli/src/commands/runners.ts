/** What does the work of each command of the table. Its module is loaded when it is run. */
import type { CommandExecutor, FileSystem, Path } from "@effect/platform"
import { Effect, Either } from "effect"
import { type CommandFailed, usage } from "../CommandFailed.js"
import { root } from "../grammar/commands.js"
import type { CommandSpec, Given } from "../grammar/Grammar.js"
import { parse } from "../grammar/parse.js"

type Services = CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path

type Done = Effect.Effect<unknown, CommandFailed, Services>

/** Runs a command, named by a path, with the words that stand behind its name. */
type Runner = (path: ReadonlyArray<string>, words: ReadonlyArray<string>) => Done

type Entry = readonly [CommandSpec, Runner]

const runner = <Spec extends CommandSpec>(
  spec: Spec,
  load: () => Promise<(given: Given<Spec>) => Done>,
): Entry => [
  spec,
  Effect.fnUntraced(function* (path: ReadonlyArray<string>, words: ReadonlyArray<string>) {
    const given = yield* Either.mapLeft(parse(path, spec, words), usage)
    const handler = yield* Effect.promise(load)
    return yield* handler(given)
  }),
]

type Specs = Readonly<Record<string, CommandSpec>>

/** What does the work of each command of a group, by its name. */
type Handlers<Group extends Specs> = {
  readonly [Name in keyof Group]: (given: Given<Group[Name]>) => Done
}

/** The commands of a group: a module has one function for each, of the same name. */
function group<Group extends Specs>(specs: Group, load: () => Promise<Handlers<Group>>): ReadonlyArray<Entry>
function group(specs: Specs, load: () => Promise<Handlers<Specs>>): ReadonlyArray<Entry> {
  return Object.entries(specs).map(([name, spec]) =>
    runner(spec, async () => (await load())[name] ?? (() => Effect.dieMessage(`Nothing runs ${name}`))),
  )
}

const { commands } = root

export const runners: ReadonlyMap<CommandSpec, Runner> = new Map([
  runner(commands.transcribe, async () => (await import("./transcribe.js")).transcribe),
  runner(commands.serve, async () => (await import("./serve.js")).serve),
  runner(commands.worker, async () => (await import("./serve.js")).worker),
  runner(commands.feed, async () => (await import("./feed.js")).feed),
  runner(commands.feed.commands.watch, async () => (await import("./transcribe.js")).feedWatch),
  runner(commands.captions, async () => (await import("./captions.js")).captions),
  runner(commands.align, async () => (await import("./align.js")).align),
  runner(commands.mcp, async () => (await import("./mcp.js")).mcp),
  runner(commands.setup, async () => (await import("./setup.js")).setup),
  runner(commands.doctor, async () => (await import("./doctor.js")).doctor),
  runner(commands.login, async () => (await import("./remote/login.js")).login),
  runner(commands.export, async () => (await import("./export.js")).exporting),
  runner(commands.edit, async () => (await import("./edit.js")).edit),
  runner(commands.extras, async () => (await import("./extras.js")).extras),
  runner(commands.search, async () => (await import("./search.js")).search),
  runner(commands.ask, async () => (await import("./ask.js")).ask),
  runner(commands.publish, async () => (await import("./publish.js")).publish),
  runner(commands.upload, async () => (await import("./remote/upload.js")).upload),
  runner(commands.usage, async () => (await import("./remote/usage.js")).usage),
  runner(commands.console, async () => (await import("./administration/console.js")).openConsole),
  runner(commands.backup, async () => (await import("./administration/backup.js")).backup),
  runner(commands.restore, async () => (await import("./administration/backup.js")).restore),
  runner(commands.migrate, async () => (await import("./administration/migrate.js")).migrate),
  ...group(commands.webhook.commands, () => import("./webhook.js")),
  ...group(commands.models.commands, () => import("./models.js")),
  ...group(commands.config.commands, () => import("./remote/config.js")),
  ...group(commands.jobs.commands, () => import("./jobs.js")),
  ...group(commands.webhooks.commands, () => import("./remote/webhooks.js")),
  ...group(commands.accounts.commands, () => import("./administration/accounts.js")),
  ...group(commands.keys.commands, () => import("./administration/keys.js")),
  ...group(commands.credits.commands, () => import("./administration/credits.js")),
])
