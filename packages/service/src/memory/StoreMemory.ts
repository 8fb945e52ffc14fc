import { Layer } from "effect"
import { JobNews } from "../ports/JobNews.js"
import * as AccountLinksMemory from "./AccountLinksMemory.js"
import * as AccountsMemory from "./AccountsMemory.js"
import * as ApiKeysMemory from "./ApiKeysMemory.js"
import * as EditStoreMemory from "./EditStoreMemory.js"
import * as ExtraStoreMemory from "./ExtraStoreMemory.js"
import * as FiguresMemory from "./FiguresMemory.js"
import * as IdempotencyMemory from "./IdempotencyMemory.js"
import * as JobQueueMemory from "./JobQueueMemory.js"
import * as JobStoreMemory from "./JobStoreMemory.js"
import * as LedgerMemory from "./LedgerMemory.js"
import { MemoryDatabase } from "./MemoryDatabase.js"
import * as OAuthRecordsMemory from "./OAuthRecordsMemory.js"
import * as ObjectStoreMemory from "./ObjectStoreMemory.js"
import * as PaymentStoreMemory from "./PaymentStoreMemory.js"
import * as PublicationStoreMemory from "./PublicationStoreMemory.js"
import * as RateLimiterMemory from "./RateLimiterMemory.js"
import * as StoreKeyMemory from "./StoreKeyMemory.js"
import * as UploadStoreMemory from "./UploadStoreMemory.js"
import * as WebhookStoreMemory from "./WebhookStoreMemory.js"

/** The stores that share a database. */
export const stores = Layer.mergeAll(
  AccountLinksMemory.layer,
  AccountsMemory.layer,
  ApiKeysMemory.layer,
  FiguresMemory.layer,
  IdempotencyMemory.layer,
  JobQueueMemory.layer,
  JobStoreMemory.layer,
  LedgerMemory.layer,
  OAuthRecordsMemory.layer,
  PaymentStoreMemory.layer,
  EditStoreMemory.layer,
  ExtraStoreMemory.layer,
  PublicationStoreMemory.layer,
  StoreKeyMemory.layer,
  UploadStoreMemory.layer,
  WebhookStoreMemory.layer,
)

/** Every store over one database in memory. The reference of all other layers; nothing survives the process. */
export const layer = stores.pipe(
  Layer.provide(MemoryDatabase.layer),
  Layer.merge(ObjectStoreMemory.layer),
  Layer.merge(RateLimiterMemory.layer),
  Layer.merge(JobNews.layer),
)
