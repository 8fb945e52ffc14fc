import type { Episode } from "@earmark/api/client"
import { type Signal, useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { episodes } from "../../data.js"
import { clockOf, dateOf } from "../../format.js"
import { Link } from "../../router.js"
import { Choice } from "../../widgets/Field.js"
import { NumberField } from "../../widgets/NumberField.js"
import { LoadedView, Notice } from "../../widgets/States.js"
import { making } from "../../words/making.js"
import { words } from "../../words.js"
import { type EpisodesMade, episodesMade } from "./episodesMade.js"

const text = making.new

/** How many of the newest, or the guids of some. */
export type EpisodesWanted = "latest" | "all" | number | ReadonlyArray<string>

export const isChosen = (wanted: EpisodesWanted | null): wanted is ReadonlyArray<string> =>
  Array.isArray(wanted)

/** Each is a transcription and a price of its own. */
export const MOST_CHOSEN = 20

interface EpisodesProps {
  readonly feed: string
  readonly wanted: Signal<EpisodesWanted>
  readonly isLocked: boolean
}

const isWanted = (wanted: EpisodesWanted, { guid }: Episode, index: number): boolean => {
  if (isChosen(wanted)) return wanted.includes(guid)
  if (wanted === "all") return true
  return index < (wanted === "latest" ? 1 : wanted)
}

/** While no number stands in the field. */
const NONE = 0

const kindOf = (wanted: EpisodesWanted, isMissing: boolean) => {
  if (isChosen(wanted)) return isMissing ? "missing" : "single"
  return typeof wanted === "number" ? "newest" : wanted
}

interface RowProps {
  readonly of: Episode
  readonly isWanted: boolean
  /** The transcription that was made of it. */
  readonly made: ReturnType<EpisodesMade["get"]>
  /** Absent where episodes are not chosen one by one. */
  readonly onChoose: ((is: boolean) => void) | undefined
}

const Row = ({ of, isWanted, made, onChoose }: RowProps) => (
  <tr class={isWanted ? undefined : "unwanted"}>
    {onChoose !== undefined && (
      <td>
        <input
          type="checkbox"
          aria-label={text.chooseEpisode(of.title ?? words.list.untitled)}
          checked={isWanted}
          onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
        />
      </td>
    )}
    <td class={onChoose === undefined ? "main" : "main tick"}>
      <bdi>{of.title ?? words.list.untitled}</bdi>
    </td>
    <td>
      {made !== undefined && (
        <Link to="transcript" params={{ id: made.id }}>
          {made.status === "done" ? text.transcribed : text.inProgress}
        </Link>
      )}
    </td>
    <td>{of.transcripts.length > 0 && <span class="badge good">{text.published}</span>}</td>
    <td class="number">{of.duration_seconds === null ? "" : clockOf(of.duration_seconds)}</td>
    <td class="number soft">{of.published_at === null ? "" : dateOf(of.published_at)}</td>
  </tr>
)

const ONE_BY_ONE = [
  ["latest", text.latest],
  ["single", text.single],
  ["missing", text.missing],
] as const
const WAYS = [...ONE_BY_ONE, ["newest", text.newest], ["all", text.whole]] as const

/** Whether so many can be started. */
export const canStart = (wanted: EpisodesWanted): boolean =>
  isChosen(wanted) ? wanted.length > 0 && wanted.length <= MOST_CHOSEN : wanted !== NONE

interface MissingProps {
  /** How many episodes of those that are listed are not transcribed. */
  readonly count: number
  readonly listed: number
  readonly total: number
}

const Missing = ({ count, listed, total }: MissingProps) => (
  <p class="soft" role="status">
    {count === 0 && text.noneMissing}
    {count > MOST_CHOSEN && text.moreMissing(MOST_CHOSEN, count)}
    {listed < total && ` ${text.newestListed(listed)}`}
  </p>
)

/** What came after the newest that has a transcription; null where none has one. */
const newerOf = (
  listed: ReadonlyArray<Episode> | undefined,
  made: EpisodesMade | undefined,
): ReadonlyArray<string> | null => {
  const newest = listed?.findIndex(({ guid }) => made?.has(guid)) ?? -1
  return newest < 0 ? null : (listed ?? []).slice(0, newest).map(({ guid }) => guid)
}

/** The episodes of a show, newest first, and how many of them are wanted. */
export const Episodes = ({ feed, wanted, isLocked }: EpisodesProps) => {
  const loaded = episodes.use([feed])
  const made = episodesMade.use([feed]).value
  const isMissing = useSignal(false)
  const newer = newerOf(loaded.value?.data, made)
  useEffect(() => {
    if (newer !== null && wanted.peek() === "latest") wanted.value = newer.slice(0, MOST_CHOSEN)
  }, [newer === null])
  const kind = kindOf(wanted.value, isMissing.value)
  const choose = (guid: string, is: boolean) => {
    const before = wanted.peek()
    if (!isChosen(before)) return
    isMissing.value = false
    wanted.value = is ? [...before, guid] : before.filter((each) => each !== guid)
  }
  return (
    <LoadedView of={loaded}>
      {({ data, total, title }) => {
        const missing = made === undefined ? [] : data.filter(({ guid }) => !made.has(guid))
        const ways = isLocked ? ONE_BY_ONE : WAYS
        return (
          <section class="stack">
            <h2>
              <bdi>{title ?? feed}</bdi> <span class="soft">{text.episodesOf(total)}</span>
            </h2>
            {isLocked && <Notice kind="warn">{text.wholeLocked}</Notice>}
            <Choice
              label={text.episodes}
              value={kind}
              // Before it is known which they are, they cannot be chosen.
              options={made === undefined ? ways.filter(([way]) => way !== "missing") : ways}
              onChange={(next) => {
                isMissing.value = next === "missing"
                if (next === "single") wanted.value = []
                else if (next === "missing")
                  wanted.value = missing.slice(0, MOST_CHOSEN).map(({ guid }) => guid)
                else wanted.value = next === "newest" ? Math.min(5, total) : next
              }}
            />
            {isChosen(wanted.value) && wanted.value.length > MOST_CHOSEN && (
              <Notice kind="warn">{text.tooMany(MOST_CHOSEN)}</Notice>
            )}
            {kind === "single" && newer?.length === 0 && (
              <p class="soft" role="status">
                {text.noneNewer}
              </p>
            )}
            {kind === "missing" && <Missing count={missing.length} listed={data.length} total={total} />}
            {typeof wanted.value === "number" && (
              <NumberField
                label={text.count}
                value={wanted.value}
                min={1}
                max={total}
                onChange={(count) => {
                  wanted.value = count ?? NONE
                }}
              />
            )}
            <div class="table" role="region" aria-label={text.episodes} tabIndex={0}>
              <table class="cards">
                <thead class="hidden">
                  <tr>
                    {isChosen(wanted.value) && <th scope="col">{text.single}</th>}
                    <th scope="col">{words.list.columns.title}</th>
                    <th scope="col">{text.transcribed}</th>
                    <th scope="col">{text.published}</th>
                    <th scope="col">{words.list.columns.length}</th>
                    <th scope="col">{text.publishedAt}</th>
                  </tr>
                </thead>
                <tbody>
                  {data.map((each, index) => (
                    <Row
                      key={each.guid}
                      of={each}
                      isWanted={isWanted(wanted.value, each, index)}
                      made={made?.get(each.guid)}
                      onChoose={isChosen(wanted.value) ? (is) => choose(each.guid, is) : undefined}
                    />
                  ))}
                </tbody>
              </table>
            </div>
          </section>
        )
      }}
    </LoadedView>
  )
}
