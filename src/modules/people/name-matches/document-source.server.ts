import { problem } from '#kernel/errors.ts'
import {
  holdersOf,
  type NamedPerson,
  type NamePlace,
  namePlaces,
  personIn,
} from '#modules/documents/named-employees/name-places.ts'
import { document } from '#modules/documents/types/document.ts'
import type { DocumentContent, DocumentKind, DocumentRow } from '#modules/documents/types/kind.ts'
import { coshhAssessment } from '#modules/safety/coshh/coshh-assessment.ts'
import { methodStatement } from '#modules/safety/methods/method-statement.ts'
import { policy } from '#modules/safety/policies/policy.ts'
import { ramsPack } from '#modules/safety/rams/rams-pack.ts'
import { riskAssessment } from '#modules/safety/risk/risk-assessment.ts'
import type { Context } from '#server/engine/types.ts'
import { REASON, recordChanged, type Source } from './name-source.server.ts'

/** Types whose forms name employees. */
const KINDS = [riskAssessment, methodStatement, policy, coshhAssessment, ramsPack]

/** Returns the places of names in the form of a type. Lines in tables of their own are another source. */
const formPlaces = (kind: DocumentKind): NamePlace[] =>
  namePlaces(kind).filter(({ rows }) => rows === undefined || !kind.rows.includes(rows))

/** Returns the SQL of the names at one place that refer to no employee. */
const namesAt = (kind: DocumentKind, { rows, name, employee }: NamePlace): string => {
  const [holder, list] =
    rows === undefined
      ? ['d.content', '']
      : [
          'r.value',
          ` CROSS JOIN LATERAL jsonb_array_elements(CASE WHEN jsonb_typeof(d.content -> '${rows}') = 'array' THEN d.content -> '${rows}' ELSE '[]' END) r`,
        ]
  return `SELECT d.id::int AS "row", concat_ws(' ', d.number, d.title) AS record, ${holder} ->> '${name}' AS name FROM document d${list}
    WHERE d.client_id = $1 AND d.kind = '${kind.kind}' AND d.state = 'draft' AND NOT d.retired AND NOT d.is_template
      AND coalesce(${holder} ->> '${employee}', '0') = '0' AND ${holder} ->> '${name}' ~ '\\S'`
}

/** Returns the draft with its type. Throws 409 for a document that can't change any more. */
async function lockDraft(c: Context, id: number): Promise<{ readonly kind: DocumentKind; readonly row: DocumentRow }> {
  const right = c.withoutPermissionCheck(REASON)
  const stored = await right.get(document, id)
  const kind = KINDS.find((one) => one.kind === stored?.kind)
  const row = kind && (await right.lock(kind.resource, id))
  if (!kind || row?.state !== 'draft' || row.retired)
    throw problem.conflict('This document is no longer a draft, so its names stay as they are.')
  return { kind, row }
}

/** Changes the employee of each name that matches. Returns the paths of these names. */
async function changeNames(
  c: Context,
  id: number,
  employee: number | null,
  isMatch: (person: NamedPerson, path: string) => boolean,
): Promise<readonly string[]> {
  const { kind, row } = await lockDraft(c, id)
  const paths: string[] = []
  const values: Record<string, unknown> = {}
  for (const place of formPlaces(kind)) {
    const changed = paths.length
    const holders = holdersOf({ ...row, ...values }, place).map((holder, i) => {
      const path = place.rows === undefined ? place.name : `${place.rows}.${i}.${place.name}`
      if (!isMatch(personIn(holder, place), path)) return holder
      paths.push(path)
      return { ...holder, [place.employee]: employee }
    })
    if (paths.length === changed) continue
    if (place.rows !== undefined) values[place.rows] = holders
    else values[place.employee] = holders[0]?.[place.employee] ?? null
  }
  if (paths.length)
    await c.withoutPermissionCheck(REASON).set(kind.resource, row, values as DocumentContent, 'link name')
  return paths
}

export const documents: Source = {
  names: KINDS.flatMap((kind) => formPlaces(kind).map((place) => namesAt(kind, place))).join(' UNION '),
  link: async (c, { row, name }, employee) => {
    const paths = await changeNames(c, row, employee, (person) => !person.employee && person.name === name)
    if (!paths.length) throw recordChanged()
    return paths
  },
  unlink: async (c, row, linked, employee) => {
    await changeNames(c, row, null, (person, path) => person.employee === employee && linked.includes(path))
  },
}
