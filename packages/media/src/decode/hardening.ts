/**
 * What ffmpeg and ffprobe are allowed to do. Both would otherwise follow playlists, addresses and references in files that strangers send.
 */

import { type ChannelChoice, channelsOut } from "./SoundSource.js"

/** Containers with sound of their own. Nothing that names other files: no playlists, no session descriptions, no pictures, no filters. */
const FORMATS =
  "aac,ac3,eac3,aiff,amr,amrnb,amrwb,ape,asf,au,avi,caf,dts,flac,flv,matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,mp3,mpeg,mpegts,mpc,mpc8,ogg,tta,w64,wav,wv"

/** Decoders of sound in those containers, and of subtitles that are text. A video stream finds none and is left alone. */
const CODECS = [
  "aac,aac_fixed,aac_latm,ac3,ac3_fixed,eac3,alac,als,amrnb,amrwb,ape,atrac1,atrac3,atrac3plus,cook,dca,flac",
  "g722,g723_1,g726,g726le,g729,gsm,libgsm,gsm_ms,libgsm_ms,ilbc,mlp,mp1,mp1float,mp2,mp2float,mp3,mp3float,mp3adu,mp3adufloat",
  "mp3on4,mp3on4float,mpc7,mpc8,nellymoser,opus,libopus,qcelp,qdm2,qdmc,sipr,speex,libspeex,tak,truehd,tta,vorbis,libvorbis",
  "wavpack,wmalossless,wmapro,wmav1,wmav2,wmavoice,adpcm_ima_qt,adpcm_ima_wav,adpcm_ima_amv,adpcm_ms,adpcm_swf,adpcm_yamaha",
  "pcm_alaw,pcm_mulaw,pcm_s8,pcm_s8_planar,pcm_u8,pcm_s16be,pcm_s16be_planar,pcm_s16le,pcm_s16le_planar,pcm_s24be,pcm_s24le,pcm_s24le_planar",
  "pcm_s32be,pcm_s32le,pcm_s32le_planar,pcm_s64be,pcm_s64le,pcm_u16be,pcm_u16le,pcm_u24be,pcm_u24le,pcm_u32be,pcm_u32le",
  "pcm_f32be,pcm_f32le,pcm_f64be,pcm_f64le,pcm_bluray,pcm_dvd,pcm_lxf,s302m",
  "subrip,srt,ass,ssa,webvtt,mov_text",
].join(",")

const LIMITS = ["-protocol_whitelist", "file,pipe", "-format_whitelist", FORMATS, "-max_alloc", "268435456"]

const ENTRIES = [
  "format=format_name,duration,start_time,bit_rate,probe_score",
  "stream=index,codec_type,codec_name,sample_rate,channels,duration",
  "stream_tags=language,DURATION",
  "stream_disposition=default,forced,attached_pic",
].join(":")

/** `file:` before the path, so that no name is read as a protocol or an option. Warnings tell of a guessed duration. */
export const probeArguments = (path: string): ReadonlyArray<string> => [
  ...["-v", "warning", ...LIMITS, "-max_streams", "64"],
  ...["-show_entries", ENTRIES, "-of", "json", `file:${path}`],
]

const decoding = (path: string, stream: number, from = 0): ReadonlyArray<string> => [
  ...["-v", "error", "-nostdin", ...LIMITS, "-codec_whitelist", CODECS, "-threads", "1"],
  ...(from > 0 ? ["-ss", `${from}`] : []),
  ...["-i", `file:${path}`, "-map", `0:${stream}`],
]

/** Channels stay as they are unless ffmpeg is told to mix them: naming their number would turn one layout into another one. */
const channelArguments = (choice: ChannelChoice, channels: number): ReadonlyArray<string> => {
  if (choice === "apart") return []
  return choice === "mixed" ? ["-ac", `${channelsOut(choice, channels)}`] : ["-af", `pan=mono|c0=c${choice}`]
}

/** What makes the copy for listening: the encoder of ffmpeg itself, by its quick method, which takes a quarter of the time for speech. */
export const COPY_ENCODER = "aac"

/** The sound once more, small and with an index at its beginning: browsers play it from any moment. Nothing of the names in the original is in it. */
const copyArguments = (copy: string, stream: number, seconds: number): ReadonlyArray<string> => [
  ...["-map", `0:${stream}`, "-vn", "-sn", "-dn", "-t", `${seconds}`],
  ...["-map_metadata", "-1", "-map_chapters", "-1"],
  ...["-ac", "1", "-c:a", COPY_ENCODER, "-aac_coder", "fast", "-b:a", "48k"],
  ...["-movflags", "+faststart", "-f", "ipod", "-y", `file:${copy}`],
]

/** What a program knows of the encoder of copies: nothing where it has none. */
export const encoderArguments: ReadonlyArray<string> = ["-v", "error", "-h", `encoder=${COPY_ENCODER}`]

/**
 * The channels asked for as samples of 16 kHz, no more than so many seconds of them; from a second on, as near to it as the
 * container allows. They come in pieces of 32 kB: ffmpeg would write each frame of the sound by itself, and a frame is woken up for, read
 * and forgotten at greater cost than it is listened to.
 */
export const decodeArguments = (
  path: string,
  {
    stream,
    channels,
    choice,
    seconds,
    from,
    copy,
  }: {
    readonly stream: number
    /** How many the stream has. */
    readonly channels: number
    readonly choice: ChannelChoice
    readonly seconds: number
    readonly from: number
    /** Where a copy for listening is written beside the samples. */
    readonly copy?: string | undefined
  },
): ReadonlyArray<string> => [
  ...decoding(path, stream, from),
  ...["-vn", "-sn", "-dn", "-t", `${seconds}`, ...channelArguments(choice, channels), "-ar", "16000"],
  ...["-flush_packets", "0", "-f", "s16le", "pipe:1"],
  ...(copy === undefined ? [] : copyArguments(copy, stream, seconds)),
]

/** When each frame of a stream was decoded to, one line each, up to about a second. */
export const frameArguments = (path: string, stream: number, to: number): ReadonlyArray<string> => [
  ...["-v", "quiet", ...LIMITS, "-codec_whitelist", CODECS, "-max_streams", "64"],
  ...["-select_streams", `${stream}`, ...(Number.isFinite(to) ? ["-read_intervals", `%${to}`] : [])],
  ...["-show_entries", "frame=pts_time,pkt_duration_time,duration_time,pkt_pos,pkt_size"],
  ...["-of", "compact=p=0", `file:${path}`],
]

/** A subtitle stream as WebVTT. */
export const subtitleArguments = (path: string, stream: number): ReadonlyArray<string> => [
  ...decoding(path, stream),
  ...["-vn", "-an", "-dn", "-f", "webvtt", "pipe:1"],
]
