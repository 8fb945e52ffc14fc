/** What a regular expression is made of, as texts to attack it with. */
import { type AST, parseRegExpLiteral, visitRegExpAST } from "@eslint-community/regexpp"

type Leaf = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass

/** One of each kind that classes tell apart: all of ASCII, blanks, marks, letters and ends of other scripts. */
const CANDIDATES = [
  ..."aA0 xXzZ",
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ..."\u0085\u00a0\u00ad\u00bb\u2019\u201c\u2013\u2014\u2028\u2192\u200b\ufeff\u0301\u0e31é中あア한אاก。，！」ａ\ud83d\ude00",
  "\ud800",
]

const leavesOf = (ast: AST.RegExpLiteral): ReadonlyArray<Leaf> => {
  const leaves: Array<Leaf> = []
  const add = (leaf: Leaf) => {
    if (leaf.parent.type !== "CharacterClass" && leaf.parent.type !== "CharacterClassRange") leaves.push(leaf)
  }
  visitRegExpAST(ast, {
    onCharacterEnter: add,
    onCharacterSetEnter: add,
    onCharacterClassEnter: add,
    onExpressionCharacterClassEnter: add,
  })
  return leaves
}

export interface Examples {
  /** One character for each set of classes that a character can be in; the last is in none, if there is such a one. */
  readonly alphabet: ReadonlyArray<string>
  /** Texts that lead to each repetition. */
  readonly prefixes: ReadonlyArray<string>
  /** Texts that a part of the expression matches. */
  readonly words: ReadonlyArray<string>
  /** Whether it repeats something so often that the length of the text decides its time. */
  readonly repeats: boolean
}

const MANY = 20

export const examplesOf = (pattern: RegExp): Examples => {
  const ast = parseRegExpLiteral(pattern)
  const flags = pattern.flags.replace(/[gymd]/g, "")
  const leaves = [...new Set(leavesOf(ast).map(({ raw }) => raw))]
  const tests = leaves.map((raw) => new RegExp(`^(?:${raw})$`, flags))
  const bySignature = new Map<string, string>()
  for (const candidate of CANDIDATES) {
    const signature = tests.map((test) => Number(test.test(candidate))).join("")
    if (!bySignature.has(signature)) bySignature.set(signature, candidate)
  }
  const characterOf = (leaf: Leaf): string =>
    leaf.type === "Character"
      ? String.fromCodePoint(leaf.value)
      : (CANDIDATES.find((candidate) => tests[leaves.indexOf(leaf.raw)]?.test(candidate)) ?? "")

  const example = (element: AST.Element): string => {
    switch (element.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
      case "ExpressionCharacterClass":
        return characterOf(element)
      case "Quantifier":
        return example(element.element).repeat(Math.max(element.min, 1))
      case "Group":
      case "CapturingGroup":
        return exampleOf(element.alternatives[0])
      default:
        return ""
    }
  }
  const exampleOf = (alternative: AST.Alternative | undefined): string =>
    alternative?.elements.map(example).join("") ?? ""

  const prefixes = new Set([""])
  const words = new Set<string>()
  let repeats = false
  const walk = (alternatives: ReadonlyArray<AST.Alternative>, before: string): void => {
    for (const alternative of alternatives) {
      let here = before
      for (const element of alternative.elements) {
        enter(element, here)
        here += example(element)
      }
      words.add(exampleOf(alternative))
      addSpelled(alternative)
    }
  }
  /** What is written letter by letter, such as `charset`. */
  const addSpelled = ({ elements }: AST.Alternative): void => {
    let spelled = ""
    for (const element of elements) {
      if (element.type === "Character") spelled += characterOf(element)
      else {
        words.add(spelled)
        spelled = ""
      }
    }
    words.add(spelled)
  }
  const enter = (element: AST.Element, before: string): void => {
    if (element.type === "Quantifier") {
      if (element.max > MANY) {
        repeats = true
        prefixes.add(before)
        words.add(before)
        words.add(example(element.element))
      }
      enter(element.element, before)
    } else if (element.type === "Group" || element.type === "CapturingGroup") {
      walk(element.alternatives, before)
    } else if (element.type === "Assertion" && "alternatives" in element) {
      walk(element.alternatives, before)
    }
  }
  walk(ast.pattern.alternatives, "")
  words.delete("")
  const none = "0".repeat(leaves.length)
  const alphabet = [...bySignature].sort(([left], [right]) => Number(left === none) - Number(right === none))
  return {
    // A line end begins a line, whatever class it is in.
    alphabet: [...new Set(["\n", ...alphabet.map(([, character]) => character)])],
    prefixes: [...prefixes],
    words: [...words],
    repeats,
  }
}
