/** Has extras made, and looks until they are. */
import type { DoneTranscription } from "@earmark/api/client"
import { useEffect } from "preact/hooks"
import { transcript, translated } from "../../data.js"
import { earmark } from "../../session.js"
import { useWork } from "../../widgets/Dialog.js"

const LOOK_EVERY = 2000

export type Extra = NonNullable<DoneTranscription["enrichment"]["summary"]>

/** The language of the translation that is shown unless another is asked for; null where there is none. */
export const firstTranslation = ({ translation, options }: DoneTranscription): string | null =>
  translation?.language ?? options.translate_to

/** How each translation fares, by its language. */
export const translationStates = (job: DoneTranscription): Readonly<Record<string, Extra>> => {
  const { translation, translations } = job.enrichment
  const first = firstTranslation(job)
  return { ...(first !== null && translation !== undefined && { [first]: translation }), ...translations }
}

const isPending = ({ enrichment }: DoneTranscription): boolean => {
  const { summary, chapters, translation, translations = {} } = enrichment
  return [summary, chapters, translation, ...Object.values(translations)].some(
    (extra) => extra?.status === "pending",
  )
}

/** Whether there is something to make: nothing is there, or it failed, or the text is newer. */
export const isLacking = (extra: Extra | undefined): boolean =>
  extra === undefined || extra.status === "failed" || extra.stale === true

export const useExtras = (job: DoneTranscription) => {
  const { id } = job
  const work = useWork()
  const isWaiting = isPending(job)
  useEffect(() => {
    if (!isWaiting) return undefined
    const look = async () => {
      await transcript.refresh([id])
      translated.refreshAll()
    }
    const timer = setInterval(() => void look(), LOOK_EVERY)
    return () => clearInterval(timer)
  }, [id, isWaiting])
  const make = (wanted: Parameters<typeof earmark.transcriptions.extras>[1]) =>
    void work.run(async () => {
      await earmark.transcriptions.extras(id, wanted)
      await transcript.refresh([id])
    })
  return { make, isBusy: work.isBusy, error: work.error }
}
