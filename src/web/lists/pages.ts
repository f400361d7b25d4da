import { figure } from '#kernel/text.ts'

/** `1–30 of 214` */
export function describeRange(page: number, size: number, shown: number, total: number | undefined): string {
  if (shown === 0) return total ? `0 of ${figure(total)}` : 'None'
  const first = (page - 1) * size + 1
  const range = shown === 1 ? figure(first) : `${figure(first)}–${figure(first + shown - 1)}`
  return total === undefined ? range : `${range} of ${figure(total)}`
}

export const pageCount = (total: number | undefined, size: number): number =>
  Math.max(1, Math.ceil((total ?? 0) / size))
