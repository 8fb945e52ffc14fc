import { type LinkRefused, operatorLink } from "@earmark/http/serve"
import {
  administer as administerStore,
  backupStore,
  isNewStore,
  type MigrateOptions,
  migrateStore,
  readSettings,
  restoreStore,
  type Settings,
  unknownSettings,
} from "@earmark/runtime"
import { type AdministrationCode, AdministrationRefused, type Operation, operations } from "@earmark/service"
import { Effect } from "effect"
import { failed, usage, withCode } from "../CommandFailed.js"
import { note } from "../output.js"

const MISTAKES: ReadonlyArray<AdministrationCode> = ["invalid_request", "cursor_invalid"]

/** A refusal as a command tells it: the sentence, then the code for scripts. */
const explained = ({ code, message }: AdministrationRefused) =>
  withCode((MISTAKES.includes(code) ? usage : failed)(message), code)

/** Does some work on the store of the environment. Names that nothing reads are told after it, and a store that it has made. */
const onStore = <Answer>(work: (settings: Settings) => Effect.Effect<Answer, AdministrationRefused>) =>
  Effect.gen(function* () {
    const notes = (yield* unknownSettings).map(({ message }) => message)
    const outcome = yield* Effect.gen(function* () {
      const settings = yield* Effect.mapError(readSettings, ({ message }) => failed(message))
      const wasNew = yield* isNewStore(settings)
      const answer = yield* Effect.either(Effect.mapError(work(settings), explained))
      if (wasNew && !(yield* isNewStore(settings))) notes.push(`A new store was made in ${settings.dataDir}.`)
      return yield* answer
    }).pipe(Effect.either)
    for (const text of notes) yield* note(`earmark: ${text}`)
    return yield* outcome
  })

/** Does one operation on the store of the environment, wherever it is held. Request and answer are those of the wire. */
export const administer = <Request, RequestWire, Answer, AnswerWire>(
  choose: (all: typeof operations) => Operation<Request, RequestWire, Answer, AnswerWire>,
  request: RequestWire,
) => onStore((settings) => administerStore(settings, choose(operations), request))

const whyNoLink = ({ baseUrl, dataDir }: Settings): Readonly<Record<LinkRefused["reason"], string>> => ({
  other_store: `The server at ${baseUrl} keeps its data elsewhere, not in ${dataDir}, so this command cannot sign you in. Run it in the folder where the server was started, or set EARMARK_DATA_DIR. --local shows the transcripts of this machine.`,
  console_off: "EARMARK_CONSOLE is off: this server has no console.",
  console_missing: `The server at ${baseUrl} has no console. Build it with npm run build, then restart the server.`,
  not_encrypted: `Nobody can sign in at ${baseUrl}: sessions would cross a network in the open. Set EARMARK_BASE_URL to an https address.`,
})

/** Makes a link into the console of the server that has the store of the environment. */
export const signIn = (account: string | null) =>
  onStore((settings) =>
    Effect.catchTag(
      operatorLink(settings, account),
      "LinkRefused",
      ({ reason }) =>
        new AdministrationRefused({ code: "unavailable", message: whyNoLink(settings)[reason] }),
    ),
  )

/** Brings the store of the environment up to date. */
export const migrate = (options: MigrateOptions) => onStore((settings) => migrateStore(settings, options))

/** Writes the store of the environment to a file. */
export const backup = (target: Parameters<typeof backupStore>[1]) =>
  onStore((settings) => backupStore(settings, target))

/** Makes the store of the environment, which is empty, what it was in a file. */
export const restore = (file: string) => onStore((settings) => restoreStore(settings, file))
