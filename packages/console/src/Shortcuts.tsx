import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { onLetter } from "./letters.js"
import { Dialog } from "./widgets/Dialog.js"
import { words } from "./words.js"

const text = words.keyboard

/** What the keys do, on `?`. */
export const Shortcuts = () => {
  const isOpen = useSignal(false)
  useEffect(
    () =>
      onLetter("?", () => {
        isOpen.value = true
      }),
    [],
  )
  if (!isOpen.value) return null
  return (
    <Dialog
      title={text.title}
      onClose={() => {
        isOpen.value = false
      }}
    >
      <dl class="facts">
        {text.keys.map(([key, does]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </>
        ))}
      </dl>
    </Dialog>
  )
}
