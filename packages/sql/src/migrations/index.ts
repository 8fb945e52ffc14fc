import { createHash } from "node:crypto"
import * as tables from "./m0001_tables.js"
import * as functions from "./m0002_functions.js"
import * as rowSecurity from "./m0003_rowSecurity.js"
import * as dispatch from "./m0004_dispatch.js"
import * as oauth from "./m0005_oauth.js"
import * as payments from "./m0006_payments.js"
import * as purchaseLooks from "./m0007_purchaseLooks.js"
import * as failureDetail from "./m0008_failureDetail.js"
import * as secretsKey from "./m0009_secretsKey.js"
import * as uploadNames from "./m0010_uploadNames.js"
import * as wordTiming from "./m0011_wordTiming.js"
import * as nothingDispatched from "./m0012_nothingDispatched.js"
import * as search from "./m0014_search.js"
import * as publications from "./m0016_publications.js"
import * as edits from "./m0017_edits.js"
import * as searchPlaces from "./m0019_searchPlaces.js"
import * as batchList from "./m0020_batchList.js"
import * as extras from "./m0021_extras.js"
import * as endedJobs from "./m0022_endedJobs.js"
import * as keyLimits from "./m0023_keyLimits.js"
import * as tenantEstimate from "./m0024_tenantEstimate.js"
import * as linesAsText from "./m0025_linesAsText.js"
import * as searchSlices from "./m0026_searchSlices.js"
import * as publishedJobs from "./m0027_publishedJobs.js"
import * as bothFolds from "./m0028_bothFolds.js"
import * as canceledPurchases from "./m0029_canceledPurchases.js"
import * as removedMinutes from "./m0030_removedMinutes.js"
import * as usageCredits from "./m0031_usageCredits.js"
import * as jobById from "./m0032_jobById.js"
import * as owedExpiry from "./m0033_owedExpiry.js"

export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
}

/** Every step from an empty database to today's, in order. A step that was released never changes. */
export const migrations: ReadonlyArray<Migration> = [
  { number: 1, name: "tables", sql: tables.sql },
  { number: 2, name: "functions", sql: functions.sql },
  { number: 3, name: "row security", sql: rowSecurity.sql },
  { number: 4, name: "dispatch", sql: dispatch.sql },
  { number: 5, name: "oauth", sql: oauth.sql },
  { number: 6, name: "payments", sql: payments.sql },
  { number: 7, name: "purchase looks", sql: purchaseLooks.sql },
  { number: 8, name: "failure detail", sql: failureDetail.sql },
  { number: 9, name: "secrets key", sql: secretsKey.sql },
  { number: 10, name: "upload names", sql: uploadNames.sql },
  { number: 11, name: "word timing", sql: wordTiming.sql },
  { number: 12, name: "nothing dispatched", sql: nothingDispatched.sql },
  { number: 14, name: "search", sql: search.sql },
  { number: 16, name: "publications", sql: publications.sql },
  { number: 17, name: "edits", sql: edits.sql },
  { number: 19, name: "search places", sql: searchPlaces.sql },
  { number: 20, name: "batch list", sql: batchList.sql },
  { number: 21, name: "extras", sql: extras.sql },
  { number: 22, name: "ended jobs", sql: endedJobs.sql },
  { number: 23, name: "key limits", sql: keyLimits.sql },
  { number: 24, name: "tenant estimate", sql: tenantEstimate.sql },
  { number: 25, name: "lines as text", sql: linesAsText.sql },
  { number: 26, name: "search slices", sql: searchSlices.sql },
  { number: 27, name: "published jobs", sql: publishedJobs.sql },
  { number: 28, name: "both folds", sql: bothFolds.sql },
  { number: 29, name: "canceled purchases", sql: canceledPurchases.sql },
  { number: 30, name: "removed minutes", sql: removedMinutes.sql },
  { number: 31, name: "usage credits", sql: usageCredits.sql },
  { number: 32, name: "job by id", sql: jobById.sql },
  { number: 33, name: "owed expiry", sql: owedExpiry.sql },
]

/** What a migration is known by, once it was applied somewhere. */
export const checksumOf = (migration: Migration): string =>
  createHash("sha256").update(migration.sql).digest("hex").slice(0, 16)
