/** The lines of the account; the address says which. */

import type { CreditsEntriesQuery, LedgerEntry } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { resource } from "../../cache.js"
import { entries } from "../../data.js"
import { numberOf } from "../../format.js"
import { isOfCredits } from "../../live.js"
import { Link, query, setQuery } from "../../router.js"
import { earmark, may } from "../../session.js"
import { Ago } from "../../widgets/Ago.js"
import { Button } from "../../widgets/Button.js"
import { csvOf } from "../../widgets/csv.js"
import { type Column, DataTable } from "../../widgets/DataTable.js"
import { Dates, dayIn, spanOf } from "../../widgets/Dates.js"
import { useWork } from "../../widgets/Dialog.js"
import { SelectField } from "../../widgets/Field.js"
import { More } from "../../widgets/More.js"
import { Empty, Failure, LoadedView } from "../../widgets/States.js"
import { saveFile } from "../../widgets/saveFile.js"
import { titleOf } from "../../widgets/titleOf.js"
import { building } from "../../words/building.js"

const text = building.billing
const KINDS = ["signup", "purchase", "reload", "settlement", "refund", "adjustment"] as const

const signed = (amount: number): string => (amount > 0 ? `+${numberOf(amount)}` : numberOf(amount))

const MOST = 100

/** The titles of the newest transcripts up to a time: an entry is written after its transcript was asked for. */
const titles = resource(async (until: string | null): Promise<ReadonlyMap<string, string>> => {
  if (until === null || !may("transcriptions:read")) return new Map()
  const { data } = await earmark.transcriptions.list({ limit: MOST, created_before: until })
  return new Map(data.map((each) => [each.id, titleOf(each)]))
})

/** Every entry that is asked for, and the titles of their transcripts that are still there. */
const readAll = async (wanted: CreditsEntriesQuery) => {
  const found: Array<LedgerEntry> = []
  for await (const entry of earmark.credits.entries({ ...wanted, limit: MOST })) found.push(entry)
  const unnamed = new Set(found.flatMap(({ transcription_id }) => transcription_id ?? []))
  const named = new Map<string, string>()
  const [newest] = found
  if (newest === undefined || unnamed.size === 0 || !may("transcriptions:read")) return { found, named }
  const until = { limit: MOST, created_before: newest.created_at }
  for await (const each of earmark.transcriptions.list(until)) {
    if (unnamed.delete(each.id)) named.set(each.id, titleOf(each))
    if (unnamed.size === 0) break
  }
  return { found, named }
}

const fileOf = ({ found, named }: Awaited<ReturnType<typeof readAll>>): string =>
  csvOf(
    ["time", "kind", "credits", "transcription_id", "title"],
    found.map(({ created_at, kind, amount, transcription_id: id }) => [
      created_at,
      kind,
      amount,
      id ?? "",
      named.get(id ?? "") ?? "",
    ]),
  )

const Download = ({ wanted }: { readonly wanted: CreditsEntriesQuery }) => {
  const work = useWork()
  const download = () =>
    work.run(async () => {
      const day = new Date().toISOString().slice(0, 10)
      saveFile(fileOf(await readAll(wanted)), `earmark-ledger-${day}.csv`, "text/csv")
    })
  return (
    <>
      <Button icon="download" isBusy={work.isBusy} onClick={() => void download()}>
        {building.usage.csv}
      </Button>
      {work.error !== undefined && <Failure text={work.error} />}
    </>
  )
}

const columnsFor = (named: ReadonlyMap<string, string>): ReadonlyArray<Column<LedgerEntry>> => [
  { head: text.columns.time, cell: ({ created_at }) => <Ago of={created_at} /> },
  { head: text.columns.kind, cell: ({ kind }) => text.kinds[kind] },
  {
    head: text.columns.transcript,
    cell: ({ transcription_id }) =>
      transcription_id !== null && (
        <Link to="transcript" params={{ id: transcription_id }}>
          {named.has(transcription_id) ? (
            <bdi>{named.get(transcription_id)}</bdi>
          ) : (
            <code>{transcription_id}</code>
          )}
        </Link>
      ),
  },
  {
    head: text.columns.amount,
    isNumber: true,
    cell: ({ amount }) => <span class={amount > 0 ? "plus" : undefined}>{signed(amount)}</span>,
  },
]

export const Ledger = () => {
  const limit = useSignal(20)
  const given = query.value
  const kind = KINDS.find((each) => each === given.get("kind"))
  const [from, to] = [dayIn(given, "from"), dayIn(given, "to")]
  const isNarrowed = kind !== undefined || from !== null || to !== null
  const wanted = { ...spanOf(from, to), kind }
  const loaded = entries.use([{ limit: limit.value, ...wanted }], { when: isOfCredits })
  const newest = loaded.value?.data.find(({ transcription_id }) => transcription_id !== null)
  const named = titles.use([newest?.created_at ?? null]).value ?? new Map<string, string>()
  return (
    <section>
      <h2>{text.ledger}</h2>
      <div class="filters">
        <SelectField
          label={text.columns.kind}
          value={kind ?? ""}
          options={[["", text.anyKind], ...KINDS.map((each) => [each, text.kinds[each]] as const)]}
          onChange={(next) => setQuery({ kind: next })}
        />
        <Dates from={from} to={to} />
        <Download wanted={wanted} />
      </div>
      <LoadedView of={loaded}>
        {({ data, has_more }) =>
          data.length === 0 ? (
            <Empty title={isNarrowed ? text.noneFits : text.empty} />
          ) : (
            <>
              <DataTable columns={columnsFor(named)} of={data} keyOf={({ id }) => id} />
              {has_more && <More limit={limit} />}
            </>
          )
        }
      </LoadedView>
    </section>
  )
}
