import type { RedisUrlInvalid } from "@earmark/redis"
import { type AdministrationCode, AdministrationRefused, type StorageError } from "@earmark/service"
import { DatabaseFailure, type DatabaseUnfit, type EmbeddedRefused, type StoreInUse } from "@earmark/sql"
import { ConfigError } from "effect"
import type { DataFolderUnfit } from "./parts/dataFolder.js"
import type { SecretsKeyRefused } from "./parts/secretsKey.js"
import type { SettingsInvalid } from "./settings/Settings.js"

/** Why a store could not be opened, or what is beside it not be made. */
export type StartFailure =
  | AdministrationRefused
  | ConfigError.ConfigError
  | DatabaseUnfit
  | DataFolderUnfit
  | EmbeddedRefused
  | RedisUrlInvalid
  | SecretsKeyRefused
  | SettingsInvalid
  | StorageError
  | StoreInUse

const CODES = {
  DatabaseUnfit: "unavailable",
  DataFolderUnfit: "unavailable",
  EmbeddedRefused: "unavailable",
  RedisUrlInvalid: "unavailable",
  SecretsKeyRefused: "unavailable",
  SettingsInvalid: "unavailable",
  StoreInUse: "store_in_use",
} as const satisfies Readonly<Record<string, AdministrationCode>>

const storageSentence = ({ cause }: StorageError): string => {
  const code = cause instanceof DatabaseFailure ? ` (${cause.code})` : ""
  return `The database cannot be used${code}. Look whether it runs, and whether EARMARK_DATABASE_URL and its role are right.`
}

const ANOTHER_DATABASE: ReadonlyArray<EmbeddedRefused["reason"]> = ["elsewhere", "missing", "programs"]

/** What happened, and the setting that cures it. */
const sentenceOf = (
  failure: Exclude<StartFailure, AdministrationRefused | ConfigError.ConfigError | StorageError>,
): string =>
  failure._tag === "EmbeddedRefused" && ANOTHER_DATABASE.includes(failure.reason)
    ? `${failure.message} EARMARK_DATABASE_URL names a database server.`
    : failure.message

/** A failed start as operators are told of it. */
export const explainStart = (failure: StartFailure): AdministrationRefused => {
  if (failure._tag === "AdministrationRefused") return failure
  if (ConfigError.isConfigError(failure)) {
    const message = `The settings cannot be read: ${String(failure)}`
    return new AdministrationRefused({ code: "unavailable", message })
  }
  if (failure._tag === "StorageError") {
    return new AdministrationRefused({ code: "unavailable", message: storageSentence(failure) })
  }
  return new AdministrationRefused({ code: CODES[failure._tag], message: sentenceOf(failure) })
}
