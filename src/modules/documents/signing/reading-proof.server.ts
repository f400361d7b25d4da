import { problem, violation } from '#kernel/errors.ts'
import { isPlainObject } from '#kernel/forms/rows.ts'
import type { RowOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { prepareSql } from '#server/data/values.ts'
import type { SqlConn } from '#server/db/db.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { type AnsweredQuestion, document } from '../types/document.ts'
import { FACTS_OF_PARTS, type FactsLookup } from '../types/kinds.server.ts'
import { composeReadingQuestions, type QuestionFact } from './compose-questions.server.ts'
import { loadParts } from './parts.server.ts'
import { MAX_ANSWERS, type ReadingProof, type ReadingQuestion } from './reading-questions.ts'

type Revision = Pick<RowOf<typeof document>, 'id' | 'kind' | 'documentNumber' | 'revision'>

type Reader = Pick<Actor, 'clientId' | 'userId'>

const ASKS_PROOF = prepareSql(
  `SELECT 1 FROM sign_off_person p JOIN user_account u ON u.client_id = p.client_id AND u.id = p.user_id
   JOIN sign_off r ON r.client_id = p.client_id AND r.kind = p.kind AND r.number = p.number
   WHERE p.client_id = $1::int AND p.user_id = $2::bigint AND p.document_id = $3::bigint AND p.state = 'asked'
     AND r.proof AND r.state = 'open' AND (r.everybody OR r.role = ANY (u.roles) OR r.people @> to_jsonb(p.user_id)) LIMIT 1`,
)

/** Returns true if an open request asks the user for proof of reading a revision in force that the user has yet to sign. */
export async function isReadingProofAsked(
  conn: Pick<SqlConn, 'arrays'>,
  { clientId, userId }: Reader,
  document: number,
): Promise<boolean> {
  const [asked] = await conn.arrays(ASKS_PROOF, [clientId, userId, document])
  return asked !== undefined
}

const SIGNED_LAST = prepareSql(
  `SELECT d.id, d.revision FROM document d JOIN signature g ON g.client_id = d.client_id AND g.document_id = d.id
   WHERE d.client_id = $1::int AND d.kind = $2::text AND d.number = $3::text AND d.revision < $4::int AND g.user_id = $5::bigint AND g.mine
   ORDER BY d.revision DESC LIMIT 1`,
)

/** Where questions are read from: in a request's transaction, or from the database as last committed. */
export interface QuestionSource {
  readonly reader: RecordReader
  readonly conn: SqlConn
  readonly factsOf: FactsLookup
}

/** Loads the statements of a revision that the user may read, each with its question. */
async function loadFacts(
  { reader, conn, factsOf }: QuestionSource,
  actor: Actor,
  { id, kind }: Pick<Revision, 'id' | 'kind'>,
): Promise<QuestionFact[]> {
  const facts = factsOf(kind)
  if (!facts) return []
  if (facts !== FACTS_OF_PARTS)
    return (await facts.load(reader, [id])).map(({ topic, statement }) => ({
      topic,
      statement,
      question: facts.ask(topic),
    }))
  const parts = await loadParts({ reader, conn, actor }, id)
  const ids = parts.filter((part) => part.readable && part.kind !== null).map((part) => part.id)
  const documents = ids.length ? await reader.find(document, { id: ids }) : []
  const numbers = new Map(documents.map((one) => [one.id, one.documentNumber]))
  const found: QuestionFact[] = []
  for (const [type, all] of Map.groupBy(documents, (one) => one.kind)) {
    const own = factsOf(type)
    if (!own || own === FACTS_OF_PARTS) continue
    const ofType = await own.load(
      reader,
      all.map((one) => one.id),
    )
    for (const { document: of, topic, statement } of ofType) {
      const number = numbers.get(of)
      found.push({ topic: `${number}: ${topic}`, statement, question: `${number}: ${own.ask(topic)}` })
    }
  }
  return found
}

/** Composes a user's questions about a revision: about everything or, after an earlier signature, about the changes. */
export async function loadReadingQuestions(
  source: QuestionSource,
  actor: Actor,
  { id, kind, documentNumber, revision }: Revision,
): Promise<Pick<ReadingProof, 'since' | 'questions'>> {
  if (!source.factsOf(kind)) return { since: null, questions: [] }
  const { clientId, userId } = actor
  const [signed] = await source.conn.arrays(SIGNED_LAST, [clientId, kind, documentNumber, revision, userId])
  const known = signed ? await loadFacts(source, actor, { id: Number(signed[0]), kind }) : []
  const seed = `${clientId} ${id} ${userId}`
  const questions = composeReadingQuestions({ facts: await loadFacts(source, actor, { id, kind }), known, seed })
  return { since: signed ? Number(signed[1]) : null, questions }
}

const wrong = (message: string) => problem.invalid([violation('questions', message)])

/**
 * True if a value answers a question with its options. Two questions about one topic have the same text; the right option
 * of one is never an option of the other.
 */
const isAnswerTo = (
  given: unknown,
  { question, options }: ReadingQuestion,
): given is Pick<AnsweredQuestion, 'chosen'> =>
  isPlainObject(given) &&
  given.question === question &&
  Array.isArray(given.chosen) &&
  given.chosen.length > 0 &&
  given.chosen.every((one) => options.includes(one))

/** Returns an answered question. Throws 422 unless the last chosen option, and only that, is right. */
function readAnswer({ question, options, right }: ReadingQuestion, chosen: readonly string[]): AnsweredQuestion {
  if (chosen.length > MAX_ANSWERS) throw wrong(`Please answer “${question}” at most ${MAX_ANSWERS} times`)
  if (chosen.indexOf(options[right] ?? '') !== chosen.length - 1)
    throw wrong(`The last answer to “${question}” must be right, and no earlier one`)
  return { question, options, chosen }
}

/**
 * Checks the answers given before signing and returns them with the options. Throws 422 if a question is not answered, or
 * if questions are answered that were not asked.
 */
function readAnswers(questions: readonly ReadingQuestion[], given: unknown): readonly AnsweredQuestion[] {
  if (!Array.isArray(given)) throw wrong('The answers must be a list of questions with the chosen options')
  const left: unknown[] = [...given]
  const answers = questions.map((question) => {
    const at = left.findIndex((one) => isAnswerTo(one, question))
    const [answer] = at < 0 ? [] : left.splice(at, 1)
    return isAnswerTo(answer, question) ? readAnswer(question, answer.chosen) : undefined
  })
  const answered = answers.filter((answer) => answer !== undefined)
  if (answered.length < questions.length)
    throw wrong(
      `This signature needs proof of reading. Please answer all questions about the document before you sign (${questions.length - answered.length} of ${questions.length} not answered)`,
    )
  if (left.length) throw wrong('Some of these questions are not asked about this revision. Please open it again')
  return answered
}

/**
 * Returns the answered questions for the signature of a locked revision. Throws 422 if an answer is missing. Without a
 * request for proof of reading, no answers are accepted.
 */
export async function checkReadingProof(
  c: Context,
  factsOf: FactsLookup,
  doc: Revision,
  { isAsked, given }: { readonly isAsked: boolean; readonly given: unknown },
): Promise<readonly AnsweredQuestion[]> {
  if (!isAsked) return readAnswers([], given)
  const source = { reader: c, conn: c.work.tx, factsOf }
  const { questions } = await loadReadingQuestions(source, c.actor, doc)
  return readAnswers(questions, given)
}
