import { formatIsoDateAsUk } from '#kernel/time.ts'
import type { MatrixCell } from './matrix.ts'

/** Returns the state of a cell and its date in words, such as “Expired 03/05/2026”. */
export function describeCell(cell: MatrixCell | undefined, day: string): string {
  if (!cell || cell.state === 'notNeeded') return 'Not needed'
  const { state, validUntil, dueOn } = cell
  if (state === 'expired') return `Expired ${formatIsoDateAsUk(validUntil ?? '')}`
  if (state === 'due') return `Due by ${formatIsoDateAsUk(validUntil ?? '')}`
  if (state === 'inDate') return validUntil ? `In date to ${formatIsoDateAsUk(validUntil)}` : 'In date, no expiry'
  return dueOn && dueOn > day ? `Never, needed by ${formatIsoDateAsUk(dueOn)}` : 'Never'
}
