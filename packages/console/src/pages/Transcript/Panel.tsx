import { type Signal, useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"

const WIDE = "(min-width: 62rem)"

const useIsWide = () => {
  const isWide = useSignal(matchMedia(WIDE).matches)
  useEffect(() => {
    const media = matchMedia(WIDE)
    const look = () => {
      isWide.value = media.matches
    }
    media.addEventListener("change", look)
    return () => media.removeEventListener("change", look)
  }, [])
  return isWide.value
}

interface PanelProps {
  /** Names it where it is closed. */
  readonly title: string
  readonly isOpen: Signal<boolean>
  /** Seen also where it is closed. */
  readonly notes: ComponentChildren
  readonly children: ComponentChildren
}

/** Beside the text where there is room; else a sheet at the lower edge that opens over it. */
export const Panel = ({ title, isOpen, notes, children }: PanelProps) =>
  useIsWide() ? (
    <aside>
      {notes}
      {children}
    </aside>
  ) : (
    <aside class="sheet">
      {notes}
      <details
        open={isOpen.value}
        onToggle={({ currentTarget }) => {
          isOpen.value = currentTarget.open
        }}
      >
        <summary>{title}</summary>
        <div>{children}</div>
      </details>
    </aside>
  )
