import { type Signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { bytesOf, percentOf } from "../../format.js"
import { Button } from "../../widgets/Button.js"
import { Icon } from "../../widgets/Icon.js"
import { Progress } from "../../widgets/JobState.js"
import { Notice } from "../../widgets/States.js"
import { making } from "../../words/making.js"
import type { Sending, Sent } from "./sendAll.js"

const text = making.new

interface Dropped {
  readonly files: ReadonlyArray<File>
  readonly hasFolder: boolean
}

const droppedIn = ({ items }: DataTransfer): Dropped => {
  const entries = [...items].filter(({ kind }) => kind === "file")
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry()?.isDirectory === true
  return {
    files: entries.filter((item) => !isFolder(item)).flatMap((item) => item.getAsFile() ?? []),
    hasFolder: entries.some(isFolder),
  }
}

interface FileRowProps {
  readonly file: File
  readonly sent: Sent | undefined
  readonly onRemove: () => void
}

const stateOf = ({ share, mediaRef, isMade, failure, stop }: Sent): string | null => {
  if (isMade) return text.done
  if (failure !== null || (stop === null && mediaRef === null)) return failure
  return mediaRef === null ? text.uploading(percentOf(share)) : text.uploaded
}

const FileRow = ({ file, sent, onRemove }: FileRowProps) => {
  const state = sent === undefined ? null : stateOf(sent)
  return (
    <li>
      <div>
        <bdi class="name">{file.name}</bdi>
        <span class="soft">{[bytesOf(file.size), ...(state === null ? [] : [state])].join(" · ")}</span>
        {sent !== undefined && (sent.stop !== null || sent.mediaRef !== null) && (
          <Progress share={sent.mediaRef === null ? sent.share : 1} />
        )}
      </div>
      {sent?.isMade !== true && (
        <Button kind="quiet" icon="close" label={text.remove(file.name)} onClick={onRemove} />
      )}
    </li>
  )
}

/** What browsers take for anything but sound, pictures that move, or something that they do not know. */
const OTHER_KIND =
  /^(?:text|image|font)\/|^application\/(?:pdf|json|zip|rtf|msword|vnd\.(?:ms-|oasis|openxml))/

/** Captions, which browsers have no kind for. */
const CAPTIONS = /\.(?:srt|vtt|ass|ssa|sub|sbv|ttml|scc|stl|lrc)$/i

/** Why a file is left out; null where it is taken. */
const refusalOf = ({ name, size, type }: File): string | null => {
  if (size === 0) return text.emptyFile(name)
  return OTHER_KIND.test(type) || CAPTIONS.test(name) ? text.otherFile(name) : null
}

/** Browsers give a file that is chosen again as another object. */
const isSame = (one: File, other: File): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified

interface DropZoneProps {
  readonly files: Signal<ReadonlyArray<File>>
  readonly sending: Sending
  /** A file was taken off the list, with how far it was. */
  readonly onRemove: (sent: Sent | undefined) => void
}

/** Takes files that are dropped anywhere in the window, or chosen. */
export const DropZone = ({ files, sending, onRemove }: DropZoneProps) => {
  const input = useRef<HTMLInputElement>(null)
  const isOver = useSignal(false)
  const hasFolder = useSignal(false)
  const leftOut = useSignal<ReadonlyArray<string>>([])
  const add = (more: ReadonlyArray<File>) => {
    const all = [...files.peek(), ...more.filter((file) => refusalOf(file) === null)]
    files.value = all.filter((file, at) => all.findIndex((each) => isSame(each, file)) === at)
    leftOut.value = more.flatMap((file) => refusalOf(file) ?? [])
  }
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault()
      isOver.value = true
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) isOver.value = false
    }
    const drop = (event: DragEvent) => {
      event.preventDefault()
      isOver.value = false
      if (event.dataTransfer === null) return
      const dropped = droppedIn(event.dataTransfer)
      hasFolder.value = dropped.hasFolder
      add(dropped.files)
    }
    addEventListener("dragover", over)
    addEventListener("dragleave", leave)
    addEventListener("drop", drop)
    return () => {
      removeEventListener("dragover", over)
      removeEventListener("dragleave", leave)
      removeEventListener("drop", drop)
    }
  }, [])
  return (
    <section class="drop" data-over={isOver.value} aria-label={text.files}>
      <Icon name="upload" />
      <p class="big">{text.drop}</p>
      <p class="soft">{text.dropText}</p>
      <Button onClick={() => input.current?.click()}>{text.choose}</Button>
      <input
        ref={input}
        hidden
        type="file"
        multiple
        accept="audio/*,video/*,.mkv,.opus"
        onChange={({ currentTarget }) => {
          add([...(currentTarget.files ?? [])])
          currentTarget.value = ""
        }}
      />
      {hasFolder.value && <Notice kind="warn">{text.folder}</Notice>}
      {leftOut.value.map((sentence) => (
        <Notice kind="warn" key={sentence}>
          {sentence}
        </Notice>
      ))}
      {files.value.length > 0 && (
        <ul class="files">
          {files.value.map((file, index) => (
            <FileRow
              key={`${file.name} ${index}`}
              file={file}
              sent={sending.get(file)}
              onRemove={() => {
                sending.get(file)?.stop?.()
                files.value = files.peek().filter((each) => each !== file)
                onRemove(sending.get(file))
              }}
            />
          ))}
        </ul>
      )}
    </section>
  )
}
