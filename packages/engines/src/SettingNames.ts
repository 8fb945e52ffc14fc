import { Context } from "effect"

/** What settings of engines are called where somebody can change them. */
export interface EngineSettingNames {
  readonly engine: string
  readonly sherpaModel: string
  readonly whisperCommand: string
  readonly whisperModel: string
  readonly httpUrl: string
  readonly httpKey: string
  readonly pocketsphinxCommand: string
  readonly llmUrl: string
  readonly llmKey: string
  readonly llmModel: string
  readonly translateUrl: string
  readonly translateKey: string
}

/** The options that a program gives to the engines of this package. */
const options: EngineSettingNames = {
  engine: "the name of the engine",
  sherpaModel: "`sherpaModel`",
  whisperCommand: "the `command` of whisper.cpp",
  whisperModel: "its `model`",
  httpUrl: "the `url` of the engine openai",
  httpKey: "the `key` of the engine openai",
  pocketsphinxCommand: "the `command` of pocketsphinx",
  llmUrl: "the `url` of the text model",
  llmKey: "the `key` of the text model",
  llmModel: "the `model` of the text model",
  translateUrl: "the `url` of the translator",
  translateKey: "the `key` of the translator",
}

/**
 * What failures and findings call the settings that cure them. A program that embeds the engines reads the names of its options; a host
 * that reads its settings elsewhere, such as from the environment, provides its own names.
 */
export class SettingNames extends Context.Reference<SettingNames>()("@earmark/engines/SettingNames", {
  defaultValue: (): EngineSettingNames => options,
}) {}

/** A name at the beginning of a sentence. */
export const capital = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
