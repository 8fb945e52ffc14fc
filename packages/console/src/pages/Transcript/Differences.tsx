/** What a correction changed, or all of them together. */
import type { DoneTranscription } from "@earmark/api/client"
import { useEffect, useRef } from "preact/hooks"
import { transcriptAt } from "../../data.js"
import { clockOf } from "../../format.js"
import { type Difference, differencesOf } from "../../transcript/differences.js"
import type { Line } from "../../transcript/lines.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { historyWords as text } from "../../words/history.js"

/** More is not drawn: nobody reads it. */
const MOST = 200

interface SideProps {
  readonly lines: Difference["removed"]
  readonly names: DoneTranscription["speakers"]
  readonly isAdded: boolean
}

const Side = ({ lines, names, isAdded }: SideProps) => {
  const Tag = isAdded ? "ins" : "del"
  return (
    <>
      {lines.map((line) => (
        <p key={`${line.start} ${line.text}`} dir="auto">
          <time>{clockOf(line.start)}</time>{" "}
          <Tag>
            <span class="hidden">{isAdded ? text.added : text.removed} </span>
            {line.speaker !== null && <strong>{names[line.speaker] ?? line.speaker}: </strong>}
            {line.text}
          </Tag>
        </p>
      ))}
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
        {found.slice(0, MOST).map(({ removed, added }) => (
          <li key={`${(removed[0] ?? added[0])?.start}`}>
            <Side lines={removed} names={job.speakers} isAdded={false} />
            <Side lines={added} names={job.speakers} isAdded />
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
