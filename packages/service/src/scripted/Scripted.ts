import { Layer } from "effect"
import { layer as writer } from "../transcribe/WriterExtractive.js"
import { type PaymentScript, layer as payments } from "./ScriptedPayments.js"
import { type ReceiverScript, layer as receiver } from "./ScriptedReceiver.js"
import { layer as resolver } from "./ScriptedResolver.js"
import { decoder, diarizer, engine, type Script, translator, voice } from "./ScriptedSpeech.js"

/** What a scripted world does, where it does not just work. */
export interface ScriptedWorld {
  readonly engine?: Partial<Script>
  readonly payments?: PaymentScript
  readonly receiver?: ReceiverScript
}

/** Words that follow from the samples alone, after the script. */
export const speech = (script: Partial<Script> = {}) => engine(script)

/** Hears a voice in every sound, for a scripted engine behind a real decoder. */
export const voiceActivity = voice

/** Those who work on the media of jobs made with a test key. */
export const staff = Layer.mergeAll(diarizer, engine(), translator, writer)

/** Everything that a service reaches outside its store, without a network or a program: for tests, examples and demonstrations. */
export const layer = (world: ScriptedWorld = {}) =>
  Layer.mergeAll(
    resolver,
    decoder,
    diarizer,
    translator,
    writer,
    engine(world.engine),
    payments(world.payments),
    receiver(world.receiver),
  )
