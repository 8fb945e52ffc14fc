import { useEffect, useRef } from "preact/hooks"
import { words } from "../words.js"
import { Button } from "./Button.js"

/** Reads on when its place comes into view, or is pressed. */
export const ReadOn = ({ onMore }: { readonly onMore: () => Promise<void> }) => {
  const place = useRef<HTMLParagraphElement>(null)
  const more = useRef(onMore)
  more.current = onMore
  useEffect(() => {
    if (place.current === null) return
    const seen = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting === true) void more.current()
    })
    seen.observe(place.current)
    return () => seen.disconnect()
  }, [onMore])
  return (
    <p class="more" ref={place}>
      <Button onClick={() => void onMore()}>{words.app.more}</Button>
    </p>
  )
}
