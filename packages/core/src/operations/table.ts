import { account } from "./account.js"
import { credits } from "./credits.js"
import { grants } from "./grants.js"
import { keys } from "./keys.js"
import { ofAll } from "./ofAll.js"
import { podcasts } from "./podcasts.js"
import { transcriptions } from "./transcriptions.js"
import { transcripts } from "./transcripts.js"
import { uploads } from "./uploads.js"
import { webhooks } from "./webhooks.js"

/** Every operation of an account, by its name. Routes, clients, documents and tools are made of this. */
export const operations = {
  ...transcriptions,
  ...transcripts,
  ...ofAll,
  ...podcasts,
  ...uploads,
  ...webhooks,
  ...credits,
  ...keys,
  ...grants,
  ...account,
}

/** The name of an operation everywhere: that of its group, a dot, and its own. */
export type OperationId = keyof typeof operations

/** The operation of a name. */
export type OperationOf<Id extends OperationId> = (typeof operations)[Id]

/** The groups of operations. */
export type OperationGroup = OperationId extends `${infer Group}.${string}` ? Group : never

/** The names of the operations of a group, without that of the group. */
export type OperationName<
  Group extends OperationGroup,
  Ids extends OperationId = OperationId,
> = Ids extends `${Group}.${infer Name}` ? Name : never

/** The operations that answer with JSON or nothing, and not with a file or a stream of events. */
export type JsonOperationId = {
  [Id in OperationId]: OperationOf<Id> extends { readonly form: string } ? never : Id
}[OperationId]
