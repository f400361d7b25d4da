import { problem, violation } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import { clean } from '#kernel/forms/clean.ts'
import { formProblems } from '#kernel/forms/problems.ts'
import type { FormField } from '#kernel/forms/schema.ts'
import { idFromIri } from '#kernel/resource.ts'
import { author, holds } from '#kernel/roles.ts'
import { textOf } from '#kernel/text.ts'
import { londonDate } from '#kernel/time.ts'
import { uploadedDocument } from '#rooms/portal/files/uploaded-document.ts'
import { type Behaviour, behaviour, type Context } from '#server/behaviour.ts'
import { hold } from '#server/data/held.ts'
import type { Row } from '#server/data/plan.ts'
import { changeRows, type RowsChange } from '#server/data/rows.ts'
import { nextNumber } from '#server/data/sequences.ts'
import { sealCompleted, sealEvent, standing } from '../chain/sealing.server.ts'
import { APPROVERS, type DocumentKind } from '../kinds/kind.ts'
import { flagsOf, type State } from '../kinds/states.ts'
import { nextRevision } from './numbering.server.ts'

type Values = Record<string, unknown>

/** What can be said of a completed revision without changing what it says. */
const BESIDE = new Set(['reviewed', 'retired', 'approved', 'reviewDue'])

/** The life that every kind of controlled document leads (safety specification, section 4). */
export function lifecycle(kind: DocumentKind) {
  const r = kind.resource
  const inForm = new Map<string, FormField>(
    kind.schema.steps.flatMap((s) => s.groups.flatMap((g) => g.fields.map((f): [string, FormField] => [f.name, f]))),
  )
  const tidy = (changes: Values): Values =>
    Object.fromEntries(
      Object.entries(changes).flatMap(([name, value]) => {
        const f = inForm.get(name)
        return f && f.kind !== 'custom' && r.fields[name]?.kind === 'json' ? [[name, clean(f, value)]] : []
      }),
    )

  /** Throws 422 with everything that keeps the record from being complete. */
  const mustBeWhole = (values: Values, rows: readonly RowsChange[] = []) => {
    const record = { ...values, ...Object.fromEntries(rows.map((change) => [change.field, change.after])) }
    const title = textOf(record[kind.title.field]).trim()
    const wrong = [
      ...(title ? [] : [violation(kind.title.field, kind.title.required)]),
      ...formProblems(kind.schema, record).filter((v) => v.propertyPath !== kind.title.field),
      ...(kind.problems?.(record) ?? []),
    ]
    const seen = new Set<string>()
    const once = wrong.filter((v) => !seen.has(v.propertyPath) && seen.add(v.propertyPath))
    if (once.length) throw problem.invalid(once)
  }

  const completed = (c: Context): Values => ({
    ...flagsOf('complete', false),
    completedAt: c.now.toString(),
    completedBy: author(c.actor).username,
  })

  /** Makes way for a new current revision, and says what approving sets. */
  const approved = async (
    c: Context,
    row: { id?: number; documentNumber: unknown },
    given: Values,
  ): Promise<Values> => {
    if (!holds(c.actor, APPROVERS)) throw problem.forbidden(`You may not approve a ${kind.noun}.`)
    const [former] = await hold(
      c.work.tx,
      r,
      c.work.clientId,
      (next) => `t.current AND t.number = ${next(row.documentNumber)}::text`,
    )
    if (former && former.id !== row.id) {
      c.work.update(r, former, flagsOf('replaced', false as boolean), 'replace')
      await c.work.flush()
      await sealEvent(c, 'replaced', former, { by: row.id })
    }
    return {
      ...flagsOf('current', false),
      approved: true,
      approvedAt: c.now.toString(),
      authorUsername: author(c.actor).username,
      decisionNote: given.note ?? null,
      reviewDue: given.reviewDue ?? londonDate(c.now).add({ months: kind.reviewMonths }).toString(),
    }
  }

  /** A revision is put away, or brought back; one that others have followed comes back as replaced. */
  const putAway = async (c: Context, row: Row, retired: boolean): Promise<Values> => {
    if (retired || row.state !== 'current') return flagsOf(row.state as State, retired)
    const [other] = await hold(
      c.work.tx,
      r,
      c.work.clientId,
      (next) => `t.current AND t.number = ${next(row.documentNumber)}::text`,
    )
    return flagsOf(other ? 'replaced' : 'current', false)
  }

  /** Files that a document refers to are its client's own, or come with the provider's templates. */
  const mustReach = async (c: Context, changes: Values): Promise<void> => {
    const given = Object.entries(changes).flatMap(([name, value]) =>
      inForm.get(name)?.kind === 'uploads' && Array.isArray(value) ? value.map(String) : [],
    )
    if (!given.length) return
    const ids = given.map((iri) => Number(idFromIri(uploadedDocument, iri) ?? Number.NaN))
    const there = await c.work.tx.rows<{ id: number }>(
      'SELECT id FROM uploaded_document WHERE id = ANY($1::bigint[])',
      [ids.filter(Number.isSafeInteger)],
    )
    const known = new Set(there.map((row) => row.id))
    const lost = given.find((_, i) => !known.has(ids[i] as number))
    if (lost !== undefined) throw problem.unknownTarget(lost)
  }

  const begin = async (c: Context & { values: Values; rows: readonly RowsChange[] }): Promise<Values> => {
    const { values, work } = c
    const parent = values[kind.parent] ? await standing(c, kind, values[kind.parent] as number) : undefined
    const number = (parent?.documentNumber as string) ?? (await nextNumber(c, kind.numbers)).text
    const whole: Values = {
      ...tidy(values),
      documentNumber: number,
      revision: parent ? await nextRevision(work.tx, work.clientId, kind, number) : 1,
    }
    if (!values.complete) {
      if (parent) await refuseSecondDraft(c, kind, number)
      return { ...whole, ...flagsOf('draft', Boolean(values.retired)), approved: false }
    }
    mustBeWhole({ ...values, ...whole }, c.rows)
    Object.assign(whole, completed(c), { approved: false })
    return values.approved ? { ...whole, ...(await approved(c, { documentNumber: number }, values)) } : whole
  }

  const change = async (
    c: Context & { before: Row; changes: Values; values: Values; rows: readonly RowsChange[] },
  ): Promise<Values> => {
    const { before, changes, values } = c
    const said = [...Object.keys(changes).filter((name) => !BESIDE.has(name)), ...c.rows.map((rows) => rows.field)]
    if (before.complete && said.length)
      throw problem.conflict(
        `${String(before.documentNumber)} revision ${String(before.revision)} is complete and stands as it is. Begin the next revision to change it.`,
      )
    let more: Values = tidy(changes)
    if (changes.complete) {
      mustBeWhole({ ...values, ...more }, c.rows)
      more = { ...more, ...completed(c) }
    }
    if (changes.approved) {
      const state = more.state ?? before.state
      if (state !== 'complete')
        throw problem.conflict('Only a complete revision that waits for approval can be approved.')
      more = { ...more, ...(await approved(c, { id: before.id, documentNumber: before.documentNumber }, changes)) }
    } else if (changes.approved === false) throw problem.conflict('An approval stands. Retire the revision instead.')
    if (changes.retired !== undefined) more = { ...more, ...(await putAway(c, before, Boolean(changes.retired))) }
    return more
  }

  const actions: NonNullable<Behaviour['actions']> = {
    complete: async (c) => {
      mustBeWhole(c.row)
      c.work.update(r, c.row, { ...completed(c), updatedAt: c.now.toString() }, 'complete')
      await sealCompleted(c, kind, c.row.id)
      return { answer: () => c.engine.one(r, c.actor, c.row.id) }
    },
    approve: async (c) => {
      notRetired(c.row)
      const set = await approved(c, { id: c.row.id, documentNumber: c.row.documentNumber }, c.input)
      await sealEvent(c, 'approved', c.row, { note: c.input.note, reviewDue: set.reviewDue })
      return { set, answer: () => c.engine.one(r, c.actor, c.row.id) }
    },
    reject: async (c) => {
      notRetired(c.row)
      await sealEvent(c, 'rejected', c.row, { note: c.input.note })
      return {
        set: { ...flagsOf('rejected', true), decisionNote: c.input.note },
        answer: () => c.engine.one(r, c.actor, c.row.id),
      }
    },
    revise: async (c) => {
      const id = await revise(c, kind, c.row, c.input.reason)
      return { answer: () => c.engine.one(r, c.actor, id) }
    },
  }

  return behaviour(r, {
    prepare: async (c) => {
      const set = await (c.before ? change({ ...c, before: c.before }) : begin(c))
      await mustReach(c, { ...c.changes, ...set })
      return set
    },
    saved: async (c) => {
      const { before, changes, written } = c
      if (!changes.completedAt && !changes.approvedAt && (changes.retired === undefined || !before?.seal)) return
      await c.work.flush()
      const id = before?.id ?? written.row().id
      if (changes.completedAt) await sealCompleted(c, kind, id)
      const row = await standing(c, kind, id)
      if (changes.approvedAt) await sealEvent(c, 'approved', row, { reviewDue: row.reviewDue })
      if (before && changes.retired !== undefined) await sealEvent(c, changes.retired ? 'retired' : 'restored', row)
    },
    actions,
  })
}

