/** What can be done with an account: each is one operation, with the fields that it asks for. */
import { operating } from "../../words/operating.js"
import type { Acting } from "./ActDialog.js"
import type { OperatedAccount } from "./data.js"

const text = operating.account

/** What these operations answer, as far as it is shown. */
export interface Answer {
  readonly available?: number
  readonly added?: boolean
  readonly unlinked?: boolean
  readonly issuer?: string
  readonly subject?: string
}

export type Doing = Omit<Acting<Answer>, "onDone"> & { readonly says?: (answer: Answer) => string }

const limitText = (limit: number | null): string => (limit === null ? operating.none : String(limit))

const ISSUER = { name: "issuer", label: text.issuer, help: text.issuerHelp, isRequired: true } as const
const SUBJECT = { name: "subject", label: text.subject, help: text.subjectHelp, isRequired: true } as const

export const doings = ({ id, name, limits }: OperatedAccount): ReadonlyArray<Doing> => [
  {
    title: text.grant,
    text: text.grantText,
    operation: "credits.grant",
    known: { account: id },
    fields: [
      { name: "minutes", label: text.minutes, type: "number", isRequired: true },
      { name: "purchase", label: text.purchase, help: text.purchaseHelp, type: "checkbox" },
      // One that is sent twice counts once.
      { name: "reference", label: text.reference, help: text.referenceHelp, initial: crypto.randomUUID() },
    ],
    says: ({ available = 0, added }) =>
      added === false ? text.grantedBefore(available) : text.granted(available),
  },
  {
    title: text.rename,
    text: text.renameText,
    operation: "accounts.rename",
    known: { account: id },
    fields: [{ name: "name", label: operating.accounts.name, initial: name, isRequired: true }],
  },
  {
    title: text.setLimits,
    text: text.limitsText,
    operation: "accounts.limits",
    known: { account: id },
    fields: [
      {
        name: "media_minutes",
        label: text.fields.media_minutes,
        initial: limitText(limits.max_media_minutes),
      },
      { name: "upload_bytes", label: text.fields.upload_bytes, initial: limitText(limits.max_upload_bytes) },
      { name: "waiting_jobs", label: text.fields.waiting_jobs, initial: limitText(limits.max_waiting_jobs) },
    ],
  },
  {
    title: text.link,
    text: text.linkText,
    operation: "accounts.link",
    known: { account: id },
    fields: [ISSUER, SUBJECT],
    says: ({ subject = "", issuer = "" }) => text.linked(subject, issuer),
  },
  {
    title: text.unlink,
    text: text.unlinkText,
    operation: "accounts.unlink",
    fields: [ISSUER, SUBJECT],
    isDanger: true,
    says: ({ subject = "", issuer = "", unlinked = false }) => text.unlinked(subject, issuer, unlinked),
  },
]

/** Takes the access of an app away. */
export const revoking = (account: string, id: string, name: string): Doing => ({
  title: text.revokeLabel(name),
  text: text.revokeAppText,
  operation: "accounts.revoke_grant",
  known: { account, id },
  fields: [],
  isDanger: true,
})
