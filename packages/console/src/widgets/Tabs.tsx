import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"

interface TabsProps {
  readonly label: string
  /** What is shown now. */
  readonly current: string
  readonly children: ComponentChildren
}

/** Links to views that stand beside each other. On a narrow window they scroll, and the current one is seen. */
export const Tabs = ({ label, current, children }: TabsProps) => {
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    nav.current
      ?.querySelector("[aria-current]")
      ?.scrollIntoView({ inline: "center", block: "nearest", behavior: "instant" })
  }, [current])
  return (
    <nav class="tabs" aria-label={label} ref={nav}>
      {children}
    </nav>
  )
}