function notRetired(row: Row): void {
  if (row.retired) throw problem.conflict('This has been deleted. Restore it first.')
}

/** There is one draft of a number at a time: two would have to be put together by hand. */
async function refuseSecondDraft(c: Context, kind: DocumentKind, number: string): Promise<void> {
  const [draft] = await hold(
    c.work.tx,
    kind.resource,
    c.work.clientId,
    (next) => `t.number = ${next(number)}::text AND t.state = 'draft' AND NOT t.retired`,
  )
  if (draft)
    throw problem.conflict(
      `Revision ${String(draft.revision)} of ${number} is already being written by ${String(draft.author)}. Carry on with that one.`,
    )
}

/** The next revision, as a draft that says what this one says. Answers its id. */
async function revise(c: Context, kind: DocumentKind, row: Row, reason: unknown): Promise<number> {
  const { work } = c
  const r = kind.resource
  const number = String(row.documentNumber)
  await refuseSecondDraft(c, kind, number)
  const kept = Object.entries<Field>(r.fields).flatMap(([name, f]) =>
    f.within || name === kind.title.field || name === 'industry' || name === 'isTemplate' ? [[name, row[name]]] : [],
  )
  const written = work.create(r, {
    ...Object.fromEntries(kept),
    ...(r.fields.reviewReason ? { reviewReason: reason ?? '' } : {}),
    documentNumber: number,
    revision: await nextRevision(work.tx, work.clientId, kind, number),
    [kind.parent]: row.id,
    author: author(c.actor).username,
    ...flagsOf('draft', false),
  })
  await work.flush()
  const { id } = written.row()
  for (const field of kind.rows) {
    const lines = row[field] as Row[]
    await work.rows(changeRows(field, r.fields[field] as Field, [], lines), id)
  }
  return id
}
