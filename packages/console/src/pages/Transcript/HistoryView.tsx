/** Who corrected the transcript, when and what; corrections can be taken back one by one, or down to a revision. */
import type { DoneTranscription, EditRevision } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { Fragment } from "preact"
import { history, transcript } from "../../data.js"
import { undoneIn } from "../../editing/operations.js"
import { momentOf } from "../../format.js"
import { account, earmark, mayWrite } from "../../session.js"
import { undosBackTo } from "../../transcript/differences.js"
import { Button } from "../../widgets/Button.js"
import { useWork } from "../../widgets/Dialog.js"
import { Empty, Failure, LoadedView, Notice } from "../../widgets/States.js"
import { historyWords as text } from "../../words/history.js"
import { Differences } from "./Differences.js"

/** What the service calls the key of such a session. */
const SIGN_IN_LINK = "sign-in link"

/** What is compared: two revisions. */
type Span = readonly [from: number, to: number]

/** Who comes with a sign-in link is the account itself. */
const nameOf = (made: EditRevision["made_by"]): string => {
  const name = made?.name ?? text.session
  return name === SIGN_IN_LINK ? (account.value?.name ?? text.session) : name
}

const isSpan = (span: Span | null, from: number, to: number) => span?.[0] === from && span[1] === to

interface Last {
  readonly said: string
  /** The revisions that it made, the newest first. */
  readonly made: ReadonlyArray<number>
}

interface DoneProps {
  readonly of: Last
  readonly isBusy: boolean
  readonly onUndo: (made: ReadonlyArray<number>) => void
}

const Done = ({ of: { said, made }, isBusy, onUndo }: DoneProps) => (
  <Notice kind="good">
    <p>{said}</p>
    <div class="tools">
      <Button isBusy={isBusy} onClick={() => onUndo(made)}>
        {text.undo}
      </Button>
    </div>
  </Notice>
)

export const HistoryView = ({ job }: { readonly job: DoneTranscription }) => {
  const revisions = history.use([job.id])
  const work = useWork()
  const span = useSignal<Span | null>(null)
  const toggle = (from: number, to: number) => {
    span.value = isSpan(span.peek(), from, to) ? null : [from, to]
  }
  /** The row of the button that was pressed. */
  const at = useSignal(0)
  const last = useSignal<Last | null>(null)
  const undo = (row: number, wanted: ReadonlyArray<number>, said: string) => {
    at.value = row
    last.value = null
    void work.run(async () => {
      let made: ReadonlyArray<number> = []
      try {
        for (const each of wanted) {
          const { revision } = await earmark.transcriptions.undoEdit(job.id, each)
          made = [revision, ...made]
        }
      } finally {
        if (made.length > 0)
          last.value = { said: made.length === wanted.length ? said : text.undoneMany(made.length), made }
      }
      span.value = null
      await Promise.all([history.refresh([job.id]), transcript.refresh([job.id])])
    })
  }
  const takeBack = (made: ReadonlyArray<number>) => undo(0, made, text.asAfter((made.at(-1) ?? 1) - 1))
  const backTo = (row: number, revisions: ReadonlyArray<EditRevision>) =>
    undo(row, undosBackTo(row, revisions), text.asAfter(row))
  return (
    <LoadedView of={revisions}>
      {({ data }) => {
        if (data.length === 0) return <Empty title={text.never} text={text.neverText} />
        const undone = undoneIn(data)
        const newest = data[0]?.revision ?? 0
        return (
          <>
            <p class="actions">
              <Button pressed={isSpan(span.value, 0, newest)} onClick={() => toggle(0, newest)}>
                {text.compare}
              </Button>{" "}
              {mayWrite() && undosBackTo(0, data).length > 0 && (
                <Button isBusy={work.isBusy} onClick={() => backTo(0, data)}>
                  {text.backToFirst}
                </Button>
              )}
            </p>
            {last.value !== null && <Done of={last.value} isBusy={work.isBusy} onUndo={takeBack} />}
            {work.error !== undefined && at.value === 0 && <Failure text={work.error} />}
            {isSpan(span.value, 0, newest) && <Differences job={job} from={0} to={newest} />}
            <div class="table">
              <table class="cards">
                <thead>
                  <tr>
                    <th scope="col">{text.revision}</th>
                    <th scope="col">{text.made}</th>
                    <th scope="col">{text.by}</th>
                    <th scope="col">{text.changes}</th>
                    <th scope="col">
                      <span class="hidden">{text.undo}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {data.map(({ revision, made_at, made_by, operations, changes, undoes }) => (
                    <Fragment key={revision}>
                      <tr>
                        <td class="main" data-label={text.revision}>
                          {revision}
                        </td>
                        <td>{momentOf(made_at)}</td>
                        <td class="by">
                          <bdi>{nameOf(made_by)}</bdi>
                        </td>
                        <td>{undoes === null ? text.changesOf(operations, changes) : text.undoOf(undoes)}</td>
                        <td class="choices">
                          <Button
                            pressed={isSpan(span.value, revision - 1, revision)}
                            onClick={() => toggle(revision - 1, revision)}
                          >
                            {isSpan(span.value, revision - 1, revision) ? text.hide : text.show}
                            <span class="hidden"> {revision}</span>
                          </Button>
                          {mayWrite() && revision < newest && (
                            <Button isBusy={work.isBusy} onClick={() => backTo(revision, data)}>
                              {text.backTo}
                              <span class="hidden"> {revision}</span>
                            </Button>
                          )}
                          {undone.has(revision) ? (
                            <span class="soft">{text.isUndone}</span>
                          ) : (
                            mayWrite() && (
                              <Button
                                isBusy={work.isBusy}
                                onClick={() =>
                                  undo(
                                    revision,
                                    [revision],
                                    undoes === null ? text.undoneMany(1) : text.isBack(undoes),
                                  )
                                }
                              >
                                {text.undo}
                                <span class="hidden"> {revision}</span>
                              </Button>
                            )
                          )}
                        </td>
                      </tr>
                      {work.error !== undefined && at.value === revision && (
                        <tr>
                          <td class="main" colSpan={5}>
                            <Failure text={work.error} />
                          </td>
                        </tr>
                      )}
                      {isSpan(span.value, revision - 1, revision) && newest > 1 && (
                        <tr>
                          <td class="main" colSpan={5}>
                            <Differences job={job} from={revision - 1} to={revision} />
                          </td>
                        </tr>
                      )}
                    </Fragment>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )
      }}
    </LoadedView>
  )
}
