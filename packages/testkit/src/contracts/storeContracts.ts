import { accountsCases, apiKeysCases as bearerCases, idempotencyCases } from "./accountCases.js"
import { type Backend, runCases, type StoreCase, type Stores } from "./Case.js"
import { deliveryCases } from "./deliveryCases.js"
import { editCases } from "./editCases.js"
import { endpointCases } from "./endpointCases.js"
import { extraCases } from "./extraCases.js"
import { figureCases } from "./figureCases.js"
import { historyCases } from "./historyCases.js"
import { jobQueueContract, jobStoreContract } from "./jobContracts.js"
import { keyLimitCases } from "./keyLimitCases.js"
import { ledgerCases as creditCases } from "./ledgerCases.js"
import { accountLinkCases, oauthRecordCases } from "./oauthCases.js"
import { keyOrderCases, ledgerOrderCases, purchaseOrderCases, webhookOrderCases } from "./orderCases.js"
import { paymentCases as moneyCases } from "./paymentCases.js"
import { publicationCases } from "./publicationCases.js"
import { redeliveryCases } from "./redeliveryCases.js"
import { reloadCases } from "./reloadCases.js"
import { storeKeyCases } from "./storeKeyCases.js"
import { uploadStoreCases } from "./uploadCases.js"

export const webhookStoreCases: ReadonlyArray<StoreCase> = [
  ...endpointCases,
  ...deliveryCases,
  ...redeliveryCases,
  ...webhookOrderCases,
]

export const ledgerCases: ReadonlyArray<StoreCase> = [...creditCases, ...reloadCases, ...ledgerOrderCases]

export const apiKeysCases: ReadonlyArray<StoreCase> = [...bearerCases, ...keyOrderCases, ...keyLimitCases]

export const paymentCases: ReadonlyArray<StoreCase> = [...moneyCases, ...purchaseOrderCases]

type Contract = <Own, E>(name: string, backend: Backend<Stores, Own, E>) => void

const contract =
  (port: string, cases: ReadonlyArray<StoreCase>): Contract =>
  (name, backend) =>
    runCases(`${port}: ${name}`, backend, cases)

export const ledgerContract: Contract = contract("Ledger", ledgerCases)
export const webhookStoreContract: Contract = contract("WebhookStore", webhookStoreCases)
export const accountsContract: Contract = contract("Accounts", accountsCases)
export const apiKeysContract: Contract = contract("ApiKeys", apiKeysCases)
export const idempotencyContract: Contract = contract("Idempotency", idempotencyCases)
export const oauthRecordsContract: Contract = contract("OAuthRecords", oauthRecordCases)
export const accountLinksContract: Contract = contract("AccountLinks", accountLinkCases)
/** Laws that hold over all stores together, in random histories. */
export const historyContract: Contract = contract("Histories", historyCases)
const figuresContract: Contract = contract("Figures", figureCases)
export const paymentStoreContract: Contract = contract("PaymentStore", paymentCases)
const editStoreContract: Contract = contract("EditStore", editCases)
const extraStoreContract: Contract = contract("ExtraStore", extraCases)
const publicationStoreContract: Contract = contract("PublicationStore", publicationCases)
const storeKeyContract: Contract = contract("StoreKey", storeKeyCases)
export const uploadStoreContract: Contract = contract("UploadStore", uploadStoreCases)

/** The suites of all ports that one database implements together. */
export const storeContracts: Contract = (name, backend) => {
  jobStoreContract(name, backend)
  jobQueueContract(name, backend)
  ledgerContract(name, backend)
  webhookStoreContract(name, backend)
  accountsContract(name, backend)
  apiKeysContract(name, backend)
  idempotencyContract(name, backend)
  figuresContract(name, backend)
  paymentStoreContract(name, backend)
  uploadStoreContract(name, backend)
  oauthRecordsContract(name, backend)
  accountLinksContract(name, backend)
  editStoreContract(name, backend)
  extraStoreContract(name, backend)
  publicationStoreContract(name, backend)
  storeKeyContract(name, backend)
  historyContract(name, backend)
}
