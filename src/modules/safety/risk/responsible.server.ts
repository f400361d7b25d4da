import { isPlainObject } from '#kernel/forms/rows.ts'
import { toText } from '#kernel/text.ts'
import { type NamedPerson, settleNamedPeople } from '#modules/documents/named-employees/check.server.ts'
import type { RowPreparer } from '#modules/documents/types/kinds.server.ts'
import { riskItem } from './risk-assessment.ts'

type Line = Readonly<Record<string, unknown>>

export const responsibleOf = ({ responsibility, responsible }: Line): NamedPerson => ({
  employee: Number(responsibility) || 0,
  name: toText(responsible),
})

export const toResponsible = ({ employee, name }: NamedPerson) => ({ responsibility: employee, responsible: name })

const linesIn = ({ controls }: Line): readonly Line[] => (Array.isArray(controls) ? controls.filter(isPlainObject) : [])

/**
 * Checks the employees responsible for the lines of an assessment, and stores their names. The next revision, and a copy
 * within the company, may name the employees of its source.
 */
export const settleResponsibleEmployees: RowPreparer = async (c, { next, before }) => {
  const lines = linesIn(next)
  if (!lines.some(({ responsibility }) => responsibility)) return {}
  const stored = new Map(linesIn(before ?? {}).map((line) => [line.id, line]))
  const sources = before ? [] : [next.parent, next.origin].filter((id) => typeof id === 'number')
  const earlier = sources.length ? await c.find(riskItem, { document: sources }) : [...stored.values()]
  const continued = new Set(earlier.map(({ responsibility }) => Number(responsibility)))
  const people = await settleNamedPeople(
    c,
    lines.map((line, i) => {
      const former = line.id === undefined ? undefined : stored.get(line.id)
      return {
        path: `controls[${i}].responsibility`,
        before: former && responsibleOf(former),
        next: responsibleOf(line),
      }
    }),
    (id) => continued.has(id),
  )
  return { controls: lines.map((line, i) => ({ ...line, ...toResponsible(people[i] ?? responsibleOf(line)) })) }
}
