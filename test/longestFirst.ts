import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Files that take a quarter of a minute and more, the longest first. Begun last, one of them would keep a single core busy at the end. */
const LONG = [
  "e2e/benches",
  "http/statements",
  "console/routes",
  "e2e/library",
  "e2e/hearing",
  "console/drafts-slow",
  "sql/test/kills",
  "sql/test/contracts.pgliteFile",
  "e2e/examples",
  "http/events",
  "console/player-links",
  "administration/backup",
  "e2e/transcribeStopped",
  "http/rolling",
  "attack/planted-transcripts",
  "e2e/doubts",
  "http/roles",
  "e2e/transcribeBatch",
  "console/sound",
  "administration/embedded",
  "e2e/remote",
  "e2e/remoteFeeds",
  "e2e/transcribeFeeds",
  "attack/hostile-publishers",
  "attack/secrets-in-logs",
  "attack/hostile-addresses",
  "e2e/transcribeResults",
  "e2e/remoteLogin",
  "e2e/transcribe",
  "e2e/channels",
  "console/player",
  "e2e/commandLine",
  "e2e/feed",
  "sql/test/pglite",
  "http/openAiClients",
  "http/stoppedHearing",
  "e2e/utterances",
  "administration/shared",
  "http/wire",
  "sql/test/contracts.postgres",
]

const rank = ({ moduleId }: TestSpecification): number => {
  const index = LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return index === -1 ? LONG.length : index
}

/** The order of files: long ones first, the rest as Vitest would. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return (await super.sort(files)).toSorted((left, right) => rank(left) - rank(right))
  }
}
