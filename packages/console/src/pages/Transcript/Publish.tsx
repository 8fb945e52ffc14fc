/** Gives a transcript public addresses, shows them, and takes them back. */
import type { Publication, Transcription } from "@earmark/api/client"
import { ProblemError } from "@earmark/api/client"
import { isLoopbackName, ONLY_HERE } from "@earmark/core/links"
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { earmark } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { Dialog, useWork } from "../../widgets/Dialog.js"
import { Copy } from "../../widgets/Once.js"
import { Failure, Loading, Notice } from "../../widgets/States.js"
import { publishingWords } from "../../words/publishing.js"
import { words } from "../../words.js"

const text = publishingWords

/** `undefined` until it is known; null: it is not published. */
type Known = Publication | null | undefined

/** It can have been taken back elsewhere since. */
const read = async (id: string): Promise<Publication | null> => {
  try {
    return await earmark.transcriptions.publication(id)
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return null
    throw error
  }
}

/** What most people want is the page. */
const pagesFirst = (left: { readonly format: string }, right: { readonly format: string }): number =>
  Number(right.format === "html") - Number(left.format === "html")

const Addresses = ({ published }: { readonly published: Publication }) => {
  const { transcripts, chapters } = published.tags
  const tags = [...transcripts, ...(chapters === null ? [] : [chapters])].join("\n")
  const isOnlyHere = published.files.some(({ url }) => isLoopbackName(new URL(url).hostname))
  return (
    <>
      {isOnlyHere && <Notice>{ONLY_HERE}</Notice>}
      <ul class="addresses">
        {[...published.files].sort(pagesFirst).map(({ format, url, language }) => (
          <li key={url}>
            <span>
              {text.formats[format]}
              {language !== null && <span class="soft"> {language}</span>}
            </span>
            <a href={url} target="_blank" rel="noreferrer">
              {url}
            </a>
            <Copy text={url} label={text.copy(text.formats[format])} />
          </li>
        ))}
      </ul>
      {tags !== "" && (
        <section class="sample">
          <header>
            <h3>{text.tags}</h3>
            <Copy text={tags} label={text.copyTags} />
          </header>
          <pre tabIndex={0}>{tags}</pre>
        </section>
      )}
    </>
  )
}

interface PublishProps {
  readonly job: Pick<Transcription, "id" | "published_at">
  readonly onChange: () => void
  readonly onClose: () => void
}

export const Publish = ({ job: { id, published_at }, onChange, onClose }: PublishProps) => {
  const known = useSignal<Known>(published_at == null ? null : undefined)
  const isSure = useSignal(false)
  const work = useWork()
  const become = (get: () => Promise<Publication | null>) =>
    void work.run(async () => {
      known.value = await get()
      isSure.value = false
    })
  useEffect(() => {
    if (known.peek() === undefined) become(() => read(id))
  }, [id])
  const publish = () =>
    become(async () => {
      const made = await earmark.transcriptions.publish(id, {})
      onChange()
      return made
    })
  const takeBack = () =>
    become(async () => {
      await earmark.transcriptions.unpublish(id)
      onChange()
      return null
    })
  const published = known.value
  return (
    <Dialog title={published === null ? text.title : text.published} onClose={onClose} isWide>
      {work.error !== undefined && <Failure text={work.error} />}
      {published === undefined && work.error === undefined && <Loading />}
      {published === null && <p>{text.text}</p>}
      {published !== null && published !== undefined && <Addresses published={published} />}
      {isSure.value && <Notice kind="warn">{text.sure}</Notice>}
      <footer>
        <Button onClick={onClose}>{words.app.close}</Button>
        {published === null && (
          <Button kind="primary" isBusy={work.isBusy} onClick={publish}>
            {text.submit}
          </Button>
        )}
        {published !== null && published !== undefined && (
          <Button
            kind="danger"
            isBusy={work.isBusy}
            onClick={() => {
              if (isSure.peek()) takeBack()
              else isSure.value = true
            }}
          >
            {isSure.value ? text.takeBackNow : text.takeBack}
          </Button>
        )}
      </footer>
    </Dialog>
  )
}
