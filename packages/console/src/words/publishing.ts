/** The words of public addresses of a transcript. */
export const publishingWords = {
  title: "Publish this transcript",
  published: "This transcript is public",
  text: "The transcript gets public addresses that stay the same: a page to read and play, captions and JSON. Anyone with an address can read it. Corrections appear there at once. The page plays a recording from the web, not one that was uploaded.",
  submit: "Publish",
  formats: { html: "Page", vtt: "WebVTT", srt: "SRT", json: "JSON", chapters: "Chapters" },
  copy: (format: string) => `Copy ${format}`,
  tags: "Tags for the feed",
  copyTags: "Copy the tags",
  takeBack: "Take it back",
  takeBackNow: "Take it back now",
  sure: "The addresses stop working at once, and are never given out again.",
} as const
