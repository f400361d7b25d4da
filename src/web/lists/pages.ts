const formatFigure = (n: number) => n.toLocaleString('en-GB')

/** `1–30 of 214` */
export function placeInList(page: number, size: number, shown: number, total: number | undefined): string {
  if (shown === 0) return total ? `0 of ${formatFigure(total)}` : 'None'
  const first = (page - 1) * size + 1
  const range = shown === 1 ? formatFigure(first) : `${formatFigure(first)}–${formatFigure(first + shown - 1)}`
  return total === undefined ? range : `${range} of ${formatFigure(total)}`
}

export const pagesOf = (total: number | undefined, size: number): number => Math.max(1, Math.ceil((total ?? 0) / size))
