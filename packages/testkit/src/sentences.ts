const words = (text: string) => text.split(" ")

const NOUNS = words(
  "engine transcript episode speaker listener station signal morning network question answer market garden teacher river machine library budget project interview harbour contract recording keyboard village doctor history mountain windmill factory satellite government orchestra kitchen bicycle experiment researcher neighbour application configuration responsibility",
)
const ADJECTIVES = words(
  "small new early careful strange quiet expensive public remote bright local difficult obvious ordinary independent reliable narrow unexpected",
)
const VERBS = words(
  "found moved opened wrote heard built needed followed explained changed finished described measured borrowed reached avoided collected remembered compared",
)
const PREPOSITIONS = words("in on at with from under near about after before behind between")
const DETERMINERS = words("the a this that our their every some one")
const SUBJECTS = words("I we they you he she it nobody everyone")
const AUXILIARIES = words("can will should could might did")
const CONJUNCTIONS = words("and but because while so although when if")
const ADVERBS = words("slowly later quickly again there often together almost already")
const FIRST_NAMES = words("Anna Bruno Carla David Ellen Farid Greta Hugo")
const LAST_NAMES = words("Marsh Keller Okafor Lindqvist Tanaka Moreau")

const SHORTEST = 4
const LONGEST = 32

type Random = () => number

const pick = (random: Random, choices: ReadonlyArray<string>): string =>
  choices[Math.floor(random() * choices.length)] ?? ""

const chance = (random: Random, probability: number, text: () => string) =>
  random() < probability ? text() : ""

const thing = (random: Random): string => {
  const kind = random()
  if (kind < 0.14)
    return pick(random, FIRST_NAMES) + chance(random, 0.4, () => ` ${pick(random, LAST_NAMES)}`)
  if (kind < 0.2) return `${2 + Math.floor(random() * 90)} ${pick(random, NOUNS)}s`
  return `${pick(random, DETERMINERS)} ${chance(random, 0.35, () => `${pick(random, ADJECTIVES)} `)}${pick(random, NOUNS)}`
}

const clause = (random: Random): string => {
  const place = () => ` ${pick(random, PREPOSITIONS)} ${thing(random)}`
  const subject = random() < 0.5 ? pick(random, SUBJECTS) : thing(random)
  const helped = () =>
    `${pick(random, AUXILIARIES)} ${chance(random, 0.2, () => "not ")}have ${pick(random, VERBS)}`
  const verb = random() < 0.3 ? helped() : pick(random, VERBS)
  const places = chance(random, 0.5, place) + chance(random, 0.2, place)
  return `${subject} ${verb} ${thing(random)}${places}${chance(random, 0.2, () => ` ${pick(random, ADVERBS)}`)}`
}

const sentence = (random: Random): string => {
  const joined = () => `${pick(random, CONJUNCTIONS)} ${clause(random)}, ${clause(random)}`
  let text = random() < 0.18 ? joined() : clause(random)
  while (random() < 0.4) {
    text += `${chance(random, 0.6, () => ",")} ${pick(random, CONJUNCTIONS)} ${clause(random)}`
  }
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${random() < 0.12 ? "?" : "."}`
}

/** English-like sentences of 4 to 32 words, with clauses, names, numbers, and the small words that lean on others. */
export const sentences = (count: number, random: Random): ReadonlyArray<string> => {
  const made: Array<string> = []
  while (made.length < count) {
    const text = sentence(random)
    const length = text.split(" ").length
    if (length >= SHORTEST && length <= LONGEST) made.push(text)
  }
  return made
}
