import { problem } from '#kernel/errors.ts'
import type { Prepared } from '#server/db/db.ts'
import { withoutUnchanged } from '../difference.ts'
import { selectPlanFor } from '../plan.ts'
import { prepare, Values } from '../values.ts'
import { type Audit, type AuditEntry, type AuditStamp, auditText } from './audit-rows.ts'
import type { PendingWrite, WriteStatement } from './pending-write.ts'

/** Several writes and their audit rows as one statement, which returns one row. */
interface Composed {
  readonly query: Prepared
  readonly values: readonly unknown[]
  /** Hands the written rows to those who wait for them. Throws 404 where a record was gone. */
  readonly read: (row: readonly unknown[]) => void
}

export function compose(stamp: AuditStamp, steps: readonly WriteStatement[]): Composed {
  const v = new Values()
  const entries: AuditEntry[] = []
  const answers: { readonly written: PendingWrite; readonly text: string }[] = []
  const parts = steps.map((step, k) => {
    const name = `w${k}`
    for (const audit of step.audits) entries.push({ audit: finalAudit(step, audit), from: name })
    for (const written of step.answers) {
      const { select, joins } = selectPlanFor(written.resource)
      answers.push({ written, text: `(SELECT json_build_array(${select}) FROM ${name} t${joins})` })
    }
    return `${name} AS (${step.sql(v)} RETURNING *)`
  })
  if (entries.length) parts.push(auditText(v, stamp, entries))
  const list = answers.map(({ text }) => text).join(', ') || '1'
  return {
    query: prepare(`WITH ${parts.join(', ')} SELECT ${list}`),
    values: v.list,
    read: (row) => {
      for (const [n, { written }] of answers.entries()) {
        if (!row[n]) throw problem.notFound()
        written.stored = row[n] as unknown[]
      }
    },
  }
}

/** An update's audit row lists only what differs in the end. */
const finalAudit = (step: WriteStatement, a: Audit): Audit =>
  'sets' in step ? { ...a, changes: withoutUnchanged(a.resource, a.changes) } : a
