/** What a correction changed, or all of them together. */
import type { DoneTranscription } from "@earmark/api/client"
import { Fragment } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { transcriptAt } from "../../data.js"
import { clockOf } from "../../format.js"
import { changedWords, type LinePair, pairsOf, type Words } from "../../transcript/changedWords.js"
import { type Difference, differencesOf } from "../../transcript/differences.js"
import type { Line } from "../../transcript/lines.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { historyWords as text } from "../../words/history.js"

/** More is not drawn: nobody reads it. */
const MOST = 200

interface SideProps {
  readonly line: Difference["removed"][number]
  readonly words: ReadonlyArray<Words>
  readonly names: DoneTranscription["speakers"]
  readonly isAdded: boolean
}

const Side = ({ line, words, names, isAdded }: SideProps) => {
  const Tag = isAdded ? "ins" : "del"
  return (
    <p dir="auto">
      <time>{clockOf(line.start)}</time>{" "}
      <Tag>
        <span class="hidden">{isAdded ? text.added : text.removed} </span>
        {line.speaker !== null && <strong>{names[line.speaker] ?? line.speaker}: </strong>}
        {words.map((run, at) => (
          <Fragment key={at}>
            {at > 0 && " "}
            {run.isChanged ? <mark>{run.text}</mark> : run.text}
          </Fragment>
        ))}
      </Tag>
    </p>
  )
}

/** A line as it was, and as it is. One that has no other is not marked. */
const Pair = ({ removed, added, names }: LinePair & Pick<SideProps, "names">) => {
  const whole = (line: LinePair["removed"]) => [{ text: line?.text ?? "", isChanged: false }]
  const [before, after] =
    removed === undefined || added === undefined
      ? [whole(removed), whole(added)]
      : changedWords(removed.text, added.text)
  return (
    <>
      {removed !== undefined && <Side line={removed} words={before} names={names} isAdded={false} />}
      {added !== undefined && <Side line={added} words={after} names={names} isAdded />}
    </>
  )
}

const Shown = ({
  found,
  job,
}: {
  readonly found: ReadonlyArray<Difference>
  readonly job: DoneTranscription
}) => {
  const list = useRef<HTMLOListElement>(null)
  // The button that shows them may be the last thing in view.
  useEffect(() => list.current?.scrollIntoView({ block: "nearest" }), [])
  return found.length === 0 ? (
    <Empty title={text.same} />
  ) : (
    <>
      <ol ref={list} class="differences">
        {found.slice(0, MOST).map((difference, at) => (
          <li key={at}>
            {pairsOf(difference).map((pair, place) => (
              <Pair key={place} {...pair} names={job.speakers} />
            ))}
          </li>
        ))}
      </ol>
      {found.length > MOST && <p class="soft">{text.moreDifferences(found.length - MOST)}</p>}
    </>
  )
}

interface DifferencesProps {
  readonly job: DoneTranscription
  readonly from: number
  readonly to: number
}

export const Differences = ({ job, from, to }: DifferencesProps) => {
  const before = transcriptAt.use([job.id, from])
  const after = transcriptAt.use([job.id, to])
  const linesOf = (of: typeof before): ReadonlyArray<Line> =>
    of.value?.status === "done" ? of.value.segments : []
  return (
    <section class="prose wide">
      <h2>{from + 1 === to ? text.differencesOf(to) : text.differencesAll}</h2>
      <LoadedView of={before}>
        {() => (
          <LoadedView of={after}>
            {() => <Shown found={differencesOf(linesOf(before), linesOf(after))} job={job} />}
          </LoadedView>
        )}
      </LoadedView>
    </section>
  )
}
