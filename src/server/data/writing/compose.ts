import { problem } from '#kernel/errors.ts'
import type { Prepared } from '#server/db/db.ts'
import { withoutSame } from '../difference.ts'
import { selectPlanFor } from '../plan.ts'
import { prepare, Values } from '../values.ts'
import { type Audit, auditText, type Teller, type Told } from './audit-rows.ts'
import { refusalText } from './foreseen.ts'
import { type Columns, columnsText, jsonAsked, listed, withJson, withoutJson } from './sent-json.ts'
import type { WriteStatement } from './step.ts'

/** Several writes and their audit rows as one statement; what it gives is one row. */
interface Composed {
  readonly query: Prepared
  readonly values: readonly unknown[]
  /** Tells whoever waits for it what was written. Throws 404 where there was nothing to write. */
  readonly read: (row: readonly unknown[]) => void
}

/** A value that the statement gives, and who takes it; nobody does where it refuses or gives nothing. */
interface Given {
  readonly text: string
  readonly take?: (value: unknown) => void
}

export function compose(teller: Teller, steps: readonly WriteStatement[]): Composed {
  const v = new Values()
  const told: Told[] = []
  const given: Given[] = []
  const known: (() => void)[] = []
  const parts = steps.map((step, k) => {
    const name = `w${k}`
    const { text, bound } = step.sql(v)
    const whole = step.asked.find(({ columns, found }) => found && !columns.length)?.found
    const lists = step.answers.map(({ resource }) => whole && listed(selectPlanFor(resource), whole))
    // All of a new row is known: it is not asked back, and its id is told of without looking at it.
    const isKnown = whole !== undefined && !lists.includes(undefined) && step.asked.every(({ found }) => found)
    for (const audit of step.audits)
      told.push({ audit: inTheEnd(step, audit), from: isKnown ? Number(whole.id) : name })
    if (isKnown) {
      for (const [n, written] of step.answers.entries()) known.push(() => (written.stored = lists[n] ?? []))
      return `${name} AS (${text} RETURNING ${refusalText(step.table, Object.keys(whole), bound, step.json)})`
    }
    for (const written of step.answers) {
      const plan = selectPlanFor(written.resource)
      given.push({
        text: `SELECT json_build_array(${withoutJson(plan, step.json)}) FROM ${name} t${plan.joins}`,
        take: (row) => {
          if (!row) throw problem.notFound()
          written.stored = withJson(plan, row as unknown[], step.json)
        },
      })
    }
    for (const one of step.asked)
      given.push(
        one.found
          ? { text: `SELECT ${refusalText('t', Object.keys(one.found), bound, step.json)} FROM ${name} t` }
          : {
              text: `SELECT ${columnsText(one, step.json)} FROM ${name} t`,
              take: (columns) => {
                one.found = { ...(columns as Columns), ...jsonAsked(one, step.json) }
              },
            },
      )
    return `${name} AS (${text} RETURNING *)`
  })
  if (told.length) parts.push(auditText(v, teller, told))
  const list = given.map(({ text }) => `(${text})`).join(', ') || '1'
  return {
    query: prepare(`WITH ${parts.join(', ')} SELECT ${list}`),
    values: v.list,
    read: (row) => {
      for (const [n, { take }] of given.entries()) take?.(row[n])
      for (const tell of known) tell()
    },
  }
}

/** What an audit row tells of: of an update, only what is another in the end. */
const inTheEnd = (step: WriteStatement, a: Audit): Audit =>
  'sets' in step ? { ...a, changes: withoutSame(a.resource, a.changes) } : a
