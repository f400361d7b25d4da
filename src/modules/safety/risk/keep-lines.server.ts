import { problem } from '#kernel/errors.ts'
import { isRow } from '#kernel/forms/rows.ts'
import type { KeptRows } from '#modules/documents/types/kinds.server.ts'
import { ofAnotherHazard, type Strange } from './strange-controls.server.ts'

/** The lines of an assessment that come with it: none names a control that the library has for another hazard. Throws 422. */
export const keepLines: KeptRows = async (c, { next, before }) => {
  const [lines, former] = [linesIn(next), linesIn(before ?? {})]
  const isSaid = (line: Strange) => former.some((one) => one.control === line.control && one.hazard === line.hazard)
  const wrong = await ofAnotherHazard(
    c,
    lines.flatMap((line, i) => (isSaid(line) ? [] : [{ ...line, at: `controls[${i}].` }])),
  )
  if (wrong.length) throw problem.invalid(wrong)
  return {}
}

const idOf = (value: unknown) => (typeof value === 'number' ? value : null)
const linesIn = ({ controls }: Readonly<Record<string, unknown>>): Strange[] =>
  Array.isArray(controls)
    ? controls.filter(isRow).map(({ control, hazard }) => ({ control: idOf(control), hazard: idOf(hazard), at: '' }))
    : []
