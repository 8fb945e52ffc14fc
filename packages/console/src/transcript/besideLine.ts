/** Keeps the line that is edited in view, clear of its tools: in a narrow window they stand at the upper edge, where no keyboard covers them. */

let tools: HTMLElement | null = null

const bring = (): void => {
  const line = document.querySelector(".text p.editing")
  if (tools === null || line === null) return
  const root = document.documentElement
  root.style.setProperty("--tools", `${tools.offsetHeight}px`)
  if (getComputedStyle(tools).position !== "fixed") {
    tools.scrollIntoView({ block: "nearest", behavior: "instant" })
    line.scrollIntoView({ block: "nearest", behavior: "instant" })
    return
  }
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(root)
  const room = innerHeight - Number.parseFloat(scrollPaddingTop) - Number.parseFloat(scrollPaddingBottom)
  // Of a line that is higher than the window its end is seen: one begins to type there.
  const isHigher = line.getBoundingClientRect().height > room
  line.scrollIntoView({ block: isHigher ? "end" : "start", behavior: "instant" })
}

/** For the element of the tools, while it is there. A keyboard that opens makes the window lower. */
export const besideLine = (element: HTMLElement | null): void => {
  tools = element
  const root = document.documentElement
  root.toggleAttribute("data-editing", element !== null)
  if (element === null) {
    root.style.removeProperty("--tools")
    removeEventListener("resize", bring)
  } else {
    addEventListener("resize", bring)
    bring()
  }
}
