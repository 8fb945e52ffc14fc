import { parseSecretsKey } from "@earmark/core/signing"
import { Either, Redacted } from "effect"
import { onOrOff, secret, text, webAddress, wholeNumber } from "./kinds.js"
import { setting } from "./Setting.js"

const databaseUrl = secret("address", (given) =>
  /^postgres(ql)?:\/\/./i.test(given)
    ? Either.right(given)
    : Either.left("an address that begins with postgres://"),
)

const secretsKey = secret("32 bytes in base64", (given) =>
  Either.mapLeft(parseSecretsKey(given), () => "32 bytes in base64: make them with openssl rand -base64 32"),
)

const redisUrl = secret("address", (given) =>
  /^rediss?:\/\/./i.test(given)
    ? Either.right(given)
    : Either.left("an address that begins with redis:// or rediss://"),
)

const anySecret = secret("text", Either.right)

/** Where data is kept. */
export const storage = {
  dataDir: setting("EARMARK_DATA_DIR", {
    kind: text,
    otherwise: ".earmark",
    sentence:
      "The folder of the embedded database, uploads and the secrets key. All processes on one machine that use this folder share them.",
  }),
  library: setting("EARMARK_LIBRARY", {
    kind: onOrOff,
    otherwise: true,
    shown: "on",
    sentence:
      "Whether `earmark transcribe` and `earmark feed watch` store results in the library of this machine and reuse them. Off: as with `--no-keep`, in every run.",
  }),
  databaseUrl: setting("EARMARK_DATABASE_URL", {
    kind: databaseUrl,
    otherwise: null,
    shown: "unset",
    sentence:
      "A Postgres server, version 14 or newer. Unset: a Postgres in the data folder, which Earmark starts and stops.",
  }),
  redisUrl: setting("EARMARK_REDIS_URL", {
    kind: redisUrl,
    otherwise: null,
    shown: "unset",
    sentence:
      "A Redis server that coordinates the polling of workers and counts requests for rate limits. Unset: each worker polls by itself, and the database counts.",
  }),
  s3Url: setting("EARMARK_S3_URL", {
    kind: webAddress,
    otherwise: null,
    shown: "unset",
    sentence:
      "S3-compatible storage for uploads, such as `https://s3.eu-central-1.amazonaws.com`. Unset: the data folder.",
  }),
  s3Bucket: setting("EARMARK_S3_BUCKET", {
    kind: text,
    otherwise: "earmark",
    sentence: "The bucket of uploads.",
  }),
  s3Key: setting("EARMARK_S3_KEY", {
    kind: text,
    otherwise: "",
    shown: "unset",
    sentence: "The id of the access key of that storage.",
  }),
  s3Secret: setting("EARMARK_S3_SECRET", {
    kind: anySecret,
    otherwise: Redacted.make(""),
    shown: "unset",
    sentence: "The secret of that access key.",
  }),
  s3Region: setting("EARMARK_S3_REGION", {
    kind: text,
    otherwise: "us-east-1",
    sentence: "The region of that storage.",
  }),
  databaseConnections: setting("EARMARK_DATABASE_CONNECTIONS", {
    kind: wholeNumber(1, 1000),
    otherwise: 10,
    sentence: "Connections of one process to Postgres. Up to three more listen, notify and cancel.",
  }),
  databasePrepare: setting("EARMARK_DATABASE_PREPARE", {
    kind: onOrOff,
    otherwise: true,
    shown: "on",
    sentence:
      "Whether to use named prepared statements on Postgres. Turn it off behind a pooler in transaction mode.",
  }),
  databaseRowSecurity: setting("EARMARK_DATABASE_ROW_SECURITY", {
    kind: onOrOff,
    otherwise: false,
    shown: "off",
    sentence:
      "Whether single statements on Postgres use row security too, for two more round trips each. Transactions always do.",
  }),
  migrate: setting("EARMARK_MIGRATE", {
    kind: onOrOff,
    otherwise: true,
    shown: "on",
    sentence:
      "Whether an older Postgres database is migrated at start. Off: it is refused until you run `earmark migrate`.",
  }),
  secretsKey: setting("EARMARK_SECRETS_KEY", {
    kind: secretsKey,
    otherwise: null,
    shown: "a file in the data folder",
    sentence:
      "The key that encrypts webhook secrets and hashes API keys. Required with `EARMARK_DATABASE_URL`; the same in every process.",
  }),
}
