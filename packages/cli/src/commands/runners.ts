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

const runner = <Spec extends CommandSpec>(
  spec: Spec,
  load: () => Promise<(given: Given<Spec>) => Done>,
): readonly [CommandSpec, Runner] => [
  spec,
  Effect.fnUntraced(function* (path: ReadonlyArray<string>, words: ReadonlyArray<string>) {
    const given = yield* Either.mapLeft(parse(path, spec, words), usage)
    const handler = yield* Effect.promise(load)
    return yield* handler(given)
  }),
]

const { commands } = root

export const runners: ReadonlyMap<CommandSpec, Runner> = new Map([
  runner(commands.transcribe, async () => (await import("./transcribe.js")).transcribe),
  runner(commands.serve, async () => (await import("./serve.js")).serve),
  runner(commands.worker, async () => (await import("./serve.js")).worker),
  runner(commands.feed, async () => (await import("./feed.js")).feed),
  runner(commands.feed.commands.watch, async () => (await import("./feedWatch.js")).feedWatch),
  runner(commands.captions, async () => (await import("./captions.js")).captions),
  runner(commands.align, async () => (await import("./align.js")).align),
  runner(commands.webhook.commands.verify, async () => (await import("./webhook.js")).verify),
  runner(commands.mcp, async () => (await import("./mcp.js")).mcp),
  runner(commands.models.commands.list, async () => (await import("./models.js")).list),
  runner(commands.models.commands.pull, async () => (await import("./models.js")).pull),
  runner(commands.models.commands.add, async () => (await import("./models.js")).add),
  runner(commands.models.commands.verify, async () => (await import("./models.js")).verify),
  runner(commands.models.commands.remove, async () => (await import("./models.js")).remove),
  runner(commands.setup, async () => (await import("./setup.js")).setup),
  runner(commands.doctor, async () => (await import("./doctor.js")).doctor),
  runner(commands.login, async () => (await import("./remote/login.js")).login),
  runner(commands.config.commands.list, async () => (await import("./remote/config.js")).list),
  runner(commands.config.commands.use, async () => (await import("./remote/config.js")).use),
  runner(commands.config.commands.forget, async () => (await import("./remote/config.js")).forget),
  runner(commands.config.commands.path, async () => (await import("./remote/config.js")).path),
  runner(commands.jobs.commands.list, async () => (await import("./jobs.js")).list),
  runner(commands.jobs.commands.show, async () => (await import("./jobs.js")).showOne),
  runner(commands.jobs.commands.name, async () => (await import("./jobs.js")).nameSpeakers),
  runner(commands.jobs.commands.cancel, async () => (await import("./jobs.js")).cancel),
  runner(commands.jobs.commands.retry, async () => (await import("./jobs.js")).retry),
  runner(commands.jobs.commands.delete, async () => (await import("./jobs.js")).remove),
  runner(commands.jobs.commands.dead, async () => (await import("./administration/jobs.js")).dead),
  runner(commands.export, async () => (await import("./export.js")).exporting),
  runner(commands.edit, async () => (await import("./edit.js")).edit),
  runner(commands.extras, async () => (await import("./extras.js")).extras),
  runner(commands.search, async () => (await import("./search.js")).search),
  runner(commands.ask, async () => (await import("./ask.js")).ask),
  runner(commands.publish, async () => (await import("./publish.js")).publish),
  runner(commands.upload, async () => (await import("./remote/upload.js")).upload),
  runner(commands.webhooks.commands.add, async () => (await import("./remote/webhooks.js")).add),
  runner(commands.webhooks.commands.list, async () => (await import("./remote/webhooks.js")).list),
  runner(commands.webhooks.commands.test, async () => (await import("./remote/webhooks.js")).test),
  runner(commands.webhooks.commands.rotate, async () => (await import("./remote/webhooks.js")).rotate),
  runner(commands.webhooks.commands.delete, async () => (await import("./remote/webhooks.js")).remove),
  runner(
    commands.webhooks.commands.deliveries,
    async () => (await import("./remote/webhooks.js")).deliveries,
  ),
  runner(commands.webhooks.commands.redeliver, async () => (await import("./remote/webhooks.js")).redeliver),
  runner(commands.webhooks.commands.listen, async () => (await import("./remote/listen.js")).listen),
  runner(commands.usage, async () => (await import("./remote/usage.js")).usage),
  runner(
    commands.accounts.commands.create,
    async () => (await import("./administration/accounts.js")).create,
  ),
  runner(commands.accounts.commands.list, async () => (await import("./administration/accounts.js")).list),
  runner(commands.accounts.commands.show, async () => (await import("./administration/accounts.js")).showOne),
  runner(
    commands.accounts.commands.rename,
    async () => (await import("./administration/accounts.js")).rename,
  ),
  runner(
    commands.accounts.commands.limits,
    async () => (await import("./administration/accounts.js")).limits,
  ),
  runner(
    commands.accounts.commands.grants,
    async () => (await import("./administration/accounts.js")).grants,
  ),
  runner(commands.accounts.commands.link, async () => (await import("./administration/accounts.js")).link),
  runner(
    commands.accounts.commands.unlink,
    async () => (await import("./administration/accounts.js")).unlink,
  ),
  runner(commands.keys.commands.create, async () => (await import("./administration/keys.js")).create),
  runner(commands.keys.commands.list, async () => (await import("./administration/keys.js")).list),
  runner(commands.keys.commands.edit, async () => (await import("./administration/keys.js")).edit),
  runner(commands.keys.commands.revoke, async () => (await import("./administration/keys.js")).revoke),
  runner(commands.credits.commands.grant, async () => (await import("./administration/credits.js")).grant),
  runner(commands.credits.commands.show, async () => (await import("./administration/credits.js")).showOne),
  runner(
    commands.credits.commands.entries,
    async () => (await import("./administration/credits.js")).entries,
  ),
  runner(
    commands.credits.commands.purchases,
    async () => (await import("./administration/purchases.js")).purchases,
  ),
  runner(
    commands.credits.commands.confirm,
    async () => (await import("./administration/purchases.js")).confirm,
  ),
  runner(
    commands.credits.commands.dismiss,
    async () => (await import("./administration/purchases.js")).dismiss,
  ),
  runner(commands.credits.commands.verify, async () => (await import("./administration/credits.js")).verify),
  runner(commands.console, async () => (await import("./administration/console.js")).openConsole),
  runner(commands.backup, async () => (await import("./administration/backup.js")).backup),
  runner(commands.restore, async () => (await import("./administration/backup.js")).restore),
  runner(commands.migrate, async () => (await import("./administration/migrate.js")).migrate),
])
