/** What an operator can do, as data: every way in (a command, your own program) uses these and adds no rule. */
import {
  Account,
  ApiKey,
  ApiKeyWithValue,
  CreateKey,
  Credits,
  EntriesQuery,
  GrantedApp,
  listOf,
  OperatorEntry,
  OperatorPurchase,
  PageQuery,
  PatchKey,
  Scope,
} from "@earmark/core/wire"
import { ParseResult, Schema } from "effect"

/**
 * What an operation changes: nothing, something that can be taken back, or something final: money, access, and what cannot be undone.
 * What makes somebody an operator is `local`: for who owns the data folder, and never in a browser.
 */
export type Change = "none" | "undoable" | "final" | "local"

/** A name, what it changes, and the shapes of request and answer. */
export interface Operation<Request, RequestWire, Answer, AnswerWire> {
  readonly name: string
  readonly change: Change
  readonly request: Schema.Schema<Request, RequestWire>
  readonly answer: Schema.Schema<Answer, AnswerWire>
}

const operation = <Request, RequestWire, Answer, AnswerWire>(
  name: string,
  change: Change,
  request: Schema.Schema<Request, RequestWire>,
  answer: Schema.Schema<Answer, AnswerWire>,
): Operation<Request, RequestWire, Answer, AnswerWire> => ({ name, change, request, answer })

export const described = (pattern: RegExp, description: string) =>
  Schema.String.pipe(Schema.pattern(pattern, { description }))

export const optional = <Type, Wire>(schema: Schema.Schema<Type, Wire>) =>
  Schema.optionalWith(schema, { nullable: true })

export const Name = described(/^(?=.*\S)[^\p{Cc}]{1,100}$/u, "a text of 1 to 100 characters on one line")

