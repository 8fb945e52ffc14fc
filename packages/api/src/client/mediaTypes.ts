/** What to announce a file as, by the end of its name. The service looks into the file itself. */

const AUDIO =
  "mp3=mpeg wav=wav m4a=mp4 m4b=mp4 aac=aac ac3=ac3 flac=flac ogg=ogg oga=ogg opus=opus weba=webm aiff=aiff aif=aiff amr=amr au=basic mka=x-matroska wma=x-ms-wma"
const VIDEO =
  "mp4=mp4 m4v=mp4 mov=quicktime webm=webm mkv=x-matroska avi=x-msvideo mpg=mpeg mpeg=mpeg 3gp=3gpp ts=mp2t flv=x-flv ogv=ogg wmv=x-ms-wmv"

const listed = (kind: "audio" | "video", words: string) =>
  words.split(" ").map((word): readonly [string, string] => {
    const [extension = "", subtype = ""] = word.split("=")
    return [extension, `${kind}/${subtype}`]
  })

/** The content type for each extension. */
export const mediaTypes: ReadonlyMap<string, string> = new Map([
  ...listed("audio", AUDIO),
  ...listed("video", VIDEO),
  ["rss", "application/rss+xml"],
  ["atom", "application/atom+xml"],
  ["xml", "application/xml"],
])

/** The content type of media, or of a feed, with such a name; undefined when the name does not tell. */
export const mediaTypeOf = (filename: string): string | undefined =>
  mediaTypes.get(filename.slice(filename.lastIndexOf(".") + 1).toLowerCase())
