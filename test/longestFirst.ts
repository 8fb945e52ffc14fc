import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Files that take a quarter of a minute and more, the longest first. Begun last, one of them would keep a single core busy at the end. */
const LONG = [
  "e2e/benches",
  "e2e/transcribe",
  "e2e/transcribeResults",
  "e2e/library",
  "sql/test/contracts.pgliteFile",
  "http/statements",
  "console/routes",
  "e2e/hearing",
  "sql/test/kills",
  "e2e/transcribeBatch",
  "http/events",
  "e2e/channels",
  "attack/planted-transcripts",
  "e2e/remote",
  "e2e/commandLine",
  "e2e/transcribeFeeds",
  "http/rolling",
  "e2e/transcribeStopped",
  "http/roles",
  "e2e/feed",
  "administration/backup",
  "attack/secrets-in-logs",
  "e2e/doubts",
  "attack/hostile-publishers",
  "administration/embedded",
  "e2e/examples",
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
