import { problem, type Violation, violation } from '#kernel/errors.ts'
import { londonDate } from '#kernel/time.ts'
import type { BeforeSaveInput } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { logIncidentEvent } from '../history.server.ts'
import type { incidentReport } from '../reports/incident-report.ts'
import { type IncidentPerson, incidentPerson } from './incident-person.ts'
import { incidentStatementRequest } from './statement-request.ts'
import { statementLinesProblem } from './statement-rules.ts'

type Save = Context & BeforeSaveInput<typeof incidentReport>

/** A stored person, and the same person as they would be saved; undefined if they are not in the list to save. */
interface SavedPerson {
  readonly stored: IncidentPerson
  readonly saved: Partial<IncidentPerson> | undefined
  readonly path: string
}

/** Values that identify the person who gave a statement. */
const IDENTITY = ['name', 'recordType', 'employee'] as const

/**
 * Throws 422 if a statement that was given by link would be changed, removed or attributed to another person, or one
 * entered that a witness can still give by link. Withdraws the link of a witness who is renamed, so that a statement
 * given under one name never appears under another.
 */
export async function protectStatements(c: Save, people: readonly Partial<IncidentPerson>[]): Promise<void> {
  await refuseStalePeople(c)
  const places = new Map(people.map(({ id }, place) => [id ?? 0, place]))
  const all = (c.before?.personnel ?? []).map((stored): SavedPerson => {
    const place = places.get(stored.id)
    return place === undefined
      ? { stored, saved: undefined, path: 'personnel' }
      : { stored, saved: people[place], path: `personnel[${place}]` }
  })
  const received = all.filter(({ stored }) => stored.statementReceivedAt)
  const others = all.filter(({ stored }) => !stored.statementReceivedAt)
  const wrong = [
    ...received.flatMap(receivedViolations),
    ...(await awaitedViolations(c, others)),
    ...lineViolations(c, people),
  ]
  if (wrong.length) throw problem.invalid(wrong)
  await withdrawRenamed(c, others)
}

/** Throws 409 if a statement was received by link while this save waited for the incident. */
async function refuseStalePeople(c: Save): Promise<void> {
  const open = (c.before?.personnel ?? []).flatMap(({ id, statementReceivedAt }) => (statementReceivedAt ? [] : id))
  if (!open.length) return
  const now = await c.find(incidentPerson, { id: open })
  if (now.some(({ statementReceivedAt }) => statementReceivedAt))
    throw problem.conflict(
      'A witness has just given a statement by link. Nothing was saved. Please reload the incident.',
    )
}

function receivedViolations({ stored, saved, path }: SavedPerson): Violation[] {
  const at = (name: string) => (saved ? `${path}.${name}` : path)
  const removed = violation(
    at('retired'),
    'This witness gave a statement by link and can’t be removed. You can delete the whole incident with a reason',
  )
  const isRemoved = !stored.retired && (!saved || saved.retired)
  if (isRemoved || !saved) return isRemoved ? [removed] : []
  const formerAddition = stored.statementAddition ?? ''
  return [
    ...(saved.statement === stored.statement
      ? []
      : [violation(at('statement'), 'This statement was given by link and can’t be changed. Enter an addition to it')]),
    ...IDENTITY.filter((name) => (saved[name] ?? null) !== stored[name]).map((name) =>
      violation(at(name), 'This person gave a statement by link. Their name and type stay as they were then'),
    ),
    ...((saved.statementAddition ?? '').startsWith(formerAddition)
      ? []
      : [violation(at('statementAddition'), 'This addition stays as it was entered. Enter further words after it')]),
  ]
}

/** Returns a violation for each changed statement of a person who can still give it by link. */
async function awaitedViolations(c: Save, all: readonly SavedPerson[]): Promise<Violation[]> {
  const changed = all.filter(({ stored, saved }) => saved && saved.statement !== stored.statement)
  if (!changed.length) return []
  const open = await c.find(incidentStatementRequest, { person: changed.map(({ stored }) => stored.id), state: 'open' })
  const today = londonDate(c.now).toString()
  const awaited = new Set(open.flatMap(({ person, until }) => (until < today ? [] : person)))
  return changed.flatMap(({ stored, path }) =>
    awaited.has(stored.id)
      ? violation(
          `${path}.statement`,
          'This witness has been asked for a statement. Withdraw the link to enter it yourself',
        )
      : [],
  )
}

function lineViolations(c: Save, people: readonly Partial<IncidentPerson>[]): Violation[] {
  const former = new Map((c.before?.personnel ?? []).map((row) => [row.id, row]))
  return people.flatMap((person, place) =>
    (['statement', 'statementAddition'] as const).flatMap((name) => {
      const isChanged = former.get(person.id ?? 0)?.[name] !== person[name]
      const wrong = isChanged ? statementLinesProblem(person[name] ?? '') : undefined
      return wrong ? violation(`personnel[${place}].${name}`, wrong) : []
    }),
  )
}

async function withdrawRenamed(c: Save, all: readonly SavedPerson[]): Promise<void> {
  const renamed = all.filter(
    ({ stored, saved }) => saved && (saved.name !== stored.name || (saved.employee ?? null) !== stored.employee),
  )
  if (!renamed.length) return
  const open = { person: renamed.map(({ stored }) => stored.id), state: 'open' } as const
  for (const request of await c.lockAll(incidentStatementRequest, open)) {
    await c.set(incidentStatementRequest, request, { state: 'withdrawn', withdrawnAt: c.now.toString() }, 'withdraw')
    await logIncidentEvent(c, request.report, 'Link of a witness withdrawn', 'The witness was renamed')
  }
}
