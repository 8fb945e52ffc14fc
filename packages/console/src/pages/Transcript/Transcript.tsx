/** One transcript, in several views. */
import type { DoneTranscription, Transcription } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import type { ComponentType } from "preact"
import { useEffect } from "preact/hooks"
import type { Params } from "../../addresses.js"
import type { CallShown } from "../../calls.js"
import { transcript } from "../../data.js"
import { clockOf, languageOf, numberOf, percentOf } from "../../format.js"
import { PlayerBar } from "../../player/PlayerBar.js"
import { Link, query } from "../../router.js"
import { voicesOf } from "../../transcript/lines.js"
import { JobState } from "../../widgets/JobState.js"
import { later } from "../../widgets/later.js"
import { PageHead } from "../../widgets/Page.js"
import { LoadedView, NotOpened } from "../../widgets/States.js"
import { Tabs } from "../../widgets/Tabs.js"
import { titleOf } from "../../widgets/titleOf.js"
import { reading } from "../../words/reading.js"
import { words } from "../../words.js"
import { Actions } from "./Actions.js"
import { Running } from "./Running.js"
import { TextPage } from "./TextPage.js"

const text = reading.transcript
const VIEWS = ["text", "summary", "ask", "translation", "export", "integrity", "history", "record"] as const
type View = (typeof VIEWS)[number]

type ViewOf = ComponentType<{ readonly job: DoneTranscription }>

/** What is not the text is loaded when it is opened. */
const VIEW: Readonly<Record<View, ViewOf>> = {
  text: TextPage,
  summary: later(async () => (await import("./SummaryView.js")).SummaryView),
  ask: later(async () => (await import("./AskView.js")).AskView),
  translation: later(async () => (await import("./TranslationView.js")).TranslationView),
  export: later(async () => (await import("./ExportView.js")).ExportView),
  integrity: later(async () => (await import("./IntegrityView.js")).IntegrityView),
  history: later(async () => (await import("./HistoryView.js")).HistoryView),
  record: later(async () => (await import("./RecordView.js")).RecordView),
}

const Ended = later(async () => (await import("./Ended.js")).Ended)

const Facts = ({ job }: { readonly job: Transcription }) => {
  const speakers = job.status === "done" ? voicesOf(job).length : 0
  const coverage = job.integrity?.coverage ?? null
  const facts = [
    job.duration_seconds === null ? null : clockOf(job.duration_seconds),
    job.language === null ? null : languageOf(job.language),
    speakers === 0 ? null : text.people(speakers),
    job.word_count === null
      ? null
      : `${numberOf(job.word_count)} ${text.words(job.word_count).replace(/^\S+ /, "")}`,
    coverage === null ? null : `${percentOf(coverage)} ${words.list.whole}`,
    job.origin === "captions" ? text.captions : null,
    job.cached ? text.cached : null,
  ].filter((fact) => fact !== null)
  return (
    <ul class="facts">
      {job.status !== "queued" && (
        <li>
          <JobState job={job} />
        </li>
      )}
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  )
}

const Views = ({ id, view }: { readonly id: string; readonly view: View }) => (
  <Tabs
    label={text.views}
    tabs={VIEWS.map((each) => ({
      label: text.tabs[each],
      to: "transcript",
      params: { id },
      query: { view: each === "text" ? null : each },
      isCurrent: each === view,
    }))}
  />
)

/** Milliseconds. */
const RUNNING = 5000

/** What has the extras of a view made. */
const EXTRAS: Partial<Readonly<Record<View, object>>> = {
  summary: { summary: true, chapters: true },
  translation: { translate_to: "de" },
}

const callsOf = (id: string, view: View): ReadonlyArray<CallShown> => {
  if (view === "ask")
    return [
      {
        name: "transcriptions.ask",
        ids: [id],
        body: { question: query.value.get("question") || words.app.question },
      },
    ]
  if (view === "history") return [{ name: "transcriptions.edits", ids: [id] }]
  if (view === "export")
    return [
      { name: "transcriptions.export", ids: [id], query: { format: "srt" } },
      { name: "transcriptions.exportLink", ids: [id], body: { format: "srt" } },
    ]
  const read = { name: "transcriptions.get", ids: [id] }
  const made = EXTRAS[view]
  return made === undefined ? [read] : [read, { name: "transcriptions.extras", ids: [id], body: made }]
}

const Done = ({ job, view }: { readonly job: DoneTranscription; readonly view: View }) => {
  const Shown = VIEW[view]
  return (
    <>
      <Views id={job.id} view={view} />
      <Shown job={job} />
      <PlayerBar job={job} />
    </>
  )
}

export const Page = ({ params: { id = "" } }: { readonly params: Params }) => {
  const isRunning = useSignal(false)
  const loaded = transcript.use([id], {
    // Its lines come by a stream, which waits for a server that is away without a word.
    ...(isRunning.value && { every: RUNNING, isSure: true }),
    // Its text is not read again for less.
    when: (event, job) => event.type === "job" && event.data.id === id && event.data.status !== job?.status,
  })
  isRunning.value = loaded.value?.status === "queued"
  const wanted = query.value.get("view")
  const view = VIEWS.find((each) => each === wanted) ?? "text"
  useEffect(() => {
    if (loaded.value !== undefined) document.title = `${titleOf(loaded.value)} · Earmark`
  }, [loaded.value])
  if (loaded.error !== undefined && loaded.value === undefined)
    return (
      <NotOpened of={loaded} title={text.notOpened}>
        <Link to="transcripts" class="button">
          {words.list.title}
        </Link>
      </NotOpened>
    )
  return (
    <LoadedView of={loaded}>
      {(job) => (
        <>
          <PageHead title={titleOf(job)} text={<Facts job={job} />} calls={callsOf(id, view)}>
            <Actions job={job} onChange={loaded.reload} />
          </PageHead>
          {job.status === "done" && <Done job={job} view={view} />}
          {job.status === "failed" && <Ended job={job} />}
          {job.status === "queued" && <Running job={job} onEnd={loaded.reload} />}
        </>
      )}
    </LoadedView>
  )
}
