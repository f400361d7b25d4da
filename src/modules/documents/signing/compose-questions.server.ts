import { hash } from 'node:crypto'
import type { ReadingQuestion } from './reading-questions.ts'

/** Number of questions before signing, if the document has enough statements. */
const QUESTION_COUNT = 3
const OPTION_COUNT = 3
/** Maximum length of an option, in characters. Longer statements can't be compared at a glance. */
const MAX_OPTION_LENGTH = 240

const tidy = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
/** Returns a text as it is compared: without case, punctuation and spaces. */
const folded = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
/** Statement with the question that it answers. */
export interface QuestionFact {
  readonly topic: string
  readonly statement: string
  readonly question: string
}

interface ComparedFact extends QuestionFact {
  /** Topic and statement as they are compared. */
  readonly keys: { readonly topic: string; readonly statement: string }
}

const toComparedFact = ({ topic, statement, question }: QuestionFact): ComparedFact => ({
  topic: tidy(topic),
  statement: tidy(statement),
  question: tidy(question),
  keys: { topic: folded(topic), statement: folded(statement) },
})

const keyOf = ({ keys }: ComparedFact) => `${keys.topic}\n${keys.statement}`

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
  readonly facts: readonly QuestionFact[]
  /** Facts of the signatory's last signed revision, which the questions leave out. */
  readonly known: readonly QuestionFact[]
  readonly seed: string
}

/** Returns the different statements that do not belong to a topic, as they may be wrong options for it. */
function otherStatements(facts: readonly ComparedFact[], topic: string): string[] {
  const statements = new Map(facts.map(({ statement, keys }) => [keys.statement, statement]))
  for (const { keys } of facts) if (keys.topic === topic) statements.delete(keys.statement)
  return [...statements.values()]
}

/**
 * Composes up to three questions with three options each from a document's statements. A question asks for the statement
 * of a topic; its wrong options belong to other topics only. Returns fewer questions if the document has too few
 * statements.
 */
export function composeReadingQuestions({ facts: all, known, seed }: QuestionsInput): ReadingQuestion[] {
  const draw = drawFrom(seed)
  const facts = all
    .map(toComparedFact)
    .filter(({ statement, keys }) => keys.topic && keys.statement && statement.length <= MAX_OPTION_LENGTH)
  const signed = new Set(known.map(toComparedFact).map(keyOf))
  const pools = new Map<string, string[]>()
  const questions: ReadingQuestion[] = []
  const used = { topics: new Set<string>(), statements: new Set<string>() }
  for (const isTopicRepeated of [false, true])
    for (const fact of shuffle(facts, draw)) {
      const { topic, statement, question, keys } = fact
      if (questions.length === QUESTION_COUNT) break
      if (signed.has(keyOf(fact)) || used.statements.has(keys.statement)) continue
      if (used.topics.has(keys.topic) !== isTopicRepeated) continue
      const pool = pools.get(keys.topic) ?? otherStatements(facts, keys.topic)
      pools.set(keys.topic, pool)
      if (pool.length < OPTION_COUNT - 1) continue
      used.topics.add(keys.topic)
      used.statements.add(keys.statement)
      const options = shuffle([statement, ...chooseWrong(statement, pool, draw)], draw)
      questions.push({ topic, question, options, right: options.indexOf(statement) })
    }
  return questions
}
