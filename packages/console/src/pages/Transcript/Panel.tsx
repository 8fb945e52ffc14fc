import { type Signal, signal } from "@preact/signals"
import type { ComponentChildren } from "preact"

const wide = matchMedia("(min-width: 62rem)")
const isWide = signal(wide.matches)
wide.addEventListener("change", () => {
  isWide.value = wide.matches
})

interface PanelProps {
  /** Names it where it is closed. */
  readonly title: string
  readonly isOpen: Signal<boolean>
  /** Seen also where it is closed. */
  readonly notes: ComponentChildren
  readonly children: ComponentChildren
}

/** Beside the text where there is room; else a sheet at the lower edge that opens over it. */
export const Panel = ({ title, isOpen, notes, children }: PanelProps) => (
  <aside class={isWide.value ? undefined : "sheet"}>
    {notes}
    {isWide.value ? (
      children
    ) : (
      <details
        open={isOpen.value}
        onToggle={({ currentTarget }) => {
          isOpen.value = currentTarget.open
        }}
      >
        <summary>{title}</summary>
        <div>{children}</div>
      </details>
    )}
  </aside>
)
