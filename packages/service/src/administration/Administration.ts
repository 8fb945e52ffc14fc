import { type AccountId, JobId, parseId } from "@earmark/core/jobs"
import { decodeRequest, type PageQuery } from "@earmark/core/wire"
import { Cause, Context, DateTime, Effect, Either, Layer, Option, Schema } from "effect"
import { AccountLinks } from "../ports/AccountLinks.js"
import { JobQueue } from "../ports/JobQueue.js"
import { Ledger } from "../ports/Ledger.js"
import { OAuthRecords } from "../ports/OAuthRecords.js"
import { GrantedApps } from "../signIn/GrantedApps.js"
import { endAppSignIns } from "../signIn/removeAll.js"
import { makeSignInLink } from "../signIn/sessions.js"
import { CreditDesk } from "../useCases/CreditDesk.js"
import { Customers } from "../useCases/Customers.js"
import { newUuid } from "../useCases/Entropy.js"
import { Keys } from "../useCases/Keys.js"
import { Purchases } from "../useCases/Purchases.js"
import { type AdministrationRefused, refused } from "./AdministrationRefused.js"
import { explain, type Refusal } from "./explain.js"
import { type Operation, operations } from "./operations.js"

/** What the operator can do. Requests and answers are those of the wire; `Administration.ask` gives them their types. */
export class Administration extends Context.Tag("@earmark/service/Administration")<
  Administration,
  { readonly ask: (operation: string, request: unknown) => Effect.Effect<unknown, AdministrationRefused> }
>() {
  static readonly layer = Layer.effect(
    Administration,
    Effect.gen(function* () {
      const answering = new Map((yield* makeHandlers).map(({ name, answer }) => [name, answer]))
      return Administration.of({
        ask: (name, request) => {
          const answer = answering.get(name)
          return answer === undefined
            ? Effect.fail(
                refused(
                  "unknown_operation",
                  `This version of Earmark has no operation ${name.slice(0, 64)}.`,
                ),
              )
            : Effect.withSpan(answer(request), `Administration.${name}`)
        },
      })
    }),
  )

  /** What an operation would refuse of a request before it looks at any store. */
  static readonly check = <Request, RequestWire, Answer, AnswerWire>(
    { request: schema }: Operation<Request, RequestWire, Answer, AnswerWire>,
    request: RequestWire,
  ): Either.Either<void, AdministrationRefused> => Either.map(reading(schema)(request), () => undefined)

  /** Does an operation, wherever the administration is. */
  static readonly ask = <Request, RequestWire, Answer, AnswerWire>(
    { name, answer }: Operation<Request, RequestWire, Answer, AnswerWire>,
    request: RequestWire,
  ): Effect.Effect<Answer, AdministrationRefused, Administration> =>
    Effect.gen(function* () {
      const administration = yield* Administration
      const answered = yield* administration.ask(name, request)
      return yield* Effect.mapError(Schema.decodeUnknown(answer)(answered), () =>
        refused(
          "internal_error",
          "The answer cannot be read: the process that holds the store is of another version.",
        ),
      )
    })
}

interface Handler {
  readonly name: string
  readonly answer: (request: unknown) => Effect.Effect<unknown, AdministrationRefused>
}

/** Reads a request, or says what is wrong with it. */
const reading = <Request, RequestWire>(schema: Schema.Schema<Request, RequestWire>) => {
  const decode = decodeRequest(schema)
  return (given: unknown): Either.Either<Request, AdministrationRefused> =>
    Either.mapLeft(decode(given), ({ problems }) =>
      refused(
        "invalid_request",
        problems
          .map(({ pointer, detail }) => `${pointer.replace(/^#\/?/, "") || "request"}: ${detail}.`)
          .join(" "),
      ),
    )
}

const handler = <Request, RequestWire, Answer, AnswerWire>(
  { name, request, answer }: Operation<Request, RequestWire, Answer, AnswerWire>,
  run: (request: Request) => Effect.Effect<Answer, Refusal>,
): Handler => {
  const read = reading(request)
  const encode = Schema.encode(answer)
  return {
    name,
    answer: (given) =>
      Either.match(read(given), {
        onLeft: Effect.fail,
        onRight: (known) =>
          run(known).pipe(
            Effect.tapError((error) =>
              error._tag === "StorageError"
                ? Effect.logWarning("The store failed an operation", error)
                : Effect.void,
            ),
            Effect.mapError(explain),
            Effect.flatMap((made) => Effect.orDie(encode(made))),
          ),
      }).pipe(
        Effect.catchAllDefect((defect) =>
          Effect.zipRight(
            Effect.logError("An operation crashed", Cause.die(defect)),
            Effect.fail(
              refused("internal_error", "The operation failed inside Earmark; the log has the cause."),
            ),
          ),
        ),
      ),
  }
}

