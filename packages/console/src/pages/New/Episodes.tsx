import type { Episode } from "@earmark/api/client"
import type { Signal } from "@preact/signals"
import { episodes } from "../../data.js"
import { clockOf, dateOf } from "../../format.js"
import { Choice, Field } from "../../widgets/Field.js"
import { LoadedView, Notice } from "../../widgets/States.js"
import { words } from "../../words.js"

const text = words.new

export type EpisodesWanted = "latest" | "all" | number

interface EpisodesProps {
  readonly feed: string
  readonly wanted: Signal<EpisodesWanted>
  readonly isLocked: boolean
}

const countOf = (wanted: EpisodesWanted, total: number): number => {
  if (wanted === "all") return total
  return wanted === "latest" ? 1 : wanted
}

const Row = ({ of, isWanted }: { readonly of: Episode; readonly isWanted: boolean }) => (
  <tr class={isWanted ? undefined : "unwanted"}>
    <td class="main">
      <bdi>{of.title ?? words.list.untitled}</bdi>
    </td>
    <td>{of.transcripts.length > 0 && <span class="badge good">{text.published}</span>}</td>
    <td class="number">{of.duration_seconds === null ? "" : clockOf(of.duration_seconds)}</td>
    <td class="number soft">{of.published_at === null ? "" : dateOf(of.published_at)}</td>
  </tr>
)

/** The episodes of a show, newest first, and how many of them are wanted. */
export const Episodes = ({ feed, wanted, isLocked }: EpisodesProps) => {
  const loaded = episodes.use([feed])
  const kind = typeof wanted.value === "number" ? "newest" : wanted.value
  return (
    <LoadedView of={loaded}>
      {({ data, total, title }) => (
        <section class="stack">
          <h2>
            <bdi>{title ?? feed}</bdi> <span class="soft">{text.episodesOf(total)}</span>
          </h2>
          {isLocked ? (
            <Notice kind="warn">{text.wholeLocked}</Notice>
          ) : (
            <Choice
              label={text.episodes}
              value={kind}
              options={[
                ["latest", text.latest],
                ["newest", text.newest],
                ["all", text.whole],
              ]}
              onChange={(next) => {
                wanted.value = next === "newest" ? Math.min(5, total) : next
              }}
            />
          )}
          {typeof wanted.value === "number" && (
            <Field label={text.count}>
              {(facts) => (
                <input
                  {...facts}
                  type="number"
                  min={1}
                  max={total}
                  value={String(wanted.value)}
                  onInput={({ currentTarget }) => {
                    const count = Number(currentTarget.value)
                    if (count >= 1) wanted.value = Math.min(total, Math.floor(count))
                  }}
                />
              )}
            </Field>
          )}
          <div class="table">
            <table class="cards">
              <thead class="hidden">
                <tr>
                  <th scope="col">{words.list.columns.title}</th>
                  <th scope="col">{text.published}</th>
                  <th scope="col">{words.list.columns.length}</th>
                  <th scope="col">{words.list.columns.created}</th>
                </tr>
              </thead>
              <tbody>
                {data.map((each, index) => (
                  <Row key={each.guid} of={each} isWanted={index < countOf(wanted.value, total)} />
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
    </LoadedView>
  )
}
