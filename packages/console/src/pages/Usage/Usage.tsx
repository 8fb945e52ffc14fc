/** Minutes by day, month or key. */
import type { Usage } from "@earmark/api/client"
import type { Params } from "../../addresses.js"
import { keys, usage } from "../../data.js"
import { dayOf, numberOf } from "../../format.js"
import { query, setQuery } from "../../router.js"
import { Button } from "../../widgets/Button.js"
import { csvOf } from "../../widgets/csv.js"
import { Dates, dayIn, spanOf } from "../../widgets/Dates.js"
import { Choice } from "../../widgets/Field.js"
import { PageHead } from "../../widgets/Page.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { saveFile } from "../../widgets/saveFile.js"
import { building } from "../../words/building.js"
import { Bars } from "./Bars.js"

const text = building.usage
const GROUPS = ["day", "month", "key"] as const
type Group = (typeof GROUPS)[number]
const DAY = 86_400_000
/** Of a longer time, the newest days. */
const MOST_BARS = 400

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY).toISOString().slice(0, 10)

const useLabels = (by: Group) => {
  const found = keys.use([]).value?.data ?? []
  const names = new Map(found.map(({ id, name }) => [id, name ?? id]))
  return (group: string): string => {
    if (by === "day") return dayOf(group)
    return by === "key" ? (names.get(group) ?? group) : group
  }
}

/** A bar for each day of the time, also where nothing was transcribed. */
const barsOf = ({
  data,
  group_by,
  from,
  to,
}: Usage): ReadonlyArray<readonly [group: string, minutes: number]> => {
  const found = new Map(data.map(({ group, minutes }) => [group, minutes]))
  if (group_by !== "day") return [...found]
  const days = Math.round((new Date(to).getTime() - new Date(from).getTime()) / DAY)
  const first = new Date(from).getTime()
  const left = Math.max(0, days - MOST_BARS)
  return Array.from({ length: days - left }, (_, index) => {
    const group = new Date(first + (left + index) * DAY).toISOString().slice(0, 10)
    return [group, found.get(group) ?? 0] as const
  })
}

/** Keys have a name beside their id, which alone says nothing to a reader. */
const fileOf = ({ data, group_by }: Usage, labelOf: (group: string) => string): string => {
  const isNamed = group_by === "key"
  return csvOf(
    ["group", ...(isNamed ? ["name"] : []), "transcriptions", "minutes", "credits"],
    data.map(({ group, transcriptions, minutes, credits }) => [
      group,
      ...(isNamed ? [labelOf(group)] : []),
      transcriptions,
      minutes,
      credits,
    ]),
  )
}

const UsageTable = ({ of, labelOf }: { readonly of: Usage; readonly labelOf: (group: string) => string }) => (
  <div class="table" role="region" aria-label={text.title} tabIndex={0}>
    <table>
      <thead>
        <tr>
          <th scope="col">{text.groups[of.group_by]}</th>
          <th scope="col" class="number">
            {text.transcriptions}
          </th>
          <th scope="col" class="number">
            {text.minutes}
          </th>
          <th scope="col" class="number">
            {text.credits}
          </th>
        </tr>
      </thead>
      <tbody>
        {of.data.map(({ group, transcriptions, minutes, credits }) => (
          <tr key={group}>
            <td dir="auto">{labelOf(group)}</td>
            <td class="number">{numberOf(transcriptions)}</td>
            <td class="number">{numberOf(minutes)}</td>
            <td class="number">{numberOf(credits)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{text.total}</th>
          <td class="number">{numberOf(of.total.transcriptions)}</td>
          <td class="number">{numberOf(of.total.minutes)}</td>
          <td class="number">{numberOf(of.total.credits)}</td>
        </tr>
      </tfoot>
    </table>
  </div>
)

export const Page = (_: { readonly params: Params }) => {
  const given = query.value
  const by = GROUPS.find((each) => each === given.get("by")) ?? "day"
  const from = dayIn(given, "from") ?? daysAgo(29)
  const to = dayIn(given, "to") ?? daysAgo(0)
  const asked = { ...spanOf(from, to), group_by: by }
  const loaded = usage.use([asked])
  const labelOf = useLabels(by)
  return (
    <>
      <PageHead title={text.title} text={text.text} calls={[{ name: "credits.usage", query: asked }]}>
        <Button
          icon="download"
          disabled={loaded.value === undefined}
          onClick={() => {
            if (loaded.value === undefined) return
            saveFile(fileOf(loaded.value, labelOf), `earmark-usage-by-${by}-${from}-${to}.csv`, "text/csv")
          }}
        >
          {text.csv}
        </Button>
      </PageHead>
      <div class="filters">
        <Choice
          label={text.by}
          value={by}
          options={GROUPS.map((each) => [each, text.groups[each]])}
          onChange={(next) => setQuery({ by: next === "day" ? null : next })}
        />
        <Dates from={from} to={to} />
      </div>
      <LoadedView of={loaded}>
        {(found) =>
          found.data.length === 0 ? (
            <Empty title={text.empty} text={from > to ? text.reversed : text.emptyText} />
          ) : (
            <>
              <Bars
                label={text.chart}
                bars={barsOf(found).map(([group, minutes]) => ({ label: labelOf(group), value: minutes }))}
              />
              <UsageTable of={found} labelOf={labelOf} />
            </>
          )
        }
      </LoadedView>
    </>
  )
}