const MOST_FINDINGS = 1000

const makeHandlers = Effect.gen(function* () {
  const customers = yield* Customers
  const keys = yield* Keys
  const desk = yield* CreditDesk
  const purchases = yield* Purchases
  const ledger = yield* Ledger
  const queue = yield* JobQueue
  const links = yield* AccountLinks
  const apps = yield* GrantedApps
  const records = yield* OAuthRecords

  const signInLink = (account: AccountId) =>
    Effect.provideService(makeSignInLink(account, { isOperator: true }), OAuthRecords, records)

  const page = (given: { readonly limit: number; readonly cursor?: string | undefined }): PageQuery => ({
    limit: given.limit,
    cursor: given.cursor,
    order: "desc",
  })

  const listAccounts = Effect.fnUntraced(function* (given: {
    readonly limit: number
    readonly cursor?: string | undefined
  }) {
    const before =
      given.cursor === undefined
        ? null
        : yield* customers
            .get(given.cursor)
            .pipe(
              Effect.catchTag("AccountNotFound", () =>
                Effect.fail(refused("cursor_invalid", "The cursor is not the id of an account.")),
              ),
            )
    const after =
      before === null ? null : { createdAt: DateTime.toEpochMillis(before.createdAt), id: before.id }
    const { items, next } = yield* customers.list({ limit: given.limit, after })
    return { data: items, hasMore: next !== null, nextCursor: next === null ? null : next.id }
  })

  const grant = Effect.fnUntraced(function* (given: typeof operations.grantCredits.request.Type) {
    const { id } = yield* customers.get(given.account)
    const reference = given.reference ?? (yield* newUuid)
    const asPurchase = given.purchase === true
    const { added } = yield* desk.grant(id, { credits: given.minutes, reference, asPurchase })
    return { ...(yield* desk.get(id)), reference, added }
  })

  const retryDeadJob = Effect.fnUntraced(function* ({ id }: { readonly id: string }) {
    const job = Option.getRight(parseId(JobId)(id))
    if (Option.isNone(job) || !(yield* queue.requeueDead(job.value))) {
      return yield* refused(
        "job_not_dead",
        `No dead entry has the id ${id.slice(0, 64)}: earmark jobs dead lists them.`,
      )
    }
    return { id, requeued: true as const }
  })

  const revokeGrant = Effect.fnUntraced(function* (given: { readonly account: string; readonly id: string }) {
    const { id } = yield* customers.get(given.account)
    yield* apps.revoke(id, given.id)
    return { id: given.id, revoked: true as const }
  })

  const linkAccount = Effect.fnUntraced(function* (given: typeof operations.linkAccount.request.Type) {
    const { id } = yield* customers.get(given.account)
    const linked = yield* links.link(given, id)
    return linked === id
      ? { account: linked, issuer: given.issuer, subject: given.subject }
      : yield* refused("already_linked", `They have the account ${linked} already: unlink them first.`)
  })

  const unlinkAccount = Effect.fnUntraced(function* ({
    issuer,
    subject,
  }: typeof operations.unlinkAccount.request.Type) {
    const account = yield* links.find({ issuer, subject })
    const unlinked = yield* links.unlink({ issuer, subject })
    if (account !== null) yield* Effect.provideService(endAppSignIns(account), OAuthRecords, records)
    return { issuer, subject, unlinked }
  })

  /** Only an operator who forgot an account makes a second one; people who sign in are told apart by issuer and subject. */
  const createAccount = Effect.fnUntraced(function* ({
    name,
    email,
  }: typeof operations.createAccount.request.Type) {
    const known = email === undefined ? null : yield* customers.findByEmail(email)
    if (known !== null)
      return yield* refused(
        "email_taken",
        `The account ${known.id} has the email address "${email}" already.`,
      )
    return yield* customers.create({ name: name ?? email ?? "", email })
  })

  /** Those that are not named stay as they are. */
  const setLimits = Effect.fnUntraced(function* (given: typeof operations.setLimits.request.Type) {
    const { id, limits } = yield* customers.get(given.account)
    const kept = (named: number | null | undefined, before: number | null) =>
      named === undefined ? before : named
    return yield* customers.setLimits(id, {
      maxMediaMinutes: kept(given.media_minutes, limits.maxMediaMinutes),
      maxUploadBytes: kept(given.upload_bytes, limits.maxUploadBytes),
      maxWaitingJobs: kept(given.waiting_jobs, limits.maxWaitingJobs),
    })
  })

  const handlers: Readonly<Record<keyof typeof operations, Handler>> = {
    createAccount: handler(operations.createAccount, createAccount),
    listAccounts: handler(operations.listAccounts, listAccounts),
    showAccount: handler(operations.showAccount, ({ account }) =>
      Effect.gen(function* () {
        const found = yield* customers.get(account)
        return { ...found, credits: yield* desk.get(found.id) }
      }),
    ),
    renameAccount: handler(operations.renameAccount, ({ account, name }) => customers.rename(account, name)),
    setLimits: handler(operations.setLimits, setLimits),
    listGrants: handler(operations.listGrants, (request) =>
      Effect.flatMap(customers.get(request.account), ({ id }) => apps.list(id, page(request))),
    ),
    revokeGrant: handler(operations.revokeGrant, revokeGrant),
    linkAccount: handler(operations.linkAccount, linkAccount),
    unlinkAccount: handler(operations.unlinkAccount, unlinkAccount),
    makeSignInLink: handler(operations.makeSignInLink, ({ account }) =>
      Effect.gen(function* () {
        const { items } = yield* customers.list({ limit: 1, after: null, order: "asc" })
        const named = account ?? items[0]?.id
        if (named === undefined)
          return yield* refused(
            "account_not_found",
            "No accounts yet. Create one with earmark accounts create.",
          )
        const { id } = yield* customers.get(named)
        return { account: id, link: yield* signInLink(id) }
      }),
    ),
    createKey: handler(operations.createKey, ({ account, test, ...request }) =>
      Effect.gen(function* () {
        const { id } = yield* customers.get(account)
        const { expiresAt } = request
        if (expiresAt !== undefined && DateTime.lessThanOrEqualTo(expiresAt, yield* DateTime.now))
          return yield* refused("invalid_request", "expires_at has passed already.")
        return yield* keys.create(id, request, test === true ? "test" : "live")
      }),
    ),
    listKeys: handler(operations.listKeys, (request) =>
      Effect.gen(function* () {
        const { id } = yield* customers.get(request.account)
        return yield* keys.list(id, page(request))
      }),
    ),
    updateKey: handler(operations.updateKey, ({ account, id, ...patch }) =>
      Effect.flatMap(customers.get(account), (found) => keys.update(found.id, id, patch)),
    ),
    revokeKey: handler(operations.revokeKey, ({ account, id }) =>
      Effect.flatMap(customers.get(account), (found) => keys.revoke(found.id, id)),
    ),
    grantCredits: handler(operations.grantCredits, grant),
    showCredits: handler(operations.showCredits, ({ account }) =>
      Effect.flatMap(customers.get(account), ({ id }) => desk.get(id)),
    ),
    listEntries: handler(operations.listEntries, (request) =>
      Effect.gen(function* () {
        const { id } = yield* customers.get(request.account)
        const { from, to, kind } = request
        return yield* desk.entries(id, { ...page(request), from, to, kind })
      }),
    ),
    listPurchases: handler(operations.listPurchases, ({ account, open, limit, cursor }) =>
      Effect.gen(function* () {
        const of = account === undefined ? undefined : (yield* customers.get(account)).id
        return yield* purchases.listAll({ account: of, isOpen: open, limit, cursor })
      }),
    ),
    confirmPurchase: handler(operations.confirmPurchase, ({ id }) => purchases.confirm(id)),
    dismissPurchase: handler(operations.dismissPurchase, ({ id }) => purchases.dismiss(id)),
    verifyCredits: handler(operations.verifyCredits, () =>
      Effect.map(ledger.verify, (found) => ({
        ok: found.length === 0,
        total: found.length,
        findings: found.slice(0, MOST_FINDINGS),
      })),
    ),
    deadJobs: handler(operations.deadJobs, ({ limit }) =>
      Effect.map(queue.dead(limit + 1), (found) => ({
        data: found.slice(0, limit).map(({ job, ...entry }) => ({ id: job, ...entry })),
        hasMore: found.length > limit,
      })),
    ),
    retryDeadJob: handler(operations.retryDeadJob, retryDeadJob),
  }
  return Object.values(handlers)
})
