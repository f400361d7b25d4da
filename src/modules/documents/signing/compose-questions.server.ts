import { hash } from 'node:crypto'
import type { DocumentFact, DocumentFacts } from '../types/kinds.server.ts'
import type { ReadingQuestion } from './reading-questions.ts'

/** Number of questions before signing, if the document has enough statements. */
const QUESTION_COUNT = 3
const OPTION_COUNT = 3
/** Maximum length of an option, in characters. Longer statements can't be compared at a glance. */
const MAX_OPTION_LENGTH = 240

const tidy = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
/** Returns a text as it is compared: without case, punctuation and spaces. */
const folded = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
const keyOf = ({ topic, statement }: DocumentFact) => `${folded(topic)}\n${folded(statement)}`

/** Returns a function that draws a whole number from 0 to below `n`: always the same numbers for the same seed. */
function drawFrom(seed: string): (n: number) => number {
  let drawn = 0
  return (n) => Number.parseInt(hash('sha256', `${seed} ${drawn++}`, 'hex').slice(0, 12), 16) % n
}

function shuffle<T>(all: readonly T[], draw: (n: number) => number): T[] {
  const rest = [...all]
  return all.map(() => rest.splice(draw(rest.length), 1)[0] as T)
}

/**
 * Chooses wrong options. The right one is the shortest, the middle or the longest equally often, as far as the statements
 * permit, so that its length reveals nothing.
 */
function chooseWrong(right: string, pool: readonly string[], draw: (n: number) => number): string[] {
  const byDifference = shuffle(pool, draw).toSorted(
    (a, b) => Math.abs(a.length - right.length) - Math.abs(b.length - right.length),
  )
  const shorter = byDifference.filter((one) => one.length < right.length)
  const longer = byDifference.filter((one) => one.length >= right.length)
  const wanted = draw(OPTION_COUNT)
  const below = Math.max(Math.min(wanted, shorter.length), OPTION_COUNT - 1 - longer.length)
  return [...shorter.slice(0, below), ...longer.slice(0, OPTION_COUNT - 1 - below)]
}

interface QuestionsInput {
  /** Facts of the revision to sign. */
  readonly facts: readonly DocumentFact[]
  /** Facts of the revision that the signatory signed last. No question is asked about them. */
  readonly known: readonly DocumentFact[]
  readonly ask: DocumentFacts['ask']
  readonly seed: string
}

/**
 * Composes at most three questions from a document's own statements: which of them stands under a topic. A statement is
 * never a wrong option where it is right as well. Returns fewer questions if the document has too few statements.
 */
export function composeReadingQuestions({ facts: all, known, ask, seed }: QuestionsInput): ReadingQuestion[] {
  const draw = drawFrom(seed)
  const facts = all
    .map(({ topic, statement }) => ({ topic: tidy(topic), statement: tidy(statement) }))
    .filter(({ topic, statement }) => folded(topic) && folded(statement) && statement.length <= MAX_OPTION_LENGTH)
  const signed = new Set(known.map(keyOf))
  const questions: ReadingQuestion[] = []
  const used = { topics: new Set<string>(), statements: new Set<string>() }
  for (const isTopicRepeated of [false, true])
    for (const { topic, statement } of shuffle(facts, draw)) {
      if (questions.length === QUESTION_COUNT) break
      if (signed.has(keyOf({ topic, statement })) || used.statements.has(folded(statement))) continue
      if (used.topics.has(folded(topic)) !== isTopicRepeated) continue
      const right = new Set(facts.filter((one) => folded(one.topic) === folded(topic)).map((f) => folded(f.statement)))
      const pool = [...new Map(facts.map((one) => [folded(one.statement), one.statement])).entries()].flatMap(
        ([key, text]) => (right.has(key) ? [] : [text]),
      )
      if (pool.length < OPTION_COUNT - 1) continue
      used.topics.add(folded(topic))
      used.statements.add(folded(statement))
      const options = shuffle([statement, ...chooseWrong(statement, pool, draw)], draw)
      questions.push({ topic, question: ask(topic), options, right: options.indexOf(statement) })
    }
  return questions
}