export const Email = described(/^(?=.{3,254}$)[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u, "an email address")

const Reference = described(/^[\x21-\x7e]{1,200}$/, "1 to 200 visible ASCII characters")

const MOST_MINUTES = 10_000_000

export const Minutes = Schema.Int.annotations({ description: "a whole number" }).pipe(
  Schema.filter(
    (minutes) =>
      (minutes !== 0 && Math.abs(minutes) <= MOST_MINUTES) ||
      `${minutes} cannot be: give a whole number from 1 to ${MOST_MINUTES}, or one below 0 to take away`,
  ),
)

/** Scopes with commas between; every scope when none are named. */
const Scopes = Schema.transform(Schema.String, Schema.NonEmptyArray(Scope), {
  strict: false,
  decode: (text) => text.split(",").map((scope) => scope.trim()),
  encode: (scopes) => scopes.join(","),
})

/** Yes or no; as text in an address. */
const Flag = Schema.Union(Schema.Boolean, Schema.BooleanFromString)

/** Whose account: any text, since one that is no id is that of no account. */
const account = Schema.String

const ofAccount = Schema.Struct({ account })

const pageOfAccount = Schema.Struct({
  account,
  limit: PageQuery.fields.limit,
  cursor: PageQuery.fields.cursor,
})

const DeadJob = Schema.Struct({
  id: Schema.String,
  account: Schema.String,
  attempts: Schema.Int,
  reason: Schema.String,
})

const MOST_OF_A_LIMIT = 1_000_000_000_000

/** A limit as it is typed; none leaves it to the settings of the service. */
const Limit = Schema.transformOrFail(Schema.String, Schema.NullOr(Schema.Int), {
  strict: true,
  decode: (text, _options, ast) => {
    if (text === "none") return ParseResult.succeed(null)
    const number = /^\d{1,13}$/.test(text) ? Number(text) : 0
    return number >= 1 && number <= MOST_OF_A_LIMIT
      ? ParseResult.succeed(number)
      : ParseResult.fail(
          new ParseResult.Type(ast, text, `Expected a whole number from 1 to ${MOST_OF_A_LIMIT}, or none`),
        )
  },
  encode: (limit) => ParseResult.succeed(limit === null ? "none" : String(limit)),
})

/** A number of the ledger that is not what its entries and holds say. */
const Finding = Schema.Struct({
  kind: Schema.String,
  subject: Schema.String,
  expected: Schema.Number,
  actual: Schema.Number,
})

const Issuer = described(/^https?:\/\/\S{1,2000}$/, "the address of an issuer, as its tokens have it")

const SubjectText = described(/^[^\p{Cc}]{1,255}$/u, "the subject of somebody there, of 1 to 255 characters")

/** Every operation there is. */
export const operations = {
  createAccount: operation(
    "accounts.create",
    "final",
    Schema.Struct({ name: optional(Name), email: optional(Email) }).pipe(
      Schema.filter(({ name, email }) =>
        name === undefined && email === undefined
          ? { path: ["name"], message: "a name or an email address is needed" }
          : undefined,
      ),
    ),
    Account,
  ),
  listAccounts: operation(
    "accounts.list",
    "none",
    Schema.Struct({ limit: PageQuery.fields.limit, cursor: PageQuery.fields.cursor }),
    listOf(Account),
  ),
  showAccount: operation(
    "accounts.show",
    "none",
    ofAccount,
    Schema.Struct({ ...Account.fields, credits: Credits }),
  ),
  renameAccount: operation("accounts.rename", "undoable", Schema.Struct({ account, name: Name }), Account),
  setLimits: operation(
    "accounts.limits",
    "undoable",
    Schema.Struct({
      account,
      media_minutes: Schema.optional(Limit),
      upload_bytes: Schema.optional(Limit),
      waiting_jobs: Schema.optional(Limit),
    }),
    Account,
  ),
  listGrants: operation("accounts.grants", "none", pageOfAccount, listOf(GrantedApp)),
  revokeGrant: operation(
    "accounts.revoke_grant",
    "final",
    Schema.Struct({ account, id: Schema.String }),
    Schema.Struct({ id: Schema.String, revoked: Schema.Literal(true) }),
  ),
  linkAccount: operation(
    "accounts.link",
    "final",
    Schema.Struct({ account, issuer: Issuer, subject: SubjectText }),
    Schema.Struct({ account, issuer: Schema.String, subject: Schema.String }),
  ),
  unlinkAccount: operation(
    "accounts.unlink",
    "final",
    Schema.Struct({ issuer: Issuer, subject: SubjectText }),
    Schema.Struct({ issuer: Schema.String, subject: Schema.String, unlinked: Schema.Boolean }),
  ),
  /** Of the first account unless one is named. The link opens one session of the operator. */
  makeSignInLink: operation(
    "console.link",
    "local",
    Schema.Struct({ account: optional(account) }),
    Schema.Struct({ account: Schema.String, link: Schema.String }),
  ),
  createKey: operation(
    "keys.create",
    "final",
    Schema.Struct({ account, ...CreateKey.fields, scopes: optional(Scopes), test: optional(Schema.Boolean) }),
    ApiKeyWithValue,
  ),
  listKeys: operation("keys.list", "none", pageOfAccount, listOf(ApiKey)),
  updateKey: operation(
    "keys.update",
    "undoable",
    Schema.Struct({ account, id: Schema.String, ...PatchKey.fields }),
    ApiKey,
  ),
  revokeKey: operation("keys.revoke", "final", Schema.Struct({ account, id: Schema.String }), ApiKey),
  grantCredits: operation(
    "credits.grant",
    "final",
    Schema.Struct({
      account,
      minutes: Minutes,
      purchase: optional(Schema.Boolean),
      reference: optional(Reference),
    }).pipe(
      Schema.filter(({ minutes, purchase }) =>
        purchase === true && minutes < 0
          ? { path: ["minutes"], message: "a purchase adds minutes, it takes none away" }
          : undefined,
      ),
    ),
    Schema.Struct({
      ...Credits.fields,
      reference: Schema.String,
      /** Whether it was counted now, not before. Absent in the answer of an older process that holds the store. */
      added: Schema.optional(Schema.Boolean),
    }),
  ),
  showCredits: operation("credits.show", "none", ofAccount, Credits),
  listEntries: operation(
    "credits.entries",
    "none",
    Schema.Struct({
      ...pageOfAccount.fields,
      from: EntriesQuery.fields.from,
      to: EntriesQuery.fields.to,
      kind: EntriesQuery.fields.kind,
    }),
    listOf(OperatorEntry),
  ),
  /** Of every account unless one is named. */
  listPurchases: operation(
    "credits.purchases",
    "none",
    Schema.Struct({ ...pageOfAccount.fields, account: optional(account), open: optional(Flag) }),
    listOf(OperatorPurchase),
  ),
  confirmPurchase: operation(
    "credits.confirm",
    "final",
    Schema.Struct({ id: Schema.String }),
    OperatorPurchase,
  ),
  dismissPurchase: operation(
    "credits.dismiss",
    "final",
    Schema.Struct({ id: Schema.String }),
    OperatorPurchase,
  ),
  verifyCredits: operation(
    "credits.verify",
    "none",
    Schema.Struct({}),
    Schema.Struct({ ok: Schema.Boolean, total: Schema.Int, findings: Schema.Array(Finding) }),
  ),
  deadJobs: operation(
    "jobs.dead",
    "none",
    Schema.Struct({ limit: PageQuery.fields.limit }),
    Schema.Struct({
      data: Schema.Array(DeadJob),
      hasMore: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("has_more")),
    }),
  ),
  retryDeadJob: operation(
    "jobs.retry",
    "undoable",
    Schema.Struct({ id: Schema.String }),
    Schema.Struct({ id: Schema.String, requeued: Schema.Literal(true) }),
  ),
}
