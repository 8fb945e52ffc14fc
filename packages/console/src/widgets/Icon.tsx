/** Signs of one weight. They say nothing that words do not say as well. */
const PATHS = {
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4.5 4.5",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  code: "M8.5 7L3.5 12l5 5M15.5 7l5 5-5 5",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  check: "M5 12.5l4.5 4.5L19 7.5",
  down: "M6 9.5l6 6 6-6",
  up: "M6 14.5l6-6 6 6",
  minus: "M5 12h14",
  plus: "M12 5v14M5 12h14",
  upload: "M12 16V5M7 9.5L12 4.5l5 5M5 19.5h14",
  download: "M12 4.5v11M7 11l5 5 5-5M5 19.5h14",
  warning: "M12 4L2.8 20h18.4zM12 10v5M12 17.4v.2",
  pen: "M4 20l1-4L16.5 4.5l3 3L8 19z",
  link: "M10 14a4 4 0 0 0 5.7 0l3.1-3.1a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.1 3.1a4 4 0 0 0 5.7 5.7L12 17.7",
  play: "M7 4.5v15l12-7.5z",
  pause: "M8 5v14M16 5v14",
  back: "M11 6l-6 6 6 6M19 6l-6 6 6 6",
  forward: "M13 6l6 6-6 6M5 6l6 6-6 6",
} as const

export type IconName = keyof typeof PATHS

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
)

/** The mark of Earmark: a page with its corner folded. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
    <path class="page" d="M6 3h13l8 8v18H6z" />
    <path class="fold" d="M19 3l8 8h-8z" />
    <path class="line" d="M10 15h12v2H10zm0 5h12v2H10zm0 5h8v-2h-8z" />
  </svg>
)
