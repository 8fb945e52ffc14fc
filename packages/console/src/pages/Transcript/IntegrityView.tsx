/** What speaks for and against the text being whole. */
import type { DoneTranscription } from "@earmark/api/client"
import { clockOf, percentOf } from "../../format.js"
import { playFrom, state, time } from "../../player/player.js"
import { Link } from "../../router.js"
import { beforeNext, type Finding, findingsOf } from "../../transcript/findings.js"
import { Button } from "../../widgets/Button.js"
import { Empty, Notice } from "../../widgets/States.js"
import { integrityWords } from "../../words/integrity.js"

const text = integrityWords

interface TimelineProps {
  readonly seconds: number
  readonly findings: ReadonlyArray<Finding>
}

const Timeline = ({ seconds, findings }: TimelineProps) => (
  <svg
    class="timeline"
    viewBox="0 0 1000 56"
    preserveAspectRatio="none"
    role="img"
    aria-label={text.timeline}
  >
    <rect class="heard" x="0" y="16" width="1000" height="24" rx="4" />
    {findings.map(({ kind, start, end }) => (
      <rect
        key={`${kind} ${start}`}
        class={kind}
        x={(start / seconds) * 1000}
        y={kind === "low" ? 40 : 8}
        width={Math.max(2, ((end - start) / seconds) * 1000)}
        height={kind === "low" ? 8 : 40}
      />
    ))}
  </svg>
)

/** Plays what leads to the next finding. */
const NextFinding = ({ findings }: { readonly findings: ReadonlyArray<Finding> }) =>
  state.value !== "ready" || findings.length === 0 ? null : (
    <Button
      icon="play"
      onClick={() => {
        const at = beforeNext(findings, time.peek())
        if (at !== null) playFrom(at)
      }}
    >
      {text.playNext}
    </Button>
  )

const KINDS = { gap: text.gap, repeat: text.repeat, doubt: text.doubt, low: text.low } as const
const LEGEND = { gap: text.gaps, repeat: text.repeats, doubt: text.doubts, low: text.lows } as const

const Legend = () => (
  <ul class="legend">
    <li class="heard">{text.heard}</li>
    {(["gap", "repeat", "doubt", "low"] as const).map((kind) => (
      <li key={kind} class={kind}>
        {LEGEND[kind]}
      </li>
    ))}
  </ul>
)

export const IntegrityView = ({ job }: { readonly job: DoneTranscription }) => {
  const { integrity } = job
  if (integrity === null || integrity.coverage === null)
    return <Empty title={text.none} text={text.noneText} />
  const findings = findingsOf(integrity)
  return (
    <div class="integrity">
      <div class="figures">
        <p>
          <strong>{percentOf(integrity.coverage)}</strong> {text.coverage}
        </p>
        <p>
          <strong>{clockOf(integrity.speech_seconds ?? 0)}</strong> {text.speech}
        </p>
        <p>
          <strong>{clockOf(integrity.transcribed_seconds ?? 0)}</strong> {text.transcribed}
        </p>
      </div>
      <Timeline seconds={job.duration_seconds} findings={findings} />
      <Legend />
      <NextFinding findings={findings} />
      {integrity.flags.map((flag) => (
        <Notice kind="warn" key={flag}>
          {text.flags[flag]}
        </Notice>
      ))}
      {findings.length === 0 ? (
        <Notice kind="good">{text.fine}</Notice>
      ) : (
        <Findings id={job.id} findings={findings} />
      )}
    </div>
  )
}

const Findings = ({ id, findings }: { readonly id: string; readonly findings: ReadonlyArray<Finding> }) => (
  <div class="table">
    <table>
      <thead>
        <tr>
          <th scope="col">{text.from}</th>
          <th scope="col">{text.to}</th>
          <th scope="col">{text.kind}</th>
          <th scope="col">{text.detail}</th>
        </tr>
      </thead>
      <tbody>
        {findings.slice(0, 200).map(({ kind, start, end, detail }) => (
          <tr key={`${kind} ${start}`}>
            <td>
              <Link to="transcript" params={{ id }} query={{ t: Math.max(0, start) }}>
                {clockOf(start)}
              </Link>
            </td>
            <td>{clockOf(end)}</td>
            <td>{KINDS[kind]}</td>
            <td dir="auto">{detail}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
